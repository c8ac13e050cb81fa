"""The finder: commands, steps and methods by a few letters, those that suit the data first."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coterie.gui.dialogs.finder.dialog import FinderDialog, headed
from coterie.gui.dialogs.finder.state import Entry, method_entries, search, step_entries
from tests.gui.prepared import blobs

ENTRIES = (
    Entry("command", "Run/Run all", "Run all", "Run", "Run every step that is out of date", "F5"),
    Entry("method", "clusterer/kmeans", "k-means", "clusterer", "Round groups", recommended=True),
    Entry("method", "clusterer/ncut", "Normalised cut", "clusterer", why="It needs one.",
          possible=False, words="clusterer/ncut spectral"),
)  # fmt: skip


@pytest.fixture
def dialog(qtbot: QtBot) -> FinderDialog:
    made = FinderDialog(ENTRIES, lambda entry: headed(entry, f"# {entry.title}"))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


def test_titles_count_most_then_what_is_said() -> None:
    assert [e.title for e in search(ENTRIES, "")][-1] == "Normalised cut"
    assert [e.title for e in search(ENTRIES, "run")] == ["Run all"]
    assert [e.title for e in search(ENTRIES, "round gr")] == ["k-means"]
    assert [e.title for e in search(ENTRIES, "ncut")] == ["Normalised cut"]
    assert search(ENTRIES, "nothing like it") == ()


def test_the_first_that_fits_is_taken_by_enter(dialog: FinderDialog, qtbot: QtBot) -> None:
    QTest.keyClicks(dialog.line, "mean")
    assert "k-means" in dialog.text.toPlainText()
    with qtbot.waitSignal(dialog.picked) as picked:
        QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    assert picked.args[0].key == "clusterer/kmeans"


def test_arrow_keys_move_while_one_types(dialog: FinderDialog) -> None:
    first = dialog.chosen
    QTest.keyClick(dialog.line, Qt.Key.Key_Down)
    assert dialog.chosen is not first
    QTest.keyClick(dialog.line, Qt.Key.Key_Up)
    assert dialog.chosen is first


def test_what_cannot_be_done_says_why_and_is_not_done(dialog: FinderDialog, qtbot: QtBot) -> None:
    dialog.line.setText("normalised")
    assert "It needs one." in dialog.text.toPlainText()
    with qtbot.assertNotEmitted(dialog.picked):
        QTest.keyClick(dialog.line, Qt.Key.Key_Return)


def test_nothing_found_is_said(dialog: FinderDialog) -> None:
    dialog.line.setText("zzzz")
    assert dialog.none.isVisible()
    assert dialog.chosen is None


def test_methods_that_suit_the_data_come_first(session: Any) -> None:
    found = method_entries(session, blobs())
    suited = [entry for entry in found if entry.recommended]
    assert found[: len(suited)] == suited
    assert suited[0].key == "clusterer/automatic"
    assert all(entry.why for entry in suited)
    assert {entry.where for entry in method_entries(session, blobs(), "clusterer")} == {"clusterer"}
    assert [entry.key for entry in step_entries(session)] == ["near", "groups", "plane", "order"]


def test_without_data_nothing_is_recommended(new_session: Any) -> None:
    found = method_entries(new_session(), None)
    assert not any(entry.recommended for entry in found)
    assert not next(entry for entry in found if entry.key == "clusterer/kmeans").possible


def test_the_window_opens_it_by_its_key(new_window: Any, qtbot: QtBot) -> None:
    window = new_window()
    window.documents.open_now("iris")
    session = window.session
    qtbot.waitUntil(lambda: bool(session.catalogue.methods) and not session.busy)
    dialog = window.menus.finder.show()
    dialog.line.setText("genie")
    QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    assert "genie" in session.recipe.names
    dialog = window.menus.finder.show()
    dialog.line.setText("undo")
    QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    assert "genie" not in session.recipe.names

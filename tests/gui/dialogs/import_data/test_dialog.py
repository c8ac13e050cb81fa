"""Data files, from the drop to the exported groups, through real dialogs and a real engine."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coterie.core.formats.files.tables import LABEL
from coterie.gui.app.main_window import MainWindow
from coterie.gui.dialogs.export_result.dialog import ExportDialog
from coterie.gui.dialogs.import_data.dialog import ImportDialog
from coterie.gui.panels.step_cards import SourceCard
from coterie.gui.toolkit.elided import ElidedLabel
from coterie.gui.toolkit.forms.editors import LineEditor
from coterie.projects.session import Session

Settle = Callable[[MainWindow], Session]
PATIENCE = 60_000
PRICES = "Größe;Preis;Ort;class\n" + "".join(
    f"{i % 5},{i % 10}5;1.{200 + i},5;Zürich {i};{'ab'[i // 20]}\n" for i in range(40)
)


def asked(window: MainWindow, path: Path, qtbot: QtBot) -> ImportDialog:
    """Open a file, and return the dialog once it has looked at the file."""
    window.documents.open(path)
    return looked(window, qtbot)


def looked(window: MainWindow, qtbot: QtBot) -> ImportDialog:
    dialog = window.findChildren(ImportDialog)[-1]
    qtbot.waitUntil(lambda: not dialog.state.waiting, timeout=PATIENCE)
    return dialog


def test_from_a_file_of_the_spreadsheet_to_exported_groups(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "prices.csv"
    path.write_bytes(PRICES.encode("latin-1"))
    dialog = asked(window, path, qtbot)
    sentences = dialog.findings.sentences()
    assert "Delimiter: semicolon ; — guessed" in sentences
    assert "Decimals: comma , — guessed" in sentences
    assert "Encoding: cp1252 — guessed" in sentences
    assert "Labels: class — guessed" in sentences
    head, rows = dialog.table.head.model(), dialog.table.rows
    names = [head.headerData(j, Qt.Orientation.Horizontal) for j in range(4)]
    assert names == ["Größe", "Preis", "Ort", "class"]
    assert rows.data(rows.index(1, 1)) == "1201.5"

    # The place becomes the name of each item, by the menu of its column.
    menu = dialog.table.menu_for(2)
    assert menu is not None
    next(action for action in menu.actions() if action.text() == "Item names").trigger()
    menu.deleteLater()
    qtbot.waitUntil(dialog.ok.isEnabled, timeout=PATIENCE)
    assert dialog.state.columns.role(2) == "items"
    QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    session = settle(window)
    assert session.recipe.sources[0].params == {"items": "Ort"}
    data = session.results.artefact("data")
    assert data.columns == ("Größe", "Preis")
    assert data.items[3] == "Zürich 3"
    assert data.truth_names == ("a", "b")

    # Read settings again: one edit, which can be undone.
    assert window.workbench is not None
    card = window.workbench.analysis.cards["data"]
    assert isinstance(card, SourceCard)
    card.open()
    QTest.mouseClick(card.settings, Qt.MouseButton.LeftButton)
    again = looked(window, qtbot)
    again.table.role_chosen.emit(0, "left out")
    qtbot.waitUntil(lambda: again.state.columns.role(0) == "information", timeout=PATIENCE)
    QTest.mouseClick(again.ok, Qt.MouseButton.LeftButton)
    settle(window)
    assert session.results.artefact("data").columns == ("Preis",)
    window.commands.undo()
    assert session.recipe.sources[0].params == {"items": "Ort"}

    # Run, and write the groups for the spreadsheet.
    window.commands.run_all()
    settle(window)
    groups = next(s.name for s in session.recipe.steps if s.use.startswith("clusterer/"))
    window.commands.export_result(groups)
    export = window.findChild(ExportDialog)
    assert isinstance(export, ExportDialog)
    assert export.writer is not None
    assert export.writer.name == "writer/csv"
    target = tmp_path / "groups.csv"
    export.file.setText(str(target))
    with qtbot.waitSignal(export.asked):
        QTest.mouseClick(export.ok, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(target.exists, timeout=PATIENCE)
    settle(window)
    assert window.message_bar.problem is None
    with target.open(encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert [line["item"] for line in lines] == list(data.items)
    assert [int(line[LABEL]) for line in lines] == session.results.artefact(groups).labels.tolist()


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "is empty"), ("a,b,c\n1,2,3\n4,5,6,7\n", "Row 2 has 4 cells"), ("name\nx\n", "numbers")],
)
def test_a_file_that_cannot_be_read_is_not_opened(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text(text)
    dialog = asked(window, path, qtbot)
    assert words in dialog.banner.text()
    assert not dialog.ok.isEnabled()
    dialog.accept()
    assert dialog.isVisible()
    dialog.reject()
    assert window.session is not None
    assert not window.session.recipe.names


def test_another_reader_and_other_settings_are_previewed_at_once(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("5,6\n1,2\n3,4\n")
    dialog = asked(window, path, qtbot)
    assert dialog.form is not None
    dialog.form.set_values({"header": "yes"})
    dialog.form.changed.emit(dialog.form.values())
    qtbot.waitUntil(dialog.ok.isEnabled, timeout=PATIENCE)
    assert dialog.state.preview is not None
    assert dialog.state.preview.columns == ("5", "6")
    dialog.findings.pressed.emit("decimal")
    assert dialog.form.editor("decimal").isAncestorOf(dialog.focusWidget())
    dialog.readers.setCurrentIndex(dialog.readers.findData("reader/similarity"))
    dialog.readers.activated.emit(dialog.readers.currentIndex())
    assert not dialog.ok.isEnabled()  # until the reader has answered
    qtbot.waitUntil(lambda: not dialog.state.waiting, timeout=PATIENCE)
    assert dialog.form.isVisible()
    dialog.reject()


def test_an_array_of_several_is_chosen_from_a_list(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "several.npz"
    np.savez(path, big=np.eye(4), small=np.eye(3))
    dialog = asked(window, path, qtbot)
    assert "holds several arrays" in dialog.banner.text()
    assert not dialog.ok.isEnabled()
    assert dialog.table.isEnabled()
    assert dialog.state.preview is not None
    assert [*dialog.state.preview.rows] == [("big", "4 × 4"), ("small", "3 × 3")]
    assert dialog.form is not None
    editor = dialog.form.editor("array")
    assert isinstance(editor, LineEditor)
    assert editor.offered.isVisibleTo(dialog.form)
    small = editor.offered.menu().actions()[1]
    assert small.text() == "small"
    small.trigger()
    qtbot.waitUntil(dialog.ok.isEnabled, timeout=PATIENCE)
    assert dialog.state.params == {"array": "small"}
    assert len(dialog.state.preview.rows) == 3
    assert editor.offered.isVisibleTo(dialog.form)  # another one can still be chosen
    dialog.reject()


def test_a_cube_of_pixels_is_read_as_a_scene_and_the_other_array_offered_as_its_mask(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "scene.npz"
    np.savez(path, img=np.ones((24, 30, 4)), msk=np.arange(720).reshape(24, 30) % 3)
    dialog = asked(window, path, qtbot)
    qtbot.waitUntil(dialog.ok.isEnabled, timeout=PATIENCE)
    assert dialog.state.reader == "reader/raster"
    assert "24 × 30 pixels in 4 bands" in dialog.state.decision
    assert dialog.form is not None
    editor = dialog.form.editor("mask")
    assert isinstance(editor, LineEditor)
    assert [action.text() for action in editor.offered.menu().actions()] == ["img", "msk"]
    dialog.reject()


def test_a_file_can_be_opened_without_a_question(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    window.documents.open(path, ask=False)
    assert window.findChild(ImportDialog) is None
    session = settle(window)
    assert session.results.artefact("data").columns == ("a", "b")


def test_an_export_that_fails_says_why_in_one_sentence(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    window.documents.open(path, ask=False)
    settle(window)
    window.commands.export_result("data")
    dialog = window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    dialog.file.setText(str(tmp_path / "nowhere" / "x.csv"))
    assert not dialog.ok.isEnabled()
    assert "does not exist" in dialog.remark.text()
    dialog.file.setText(str(path))
    assert dialog.ok.text() == "Replace"
    dialog.file.setText(str(tmp_path / "x"))
    dialog.choose_writer("writer/graphml")
    assert dialog.path.name == "x.graphml"
    QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.message_bar.problem is not None, timeout=PATIENCE)
    assert not (tmp_path / "x.graphml").exists()


def test_a_file_that_changed_since_it_was_shown_is_shown_again(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    dialog = asked(window, path, qtbot)
    path.write_text("a,b,c\n1,2,5\n3,4,6\n8,9,7\n")
    dialog.accept()
    assert dialog.isVisible()
    assert "has changed" in dialog.decision.text()
    looked(window, qtbot)
    assert dialog.state.preview is not None
    assert dialog.state.preview.columns == ("a", "b", "c")
    dialog.accept()
    assert settle(window).results.artefact("data").columns == ("a", "b", "c")


@pytest.mark.parametrize("width", [720, 800, 1160])
def test_no_finding_is_cut_off_however_narrow_the_dialog_is(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, width: int
) -> None:
    path = tmp_path / "prices.csv"
    path.write_bytes(PRICES.encode("cp1252"))
    dialog = asked(window, path, qtbot)
    dialog.resize(width, 540)
    qtbot.wait(50)
    assert dialog.width() == width
    labels = dialog.findings.findChildren(ElidedLabel)
    assert len(labels) >= 12
    assert not any(label.is_cut for label in labels)

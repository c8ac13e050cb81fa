"""From a new table to its groups named, explained and exported, in at most eight actions."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.app.main_window import MainWindow
from coterie.gui.dialogs.export_result.dialog import ExportDialog
from coterie.gui.dialogs.import_data.dialog import ImportDialog
from coterie.gui.toolkit import file_dialogs
from coterie.gui.views.summary.view import SummaryView
from coterie.projects.session import Session

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SORTS = ("sparrow", "goose", "ostrich")


class Person:
    """Does what a person can do, and counts: a drop, a click, a key, a name typed with Enter."""

    def __init__(self) -> None:
        self.actions = 0

    def drop(self, window: MainWindow, path: Path) -> None:
        files = QMimeData()
        files.setUrls([QUrl.fromLocalFile(str(path))])
        copy = Qt.DropAction.CopyAction
        entering = QDragEnterEvent(QPoint(200, 200), copy, files, LEFT, NONE)
        QApplication.sendEvent(window, entering)
        assert entering.isAccepted()
        QApplication.sendEvent(window, QDropEvent(QPointF(200, 200), copy, files, LEFT, NONE))
        self.actions += 1

    def click(self, widget: QWidget) -> None:
        assert widget.isVisible()
        assert widget.isEnabled()
        middle = widget.rect().center()
        inside = widget.window().rect().contains(widget.mapTo(widget.window(), middle))
        assert inside, "a person would have to scroll first"
        QTest.mouseClick(widget, LEFT, NONE, middle)
        self.actions += 1

    def press_keys_of(self, command: QAction) -> None:
        assert command.isEnabled()
        assert not command.shortcut().isEmpty()
        command.trigger()  # keys reach no menu where the screen has no active window
        self.actions += 1

    def type_and_enter(self, field: QLineEdit, text: str) -> None:
        assert field.window().focusWidget() is field, "a person would have to click first"
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
        self.actions += 1


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Ninety birds of three sorts, of which the table does not tell."""
    rng = np.random.default_rng(2)
    lines = ["bird,weight,wingspan,eggs"]
    for i in range(90):
        weight, wings, eggs = [(0.03, 22, 5), (3.3, 165, 6), (110, 200, 8)][i % 3]
        measured = (weight * rng.normal(1, 0.05), wings * rng.normal(1, 0.04), eggs)
        lines.append(f"bird {i + 1},{measured[0]:.4f},{measured[1]:.1f},{measured[2]}")
    path = tmp_path / "birds.csv"
    path.write_text("\n".join(lines))
    return path


def test_a_new_table_is_grouped_named_explained_and_exported(
    new_window: Callable[..., MainWindow],
    settle: Callable[[MainWindow], Session],
    qtbot: QtBot,
    table: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(file_dialogs, "usual_folder", lambda: table.parent)
    monkeypatch.setattr("coterie.gui.app.commands.usual_folder", lambda: table.parent)
    window, person = new_window(), Person()
    window.documents.ensure_session()
    person.drop(window, table)
    dialog = window.findChild(ImportDialog)
    assert isinstance(dialog, ImportDialog)
    qtbot.waitUntil(lambda: dialog.open_and_run.isEnabled())
    person.click(dialog.open_and_run)
    qtbot.waitUntil(lambda: window.session is not None and bool(window.session.recipe.steps))
    session = settle(window)

    summary = window.tabs.current_view()
    assert isinstance(summary, SummaryView)
    qtbot.waitUntil(lambda: summary.state.descriptions is not None and len(summary.cards) == 3)
    groups = session.fetch("groups").labels
    assert len({(i % 3, label) for i, label in enumerate(groups.tolist())}) == 3
    summary.synchronize()
    assert all(card._rule.isVisible() and "weight" in card._rule.text() for card in summary.cards)
    qtbot.wait(50)  # the page takes its size

    person.click(summary.cards[0].name)
    sort_of = {int(groups[i]): SORTS[i] for i in range(3)}
    for group in range(3):
        person.type_and_enter(summary.cards[group].name, sort_of[group])
    settle(window)
    person.press_keys_of(window.menus.actions["export"])  # the button is scrolled away by now
    export = window.findChild(ExportDialog)
    assert isinstance(export, ExportDialog)
    written = export.path
    person.click(export.ok)
    qtbot.waitUntil(lambda: written.exists() and not session.busy)
    assert person.actions <= 8

    with written.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["group name"] for row in rows] == [SORTS[i % 3] for i in range(90)]
    assert [row["row"] for row in rows] == [str(i + 1) for i in range(90)]
    assert rows[4]["item"] == "bird 5"
    assert all(int(row["group"]) == int(row["label (from 0; -1: no group)"]) + 1 for row in rows)

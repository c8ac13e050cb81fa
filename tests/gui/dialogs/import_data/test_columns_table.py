"""The columns of a file in the dialog: what each is, why, and how a guess is corrected."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coterie.gui.app.main_window import MainWindow
from coterie.gui.dialogs.import_data.columns_table import (
    ABSENT,
    NAME,
    ROLE,
    TYPE,
    VALUES,
    WHY,
    ColumnsTable,
)
from coterie.gui.dialogs.import_data.dialog import ImportDialog
from coterie.projects.session import Session

PATIENCE = 60_000
ORDERS = "Nr;Betrag;Art;Bezahlt;Datum\n" + "".join(
    f"{100 + i};{i % 7}.{100 + i:03d},5{i % 10} €;{'abc'[i % 3]};{'ja' if i % 2 else 'nein'};"
    f"{1 + i % 28:02d}.02.2019\n"
    for i in range(60)
)


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> ImportDialog:
    path = tmp_path / "orders.csv"
    path.write_text(ORDERS, encoding="utf-8")
    window.documents.open(path)
    found = window.findChildren(ImportDialog)[-1]
    qtbot.waitUntil(lambda: not found.state.waiting, timeout=PATIENCE)
    return found


def row_of(table: ColumnsTable, name: str) -> dict[int, str]:
    model = table.columns
    names = [model.index(row, NAME).data() for row in range(model.rowCount())]
    row = names.index(name)
    return {at: model.index(row, at).data() for at in range(model.columnCount())}


def choose(table: ColumnsTable, row: int, at: int, text: str) -> None:
    menu = table.menu_for(table.columns.index(row, at))
    assert menu is not None
    next(action for action in menu.actions() if action.text() == text).trigger()
    menu.deleteLater()


def test_each_column_says_what_it_is_and_why(dialog: ImportDialog) -> None:
    amount = row_of(dialog.columns, "Betrag")
    assert (amount[TYPE], amount[ROLE], amount[ABSENT]) == ("number", "feature", "0")
    assert amount[VALUES].endswith("€")
    assert amount[WHY] == "Numbers in €."
    assert row_of(dialog.columns, "Nr")[ROLE] in ("information", "item name")
    assert row_of(dialog.columns, "Bezahlt")[TYPE] == "category"
    assert row_of(dialog.columns, "Datum")[TYPE] == "date"


def test_a_guess_is_corrected_and_taken_back(
    window: MainWindow,
    settle: Callable[[MainWindow], Session],
    dialog: ImportDialog,
    qtbot: QtBot,
) -> None:
    table = dialog.columns
    choose(table, 2, ROLE, "Information only")
    qtbot.waitUntil(lambda: row_of(table, "Art")[ROLE] == "information", timeout=PATIENCE)
    choose(table, 1, TYPE, "Category")
    qtbot.waitUntil(lambda: row_of(table, "Betrag")[TYPE] == "category", timeout=PATIENCE)
    assert row_of(table, "Betrag")[WHY] == "60 categories in 60 cells: few items share one."
    choose(table, 1, TYPE, "Guess")
    qtbot.waitUntil(lambda: row_of(table, "Betrag")[TYPE] == "number", timeout=PATIENCE)
    choose(table, 3, ROLE, "Label (known class)")
    qtbot.waitUntil(lambda: row_of(table, "Bezahlt")[ROLE] == "label", timeout=PATIENCE)
    qtbot.waitUntil(dialog.ok.isEnabled, timeout=PATIENCE)
    QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    session = settle(window)
    data = session.results.artefact("data")
    assert data.columns == ("Betrag", "Datum")
    assert set(data.truth_names) == {"nein", "ja"}
    roles = {column.name: column.role for column in data.table}
    assert roles["Art"] == "information"


def test_a_column_that_cannot_be_what_was_chosen_says_which_cells(
    dialog: ImportDialog, qtbot: QtBot
) -> None:
    choose(dialog.columns, 2, TYPE, "Date or time")
    qtbot.waitUntil(lambda: bool(dialog.state.problem), timeout=PATIENCE)
    assert "Column 'Art' cannot be read as a date" in dialog.state.problem
    assert "'a' on line 2" in dialog.state.problem
    assert not dialog.ok.isEnabled()
    choose(dialog.columns, 2, TYPE, "Guess")
    qtbot.waitUntil(dialog.ok.isEnabled, timeout=PATIENCE)


def test_the_keyboard_reaches_the_menus(dialog: ImportDialog) -> None:
    table = dialog.columns
    assert table.menu_for(table.columns.index(0, NAME)) is None
    for at, count in ((TYPE, 7), (ROLE, 6)):
        menu = table.menu_for(table.columns.index(0, at))
        assert menu is not None
        assert len(menu.actions()) == count
        menu.deleteLater()

"""Tables as people have them: imported, corrected, grouped, filtered, exported, reopened."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coterie.core import Clustering, Dataset
from coterie.core.model.recipes import Recipe, Step
from coterie.gui.app.main_window import MainWindow
from coterie.gui.dialogs.import_data.columns_table import ROLE
from coterie.gui.dialogs.import_data.dialog import ImportDialog
from coterie.gui.views.data.view import DataView
from coterie.gui.views.profile.view import ProfileView
from coterie.projects.session import Session

Settle = Callable[[MainWindow], Session]
PATIENCE = 60_000
# A column that a person would not have compare the items, and a query about a category.
FILES = {
    "kunden.csv": ("Newsletter", "Region = Nord"),
    "survey_cat.csv": ("", ""),
    "penguins.csv": ("year", "sex = male"),
    "cars.xlsx": ("", ""),
    "vote.arff": ("", ""),
    "soybean.arff": ("", ""),
    "credit-g.arff": ("housing", "housing = own"),
    "hypothyroid.arff": ("sex", "sex = F"),
    "heart_disease.tab": ("", ""),
    "adult_8000.csv": ("", ""),
}
# One of each kind of file; how each of the tables is read is seen in the tests of the readers.
USUAL = ("kunden.csv", "cars.xlsx", "credit-g.arff", "heart_disease.tab")


def imported(window: MainWindow, path: Path, qtbot: QtBot) -> ImportDialog:
    window.documents.open(path)
    dialog = window.findChildren(ImportDialog)[-1]
    qtbot.waitUntil(lambda: not dialog.state.waiting, timeout=PATIENCE)
    return dialog


def made_information(dialog: ImportDialog, name: str, qtbot: QtBot) -> str:
    """Make a feature information only, by the menu of its role; return which."""
    preview = dialog.state.preview
    assert preview is not None
    features = [about.name for about in preview.about if about.role == "feature"]
    name = name or features[-1]
    row = [about.name for about in preview.about].index(name)
    menu = dialog.columns.menu_for(dialog.columns.columns.index(row, ROLE))
    assert menu is not None
    next(a for a in menu.actions() if a.text() == "Information only").trigger()
    menu.deleteLater()
    qtbot.waitUntil(lambda: dialog.state.columns.role(row) == "information", timeout=PATIENCE)
    return name


@pytest.mark.realdata
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in USUAL else pytest.mark.slow) for n in FILES]
)
def test_a_table_from_import_to_reopening(
    name: str, window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path, realdata: Path
) -> None:
    path = realdata / "tables" / name
    dialog = imported(window, path, qtbot)
    assert not dialog.state.problem
    aside, query = FILES[name]
    aside = made_information(dialog, aside, qtbot)
    qtbot.waitUntil(dialog.ok.isEnabled, timeout=PATIENCE)
    QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    session = settle(window)
    data = session.results.artefact("data")
    assert isinstance(data, Dataset)
    by_name = {column.name: column for column in data.table}
    assert by_name[aside].role == "information"
    assert aside not in {name.partition(" = ")[0] for name in data.columns}

    # Grouped as they are, missing cells and categories included.
    step = Step("groups", "clusterer/k-prototypes", ("data",), {"k": 3, "restarts": 1})
    recipe = session.recipe
    session.edits.replace(Recipe(recipe.title, recipe.sources, (step,)), "group")
    window.commands.run_all()
    settle(window)
    groups = session.results.artefact("groups")
    assert isinstance(groups, Clustering)
    assert groups.n == data.n

    # What is only information is in the table, and rows are filtered by it or by a category.
    window.tabs.bring_forward("Data")
    view = window.tabs.current_view()
    assert isinstance(view, DataView)
    view.synchronize()
    titles = [column.title for column in view.state.columns]
    assert aside in titles
    coded = next(c for c in view.state.columns if c.kind in ("category", "truth") and c.names)
    wanted = query or f"`{coded.title}` = '{coded.names[0]}'"
    view.filter.setText(wanted)
    assert not view.state.problem, wanted
    assert 0 < view.state.rows < data.n
    target = tmp_path / "rows.csv"
    view.export_table(target)
    with target.open(encoding="utf-8", newline="") as stream:
        written = list(csv.DictReader(stream))
    assert len(written) == view.state.rows
    assert aside in written[0]

    window.tabs.bring_forward("Profile")
    profile = window.tabs.current_view()
    assert isinstance(profile, ProfileView)
    profile.synchronize()
    qtbot.waitUntil(lambda: bool(profile.state.boxes), timeout=PATIENCE)

    # Saved, and opened again: the columns are those that were read.
    project = tmp_path / "table.coterie.h5"
    session.project.save(project)
    settle(window)
    qtbot.waitUntil(project.exists, timeout=PATIENCE)
    window.documents.open_now(str(project), project)
    session = settle(window)
    again = session.fetch("data")
    assert [(c.name, c.type, c.role) for c in again.table] == [
        (c.name, c.type, c.role) for c in data.table
    ]
    assert [c.words()[:20] for c in again.table] == [c.words()[:20] for c in data.table]

"""Types and roles are changed in the data table, as an edit that can be undone."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from coterie.core import Dataset
from coterie.gui.app.main_window import MainWindow
from coterie.gui.views.data.state import TableState
from coterie.gui.views.data.table_model import TableModel
from coterie.gui.views.data.view import DataView
from coterie.projects.session import Session
from tests.gui.conftest import NewSession
from tests.gui.prepared import RECIPE

ROWS = "size,stars,sex,remark\n" + "".join(
    f"{i / 7:.3f},{1 + i % 3},{'mf'[i % 2]},likes number {i} of all\n" for i in range(40)
)


def choose(view: DataView, title: str, menu_name: str, text: str) -> None:
    columns = [column.title for column in view.state.columns]
    at = "Item" if title not in columns else title
    menu = view.table.menu_for(columns.index(at))
    assert menu is not None
    inner = next(a.menu() for a in menu.actions() if a.text() == menu_name)
    assert isinstance(inner, QMenu)
    next(action for action in inner.actions() if action.text() == text).trigger()
    menu.deleteLater()


def test_roles_and_types_are_steps_that_are_undone(
    window: MainWindow, settle: Callable[[MainWindow], Session], tmp_path: Path
) -> None:
    path = tmp_path / "stars.csv"
    path.write_text(ROWS)
    window.documents.open(path, ask=False)
    session = settle(window)
    window.tabs.bring_forward("Data")
    view = window.tabs.current_view()
    assert isinstance(view, DataView)
    view.synchronize()
    opened = session.results.artefact("data")
    assert opened.columns == ("size", "stars", "sex = m")
    steps = [step.name for step in session.recipe.steps]

    choose(view, "sex", "Role", "Label (known class)")
    settle(window)
    view.synchronize()
    changed = session.results.artefact("columns")
    assert isinstance(changed, Dataset)
    assert (changed.columns, changed.truth_column) == (("size", "stars"), "sex")
    assert all("data" not in step.of for step in session.recipe.steps if step.name != "columns")
    choose(view, "stars", "Type", "Category")
    settle(window)
    view.synchronize()
    assert [step.name for step in session.recipe.steps] == ["columns", *steps]
    kinds = {column.title: column.kind for column in view.state.columns}
    assert (kinds["stars"], kinds["sex"]) == ("category", "truth")

    window.commands.undo()
    window.commands.undo()
    settle(window)
    assert [step.name for step in session.recipe.steps] == steps
    view.synchronize()
    assert view.state.shown.dataset_step == "data"
    np.testing.assert_array_equal(session.results.artefact("data").features, opened.features)


def test_columns_that_a_method_made_have_no_menu(session: Session) -> None:
    view = DataView(session)
    view.synchronize()
    view.state.update()
    kinds = [column.kind for column in view.state.columns]
    assert view.state.typed(kinds.index("group")) is None
    assert view.state.typed(kinds.index("feature")) is not None
    model = TableModel(view.state)
    tips = [
        model.headerData(at, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        for at in (kinds.index("group"), kinds.index("feature"))
    ]
    assert ["Right-click" in tip for tip in tips] == [False, True]


def test_an_item_of_which_nothing_is_known_is_marked(new_session: NewSession) -> None:
    X = np.array([[1.0, 2.0], [np.nan, np.nan], [np.nan, 3.0]])
    data = Dataset(features=X, columns=("a", "b"), title="holes")
    state = TableState(new_session({"data": data}, RECIPE))
    state.update()
    assert [state.is_unknown(item) for item in range(3)] == [False, True, False]
    model = TableModel(state)
    tips = [model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) for row in range(3)]
    assert [tip is not None and "features of this item are missing" in tip for tip in tips] == [
        False,
        True,
        False,
    ]

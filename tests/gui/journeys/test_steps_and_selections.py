"""Steps and selections in the whole window."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from coterie.gui.app.main_window import MainWindow
from coterie.gui.views.compare.view import CompareView
from coterie.gui.views.ranking.view import RankingView
from coterie.projects.recipe.toml import parse_recipe
from coterie.projects.session import Session

pytestmark = pytest.mark.slow

PATIENCE = 60_000
Settle = Callable[[MainWindow], Session]


def test_try_other_settings_select_copy_and_mend(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    assert not window.menus.actions["step-duplicate"].isEnabled()
    assert not window.menus.actions["copy-python"].isEnabled()
    window.documents.open_sample("iris")
    session = window.documents.ensure_session()
    qtbot.waitUntil(lambda: bool(session.catalogue.methods), timeout=PATIENCE)
    window.commands.run_all()
    settle(window)
    workbench = window.workbench
    assert workbench is not None

    # Two settings side by side.
    groups = next(s.name for s in session.recipe.steps if s.use.startswith("clusterer/"))
    workbench.analysis.reveal(groups)
    window.menus.update()
    window.menus.actions["step-try"].trigger()
    view = window.tabs.current_view()
    assert isinstance(view, CompareView)
    qtbot.waitUntil(lambda: view.state.comparison is not None, timeout=PATIENCE)
    assert (view.state.rows_key, view.state.columns_key) == (groups, f"{groups}-2")
    window.commands.undo()
    assert f"{groups}-2" not in session.recipe.names

    # A selection by its group, and a name for it.
    window.menus.select.fill()
    window.menus.select.groups.actions()[0].trigger()
    assert 0 < session.selection.count < 150
    count = session.selection.count
    workbench.selection.state.save("first")
    session.selection.clear()
    window.menus.select.fill()
    window.menus.select.named.actions()[0].trigger()
    assert session.selection.count == count

    # Who ranks relative to it, from whatever view, reads the order.
    window.tabs.bring_forward("Embedding")
    window.menus.actions["use-relative"].trigger()
    settle(window)
    ranking = window.tabs.current_view()
    assert isinstance(ranking, RankingView)
    qtbot.waitUntil(lambda: ranking.state.shown.ranking_step == "relative", timeout=PATIENCE)
    window.commands.undo()

    # The whole of it as text.
    window.menus.actions["copy-recipe"].trigger()
    assert parse_recipe(QApplication.clipboard().text()) == session.recipe
    window.menus.actions["copy-python"].trigger()
    assert "coterie.Recipe(" in QApplication.clipboard().text()

    # What failed is mended from the bar at the top.
    table = tmp_path / "holes.csv"
    table.write_text("a,b\n" + "\n".join(f"{i},{i % 4}" for i in range(20)) + "\n,3\n")
    session.project.load_recipe(parse_recipe(_HOLES.format(table=table.as_posix())))
    window.commands.run_all()
    settle(window)
    assert [button.text() for button in window.message_bar.remedies]
    window.message_bar.remedies[0].click()
    settle(window)
    assert session.status("scaled") == "fresh"


_HOLES = """
[data]
open = "{table}"
[[step]]
name = "scaled"
use = "transform/minmax"
of = "data"
"""


def test_a_sweep_is_opened_from_the_menu_and_adopted(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    from coterie.gui.dialogs.sweep.dialog import SweepDialog
    from coterie.gui.dialogs.sweep.state import AxisChoice

    window.documents.open_sample("iris")
    session = window.documents.ensure_session()
    qtbot.waitUntil(lambda: bool(session.catalogue.methods), timeout=PATIENCE)
    kernel = next(s.name for s in session.recipe.steps if s.use.startswith("kernel/"))
    workbench = window.workbench
    assert workbench is not None
    workbench.analysis.do("sweep", kernel)
    dialog = window.findChild(SweepDialog)
    assert dialog is not None
    dialog.state.set_axis(0, AxisChoice("sigma", "list", text="0.2, 0.6"))
    dialog.run.click()
    settle(window)
    assert dialog.state.table is not None
    assert dialog.state.table.state == "finished"
    dialog.heat.cellClicked.emit(1, 0)
    assert session.recipe.step(kernel).params["sigma"] == 0.6
    dialog.close()

"""What plugins contribute to the window: a sample, recipes, a figure; and no code of theirs."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from coterie.core.catalogue.registry import LOCAL_PREFIX
from coterie.gui.app.main_window import MainWindow
from coterie.gui.views.figures.view import FiguresView
from coterie.projects.session import Session

pytestmark = pytest.mark.slow

PATIENCE = 60_000
EXAMPLES = Path(__file__).resolve().parents[3] / "packaging" / "examples"
Settle = Callable[[MainWindow], Session]


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of the example packages, as files in a plugin folder."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    for name in ("orbits", "group_tree"):
        package = EXAMPLES / f"coterie-{name.replace('_', '-')}" / "src" / f"coterie_{name}"
        shutil.copy(package / "methods.py", folder / f"{name}.py")
    monkeypatch.setenv("COTERIE_PLUGINS", str(folder))


@pytest.mark.usefixtures("plugins")
def test_a_sample_recipes_and_a_figure_of_plugins_are_used_without_running_their_code_here(
    new_window: Callable[[], MainWindow], settle: Settle, qtbot: QtBot
) -> None:
    before = _local_modules()  # other tests of this process may have run plugins in it
    window = new_window()
    session = window.documents.ensure_session()
    qtbot.waitUntil(lambda: window.gallery.tiles[-1].offer.name == "local:orbits", timeout=PATIENCE)
    window.gallery.tiles[-1].click()
    assert session.recipe.step("around").use == "transform/local:polar"
    window.commands.run_all()
    settle(window)
    assert session.fetch("groups").k == 3

    # A command on the selection.
    groups = session.fetch("groups").labels
    session.selection.update(np.flatnonzero(groups == 1))
    actions = {action.text(): action for action in window.menus.select._menu.actions()}
    actions["Find groups within the selection"].trigger()
    settle(window)
    assert session.fetch("within").n == session.selection.count == 150

    # A recipe among the steps to add.
    assert window.workbench is not None
    window.workbench.analysis.template_asked.emit("local:by-distance")
    settle(window)
    assert session.recipe.step("rings").of == ("distance-2",)
    assert len(session.fetch("rings").labels) == 450

    # A figure, with linked selection.
    window.workbench.analysis.step_chosen.emit("rings")
    window.tabs.bring_forward("Figures")
    view = window.tabs.current_view()
    assert isinstance(view, FiguresView)
    qtbot.waitUntil(lambda: bool(view.state.offers), timeout=PATIENCE)
    view.state.pick("plot/local:group-tree")
    view.outdate()
    view.synchronize()
    qtbot.waitUntil(lambda: view.state.n == 450 and not view.state.empty, timeout=PATIENCE)
    leaf = view.state.items_of(np.array([0]))
    assert len(set(session.fetch("rings").labels[leaf])) == 1

    assert _local_modules() == before


def _local_modules() -> set[str | None]:
    loaded = [module for name, module in sys.modules.items() if name.startswith(LOCAL_PREFIX)]
    return {module.__file__ for module in loaded}

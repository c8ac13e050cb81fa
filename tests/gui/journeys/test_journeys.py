"""Whole journeys through real widgets, a real session and a real engine process."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from coterie.core.model.results import Clustering
from coterie.gui.app.main_window import MainWindow
from coterie.gui.views.data.view import DataView
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.projects.session import Session

Settle = Callable[[MainWindow], Session]
NewWindow = Callable[..., MainWindow]
PATIENCE = 60_000


def open_by_click(window: MainWindow, sample: str) -> None:
    tile = next(tile for tile in window.gallery.tiles if tile.offer.name == sample)
    QTest.mouseClick(tile, Qt.MouseButton.LeftButton)


def drag(widget: QWidget, start: QPoint, end: QPoint) -> None:
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    for share in (0.25, 0.5, 0.75, 1.0):
        QTest.mouseMove(widget, start + (end - start) * share, 10)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)


def labels_of(session: Session) -> dict[str, np.ndarray]:
    found = {}
    for step in session.recipe.steps:
        result = session.fetch(step.name)
        if isinstance(result, Clustering):
            found[step.name] = np.array(result.labels)
    return found


def view_of(window: MainWindow, kind: type) -> QWidget:
    return next(view for view in window.tabs.views if isinstance(view, kind))


def test_from_a_sample_to_a_saved_project_and_back(
    new_window: NewWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    window = new_window("process")  # as a person's
    open_by_click(window, "spirals")
    session = settle(window)
    assert window.workbench is not None
    QTest.mouseClick(window.workbench.analysis.run_all, Qt.MouseButton.LeftButton)
    settle(window)
    assert {str(session.status(name)) for name in session.recipe.names} == {"fresh"}
    assert window.message_bar.problem is None

    # Brush in the embedding, and the table and the inspector follow.
    embedding = view_of(window, EmbeddingView)
    assert isinstance(embedding, EmbeddingView)
    window.tabs.bring_forward("Embedding")
    qtbot.waitUntil(lambda: embedding.state.n > 0 and not embedding.empty)
    qtbot.wait(100)
    canvas = embedding.canvas.viewport()
    area = embedding.canvas.mapFromScene(embedding.box.sceneBoundingRect()).boundingRect()
    drag(canvas, area.topLeft() + QPoint(4, 4), area.center())
    qtbot.waitUntil(lambda: session.selection.count > 0)
    count = session.selection.count
    assert 0 < count < session.selection.n
    window.tabs.bring_forward("Data")
    data = view_of(window, DataView)
    assert isinstance(data, DataView)
    qtbot.waitUntil(lambda: data.built)
    inspector = window.workbench.inspector
    qtbot.waitUntil(lambda: inspector.headline.text().startswith(f"{count} of"))

    # Save, close, open again in another window: the same groups, nothing to compute.
    before = labels_of(session)
    path = tmp_path / "spirals.coterie.h5"
    window.documents.save_to(path)
    qtbot.waitUntil(
        lambda: session.project.path == path and not session.project.modified, timeout=PATIENCE
    )
    assert not window.isWindowModified()
    window.close()
    assert not window.isVisible()
    again = new_window()
    again.documents.open(path)
    reopened = settle(again)
    qtbot.waitUntil(lambda: bool(reopened.recipe.steps), timeout=PATIENCE)
    qtbot.waitUntil(lambda: bool(reopened.catalogue.methods), timeout=PATIENCE)
    status = {name: str(reopened.status(name)) for name in reopened.recipe.names}
    # What is quickly computed again is not stored, and computed where a view asks for it.
    left_out = {each.step for each in reopened.jobs}
    left_out |= {name for name, each in status.items() if each == "left-out"}
    assert left_out <= {"similarity"}
    assert {each for name, each in status.items() if name not in left_out} == {"fresh"}
    after = labels_of(reopened)
    assert after.keys() == before.keys()
    for name, labels in before.items():
        np.testing.assert_array_equal(after[name], labels)
    assert {each.step for each in reopened.jobs} <= left_out


def test_one_parameter_changed_and_run_again(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    open_by_click(window, "iris")
    session = settle(window)
    window.commands.run_all()
    settle(window)
    kernel = next(step for step in session.recipe.steps if step.use.startswith("kernel/"))
    session.edits.replace(
        session.recipe.changed(kernel.name, params={"sigma": 0.9}), "change sigma"
    )
    assert str(session.status(kernel.name)) == "stale"
    window.commands.run_all()
    settle(window)
    assert {str(session.status(name)) for name in session.recipe.names} == {"fresh"}
    ran = len(session.jobs)
    window.commands.undo()
    # What was computed before is known: no job is needed to be up to date again.
    assert {str(session.status(name)) for name in session.recipe.names} == {"fresh"}
    assert len(session.jobs) == ran


PLUGIN = '''
"""Kernels that misbehave."""
import os
import time
from coterie.core import Kernel, hookimpl


class Abort(Kernel):
    """Ends the process it runs in."""
    id, title = "abort", "Abort"

    def compute(self, data, *, params, context):
        os.abort()


class Hang(Kernel):
    """Never looks up."""
    id, title = "hang", "Hang"

    def compute(self, data, *, params, context):
        print("hanging now", flush=True)
        while True:
            time.sleep(0.1)


class Raise(Kernel):
    """Says no."""
    id, title = "raise", "Raise"

    def compute(self, data, *, params, context):
        raise RuntimeError("The moon is in the wrong place")


@hookimpl
def coterie_kernels():
    return [Abort, Hang, Raise]
'''


@pytest.fixture
def bad_plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "trouble.py").write_text(PLUGIN)
    monkeypatch.setenv("COTERIE_PLUGINS", str(folder))


@pytest.fixture
def troubled(bad_plugins: None, new_window: NewWindow, settle: Settle, qtbot: QtBot) -> MainWindow:
    """A window on iris that knows the bad plugins."""
    window = new_window()
    open_by_click(window, "iris")
    session = settle(window)
    qtbot.waitUntil(lambda: "kernel/local:abort" in session.catalogue, timeout=PATIENCE)
    return window


def run_with(window: MainWindow, use: str) -> str:
    session = window.session
    assert session is not None
    kernel = next(step for step in session.recipe.steps if step.use.startswith("kernel/"))
    session.edits.replace(session.recipe.changed(kernel.name, use=use, params={}), f"use {use}")
    window.commands.run_all()
    return kernel.name


@pytest.mark.parametrize("use", ["kernel/local:abort", "kernel/local:raise"])
def test_a_plugin_that_dies_or_raises_costs_its_step_only(
    troubled: MainWindow, settle: Settle, qtbot: QtBot, use: str
) -> None:
    name = run_with(troubled, use)
    session = settle(troubled)
    assert str(session.status(name)) == "failed"
    assert troubled.isVisible()
    problem = troubled.message_bar.problem
    assert problem is not None
    assert problem.step == name
    assert "\n" not in problem.message
    assert problem.message.endswith(".")
    assert "local:" in problem.origin
    assert troubled.workbench is not None
    card = troubled.workbench.analysis.cards[name]
    qtbot.waitUntil(lambda: not card.banner.isHidden())
    # The window lives on: the same recipe with a good kernel runs to the end.
    run_with(troubled, "kernel/gaussian")
    settle(troubled)
    assert {str(session.status(step)) for step in session.recipe.names} == {"fresh"}
    qtbot.waitUntil(lambda: card.banner.isHidden())
    assert troubled.message_bar.problem is None


def test_a_plugin_that_hangs_is_cancelled_and_the_window_answers_meanwhile(
    troubled: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    name = run_with(troubled, "kernel/local:hang")
    session = troubled.session
    assert session is not None
    qtbot.waitUntil(lambda: str(session.status(name)) == "running", timeout=PATIENCE)
    assert troubled.workbench is not None
    log = troubled.workbench.log.text
    qtbot.waitUntil(lambda: "hanging now" in log.toPlainText(), timeout=PATIENCE)
    troubled.tabs.bring_forward("Data")
    assert troubled.menus.actions["cancel"].isEnabled()
    troubled.menus.actions["cancel"].trigger()
    settle(troubled)
    assert str(session.status(name)) in ("missing", "stale")
    run_with(troubled, "kernel/gaussian")
    settle(troubled)
    assert str(session.status(name)) == "fresh"

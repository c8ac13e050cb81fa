"""What a person sees when something outside the program is not as it was."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QMessageBox,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from coterie.gui.app.main_window import MainWindow
from coterie.gui.toolkit.problems import Problem
from coterie.projects.session import Session
from coterie.projects.store.hdf5.saving import Content, save_project

pytestmark = pytest.mark.slow

Settle = Callable[[MainWindow], Session]
NewWindow = Callable[..., MainWindow]
PATIENCE = 60_000


@pytest.fixture
def project(window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path) -> Path:
    """The file of a project that is open in the window."""
    window.documents.open_sample("iris")
    settle(window)
    path = tmp_path / "flowers.coterie.h5"
    window.documents.save_to(path)
    settle(window)
    qtbot.waitUntil(path.exists, timeout=PATIENCE)
    return path


def pressed(box: QMessageBox, text: str) -> QAbstractButton:
    return next(button for button in box.buttons() if text in button.text())


def test_a_project_that_another_window_has_open_is_offered_read_only(
    project: Path,
    new_window: NewWindow,
    settle: Settle,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second = new_window()
    second.documents.open(project)
    qtbot.waitUntil(lambda: second.findChild(QMessageBox, "in-use") is not None, timeout=PATIENCE)
    box = second.findChild(QMessageBox, "in-use")
    assert isinstance(box, QMessageBox)
    assert "another window" in box.text()
    pressed(box, "read-only").click()
    settle(second)
    assert second.session is not None
    qtbot.waitUntil(lambda: bool(second.session and second.session.recipe.names), timeout=PATIENCE)
    assert "(read-only)" in second.windowTitle()
    # Saving asks for another place at once, and what is saved there can be saved again.
    asked: list[str] = []

    def choose(_parent: object, _title: str, start: str, kinds: str) -> tuple[str, str]:
        asked.append(start)
        return start, kinds

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    second.documents.save()
    copy = project.with_name("flowers copy.coterie.h5")
    assert asked == [str(copy)]
    qtbot.waitUntil(copy.exists, timeout=PATIENCE)
    settle(second)
    qtbot.waitUntil(lambda: "(read-only)" not in second.windowTitle(), timeout=PATIENCE)
    assert second.message_bar.problem is None


def test_a_project_that_was_moved_is_told(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    window.documents.ensure_session()
    window.documents.open(tmp_path / "gone.coterie.h5")
    settle(window)
    QApplication.processEvents()
    assert "gone.coterie.h5" in window.message_bar.text()
    assert "moved or renamed" in window.message_bar.text()


def test_a_project_without_data_says_so_and_what_was_removed_can_be_brought_back(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "plan.coterie.h5"
    save_project(path, Content("Plan", "2026-01-01T00:00:00", ""), find=lambda _: None)
    window.documents.open(path)
    qtbot.waitUntil(lambda: "plan.coterie.h5" in window.gallery.remark.text(), timeout=PATIENCE)
    assert window.gallery.remark.isVisible()
    window.documents.open_sample("iris")
    session = settle(window)
    session.edits.replace(session.recipe.without("data"), "remove data")
    assert "Undo to get it back" in window.gallery.remark.text()
    window.menus.actions["undo"].trigger()
    assert window.pages.currentWidget() is window.tabs
    window.show_start()
    assert window.gallery.remark.isHidden()


def test_data_that_were_moved_fail_their_step_and_nothing_else(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    table = tmp_path / "plants.csv"
    table.write_text("\n".join(["a,b", *(f"{i},{i * i % 7}" for i in range(20))]))
    window.documents.open(table, ask=False)
    session = settle(window)
    table.rename(tmp_path / "elsewhere.csv")
    session.run("data", reread=True)
    settle(window)
    qtbot.waitUntil(lambda: "plants.csv" in window.message_bar.text(), timeout=PATIENCE)
    assert session.results.artefact("data") is not None  # what was read before stays on view


def test_what_went_wrong_with_a_step_is_not_told_after_the_step_is_gone_but_in_the_log(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.documents.open_sample("iris")
    session = settle(window)
    last = session.recipe.steps[-1].name
    window.show_problem(Problem("It went wrong.", step=last))
    assert window.workbench is not None
    log = window.workbench.log.text
    qtbot.waitUntil(lambda: f"{last}: It went wrong." in log.toPlainText())
    session.edits.replace(session.recipe.changed(last, seed=5), "another seed")
    assert window.message_bar.problem is not None
    session.edits.replace(session.recipe.without(last), "remove it")
    assert window.message_bar.problem is None


def test_a_full_disk_is_told_and_the_work_is_kept(
    project: Path, window: MainWindow, settle: Settle, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = settle(window)
    session.edits.replace(session.recipe.without(session.recipe.steps[-1].name), "remove the last")
    before = project.read_bytes()
    monkeypatch.setattr(
        "coterie.projects.store.hdf5.saving.shutil.disk_usage", lambda _: SimpleNamespace(free=0)
    )
    window.documents.save()
    settle(window)
    qtbot.waitUntil(lambda: "Free some space" in window.message_bar.text(), timeout=PATIENCE)
    assert window.isWindowModified()
    assert project.read_bytes() == before
    assert "Saving" not in window.statusBar().currentMessage()


def test_an_engine_that_ends_is_started_again_and_the_window_says_so(
    new_window: NewWindow, settle: Settle, qtbot: QtBot
) -> None:
    window = new_window("process")
    window.documents.open_sample("iris")
    session = settle(window)
    states: list[str] = []

    def on_state(state: str) -> None:
        states.append(state)

    session.engine_changed.connect(on_state)
    pid = getattr(session.scheduler._engine, "pid", None)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: states[-1:] == ["ready"], timeout=PATIENCE)
    assert "restarting" in states
    assert window.engine_status.word.text() == "Engine ready"
    window.engine_status.show_state("restarting")
    assert window.engine_status.word.text() == "Engine restarting"
    window.commands.run_all()
    settle(window)
    assert {str(session.status(name)) for name in session.recipe.names} == {"fresh"}


def test_everything_seen_in_the_window_that_takes_the_focus_has_a_name(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.documents.open_sample("iris")
    settle(window)
    window.commands.run_all()
    settle(window)
    nameless = []
    for view in window.tabs.views:
        window.tabs.bring_forward(view.title)
        view.synchronize()
        nameless += [
            f"{view.title}: {widget}"
            for widget in window.findChildren(QWidget)
            if widget.isVisible()
            and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and not (widget.accessibleName() or getattr(widget, "text", str)())
            and not widget.objectName().startswith("qt_")
            and widget.focusProxy() is None
            and not isinstance(widget, QTabBar)
            and widget.metaObject().className() != "QTableCornerButton"
        ]
    assert not nameless

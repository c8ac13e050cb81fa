"""A scene that was moved is found again from the window."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QDialog, QMessageBox
from pytestqt.qtbot import QtBot

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.app.main_window import MainWindow
from coterie.gui.dialogs.find_file import FindDialog
from coterie.projects.jobs.job import Status
from coterie.projects.session import Session

PATIENCE = 60_000


def test_a_failed_source_offers_to_find_its_file_and_takes_no_other(
    window: MainWindow, settle: Callable[[MainWindow], Session], qtbot: QtBot, tmp_path: Path
) -> None:
    scene = tmp_path / "scene.npy"
    np.save(scene, np.arange(300.0).reshape(10, 10, 3))
    session = window.documents.ensure_session()
    qtbot.waitUntil(lambda: bool(session.catalogue.methods), timeout=PATIENCE)
    steps = (Step("some", "transform/sample", ("data",), {"size": 20}),)
    source = Source("data", str(scene), "reader/raster")
    session.project.load_recipe(Recipe(sources=(source,), steps=steps))
    window.commands.run_all()
    settle(window)
    assert session.status("some") is Status.FRESH
    away = tmp_path / "archive" / "renamed.npy"
    away.parent.mkdir()
    shutil.move(scene, away)
    np.save(tmp_path / "wrong.npy", np.zeros((10, 10, 3)))
    session.run("data", reread=True)
    settle(window)
    failure = session.failure("data")
    assert failure is not None
    assert window.workbench is not None
    card = window.workbench.analysis.cards["data"]
    qtbot.waitUntil(lambda: bool(card.banner.remedies))
    assert card.banner.remedies[0].text() == "Locate file…"
    card.banner.remedies[0].click()
    dialog = window.findChild(FindDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.folder.isEnabled(), timeout=PATIENCE)
    dialog.take(tmp_path / "wrong.npy")
    qtbot.waitUntil(lambda: dialog.banner.problem is not None, timeout=PATIENCE)
    assert dialog.banner.problem is not None
    assert "its content differs" in dialog.banner.problem.message
    with qtbot.waitSignal(dialog.finished, timeout=PATIENCE) as ended:
        dialog.look_in(tmp_path)
    assert ended.args == [QDialog.DialogCode.Accepted]
    settle(window)
    assert session.failure("data") is None
    assert session.status("some") is Status.FRESH
    assert session.recipe.find("data") == Source("data", str(away), "reader/raster")
    session.edits.undo()
    assert session.recipe.find("data") == source


def test_a_file_is_kept_in_the_project_after_its_size_was_told(
    window: MainWindow, settle: Callable[[MainWindow], Session], qtbot: QtBot, tmp_path: Path
) -> None:
    scene = tmp_path / "scene.npy"
    np.save(scene, np.arange(300.0).reshape(10, 10, 3))
    session = window.documents.ensure_session()
    qtbot.waitUntil(lambda: bool(session.catalogue.methods), timeout=PATIENCE)
    session.project.load_recipe(Recipe(sources=(Source("data", str(scene), "reader/raster"),)))
    window.commands.run_all()
    settle(window)
    assert window.workbench is not None
    window.workbench.attach_file("data")
    box = window.findChild(QMessageBox)
    assert box is not None
    assert "2.5 kB" in box.text()
    agree = next(button for button in box.buttons() if button.text() == "Attach")
    agree.click()
    qtbot.waitUntil(lambda: session.files.is_attached("data"), timeout=PATIENCE)
    settle(window)
    window.workbench.attach_file("data")
    assert not session.files.is_attached("data")

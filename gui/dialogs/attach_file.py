"""Asks whether to store a data file in the project, and shows its size."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMessageBox

from coterie.core.model.recipes import Source
from coterie.core.wording import size_in_words
from coterie.gui.toolkit.buttons import with_plain_buttons
from coterie.gui.toolkit.problems import Problem
from coterie.gui.toolkit.thread_bridge import Bridge

if TYPE_CHECKING:
    from coterie.gui.app.context import WindowContext
    from coterie.projects.session import Session


def ask_to_attach(session: Session, name: str, context: WindowContext) -> QMessageBox:
    """Open the question; on agreement the file is read in the background."""
    source = session.recipe.find(name)
    path = Path(source.open) if isinstance(source, Source) else Path()
    box = QMessageBox(context.frame)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Attach file")
    box.setText(f"Attach “{path.name}”{_size(path)} to the project?")
    box.setInformativeText(
        "The project file grows by up to that much and can then be opened without the "
        "original. Otherwise the project stores only the path of the file."
    )
    keep = box.addButton("Attach", QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    with_plain_buttons(box)

    def on_finished(_: int) -> None:
        if box.clickedButton() is keep:
            attach(session, name, context)
        box.deleteLater()

    box.finished.connect(on_finished)
    box.open()
    return box


def attach(session: Session, name: str, context: WindowContext) -> None:
    """Have the file read in the background, and say when it is there."""
    bridge = Bridge(lambda: None, context.frame)

    def done(nbytes: int) -> None:
        said = f"{size_in_words(nbytes)} will be stored in the project when you save."
        context.say(said)
        bridge.deleteLater()

    def failed(error: BaseException) -> None:
        context.problems.add(Problem.of_error(error, "attach the file"))
        bridge.deleteLater()

    try:
        bridge.when_done(session.files.attach(name), done, failed)
    except Exception as error:
        failed(error)


def _size(path: Path) -> str:
    try:
        return f" ({size_in_words(path.stat().st_size)})"
    except OSError:
        return ""

"""The commands on one step: the same in the menu of its card and in the menu bar."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from coterie.core.model.recipes import Step
from coterie.gui.app.step_commands import COMMANDS, StepCommand
from coterie.gui.toolkit.styling.icons import icon
from coterie.projects.recipe.edits import moved

if TYPE_CHECKING:
    from coterie.projects.session import Session


def words_of(command: StepCommand, session: Session, name: str) -> str:
    """Return what the command says for a step."""
    part = session.recipe.find(name) if name in session.recipe.names else None
    if command.name == "switch" and isinstance(part, Step) and part.disabled:
        return "Switch &on"
    return command.words


def why_not(command: StepCommand, session: Session, name: str) -> str:
    """Return why a command makes no sense for a step now, or nothing."""
    recipe = session.recipe
    if name not in recipe.names or not isinstance(recipe.find(name), Step):
        return "Choose a step first."
    if command.name in ("up", "down"):
        at = recipe.steps.index(recipe.step(name)) + (-1 if command.name == "up" else 1)
        if not 0 <= at < len(recipe.steps):
            return "The step cannot move further in this direction."
        try:
            moved(recipe, name, at)
        except ValueError as error:
            return str(error)
    if command.name == "sweep" and recipe.step(name).use not in session.catalogue:
        return "Its plugin is not installed."
    return ""


def fill_step_menu(
    menu: QMenu, session: Session, name: str, do: Callable[[str, str], None]
) -> None:
    """Fill `menu` again; `do` is called with the command and the step."""
    menu.clear()
    menu.setToolTipsVisible(True)
    for command in COMMANDS:
        if command.name in ("duplicate", "up", "remove"):
            menu.addSeparator()
        action = menu.addAction(words_of(command, session, name))
        if command.icon:
            action.setIcon(icon(command.icon))
        if command.key:
            action.setShortcut(QKeySequence(command.key))
            action.setShortcutVisibleInContextMenu(True)
        reason = why_not(command, session, name)
        action.setEnabled(not reason)
        action.setToolTip(reason or command.about)
        action.setObjectName(command.name)
        action.triggered.connect(lambda _=False, c=command.name: do(c, name))

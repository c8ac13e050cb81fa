"""Edits of the steps of a recipe, each a single undoable edit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from coterie.core.errors import FIND_FILE
from coterie.core.model.recipes import Recipe
from coterie.gui.toolkit.problems import PLUGINS, Problem
from coterie.projects.recipe.edits import duplicated, forked, moved, remedy
from coterie.projects.recipe.inputs import type_of

if TYPE_CHECKING:
    from coterie.projects.session import Session


class StepWork(QObject):
    """Edits of the session's recipe; a refused one is reported, and changes nothing.

    `revealed` asks to show a step's card; `compared` asks to compare two groupings.
    """

    failed_edit = Signal(object)  # Problem
    revealed = Signal(str, bool)  # step, with its settings
    compared = Signal(str, str)
    sweep_asked = Signal(str)
    find_asked = Signal(str)
    plugins_asked = Signal(str)
    rename_asked = Signal(str)
    run_asked = Signal(str)
    help_asked = Signal(str)  # a method, "kind/id"

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session

    def do(self, command: str, name: str) -> None:
        """Carry out one of the commands of the step's menu."""
        commands: dict[str, Callable[[str], None]] = {
            "try": self.try_other,
            "sweep": self.sweep_asked.emit,
            "duplicate": self.duplicate,
            "rename": self.rename_asked.emit,
            "switch": self.switch,
            "up": lambda step: self.move(step, self._place(step) - 1),
            "down": lambda step: self.move(step, self._place(step) + 1),
            "remove": self.remove,
            "help": lambda step: self.help_asked.emit(self._recipe.step(step).use),
        }
        if name in self._session.recipe.names:
            commands[command](name)

    def move(self, name: str, to: int) -> None:
        """Put a step at another place in the list."""
        if to != self._place(name):
            self._edit(lambda: moved(self._recipe, name, to), f"move {name}")

    def duplicate(self, name: str) -> None:
        """Add a copy of a step."""

        def work() -> Recipe:
            recipe, self._copy = duplicated(self._recipe, name)
            return recipe

        if self._edit(work, f"duplicate {name}"):
            self.revealed.emit(self._copy, True)

    def try_other(self, name: str) -> None:
        """Copy a step and what leads from it to groups, and compare both."""
        try:
            recipe, copies = forked(self._recipe, self._session.catalogue, name)
            self._session.edits.replace(recipe, f"try other settings of {name}")
        except Exception as error:
            self.failed_edit.emit(Problem.of_error(error))
            return
        self.revealed.emit(name, True)
        self.revealed.emit(copies[name], True)
        last = list(copies)[-1]
        if type_of(recipe, self._session.catalogue, last) == "clustering":
            if self._session.results.key(copies[last]) is None:
                for each in (last, copies[last]):
                    self.run_asked.emit(each)
            self.compared.emit(last, copies[last])

    def switch(self, name: str) -> None:
        """Switch a step off, or on again."""
        disabled = not self._recipe.step(name).disabled
        what = f"switch {name} {'off' if disabled else 'on'}"
        self._edit(lambda: self._recipe.changed(name, disabled=disabled), what)

    def rename(self, name: str, new: str) -> None:
        """Give a step another name."""
        try:
            name = self._session.edits.rename(name, new)
        except Exception as error:
            self.failed_edit.emit(Problem.of_error(error))
            return
        self.revealed.emit(name, False)

    def remove(self, name: str) -> None:
        """Take a step, and what depends on it, out of the recipe."""
        self._edit(lambda: self._recipe.without(name), f"remove {name}")

    def mend(self, name: str, use: str) -> None:
        """Put a method before a step that failed, or in its place, and run it; or find its file."""
        if use in (FIND_FILE, PLUGINS):
            (self.find_asked if use == FIND_FILE else self.plugins_asked).emit(name)
            return
        found = remedy(self._recipe, self._session.catalogue, name, use)
        if found is None:
            return
        recipe, new = found
        title = self._session.catalogue.get(use).title
        what = f"use {title} for {name}" if new == name else f"insert {title} before {name}"
        failure = self._session.failure(name)
        if self._edit(lambda: recipe, what):
            self.revealed.emit(new, True)
            for each in (name, *(failure.held if failure is not None else ())):
                self.run_asked.emit(each)  # what was asked for goes on

    @property
    def _recipe(self) -> Recipe:
        return self._session.recipe

    def _place(self, name: str) -> int:
        return self._recipe.steps.index(self._recipe.step(name))

    def _edit(self, work: Callable[[], Recipe], what: str) -> bool:
        try:
            self._session.edits.replace(work(), what)
        except Exception as error:
            self.failed_edit.emit(Problem.of_error(error))
            return False
        return True

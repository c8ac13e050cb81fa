"""Edits of a project, each a step that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from coterie.core.model.recipes import Recipe, Step
from coterie.projects.named_selections import SELECTIONS, NamedSelections
from coterie.projects.recipe.edits import renamed, with_renamed_step
from coterie.projects.recipe.inputs import fitting_inputs
from coterie.projects.recipe.undo import EditHistory

if TYPE_CHECKING:
    from coterie.projects.jobs.catalogue import LoadedPlugins
    from coterie.projects.store.results import Results


class Edits:
    """Available as `session.edits`.

    `history` is another one when another project was begun. `view` is what else is saved of the
    window: what of it is work is changed by `edit_view`, the rest, such as the layout, in place.
    """

    def __init__(self, results: Results, plugins: LoadedPlugins) -> None:
        self._results, self._plugins = results, plugins
        self.history = EditHistory(Recipe())
        self.view: dict[str, Any] = {}
        # Called after each change: who keeps the project notes it.
        self.then: Callable[[], None] = lambda: None

    def begin(self, recipe: Recipe, view: Mapping[str, Any]) -> None:
        """Start from another project, of which nothing can be undone yet."""
        self.view = dict(view)
        named = NamedSelections.from_json(self.view.pop(SELECTIONS, None))
        self.history = EditHistory(recipe, named)

    @property
    def recipe(self) -> Recipe:
        """The recipe as it is now."""
        return self.history.recipe

    @property
    def named(self) -> NamedSelections:
        """The selections that were given a name."""
        return self.history.named

    @property
    def kept_view(self) -> dict[str, Any]:
        """The view as it is saved, with the named selections."""
        return {**self.view, **({SELECTIONS: self.named.as_json()} if self.named.names else {})}

    def replace(self, recipe: Recipe, what: str) -> None:
        """Replace the recipe."""
        recipe.check()
        self.history.do(recipe, what)
        self.then()

    def keep_named(self, named: NamedSelections, what: str) -> None:
        """Replace the named selections."""
        self.history.do(None, what, named)
        self.then()

    def edit_view(self, name: str, value: Any, what: str) -> None:
        """Replace a part of the view that is work; None removes it.

        The value is plain JSON and is not changed afterwards.
        """
        before = self.view.get(name)
        if value == before:
            return
        self.history.note(name, before, value, what)
        self._take_notes()
        self.then()

    def add_step(self, use: str, of: tuple[str, ...] | None = None) -> str:
        """Add a step at the end, on the latest inputs that fit, and return its name."""
        catalogue = self._plugins.catalogue
        method = catalogue.get(use)
        inputs = fitting_inputs(self.recipe, catalogue, method) if of is None else of
        name = self.recipe.free_name(method.id.rpartition(":")[2])
        self.replace(self.recipe.with_step(Step(name, use, inputs)), f"add {method.title}")
        return name

    def rename(self, name: str, new: str) -> str:
        """Give a step another name, which is returned; its result stays with it."""
        recipe, new = renamed(self.recipe, name, new), new.strip()
        if new != name:
            recipe.check()
            self._results.copy(name, new)
            moved = with_renamed_step(self.view, name, new)
            for note in moved:
                self.history.know(note, self.view.get(note))
            self.history.do(recipe, f"rename {name} to {new}", noted=moved)
            self._take_notes()
            self.then()
        return new

    @property
    def can_undo(self) -> str:
        """What would be undone; empty when nothing can."""
        return self.history.can_undo

    @property
    def can_redo(self) -> str:
        """What would be done again; empty when nothing can."""
        return self.history.can_redo

    def undo(self) -> None:
        """Take the last edit back; results that still exist are fresh again at once."""
        self.history.undo()
        self._take_notes()
        self.then()

    def redo(self) -> None:
        """Do the last undone edit again."""
        self.history.redo()
        self._take_notes()
        self.then()

    def _take_notes(self) -> None:
        for name, value in self.history.noted.items():
            if value is None:
                self.view.pop(name, None)
            else:
                self.view[name] = value

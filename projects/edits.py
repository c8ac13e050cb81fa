"""Undo and redo of what a person edits: the recipe and the named selections.

Since both are immutable, a history is a list of them.
"""

from __future__ import annotations

from coterie.core.recipes import Recipe
from coterie.projects.selections import NamedSelections

MOST = 200


class Edits:
    """The present recipe and named selections, those before them, and those undone."""

    def __init__(self, recipe: Recipe, named: NamedSelections | None = None) -> None:
        self.recipe = recipe
        self.named = named or NamedSelections()
        self._before: list[tuple[str, Recipe, NamedSelections]] = []
        self._after: list[tuple[str, Recipe, NamedSelections]] = []

    @property
    def can_undo(self) -> str:
        """What would be undone; empty when nothing can."""
        return self._before[-1][0] if self._before else ""

    @property
    def can_redo(self) -> str:
        """What would be done again; empty when nothing can."""
        return self._after[-1][0] if self._after else ""

    def do(self, recipe: Recipe | None, what: str, named: NamedSelections | None = None) -> None:
        """Replace the recipe, the named selections, or both; nothing can be redone any more."""
        self._before.append((what, self.recipe, self.named))
        del self._before[:-MOST]
        self._after.clear()
        self.recipe = self.recipe if recipe is None else recipe
        self.named = self.named if named is None else named

    def undo(self) -> None:
        """Go back one edit."""
        if self._before:
            what, recipe, named = self._before.pop()
            self._after.append((what, self.recipe, self.named))
            self.recipe, self.named = recipe, named

    def redo(self) -> None:
        """Go forward one edit again."""
        if self._after:
            what, recipe, named = self._after.pop()
            self._before.append((what, self.recipe, self.named))
            self.recipe, self.named = recipe, named

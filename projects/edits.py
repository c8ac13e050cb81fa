"""Undo and redo of a recipe: since recipes are immutable, a history is a list of them."""

from __future__ import annotations

from coterie.core.recipes import Recipe

MOST = 200


class Edits:
    """The present recipe, those before it, and those undone."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._before: list[tuple[str, Recipe]] = []
        self._after: list[tuple[str, Recipe]] = []

    @property
    def can_undo(self) -> str:
        """What would be undone; empty when nothing can."""
        return self._before[-1][0] if self._before else ""

    @property
    def can_redo(self) -> str:
        """What would be done again; empty when nothing can."""
        return self._after[-1][0] if self._after else ""

    def do(self, recipe: Recipe, what: str) -> None:
        """Replace the recipe; what was undone can no longer be redone."""
        self._before.append((what, self.recipe))
        del self._before[:-MOST]
        self._after.clear()
        self.recipe = recipe

    def undo(self) -> None:
        """Go back one edit."""
        if self._before:
            what, recipe = self._before.pop()
            self._after.append((what, self.recipe))
            self.recipe = recipe

    def redo(self) -> None:
        """Go forward one edit again."""
        if self._after:
            what, recipe = self._after.pop()
            self._before.append((what, self.recipe))
            self.recipe = recipe

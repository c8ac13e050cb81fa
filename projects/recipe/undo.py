"""Undo and redo of edits: the recipe, the named selections, the settings of views.

Since all are immutable, a history is a list of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from coterie.core.model.recipes import Recipe
from coterie.projects.named_selections import NamedSelections

MOST = 200


@dataclass(frozen=True)
class _State:
    recipe: Recipe
    named: NamedSelections
    noted: Mapping[str, Any] = field(default_factory=dict)


class EditHistory:
    """The present recipe, named selections and notes, those before them, and those undone.

    Notes are parts of a project's view that are work, such as the classes and regions of a map, by
    their names; None stands for one that is missing.
    """

    def __init__(self, recipe: Recipe, named: NamedSelections | None = None) -> None:
        self._now = _State(recipe, named or NamedSelections())
        self._before: list[tuple[str, _State]] = []
        self._after: list[tuple[str, _State]] = []

    @property
    def recipe(self) -> Recipe:
        """The present recipe."""
        return self._now.recipe

    @property
    def named(self) -> NamedSelections:
        """The present named selections."""
        return self._now.named

    @property
    def noted(self) -> Mapping[str, Any]:
        """The present notes, as far as any was edited."""
        return self._now.noted

    @property
    def can_undo(self) -> str:
        """What would be undone; empty when nothing can."""
        return self._before[-1][0] if self._before else ""

    @property
    def can_redo(self) -> str:
        """What would be done again; empty when nothing can."""
        return self._after[-1][0] if self._after else ""

    def do(
        self,
        recipe: Recipe | None,
        what: str,
        named: NamedSelections | None = None,
        noted: Mapping[str, Any] | None = None,
    ) -> None:
        """Replace the recipe, the named selections and some notes; nothing can be redone then."""
        self._advance(
            what,
            replace(
                self._now,
                recipe=self.recipe if recipe is None else recipe,
                named=self.named if named is None else named,
                noted={**self.noted, **(noted or {})},
            ),
        )

    def know(self, name: str, value: Any) -> None:
        """Take in a note as it stands before it is edited for the first time."""
        self._now = replace(self._now, noted={name: value, **self.noted})

    def note(self, name: str, before: Any, now: Any, what: str) -> None:
        """Replace a note, whose first state is not known here until it is edited."""
        self._now = replace(self._now, noted={**self.noted, name: before})
        self.do(None, what, noted={name: now})

    def undo(self) -> None:
        """Go back one edit."""
        if self._before:
            what, state = self._before.pop()
            self._after.append((what, self._now))
            self._now = state

    def redo(self) -> None:
        """Go forward one edit again."""
        if self._after:
            what, state = self._after.pop()
            self._before.append((what, self._now))
            self._now = state

    def _advance(self, what: str, state: _State) -> None:
        self._before.append((what, self._now))
        del self._before[:-MOST]
        self._after.clear()
        self._now = state

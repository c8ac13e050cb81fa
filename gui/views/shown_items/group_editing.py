"""Edits of groups from any view: each is one step that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from coterie.core.model.results import Clustering
from coterie.core.wording import counted
from coterie.projects.recipe import group_edits

if TYPE_CHECKING:
    from coterie.core.model.recipes import Recipe
    from coterie.projects.session import Session


class GroupEditing:
    """Edits of the groups of one step; each returns the step that then has the groups."""

    def __init__(self, session: Session, step: str, groups: Clustering) -> None:
        self._session, self.step, self.groups = session, step, groups

    def name_group(self, group: int, name: str) -> str:
        """Give a group, by its number from 0, a name; an empty one takes the name away."""
        return self._edit(group_edits.named, f"name group {group + 1}", group, name)

    def colour_group(self, group: int, colour: str) -> str:
        """Give a group a colour, as "#rrggbb"."""
        return self._edit(group_edits.coloured, f"colour group {group + 1}", group, colour)

    def merge_groups(self, groups: tuple[int, ...]) -> str:
        """Put groups together."""
        what = f"merge {len(groups)} groups"
        return self._edit(group_edits.merged, what, groups, self.groups.k)

    def move_group(self, group: int, to: int) -> str:
        """Move a group to another place."""
        what = f"move group {group + 1}"
        return self._edit(group_edits.reordered, what, group, to, self.groups.k)

    def move_items(self, items: Sequence[int], group: int) -> str:
        """Move items into a group."""
        what = f"move {counted(len(items), 'item')}"
        return self._edit(group_edits.moved, what, items, group, self.groups.k)

    def split_group(self, group: int, method: str, k: int) -> str:
        """Divide a group."""
        session = self._session
        recipe, name = group_edits.divided(
            session.recipe, session.catalogue, self.step, group, method, k
        )
        return self._replace(recipe, name, f"split group {group + 1}")

    @property
    def can_edit(self) -> bool:
        """Whether the step is one of the recipe, and its groups do not overlap."""
        return self.step in self._session.recipe.names and self.groups.group_starts is None

    @property
    def can_split(self) -> bool:
        """Whether the groups were found in a table, so a method can divide them."""
        session = self._session
        return self.can_edit and bool(
            group_edits.data_of(session.recipe, session.catalogue, self.step)
        )

    def size(self, group: int) -> int:
        """Return the number of items of a group."""
        return len(self.groups.members(group))

    def _edit(self, edit: Callable[..., tuple[Recipe, str]], what: str, *rest: object) -> str:
        recipe, name = edit(self._session.recipe, self.step, *rest)
        return self._replace(recipe, name, what)

    def _replace(self, recipe: Recipe, name: str, what: str) -> str:
        session = self._session
        following = [step.name for step in recipe.dependents(name)]
        known = set(session.recipe.names)
        again = [n for n in following if n in known and session.status(n) == "fresh"]
        session.edits.replace(recipe, what)
        session.run(name, *again)
        return name

"""What can be selected and what can be done with a selection. Knows no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Ints
from coterie.core.model.query import matching
from coterie.core.model.recipes import Recipe, Step
from coterie.gui.views.ranking.state import RankingState
from coterie.gui.views.shown_items.columns import columns_of, group_names
from coterie.gui.views.shown_items.displayed import Shown, affinity_step, look
from coterie.gui.views.shown_items.rank_positions import places_of
from coterie.gui.views.shown_items.row_filter import QueryColumns
from coterie.projects.recipe.edits import added
from coterie.projects.recipe.linking import linked
from coterie.projects.recipe.templates import template_called, with_template
from coterie.projects.selection import Mode

if TYPE_CHECKING:
    from coterie.projects.session import Session

MODES: tuple[Mode, ...] = ("replace", "add", "subtract", "intersect")
BY_HAND, GROW, TAKE, TRANSDUCTION = (
    well_known.CLUSTERER_BY_HAND,
    well_known.CLUSTERER_DOMINANT_CONSTRAINED,
    well_known.TRANSFORM_TAKE,
    well_known.CLUSTERER_TRANSDUCTION,
)
MOST_APART = 12  # single items, each in a group of its own


@dataclass(frozen=True)
class SelectionEntry:
    """A named selection in a list; `problem` says why it cannot be taken up now."""

    name: str
    count: int
    problem: str = ""


class SelectingState:
    """Selects by group, by rank, by query and by name, and makes steps of what is selected."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""

    @property
    def mode(self) -> Mode:
        """What a new selection does to the one there is, in all views."""
        return self._session.selection.mode

    def choose_mode(self, mode: Mode) -> None:
        """Choose what a new selection does to the one there is."""
        self._session.selection.mode = mode

    @property
    def shown(self) -> Shown:
        """What the views show."""
        return look(self._session, self.chosen)

    @property
    def headline(self) -> str:
        """How many items are selected."""
        selection = self._session.selection
        if not selection.n and self._session.recipe.sources:  # a scene, or nothing was read yet
            return "There are no items yet. Run a step to select among them."
        if not selection.n:
            return "Open data to select among its items."
        return f"{selection.count:,} of {selection.n:,} items selected"

    def begin(self) -> None:
        """Make the selection one among the items that are seen, where it is about none yet.

        Of a scene the items are there only once some of its pixels were sampled.
        """
        selection = self._session.selection
        if not selection.n and (n := self.shown.n):
            selection.set_size(n)

    # Selecting

    def groups(self) -> tuple[tuple[str, int, int], ...]:
        """Return name, number and size of each group; unassigned items come last."""
        shown = self.shown
        if shown.clustering is None or shown.clustering.n != self._session.selection.n:
            return ()
        labels = shown.clustering.labels
        names = group_names(shown)
        found = [(name, group, int((labels == group).sum())) for group, name in enumerate(names)]
        found.append(("unassigned", -1, int((labels < 0).sum())))
        return tuple(entry for entry in found if entry[2])

    def select_group(self, group: int) -> None:
        """Select the members of a group, −1 for items in none."""
        clustering = self.shown.clustering
        if clustering is None:
            raise DataError(
                "There are no groups yet. Run a method that groups the items.", code="groups-needed"
            )
        self._update(clustering.labels == group if group >= 0 else clustering.labels < 0)

    def select_ranks(self, first: int, last: int) -> None:
        """Select the items from place `first` to place `last` of the ranking; 1 is the best.

        Of groups that were ranked each on its own, those places of each.
        """
        ranking = self.shown.ranking
        if ranking is None or ranking.order is None:
            raise DataError(
                "There is no ranking yet. Run a method that ranks the items.", code="ranking-needed"
            )
        if not 1 <= first <= last:
            raise DataError(f"Ranks start at 1. Got {first} to {last}.", code="unknown-item")
        clustering = self.shown.clustering
        places = places_of(ranking, None if clustering is None else clustering.labels)
        self._update((places >= first) & (places <= last))

    def select_query(self, query: str) -> int:
        """Select the items for which a query holds; return how many those are."""
        shown = self.shown
        found = matching(query, QueryColumns(columns_of(shown), shown.n), shown.n)
        self._update(found)
        return int(found.sum())

    def query_names(self) -> tuple[str, ...]:
        """Return the names that a query may use, in backticks where that is needed."""
        shown = self.shown
        words = QueryColumns(columns_of(shown), shown.n)
        return tuple(word if word.isidentifier() else f"`{word}`" for word in words)

    def numeric_name(self) -> str:
        """Return the last of the features, as a query names it; empty when there is none."""
        features = [column for column in columns_of(self.shown) if column.kind == "feature"]
        name = features[-1].title if features else ""
        return name if name.isidentifier() or not name else f"`{name}`"

    # Names

    def entries(self) -> tuple[SelectionEntry, ...]:
        """Return the named selections."""
        n = self._session.selection.n
        found = []
        for name, kept in self._session.edits.named.entries.items():
            problem = (
                ""
                if kept.n == n
                else f"Made when there were {kept.n:,} items; there are {n:,} now."
            )
            found.append(SelectionEntry(name, len(kept.items), problem))
        return tuple(found)

    def save(self, name: str) -> None:
        """Give the selection a name."""
        selection = self._session.selection
        named = self._session.edits.named.with_one(name, selection.items.tolist(), selection.n)
        self._session.edits.keep_named(named, f"name the selection {name.strip()}")

    def take_up(self, name: str) -> None:
        """Select what was given a name."""
        kept = self._session.edits.named[name]
        if kept.n != self._session.selection.n:
            raise DataError(
                f"'{name}' was selected among {kept.n:,} items, but there are "
                f"{self._session.selection.n:,} now.",
                code="items-mismatch",
            )
        self._update(kept.index)

    def rename(self, name: str, new: str) -> None:
        """Give a named selection another name."""
        if new.strip() != name:
            self._session.edits.keep_named(
                self._session.edits.named.renamed(name, new), f"rename the selection {name}"
            )

    def forget(self, name: str) -> None:
        """Forget a named selection."""
        self._session.edits.keep_named(
            self._session.edits.named.without(name), f"delete the selection {name}"
        )

    # Steps

    def rank_relative(self) -> str:
        """Rank all items relative to the selection; return the step's name."""
        state = RankingState(self._session)
        state.chosen = self.chosen
        if why := state.why_not_relative():
            raise DataError(why, code="nothing-selected")
        recipe, name = state.relative_recipe()
        self._session.edits.replace(recipe, "rank relative to the selection")
        return name

    def spread_labels(self) -> str:
        """Let labels spread from the named selections to all items; return the step's name."""
        session = self._session
        usable = [entry.name for entry in self.entries() if not entry.problem]
        if len(usable) < 2:
            raise DataError(
                "Propagating labels needs two or more named selections. Select the "
                "items you know, one class at a time, and name each selection.",
                code="known-classes-needed",
            )
        affinity = self._affinity("Propagating labels")
        params = {
            "groups": [list(session.edits.named[name].items) for name in usable],
            "names": usable,
        }
        recipe, seeds = self._with(session.recipe, Step("labels", BY_HAND, (affinity,), params))
        spread = Step("spread", TRANSDUCTION, (affinity, seeds), {"labelled": "clustering"})
        recipe, name = self._with(recipe, spread)
        session.edits.replace(recipe, "propagate labels from the selections")
        return name

    def grow_group(self) -> str:
        """Grow a constrained dominant set around the selection; return the step's name.

        When the selection is several named selections together, one set grows from each.
        """
        session, items = self._session, self._selected()
        affinity = self._affinity("Growing a group")
        inside = self._made_of(items)
        if inside:
            params = {"groups": list(inside.values()), "names": list(inside)}
            seeds_step = Step("seeds", BY_HAND, (affinity,), params)
            recipe, seeds = self._with(session.recipe, seeds_step)
            grow = Step("grown", GROW, (affinity, seeds))
        else:
            recipe = session.recipe
            grow = Step("grown", GROW, (affinity,), {"items": items.tolist()})
        recipe, name = self._with(recipe, grow)
        session.edits.replace(recipe, "grow a group around the selection")
        return name

    def link(self, *, apart: bool = False) -> str:
        """Ask that the selected items share a group, or that none do; return the step to run.

        When the selection is several named selections together, each of these is kept in one group.
        """
        session, items = self._session, self._selected()
        groups = self.shown.clustering_step
        if not groups or self.shown.n != session.selection.n:
            raise DataError("Find groups of these items first.", code="no-groups")
        parts = list(self._made_of(items).values())
        if len(items) < 2:
            raise DataError(
                "A single item cannot be separated. Select at least two.", code="nothing-selected"
            )
        if apart and not parts and len(items) > MOST_APART:
            raise DataError(
                f"{len(items):,} items in as many groups are too many: select up to {MOST_APART}, "
                "or name a selection for each group and select all of these together.",
                code="too-many-items",
            )
        together = parts if apart else [items.tolist()]
        rivals = [part[0] for part in parts] or items.tolist()
        recipe, name = linked(
            session.recipe, session.catalogue, groups, together, [rivals] if apart else []
        )
        words = "put the selection in different groups" if apart else "put the selection in a group"
        session.edits.replace(recipe, words)
        return name

    def new_data(self, *, leave_out: bool = False) -> str:
        """Make data of the selected items, or of all others; return the step's name."""
        session = self._session
        items = self._selected()
        if leave_out and len(items) == session.selection.n:
            raise DataError("All items are selected, so none would be left.", code="nothing-left")
        params = {"items": items.tolist(), **({"leave_out": True} if leave_out else {})}
        step = Step("without" if leave_out else "part", TAKE, (self._selected_among(),), params)
        recipe, name = self._with(session.recipe, step)
        word = "exclude the selection" if leave_out else "keep only the selection"
        session.edits.replace(recipe, word)
        return name

    def apply_template(self, name: str) -> tuple[str, ...]:
        """Put a recipe that a plugin offers on the selection, or on the data; name its steps."""
        session = self._session
        template = template_called(session.catalogue, name)
        selected = session.selection.items.tolist() if template.on == "selection" else ()
        shown, n = self.shown, session.selection.n
        places = {
            "data": self._selected_among() if n else shown.dataset_step,
            "similarity": affinity_step(session, self.chosen, n),
            "groups": shown.clustering_step,
            "ranking": shown.ranking_step,
            "picture": shown.embedding_step,
        }
        recipe, names = with_template(session.recipe, session.catalogue, template, places, selected)
        session.edits.replace(recipe, template.title)
        return names

    # Inside

    def _with(self, recipe: Recipe, step: Step) -> tuple[Recipe, str]:
        return added(recipe, self._session.catalogue, step)

    def _selected_among(self) -> str:
        """Return the data whose items are selected: the chosen, or those they were taken of."""
        session, n = self._session, self._session.selection.n
        before = session.recipe.ancestors([self.chosen]) if self.chosen else ()
        for step in (self.chosen, *reversed(before), ""):
            shown = look(session, step)
            if shown.dataset is not None and shown.n == n:
                return shown.dataset_step
        raise DataError(
            f"The selection is of {n:,} items, but '{self.chosen}' has {self.shown.n:,}. "
            "Select items of these data first.",
            code="items-mismatch",
        )

    def _affinity(self, what: str) -> str:
        affinity = affinity_step(self._session, self.chosen, self._session.selection.n)
        if not affinity:
            raise DataError(
                f"{what} needs similarities. Compute them first.", code="no-similarities"
            )
        return affinity

    def _made_of(self, items: Ints) -> dict[str, list[int]]:
        """The named selections that the selection is made of, where it is of several."""
        named = self._session.edits.named
        usable = [entry.name for entry in self.entries() if not entry.problem]
        chosen = set(items.tolist())
        inside = {name: list(named[name].items) for name in usable}
        inside = {name: seeds for name, seeds in inside.items() if chosen.issuperset(seeds)}
        together = sorted(item for seeds in inside.values() for item in seeds)
        return inside if len(inside) > 1 and together == items.tolist() else {}

    def _selected(self) -> Ints:
        items = self._session.selection.items
        if not len(items):
            raise DataError(
                "Nothing is selected. Select some items in any view first.", code="nothing-selected"
            )
        return items

    def _update(self, chosen: Array) -> None:
        n = self._session.selection.n
        if chosen.dtype == bool and len(chosen) != n:
            raise DataError(
                f"That is about {len(chosen):,} items, and there are {n:,} here.",
                code="items-mismatch",
            )
        self._session.selection.choose(chosen)

"""The Ranking view: the first items of the whole set and of each group, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from coterie.core import well_known
from coterie.core.model.arrays import Array, Ints
from coterie.core.model.recipes import Recipe, Step
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.views.shown_items.columns import beginning, group_names
from coterie.gui.views.shown_items.displayed import (
    Shown,
    affinity_step,
    look,
    numbers_behind,
    same_items,
)
from coterie.gui.views.shown_items.group_editing import GroupEditing
from coterie.gui.views.shown_items.rank_positions import is_each_on_its_own

if TYPE_CHECKING:
    from coterie.projects.session import Session

MOST_ROWS = 100
_AT_ONCE = 200_000  # items; to sort more takes longer than a frame
MOST_GROUPS = 40
RELATIVE = "relative"  # name of the step that ranks relative to the selection
NEARNESS = "nearness"  # name of the graph that this ranking walks on
_RANKERS = (well_known.RANKER_PERSONALISED_PAGERANK,)
# What found most items of the same class first on sets with labels that it was not shown:
# docs/quality.md.
_NEAREST = {"keep": "auto", "metric": "auto"}


@dataclass(frozen=True, eq=False)
class RankColumn:
    """The first items of a group, best first.

    Attributes
    ----------
    group : number of the group; −1 for the whole set
    size : how many items are in scope, of which only the first are listed
    items, scores : (m,) the listed ones
    shares : (m,) score of each, between 0 and 1, for a bar
    """

    title: str
    group: int
    size: int
    items: Ints
    scores: Array
    shares: Array


class RankingState:
    """What the Ranking view shows, and how one ranks relative to a selection."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.shown = Shown()
        self.pending: Pending[tuple[RankColumn, ...]] = Pending(())
        self.steps: tuple[str, ...] = ()

    @property
    def editing(self) -> GroupEditing | None:
        """What changes the groups that are listed side by side; None without any."""
        groups = self.shown.clustering
        if groups is None:
            return None
        return GroupEditing(self._session, self.shown.clustering_step, groups)

    def update(self) -> None:
        """Look at the newest ranking again."""
        self.shown = look(self._session, self.chosen)
        ranking, groups = self.shown.ranking, self.shown.clustering
        small = ranking is None or len(ranking.scores) <= _AT_ONCE
        self.pending.renew((ranking, groups), partial(columns_of, self.shown), at_once=small)
        self.steps = tuple(self._rankings())

    @property
    def columns(self) -> tuple[RankColumn, ...]:
        """The items in scope, then the members of each group by their scores."""
        return () if self.pending.work is not None else self.pending.value

    def _rankings(self) -> Iterator[str]:
        """The rankings that there are of the items shown, relative to whatever."""
        session = self._session
        for step in session.recipe.steps:
            ranks = step.use.startswith("ranker/") and session.results.key(step.name) is not None
            if ranks and same_items(session, step.name, self.shown.dataset_step):
                yield step.name

    @property
    def rows(self) -> int:
        """Number of rows: the longest column."""
        return max((len(column.items) for column in self.columns), default=0)

    @property
    def n(self) -> int:
        """Number of items."""
        return self.shown.n

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to show, else nothing."""
        if self.columns:
            return ""
        if self.pending.work is not None:
            return "Sorting the items by their scores …"
        if self.shown.dataset is None:
            return "Open a file or choose a sample, then rank its items to see the top items here."
        return (
            "Run a ranking method, such as personalised PageRank, to see the top items of "
            "each group."
        )

    @property
    def headline(self) -> str:
        """What is ranked and relative to what."""
        ranking = self.shown.ranking
        if ranking is None:
            return ""
        title = ranking.title or self.shown.ranking_step
        stale = " (out of date)" if self.shown.ranking_step in self.shown.stale else ""
        return f"{title}, relative to {ranking.relative_to}{stale}"

    def name(self, item: int) -> str:
        """Return the name of an item."""
        data = self.shown.dataset
        if data is None:
            return str(item + 1)
        name = data.items[item] if data.items else ""
        if data.texts and data.texts[item] != name:
            # A number alone does not say what is typical of a group of texts.
            begins = beginning(data.texts[item])
            return f"{name} · {begins}" if name else begins or str(item + 1)
        return name or str(item + 1)

    def has_long_names(self, letters: int) -> bool:
        """Whether more than a quarter of the names that are listed are longer than that."""
        items = {item for column in self.columns for item in column.items.tolist()}
        return 4 * sum(len(self.name(item)) > letters for item in items) > len(items)

    def thumbnail(self, item: int) -> Array | None:
        """Return the picture of an item, if it has one."""
        data = self.shown.dataset
        return None if data is None or data.thumbnails is None else data.thumbnails[item]

    @property
    def has_pictures(self) -> bool:
        """Whether the items are pictures."""
        return self.shown.dataset is not None and self.shown.dataset.thumbnails is not None

    # Ranking relative to what is selected

    def why_not_relative(self) -> str:
        """Return why one cannot rank relative to the selection now, or nothing."""
        session = self._session
        if session.selection.count == 0:
            return "Select some items in any view first."
        if not any(use in session.catalogue for use in _RANKERS):
            return "No installed method ranks items relative to a selection."
        if self._affinity_step() == "":
            return "A ranking needs similarities. Compute them first."
        return ""

    def relative_recipe(self) -> tuple[Recipe, str]:
        """Return the recipe with a step that ranks relative to the selection, and its name."""
        session = self._session
        recipe = session.recipe
        params = {"scope": "items", "items": [int(i) for i in session.selection.items]}
        use = next(use for use in _RANKERS if use in session.catalogue)
        recipe, along = self._along(recipe)
        of = (along,)
        if RELATIVE in recipe.names and isinstance(recipe.find(RELATIVE), Step):
            return recipe.changed(RELATIVE, use=use, of=of, params=params), RELATIVE
        name = recipe.free_name(RELATIVE)
        return recipe.with_step(Step(name, use, of, params)), name

    def _along(self, recipe: Recipe) -> tuple[Recipe, str]:
        """Return the similarities to walk along, with the step that makes them where it is new.

        Similarities that were chosen by hand are taken as they are. Otherwise it is a graph of
        neighbours of the numbers that they compare, which ranks better than most of them.
        """
        session, given = self._session, self._affinity_step()
        data = numbers_behind(session, given)
        if (
            given == self.chosen
            or not data
            or well_known.GRAPH_SELF_TUNING not in session.catalogue
        ):
            return recipe, given
        step = Step(NEARNESS, well_known.GRAPH_SELF_TUNING, (data,), dict(_NEAREST))
        for other in recipe.steps:
            if (other.use, other.of, dict(other.params)) == (step.use, step.of, step.params):
                return recipe, other.name
        name = recipe.free_name(NEARNESS)
        return recipe.with_step(replace(step, name=name)), name

    def _affinity_step(self) -> str:
        return affinity_step(self._session, self.chosen, self._session.selection.n)

    # Files

    def write_csv(self, path: Path) -> None:
        """Write all columns: group, place, item and score, one row for each."""
        import csv

        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["group", "rank", "item", "score"])
            for column in self.columns:
                rows = zip(column.items.tolist(), column.scores.tolist(), strict=True)
                for place, (item, score) in enumerate(rows, 1):
                    writer.writerow([column.title, place, self.name(item), repr(score)])


def columns_of(shown: Shown) -> tuple[RankColumn, ...]:
    """Return the columns: the items in scope, then the members of each group by their scores."""
    ranking = shown.ranking
    if ranking is None or ranking.order is None:
        return ()
    scores = ranking.scores

    def column(title: str, group: int, order: Ints, compared: Array) -> RankColumn:
        first = order[:MOST_ROWS]
        shares = _shares(scores[first], compared)
        return RankColumn(title, group, len(order), first, scores[first], shares)

    whole = "In scope" if len(ranking.order) < len(scores) else "Whole set"
    found = [column(whole, -1, ranking.order, scores)]
    if shown.clustering is not None:
        alone = is_each_on_its_own(ranking, shown.clustering.labels)
        if alone:
            found.clear()  # it lists the groups one after another, and says nothing beside them
        labels, names = shown.clustering.labels, group_names(shown)
        place = np.argsort(-scores, kind="stable")
        for group in range(min(shown.clustering.k, MOST_GROUPS)):
            members = place[labels[place] == group]
            if len(members):
                compared = scores[members] if alone else scores
                found.append(column(names[group], group, members, compared))
    return tuple(found)


def _shares(scores: Array, compared: Array) -> Array:
    """How far along its bar each score reaches, from 0 to the best of those it compares with."""
    low = min(0.0, float(compared.min(initial=0.0)))
    span = float(np.ptp(compared)) if low < 0.0 else float(compared.max(initial=0.0))
    return np.asarray(np.clip((scores - low) / max(span, 1e-300), 0.0, 1.0))

"""Constrained dominant sets: groups that hold together and have chosen items in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Field,
    Floats,
    Ints,
)
from coterie.core.numerics.dynamics import fields
from coterie.core.numerics.dynamics.constrained import (
    MOST_RAISES,
    SeededGame,
    require_seeds,
    seeds_of,
)
from coterie.core.numerics.dynamics.equilibria import GAME_CURVES
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.peeling import DominantSet, Evolution
from coterie.core.numerics.dynamics.state import State
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.spectral.spectra import require_undirected

MOST_NAMED = 5
SETS_OF_A_GROUP = 10  # that every seed is in, as a guess; each takes up several seeds


class DominantConstrained(Clusterer):
    """The group that holds together best and has chosen items, the seeds, in it.

    The seeds are items by name or number, or the groups of a clustering: one set grows from each
    group. All items but the seeds have −α on the diagonal; with α above the largest eigenvalue
    among them, every equilibrium has a seed in it. A seed that is unlike the others may be left
    out, which the result says, unless every seed is to be in a set. An item in several sets has
    the label of the one that pays it most.
    For undirected graphs.
    """

    id, title = "dominant-constrained", "Constrained dominant sets"
    version = "4"  # all eigenvalues of few items; members of smaller shares
    curves = GAME_CURVES
    reference = (
        "Zemene, Pelillo (2016). Interactive image segmentation using constrained dominant sets. "
        "ECCV."
    )
    needs = ("affinity", "clustering?")

    class Params(Clusterer.Params):
        """Which items must be in, and how strictly."""

        items: list[int | str] = Field(
            default_factory=list,
            description="Seeds: names, or positions from 0. Without any, the groups of the second "
            "input are the seeds.",
        )
        alpha: float = Field(
            0.0,
            ge=0,
            description="Price α on the share of every other item; 0: just above their largest "
            "eigenvalue, so every group contains a seed.",
            json_schema_extra={"unit": "similarity", "advanced": True},
        )
        every_seed: bool = Field(
            False,
            description="Grow further sets from the seeds that a set leaves out, until each is in "
            "one. A group is then all sets of its seeds, and they stay in it.",
        )
        tolerance: float = fields.tolerance()
        max_iterations: int = fields.max_iterations(100_000)
        support: float = fields.support(1e-9)  # of many members each has next to nothing

    def compute(
        self,
        affinity: Affinity,
        clustering: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Clustering:
        """Grow a set from each group of seeds."""
        context.check()
        base = Game.of(affinity, compare=True, check=context.check)
        if not base.mirrored:  # not quite, or not a dense matrix, or one of numbers too large
            require_items(affinity)
            require_undirected(affinity, check=context.check)
        groups = seeds_of(params.items, clustering, affinity)
        names = () if params.items or clustering is None else _names_of_seeds(clustering)
        found: list[DominantSet] = []
        prices: list[float] = []
        watch = _Watch(context, params.support)
        for number, seeds in enumerate(groups):
            context.progress(number, len(groups), f"set {number + 1}")
            require_seeds(affinity, seeds)
            group, price = _grown(affinity, base, seeds, watch, params, context)
            if params.every_seed:
                group = _covering(group, affinity, base, seeds, watch, params, context)
            prices.append(price)
            found.append(group)
        context.progress(1, 1, "done")
        membership = np.zeros((affinity.n, len(found)))
        for number, group in enumerate(found):
            membership[group.members, number] = group.shares
        labels = _labels(base, membership)
        if params.every_seed:
            for number, seeds in enumerate(groups):
                labels[seeds] = number
        outside = [seeds[membership[seeds, j] == 0] for j, seeds in enumerate(groups)]
        return Clustering(
            title="Constrained dominant sets",
            dataset=affinity.dataset,
            labels=labels,
            membership=membership,
            cohesiveness=np.array([group.cohesiveness for group in found]),
            names=names,
            notes=tuple(_notes(affinity, found, outside)),
            details={
                "unassigned": int((labels < 0).sum()),
                "sets": [
                    {
                        "size": len(group.members),
                        "seeds": len(seeds),
                        "seeds_outside": missing.tolist(),
                        "alpha": price,
                        "cohesiveness": group.cohesiveness,
                        "gap": group.gap,
                        "iterations": group.iterations,
                        "limit_hit": not group.converged,
                        "strict": group.strict,
                    }
                    for group, seeds, missing, price in zip(
                        found, groups, outside, prices, strict=True
                    )
                ],
            },
        )

    def estimate(
        self, affinity: Affinity, clustering: Clustering | None = None, *, params: Params
    ) -> Cost:
        """Vectors, and a share of each item in each set; of every seed perhaps several sets."""
        given = None if params.items or clustering is None else clustering
        n, k = affinity.n, 1 if given is None else max(1, given.k)
        seeds = len(params.items) if given is None else int((np.asarray(given.labels) >= 0).sum())
        grown = max(k, min(seeds, SETS_OF_A_GROUP * k)) if params.every_seed else k
        each = 1e-4 * n if affinity.form == "sparse" else 4e-8 * n * n + 1e-4 * n
        return Cost(bytes=8 * n * (30 + k), seconds=grown * each)


class _Watch:
    """Shows every iteration, counting through all sets."""

    def __init__(self, context: Context, support: float) -> None:
        self.context, self.support = context, support
        self.iterations = self.sets = 0

    def grow(self, game: SeededGame, seeds: Ints, params: Any, context: Context) -> DominantSet:
        """Evolve from the seeds alone."""
        self.sets += 1
        everybody = np.ones(game.n, dtype=bool)
        evolution = Evolution(
            game,
            "infection-immunisation",
            "barycentre",
            tolerance=params.tolerance,
            max_iterations=params.max_iterations,
            support=params.support,
            rng=context.rng,
        )
        return evolution.find_from(
            game.start(seeds), everybody, lambda state: self._show(game, state)
        )

    def _show(self, game: SeededGame, state: State) -> None:
        self.context.frame(
            self.iterations,
            objective=state.objective * game.scale,
            residual=state.relative_gap,
            support=state.support_size(self.support),
            phase=f"set {self.sets}",
            shares=state.x,
        )
        self.iterations += 1


def _names_of_seeds(clustering: Clustering) -> tuple[str, ...]:
    """The names of the groups that have items, as those without give no seeds."""
    labels = np.asarray(clustering.labels)
    return tuple(name for group, name in enumerate(clustering.names) if (labels == group).any())


def _grown(
    affinity: Affinity,
    base: Game,
    seeds: Ints,
    watch: _Watch,
    params: DominantConstrained.Params,
    context: Context,
) -> tuple[DominantSet, float]:
    """The set of some seeds, and its price; the price is raised until a seed is in it."""
    game = SeededGame.seeded(affinity, seeds, params.alpha or None, base=base, check=context.check)
    group = watch.grow(game, seeds, params, context)
    for _ in range(0 if params.alpha else MOST_RAISES):
        if not group.converged or np.isin(seeds, group.members).any():
            break
        game = game.raised(group.members, group.shares, context.check)
        group = watch.grow(game, seeds, params, context)
    return group, float(game.price.max(initial=0.0)) * game.scale


def _covering(
    first: DominantSet,
    affinity: Affinity,
    base: Game,
    seeds: Ints,
    watch: _Watch,
    params: DominantConstrained.Params,
    context: Context,
) -> DominantSet:
    """All sets of some seeds as one: each grows from the seeds that those before left out.

    Shares are the means of those in the sets. A seed that is similar to nothing stays outside.
    """
    sets = [first]
    left = np.setdiff1d(seeds, first.members)
    while len(left):
        context.check()
        try:
            require_seeds(affinity, left)
        except DataError:
            break
        found, _ = _grown(affinity, base, left, watch, params, context)
        if not np.isin(left, found.members).any():  # by a price that is too low
            break
        sets.append(found)
        left = np.setdiff1d(left, found.members)
    members, place = np.unique(np.concatenate([one.members for one in sets]), return_inverse=True)
    shares = np.bincount(place, np.concatenate([one.shares for one in sets])) / len(sets)
    return DominantSet(
        members=members,
        shares=shares,
        cohesiveness=float(np.mean([one.cohesiveness for one in sets])),
        gap=max(one.gap for one in sets),
        iterations=sum(one.iterations for one in sets),
        converged=all(one.converged for one in sets),
        strict=None if any(one.strict is None for one in sets) else all(s.strict for s in sets),
    )


def _labels(game: Game, membership: Floats) -> Ints:
    """The set of each item; of several, that whose members pay it most."""
    labels = np.where(membership.max(axis=1, initial=0.0) > 0, membership.argmax(axis=1), -1)
    several = np.flatnonzero((membership > 0).sum(axis=1) > 1)
    if len(several):
        paid = np.column_stack([game.payoffs(column)[several] for column in membership.T])
        labels[several] = np.where(membership[several] > 0, paid, -np.inf).argmax(axis=1)
    return labels.astype(np.int64)


def _notes(affinity: Affinity, found: list[DominantSet], outside: list[Ints]) -> Iterator[str]:
    for number, (group, missing) in enumerate(zip(found, outside, strict=True), 1):
        if len(missing):
            shown = [
                affinity.dataset.items[item]
                if affinity.dataset is not None and affinity.dataset.items
                else str(item + 1)
                for item in missing[:MOST_NAMED].tolist()
            ]
            more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
            yield (
                f"Set {number} leaves out seeds that are unlike the others: "
                f"{', '.join(shown)}{more}."
            )
        if not group.converged:
            yield f"Set {number} stopped with a relative gap of {group.gap:.2g}."

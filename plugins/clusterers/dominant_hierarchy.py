"""Dominant sets at many scales: a tree from the whole set down to the most coherent groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    Ints,
    ParameterError,
)
from coterie.core.numerics.dynamics import fields, simplex
from coterie.core.numerics.dynamics.equilibria import (
    GAME_CURVES,
    FoundSet,
    Watch,
    labels_of,
    limit_note,
    listed,
    memberships,
)
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import infection_immunisation
from coterie.core.numerics.dynamics.peel_candidates import remaining
from coterie.core.numerics.similarity.affinity_ops import require_items

FEW = 4  # a group with fewer than one in so many of all items is split on its own
MOST_POWERS = 200  # products for the largest eigenvalue, which only sets the coarsest scale


class DominantHierarchy(Clusterer):
    """A tree of groups: the sets of A − αI, split again and again while α falls to zero.

    An α above the largest eigenvalue of A holds all items together; one above that of a group's
    similarities lets no part of it stand alone. With smaller α smaller groups can, until at α = 0
    they are dominant sets. Each group is split among its own members. The labels are those of one
    level; the groups of all levels are listed after them, and the tree is in the details. Needs
    symmetric similarities without negative values. Memory: a few vectors, and the groups.
    """

    id, title = "dominant-hierarchy", "Hierarchy of dominant sets"
    version = "2"  # says in which order sets were found, for their certificates
    curves = GAME_CURVES
    reference = "Pavan, Pelillo (2003). Dominant sets and hierarchical clustering. ICCV."

    class Params(Clusterer.Params):
        """Which scales are looked at, and which of them gives the labels."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups: the coarsest level with at least this many gives the "
            "labels; 0: use `level`.",
            json_schema_extra={"slider": [0, 20]},
        )
        level: int = Field(
            -1,
            ge=-1,
            description="Level that gives the labels, 0 for the whole set; -1: the finest.",
            json_schema_extra={"slider": [-1, 20], "only_if": {"k": [0]}},
        )
        levels: int = Field(
            8,
            ge=1,
            description="Levels below the whole set; the last one has α = 0.",
            json_schema_extra={"slider": [1, 20]},
        )
        shrink: float = Field(
            0.5,
            gt=0,
            lt=1,
            description="Factor by which α changes from one level to the next.",
            json_schema_extra={"slider": [0.1, 0.95], "advanced": True},
        )
        min_size: int = fields.min_size(2)
        tolerance: float = fields.tolerance(1e-6)
        max_iterations: int = fields.max_iterations(10_000)
        support: float = fields.support()

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Clustering:
        """Split from the whole set downwards, then take the labels of one level."""
        require_items(affinity)
        if params.level > params.levels:
            raise ParameterError(
                f"There are levels 0 to {params.levels}. Got level = {params.level}; choose a "
                "lower one, or raise levels.",
                code="invalid-parameters",
            )
        context.check()
        game = Game.of(affinity, check=context.check)
        if not affinity.symmetric or game.least < 0:
            raise DataError(
                "The hierarchy needs symmetric similarities without negative values. "
                "Use a kernel such as the Gaussian, or the graph step 'symmetrise'.",
                code="not-symmetric",
            )
        tree = _Tree(game, params, context)
        tree.grow()
        level = _chosen_level(tree, params)
        return _result(tree, level, affinity, params, context)

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """A few vectors, and the members of the groups of every level."""
        n = affinity.n
        return Cost(
            bytes=8 * n * (40 + 4 * params.levels) + (1 << 20),
            seconds=(params.levels + 1) * (4e-8 * n * n + 1e-3 * n),
            alternatives=("use a k-nearest-neighbour graph",),
        )


@dataclass(frozen=True, eq=False)
class _Node:
    """A group of the tree: where it hangs, and the largest α at which it stood alone.

    `set_aside` are the items of its parent in sets that are too small, found since the one before.
    """

    found: FoundSet
    parent: int
    level: int
    alpha: float
    set_aside: Ints


class _Tree:
    """The groups of all levels; `at[level]` lists the nodes that make up a level."""

    def __init__(self, game: Game, params: DominantHierarchy.Params, context: Context) -> None:
        self.game, self.params, self.context = game, params, context
        self.watch = Watch(context, scale=game.scale, support=params.support)
        self.bare = replace(game.affinity, dataset=None)
        top = largest_eigenvalue(game, context)
        self.alphas = [top * params.shrink**level for level in range(params.levels)] + [0.0]
        n = game.n
        whole = np.arange(n)
        x = np.full(n, 1 / n)
        degrees = float(x @ game.payoffs(x)) * game.scale
        root = FoundSet(whole, x, degrees, 0.0, 0, True)
        self.nodes = [_Node(root, -1, 0, self.alphas[0], np.zeros(0, dtype=np.int64))]
        self.at: list[list[int]] = [[0]]

    def grow(self) -> None:
        """Split the groups of one level after another."""
        for level in range(1, len(self.alphas)):
            alpha = self.alphas[level]
            here: list[int] = []
            for place, node in enumerate(self.at[-1]):
                done = level - 1 + place / len(self.at[-1])
                self.context.progress(done, len(self.alphas) - 1, f"level {level}")
                members = self.nodes[node].found.members
                parts = list(self._parts(members, alpha, level))
                if len(parts) == 1 and len(parts[0].members) == len(members):
                    here.append(node)
                    continue
                aside = np.zeros(0, dtype=np.int64)
                for part in parts:
                    if len(part.members) >= self.params.min_size:
                        here.append(len(self.nodes))
                        self.nodes.append(_Node(part, node, level, alpha, aside))
                        self.watch.announce(part)
                        aside = np.zeros(0, dtype=np.int64)
                    else:
                        aside = np.union1d(aside, part.members)
            self.at.append(here)

    def _parts(self, members: Ints, alpha: float, level: int) -> Iterator[FoundSet]:
        """Peel the sets of A − αI off a group; what is similar to nothing left is not listed."""
        game, items = self.game, np.arange(self.game.n)
        if FEW * len(members) < game.n:
            # Among themselves: vectors of all items would take longer than what is done with them.
            game, items = Game.of(self.bare.submatrix(members)), members
        rest, unit = remaining(game, np.isin(items, members)), self.game.scale / game.scale
        if rest.most < alpha * unit:
            # No eigenvalue exceeds the largest degree: nothing smaller can stand alone.
            yield _whole(members)
            return
        regularised = replace(game, own=-alpha * unit)
        self.watch.scale = game.scale
        while rest.count and (best := rest.best()) is not None:
            self.context.check()
            states = infection_immunisation(
                regularised,
                simplex.vertex(len(items), best),
                players=rest.left,
                tolerance=self.params.tolerance,
                max_iterations=self.params.max_iterations,
            )
            found = self.watch.follow(states, f"level {level}", items=items, n=self.game.n)
            chosen = np.searchsorted(items, found.members)
            rest.remove(chosen)
            earned = found.shares @ game.payoffs_of(chosen, found.shares)[chosen]
            yield replace(found, cohesiveness=float(earned) * game.scale)


def _whole(members: Ints) -> FoundSet:
    """A group that is not split; what is known of it stays with its node."""
    return FoundSet(members, np.full(len(members), 1 / len(members)), 0.0, 0.0, 0, True)


def largest_eigenvalue(game: Game, context: Context) -> float:
    """Return a bound on the largest eigenvalue of a non-negative symmetric game, seldom far above.

    By powers of I + A, whose vectors stay positive: the largest ratio (A x)_i / x_i is never below
    the eigenvalue.

    >>> A = np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> round(largest_eigenvalue(Game.of(Affinity(values=A)), Context()), 6)
    1.0
    """
    x = np.ones(game.n)
    bound = float("inf")
    for _ in range(MOST_POWERS):
        context.check()
        payoffs = game.payoffs(x)
        lower = float(x @ payoffs) / float(x @ x)
        bound = min(bound, float((payoffs / x).max()))
        if bound <= lower * (1 + 1e-3):
            break
        x = x + payoffs
        x /= x.max()
        np.maximum(x, 1e-150, out=x)
    return bound


def _chosen_level(tree: _Tree, params: DominantHierarchy.Params) -> int:
    last = len(tree.at) - 1
    if params.k:
        enough = [level for level, nodes in enumerate(tree.at) if len(nodes) >= params.k]
        return enough[0] if enough else last
    return last if params.level < 0 else params.level


def _result(
    tree: _Tree,
    level: int,
    affinity: Affinity,
    params: DominantHierarchy.Params,
    context: Context,
) -> Clustering:
    n, scale = affinity.n, tree.game.scale
    chosen = tree.at[level]
    # The groups of the labels first, so label g is group g.
    order = [*chosen, *(node for node in range(len(tree.nodes)) if node not in set(chosen))]
    place = {node: number for number, node in enumerate(order)}
    sets = [tree.nodes[node].found for node in order]
    labels = labels_of(n, sets[: len(chosen)])
    items, starts = listed([one.members for one in sets])
    membership = memberships(n, sets[: len(chosen)], context.memory)
    context.progress(1, 1, "done")
    left = int((labels < 0).sum())
    return Clustering(
        title=f"Hierarchy of dominant sets, level {level}",
        dataset=affinity.dataset,
        labels=labels,
        membership=membership,
        cohesiveness=np.array([one.cohesiveness for one in sets], dtype=np.float64),
        group_items=items,
        group_starts=starts,
        notes=tuple(_notes(tree, level, left, params)),
        details={
            "level": level,
            "groups_at_level": len(chosen),
            "unassigned": left,
            "levels": [
                {"alpha": alpha * scale, "groups": [place[node] for node in nodes]}
                for alpha, nodes in zip(tree.alphas, tree.at, strict=True)
            ],
            "tree": [_described(tree.nodes[node], place, scale, node) for node in order],
        },
    )


def _described(node: _Node, place: dict[int, int], scale: float, turn: int) -> dict[str, Any]:
    return node.found.summary() | {
        "parent": place.get(node.parent, -1),
        "level": node.level,
        "alpha": node.alpha * scale,
        "turn": turn,
        "set_aside": node.set_aside.tolist(),
    }


def _notes(tree: _Tree, level: int, left: int, params: DominantHierarchy.Params) -> Iterator[str]:
    counts = ", ".join(str(len(nodes)) for nodes in tree.at)
    yield f"Groups from the coarsest level to the finest: {counts}."
    groups = len(tree.at[level])
    yield (
        f"The labels are those of level {level}, α = {tree.alphas[level] * tree.game.scale:.4g}: "
        f"{groups} {'group' if groups == 1 else 'groups'}."
    )
    if groups < params.k:
        yield f"No level has {params.k} groups; this is the finest."
    elif params.k and groups > params.k:
        yield f"No level has exactly {params.k} groups; raise shrink for steps in between."
    yield from limit_note([node.found for node in tree.nodes], params.tolerance)
    if left:
        yield f"{left} {'item belongs' if left == 1 else 'items belong'} to no group there."

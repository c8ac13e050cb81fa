"""Hypergraph clustering: groups that show only when items are compared three or more at a time."""

from __future__ import annotations

from math import comb
from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Dataset,
    Field,
    Ints,
    ParameterError,
)
from coterie.core.numerics.dynamics import fields, simplex
from coterie.core.numerics.dynamics.baum_eagon import focused_baum_eagon
from coterie.core.numerics.dynamics.equilibria import (
    FoundSet,
    Watch,
    labels_of,
    limit_note,
    memberships,
)
from coterie.core.numerics.similarity.hyperedges import Hyperedges
from coterie.core.numerics.similarity.sampled_triples import OnLines, Similar, sets_of
from coterie.core.numerics.similarity.triples import Triples


class Hypergraph(Clusterer):
    """Group items by the similarity of three or more at a time, such as points on one line.

    From features, items are alike when a line, or a plane, fits them: exp(−r² / 2σ²) with the
    residual r of the best one; from similarities, when all their pairs are: their product. Each
    group is the support of an equilibrium of the game that so many play, found by Baum–Eagon
    updates and peeled off before the next. With too many sets of items, groups are found among
    some items drawn at random (leaving out single sets would leave only small groups), and the
    others join the group whose members they fit better than those fit each other. Memory: 32 bytes
    for each triple, 8 (k + 1) for each set of k.
    """

    id, title = "hypergraph", "Hypergraph (triples)"
    version = "2"  # says which items were drawn and set aside, for certificates
    curves = (
        Curve(
            "objective",
            "objective f(x)",
            "How similar the members of the population are on average; rises within a group.",
        ),
        Curve(
            "residual",
            "relative gap",
            "How far the population is from equilibrium, relative to the objective; a group "
            "is found when it is small.",
            log=True,
        ),
        Curve("support", "support size", "Number of items with a share in the population."),
    )
    reference = (
        "Rota Bulò, Pelillo (2013). A game-theoretic approach to hypergraph clustering. "
        "IEEE PAMI 35(6)."
    )
    needs = ("dataset|affinity",)

    class Params(Clusterer.Params):
        """How items are compared, and how many groups to find."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0: until no cohesive set is left.",
            json_schema_extra={"slider": [0, 20]},
        )
        order: int = Field(
            3,
            ge=3,
            le=8,
            description="Number of items compared at a time, and of players of the game.",
            json_schema_extra={"slider": [3, 6], "unit": "items"},
        )
        flat: int = Field(
            1,
            ge=1,
            le=6,
            description="Dimension of the shape that fits the items: 1 for lines, 2 for planes; at "
            "least two less than the order. Not used with given similarities.",
            json_schema_extra={"slider": [1, 3]},
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ: the residual of a line at which similarity has fallen to 0.61; "
            "'auto' derives it from the data. Not used with given similarities.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )
        auto_fraction: float = Field(
            0.1,
            gt=0,
            description="With 'auto', σ is this fraction of the median residual.",
            json_schema_extra={"slider": [1e-3, 1.0], "log": True, "advanced": True},
        )
        max_triples: int = Field(
            2_000_000,
            ge=1,
            description="Maximum number of triples, or larger sets, to compare; if there are more, "
            "groups are found among items drawn at random, and the others join them.",
            json_schema_extra={"slider": [1e4, 1e7], "log": True, "advanced": True},
        )
        tolerance: float = fields.tolerance(1e-6)
        max_iterations: int = fields.max_iterations(2000)
        support: float = fields.support(1e-3)
        min_size: int = fields.min_size(3)

    def compute(self, data: Dataset | Affinity, *, params: Params, context: Context) -> Clustering:
        """Weigh the triples, peel off one group after another, and let the others join."""
        context.check()
        source = _source(data, params, context)
        drawn, triples = source.drawn, source.triples
        found, before, set_aside = _peel(triples, params, context)
        labels = labels_of(data.n, found)
        joined = 0
        if len(drawn) < data.n and found:
            rest = np.setdiff1d(np.arange(data.n), drawn)
            labels[rest] = _join(source, rest, found, context)
            joined = int((labels[rest] >= 0).sum())
        context.progress(1, 1, "done")
        notes = list(source.notes)
        if len(drawn) < data.n:
            notes.append(
                f"Groups were found among {len(drawn)} items drawn at random; {joined} of the "
                f"other {data.n - len(drawn)} joined them."
            )
        notes += _notes(found, set_aside, labels, params)
        return Clustering(
            title="Hypergraph clustering",
            dataset=data if isinstance(data, Dataset) else data.dataset,
            labels=labels,
            membership=memberships(data.n, found, context.memory),
            cohesiveness=np.array([one.cohesiveness for one in found], dtype=np.float64),
            notes=tuple(notes),
            details={
                **source.details,
                "drawn": len(drawn),
                **({"drawn_items": drawn.tolist()} if len(drawn) < data.n else {}),
                "joined": joined,
                **({"order": params.order} if params.order > 3 else {}),
                "triples": len(triples.weights),
                "sets": [
                    one.summary() | {"set_aside": aside.tolist()}
                    for one, aside in zip(found, before, strict=True)
                ],
            },
        )

    def estimate(self, data: Dataset | Affinity, *, params: Params) -> Cost:
        """The triples with their weights, twice while they are chosen."""
        n = data.n
        triples = min(params.max_triples, comb(n, params.order))
        if isinstance(data, Affinity) and data.sparse is not None:
            triples = params.max_triples  # there may be fewer
        return Cost(
            bytes=128 * triples + 64 * n + (16 << 20),
            seconds=3e-8 * triples * 200,
            alternatives=("lower max_triples",),
        )


def _source(
    data: Dataset | Affinity, params: Hypergraph.Params, context: Context
) -> OnLines | Similar:
    """The sets of items that are compared, and their similarities."""
    if isinstance(data, Affinity):
        return Similar.of(data, params.max_triples, context, order=params.order)
    if params.order < params.flat + 2:
        raise ParameterError(
            f"{params.order} items always lie on a shape of {params.flat} dimensions or nearly so. "
            f"Set 'order' to {params.flat + 2} or more, or 'flat' to {params.order - 2}.",
            code="invalid-parameters",
        )
    return OnLines.of(
        data,
        params.sigma,
        params.max_triples,
        context,
        fraction=params.auto_fraction,
        order=params.order,
        flat=params.flat,
    )


def _join(source: OnLines | Similar, rest: Ints, found: list[FoundSet], context: Context) -> Ints:
    """The group that each of the items not drawn fits best, −1 for none."""
    labels = np.full(len(rest), -1, dtype=np.int64)
    best = np.zeros(len(rest))
    for number, group in enumerate(found):
        margins = source.payoffs(rest, group, context) - group.cohesiveness
        better = margins > best
        labels[better], best[better] = number, margins[better]
    return labels


def _peel(
    triples: Triples | Hyperedges, params: Hypergraph.Params, context: Context
) -> tuple[list[FoundSet], list[Ints], int]:
    """Find one group after another among the items that are left.

    Those that are too small are set aside: the items that were before each group, and how many
    groups there were in all.
    """
    n = triples.n
    # In units of the largest, so tiny products do not pass for nothing.
    scale = float(triples.weights.max(initial=0.0)) or 1.0
    triples = sets_of(n, triples.items, triples.weights / scale, context)
    watch = Watch(context, scale=scale, support=params.support)
    left = np.ones(n, dtype=np.bool_)
    found: list[FoundSet] = []
    before: list[Ints] = []
    aside: Ints = np.zeros(0, dtype=np.int64)
    set_aside = 0
    while len(triples.weights) and (params.k == 0 or len(found) < params.k):
        done = len(found) / params.k if params.k else 1 - left.sum() / n
        context.progress(done, 1, f"group {len(found) + 1}")
        in_use = triples.degrees() > 0
        states = focused_baum_eagon(
            triples,
            simplex.barycentre(n, in_use),
            players=left,
            tolerance=params.tolerance,
            max_iterations=params.max_iterations,
            support=params.support,
        )
        group = watch.follow(states, f"group {len(found) + 1}")
        left[group.members] = False
        triples = triples.among(left)
        if len(group.members) >= params.min_size and group.cohesiveness > 0:
            found.append(group)
            before.append(aside)
            aside = np.zeros(0, dtype=np.int64)
            watch.announce(group)
        else:
            aside = np.union1d(aside, group.members)
            set_aside += 1
    return found, before, set_aside


def _notes(
    found: list[FoundSet], set_aside: int, labels: Any, params: Hypergraph.Params
) -> list[str]:
    notes = []
    if not found:
        count = {3: "three", 4: "four", 5: "five"}.get(params.order, str(params.order))
        notes.append(f"No group was found: no {count} items are similar enough.")
    elif len(found) < params.k:
        notes.append(
            f"Only {len(found)} of {params.k} groups were found: no other set of items is "
            "cohesive enough."
        )
    notes += limit_note(found, params.tolerance)
    if set_aside:
        notes.append(
            f"{set_aside} {'group was' if set_aside == 1 else 'groups were'} too small and left "
            "unassigned."
        )
    left = int((labels < 0).sum())
    if left:
        notes.append(f"{left} {'item belongs' if left == 1 else 'items belong'} to no group.")
    return notes

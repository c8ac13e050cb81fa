"""Recursive normalised cut: in two, and each part in two again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core import (
    Affinity,
    Array,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Field,
    Floats,
    Ints,
    Output,
    ParameterError,
    Spectrum,
)
from coterie.core.numerics.partitions.groups import by_size
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.spectral.cuts import (
    Split,
    evenness,
    normalised_cut,
    splitting_point,
    threshold_cuts,
)
from coterie.core.numerics.spectral.grouping import spectral_cost
from coterie.core.numerics.spectral.spectra import MOST_EIGENVALUES, graph_spectrum
from coterie.core.wording import counted


@dataclass(frozen=True, eq=False)
class _Split:
    """The best way to part some items in two."""

    items: Ints
    left: Array
    """Which items go to the first side."""
    cut: float


class NCutRecursive(Clusterer):
    """Cut the graph in two where that costs least, then its parts, until there are enough.

    Each part is cut along the second eigenvector of its own walk, at the best of all thresholds;
    the part whose cut costs least is taken next. The cost is cut/volume + cut/volume of both sides
    within the part, from 0 to 2. A part that is in pieces is parted into them at no cost. The
    thresholds of the textbooks, 0 and the median, are offered as well, and a part may be left whole
    where its eigenvector varies too evenly for a stable cut. For undirected graphs.
    """

    id, title = "ncut-recursive", "Recursive normalised cut"
    curves = (
        Curve(
            "objective",
            "normalised cut",
            "Cost of this cut, from 0 to 2; the cheapest part is cut first.",
        ),
    )
    reference = "Shi, Malik (2000). Normalized cuts and image segmentation. IEEE PAMI 22(8)."

    class Params(Clusterer.Params):
        """When to stop."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0: as many as 'max_ncut' allows or, without that "
            "limit, as many as there are eigenvalues before the largest gap among the first 20.",
            json_schema_extra={"slider": [0, 20]},
        )
        max_ncut: float = Field(
            0.0,
            ge=0,
            le=2,
            description="Parts are not cut at a higher cost than this; 0: no limit.",
            json_schema_extra={"slider": [0.0, 2.0]},
        )
        split: Split = Field(
            "best",
            description="Where to cut the eigenvector: where the cost is least, at 0, or at its "
            "median.",
            json_schema_extra={"advanced": True},
        )
        most_even: float = Field(
            1.0,
            ge=0,
            le=1,
            description="Parts whose eigenvector varies more evenly than this are not cut: the "
            "smallest over the largest count of its histogram (0.06 in the paper); 1: cut all.",
            json_schema_extra={"slider": [0.0, 1.0], "advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the groups and the spectrum of the whole graph."""
        context.progress(0, 1, "eigenvectors")
        require_items(affinity)
        by_gap = not params.k and not params.max_ncut
        spectrum = graph_spectrum(affinity, MOST_EIGENVALUES if by_gap else 3, check=context.check)
        items = spectrum.items
        if params.k > len(items):
            raise ParameterError(
                f"Parameter 'k' is {params.k}, but only {counted(len(items), 'item')} can be "
                f"grouped. Set k to {len(items)} or less.",
                code="too-many-groups",
            )
        wanted = params.k or (spectrum.suggested() if by_gap else len(items))
        limit = params.max_ncut or np.inf
        labels, costs = _parted(affinity, items, wanted, limit, params, context)
        labels = by_size(labels)
        made = int(labels.max()) + 1
        notes = [f"The spectrum suggests {counted(wanted, 'group')}."] if by_gap else []
        if made < params.k:
            why = "no part can be cut" + (" at the cost allowed" if params.max_ncut else "")
            why += ", or stably enough" if params.most_even < 1 else ""
            notes.append(f"Groups made: {made} instead of {params.k}, because {why}.")
        if alone := affinity.n - len(items):
            notes.append(f"Items without an edge, in no group: {alone}.")
        context.progress(1, 1, "done")
        main = Clustering(
            title="Recursive normalised cut",
            dataset=affinity.dataset,
            labels=labels,
            notes=tuple(notes),
            details={
                "k": made,
                "suggested_k": spectrum.suggested() if by_gap else 0,
                "cuts": costs,
                "normalised_cut": normalised_cut(affinity, labels, check=context.check),
            },
        )
        shown = Spectrum(
            title="Spectrum of the whole graph",
            dataset=affinity.dataset,
            eigenvalues=spectrum.values,
            suggested_k=spectrum.suggested() if by_gap else 0,
        )
        return Output(main, {"spectrum": shown})

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Copies of the graph and some vectors; time for each cut."""
        cost = spectral_cost(affinity, 0, copies=4)
        return Cost(cost.bytes, cost.seconds * (2 + (params.k or 5)), cost.alternatives)


def _parted(
    affinity: Affinity,
    items: Ints,
    wanted: int,
    limit: float,
    params: NCutRecursive.Params,
    context: Context,
) -> tuple[Ints, list[float]]:
    """Cut the cheapest part until there are enough, and return labels and what each cut cost."""
    labels = np.full(affinity.n, -1, dtype=np.int64)
    labels[items] = 0
    ready = [_split(affinity, items, params, context)]
    costs: list[float] = []
    while len(costs) + 1 < wanted:
        context.progress(len(costs), max(1, wanted), f"cut {len(costs) + 1}")
        best = min(range(len(ready)), key=lambda i: ready[i].cut)
        split = ready[best]
        if not np.isfinite(split.cut) or split.cut > limit:
            break
        costs.append(split.cut)
        sides = (split.items[split.left], split.items[~split.left])
        labels[sides[1]] = len(costs)
        context.frame(len(costs), objective=split.cut, phase=f"cut {len(costs)}", labels=labels)
        ready[best : best + 1] = [_split(affinity, side, params, context) for side in sides]
    return labels, costs


def _split(
    affinity: Affinity, items: Ints, params: NCutRecursive.Params, context: Context
) -> _Split:
    """The best cut of a part, infinite where there is none."""
    none = _Split(items, np.zeros(len(items), dtype=np.bool_), np.inf)
    if len(items) < 2:
        return none
    part = affinity if len(items) == affinity.n else affinity.submatrix(items)
    held = np.flatnonzero(np.asarray(part.degrees()) > 0)
    if len(held) < 2:
        return none
    spectrum = graph_spectrum(part, 2, check=context.check)
    if spectrum.pieces > 1:
        # Items that no edge within the part holds stay with its largest piece.
        left = np.ones(len(items), dtype=np.bool_)
        left[spectrum.items[spectrum.piece > 0]] = False
        return _Split(items, left, 0.0)
    inner = part if len(held) == len(items) else part.submatrix(held)
    scores: Floats = spectrum.walk_vectors(2)[:, 1]
    if params.most_even < 1 and evenness(scores) > params.most_even:
        return none
    order, cuts = threshold_cuts(inner, scores, check=context.check)
    best = splitting_point(scores, order, cuts, params.split)
    if best is None:
        return none
    left = np.ones(len(items), dtype=np.bool_)
    smaller = order[: best + 1] if 2 * (best + 1) <= len(order) else order[best + 1 :]
    left[held[smaller]] = False
    return _Split(items, left, float(cuts[best]))

"""Isoperimetric cut: groups between which a random walk seldom crosses, by linear systems only."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Dataset,
    Embedding,
    Field,
    Ints,
    Output,
    ParameterError,
)
from coterie.core.api.ranking_scope import item_positions
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.spectral.isoperimetric import Cut
from coterie.core.numerics.spectral.successive_cuts import (
    TELEPORT,
    Division,
    stationary_flows,
    successive_cuts,
)
from coterie.core.numerics.walks.markov import random_walk


class Isoperimetric(Clusterer):
    """Cut the graph in two where a walk takes long to cross, then cut the parts (IsoCut).

    The vertex where a walk is most often (of a symmetric graph the one of largest degree) is the
    ground; a sparse linear system gives the mean steps from
    every other to it, and a threshold on them cuts. The part whose best cut has the smallest
    ratio of cut to volume is cut next, until there are k. The ground's side of each cut holds
    together. Directed graphs are followed along their edges, and so variable-bandwidth graphs that
    keep the edges to neighbours serve well. Items without a way to the ground are on the far side.
    The times of the first cut are published as an embedding of one coordinate, the logarithm of
    steps over the threshold: plotted against any column, the cut is at 0.
    """

    id, title = "isoperimetric", "Isoperimetric cut"
    curves = (
        Curve(
            "objective",
            "isoperimetric ratio",
            "Ratio of cut to volume of this cut; low for a good one.",
        ),
        Curve("support", "parts", "Number of parts so far."),
    )
    reference = "Grady, Schwartz (2006). Isoperimetric graph partitioning. IEEE PAMI 28(3)."

    class Params(Clusterer.Params):
        """How many groups, and where to cut."""

        k: int = Field(
            2,
            ge=1,
            description="Number of groups; each cut adds one.",
            json_schema_extra={"slider": [1, 20]},
        )
        rule: Literal["criterion", "jump"] = Field(
            "criterion",
            description="Cut at the smallest ratio of cut to volume, or at the largest jump "
            "between successive times, which mostly isolates outliers.",
        )
        prior: Literal["stationary", "degrees"] = Field(
            "stationary",
            description="Weight of an item: how often the walk visits it, or its share of all "
            "degrees; the same for symmetric graphs.",
            json_schema_extra={"advanced": True},
        )

        ground: int | str = Field(
            "auto",
            description="Item from which times are counted, by name or position from 0, in its "
            "part of the graph; auto: the item with the largest weight.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Cut until there are k parts; return them, and the times to the first ground."""
        context.check()
        reversible = random_walk(affinity).reversible  # also says what is wrong with similarities
        require_groups(params.k, affinity.n)
        alone = _without_edges(affinity)
        notes, graph = [], replace(affinity, dataset=None)
        if params.prior == "stationary" and not reversible:
            graph = stationary_flows(graph, check=context.check)
            notes.append(
                f"The stationary prior is that of a walk that jumps with probability {TELEPORT:g}."
            )
        run = _Run(affinity.n, params.k, context)
        items = np.flatnonzero(~alone)
        run.labels[items] = 0
        if len(items) and params.k > 1:
            for division in successive_cuts(
                graph,
                items,
                params.k,
                rule=params.rule,
                ground=_ground(params.ground, affinity, alone),
                check=context.check,
            ):
                run.show(division)
        context.progress(1, 1, "done")
        if lonely := int(alone.sum()):
            notes.append(f"Items without any edge, in no group: {lonely}.")
        made = int(run.labels.max(initial=-1)) + 1
        if made < params.k:
            notes.append(
                f"Only {made} of {params.k} groups were found: no part could be cut "
                "further. Use more neighbours."
            )
        groups = Clustering(
            title=f"Isoperimetric cut ({params.rule})",
            dataset=affinity.dataset,
            labels=run.labels,
            notes=tuple(notes),
            details={
                "rule": params.rule,
                "prior": params.prior,
                "unassigned": lonely,
                "cuts": run.made,
            },
        )
        return Output(
            groups, {"embedding": run.times(affinity.dataset)} if run.first is not None else {}
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Copies of the edges; of a dense matrix also its linear system."""
        n, cuts = affinity.n, max(1, 2 * params.k - 1)
        if affinity.form == "dense":
            return Cost(
                bytes=24 * n * n,
                seconds=cuts * (3e-11 * n**3 + 2e-8 * n * n),
                alternatives=("use a k-nearest-neighbour graph",),
            )
        size = int(affinity.stored.size) if affinity.form == "factor" else int(affinity.stored.nnz)
        if affinity.form == "factor":
            return Cost(bytes=64 * size + 200 * n, seconds=cuts * (2e-6 * size + 1e-5 * n))
        # The walk, its system, the order of the edges, and a part of the graph at a time.
        return Cost(bytes=200 * size + 300 * n, seconds=cuts * (3e-7 * size + 1e-6 * n))


class _Run:
    """One run: shows each cut, and keeps the first one and the last parts."""

    def __init__(self, n: int, k: int, context: Context) -> None:
        self._n, self._k, self._context = n, k, context
        self.labels = np.full(n, -1, dtype=np.int64)
        self.made: list[dict[str, Any]] = []
        self.first: tuple[Ints, Cut] | None = None
        """The first cut, and the items it was made in."""

    def show(self, division: Division) -> None:
        """Take a cut in, and show it."""
        cut, parts = division.cut, division.parts
        self.first = self.first or (division.within, cut)
        self.labels = division.labels(self._n)
        done = {
            "ground": int(division.within[cut.ground]),
            "ratio": cut.ratio,
            "threshold": cut.threshold,
            "near": len(cut.near),
            "far": len(cut.far),
            "unreached": int(np.isinf(cut.times).sum()),
        }
        self.made.append(done)
        self._context.event("cut", **done)
        self._context.frame(
            len(self.made),
            objective=cut.ratio,
            support=len(parts),
            phase=f"cut {len(self.made)}",
            labels=self.labels,
        )
        self._context.progress(len(self.made), self._k, f"cut {len(self.made)}")

    def times(self, dataset: Dataset | None) -> Embedding:
        """The times of the first cut; items without a way to the ground stand a step beyond all."""
        assert self.first is not None
        part, cut = self.first
        known = np.isfinite(cut.times)
        logs = np.log10((1 + np.where(known, cut.times, 0.0)) / (1 + cut.threshold))
        # In sight of the others, and on the far side of the cut whatever these are.
        beyond = max(float(logs.max()), 0.0) + 0.1 * float(np.ptp(logs)) + 0.1
        shown = np.full(self._n, beyond)
        shown[part] = np.where(known, logs, beyond)
        notes = [f"The first cut is at {cut.threshold:.4g} steps, which is 0 here."]
        if away := int((shown == beyond).sum()):
            notes.append(f"Items not connected to the ground, shown at {beyond:.3g}: {away}.")
        return Embedding(
            title="Steps to the ground",
            dataset=dataset,
            coordinates=shown[:, None],
            axes=("log₁₀ steps to ground",),
            notes=tuple(notes),
            details={"ground": int(part[cut.ground]), "threshold": cut.threshold, "cut": 0.0},
        )


def _ground(asked: int | str, affinity: Affinity, alone: Any) -> int | None:
    if asked == "auto":
        return None
    place = int(item_positions([asked], affinity.n, affinity.dataset)[0])
    if alone[place]:
        raise ParameterError(
            f"Item {place + 1} has no edge, so no path leads to it. Choose another ground.",
            code="no-similarities",
        )
    return place


def _without_edges(affinity: Affinity) -> Any:
    """Which items have no edge to or from another one; similarity with itself does not count."""
    own = affinity.diagonal()
    out = affinity.degrees() - own
    into = out if affinity.symmetric else np.asarray(affinity.stored.sum(axis=0)).ravel() - own
    return np.maximum(out, into) <= 1e-14 * np.maximum(own, 0.0)

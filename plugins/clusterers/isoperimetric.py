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
    Dataset,
    Embedding,
    Field,
    Floats,
    Ints,
    Output,
)
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.similarity.affinity_ops import with_entries
from coterie.core.numerics.spectral.isoperimetric import Cut, isoperimetric_cut
from coterie.core.numerics.walks.markov import random_walk
from coterie.core.numerics.walks.stationary import stationary

TELEPORT = 1e-4  # of the stationary prior, which a directed graph need not have otherwise


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
    curves = ("isoperimetric ratio", "", "parts")
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
            description="What an item weighs: how often the walk is there, or its share of all "
            "degrees; the same for symmetric graphs.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Cut until there are k parts; return them, and the times to the first ground."""
        context.check()
        walk = random_walk(affinity)  # also says what is wrong with the similarities
        require_groups(params.k, affinity.n)
        alone = _without_edges(affinity)
        notes, graph = [], replace(affinity, dataset=None)
        if params.prior == "stationary" and not walk.reversible:
            walk = random_walk(affinity, teleport=TELEPORT)
            graph = _flows(graph, stationary(walk, check=context.check), walk.degrees)
            notes.append(
                f"The stationary prior is that of a walk that jumps with probability {TELEPORT:g}."
            )
        run = _Run(graph, affinity.dataset, params, context)
        run.cut(np.flatnonzero(~alone))
        context.progress(1, 1, "done")
        if lonely := int(alone.sum()):
            notes.append(f"Items without any edge, in no group: {lonely}.")
        if len(run.parts) < params.k:
            notes.append(
                f"Only {len(run.parts)} of {params.k} groups were found: no part could be cut "
                "further. Use more neighbours."
            )
        groups = Clustering(
            title=f"Isoperimetric cut ({params.rule})",
            dataset=affinity.dataset,
            labels=run.labels(),
            notes=tuple(notes),
            details={
                "rule": params.rule,
                "prior": params.prior,
                "unassigned": lonely,
                "cuts": run.made,
            },
        )
        return Output(groups, {"embedding": run.times()} if run.first is not None else {})

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Copies of the edges; of a dense matrix also its linear system."""
        n, cuts = affinity.n, max(1, 2 * params.k - 1)
        if affinity.form == "dense":
            return Cost(
                bytes=24 * n * n,
                seconds=cuts * (3e-11 * n**3 + 2e-8 * n * n),
                alternatives=("use a k-nearest-neighbour graph", "take a sample of the items"),
            )
        size = int(affinity.stored.size) if affinity.form == "factor" else int(affinity.stored.nnz)
        return Cost(bytes=64 * size + 200 * n, seconds=cuts * (2e-6 * size + 1e-5 * n))


class _Run:
    """One run: the parts so far, and the best cut of each."""

    def __init__(
        self,
        graph: Affinity,
        dataset: Dataset | None,
        params: Isoperimetric.Params,
        context: Context,
    ) -> None:
        self.graph, self.dataset, self.params, self.context = graph, dataset, params, context
        self.parts: list[Ints] = []
        self.made: list[dict[str, Any]] = []
        self.first: tuple[Ints, Cut] | None = None
        """The first cut, and the items it was made in."""
        self._best: list[Cut | None] = []

    def cut(self, items: Ints) -> None:
        """Cut the part of smallest ratio, again and again."""
        if not len(items):
            return
        k = self.params.k
        self.parts = [items]
        self._best = [self._best_cut(items) if k > 1 else None]
        while len(self.parts) < k:
            at = min(
                (i for i, best in enumerate(self._best) if best is not None),
                key=lambda i: self._best[i].ratio,  # type: ignore[union-attr]
                default=-1,
            )
            if at < 0:
                return
            self._apply(at)

    def _apply(self, at: int) -> None:
        part, cut = self.parts[at], self._best[at]
        assert cut is not None
        self.first = self.first or (part, cut)
        near, far = part[cut.near], part[cut.far]
        self.parts[at] = near
        self.parts.append(far)
        done = {
            "ground": int(part[cut.ground]),
            "ratio": cut.ratio,
            "threshold": cut.threshold,
            "near": len(near),
            "far": len(far),
            "unreached": int(np.isinf(cut.times).sum()),
        }
        self.made.append(done)
        self.context.event("cut", **done)
        self.context.frame(
            len(self.made),
            objective=cut.ratio,
            support=len(self.parts),
            phase=f"cut {len(self.made)}",
            labels=self.labels(),
        )
        self.context.progress(len(self.made), self.params.k, f"cut {len(self.made)}")
        more = len(self.parts) < self.params.k
        self._best[at] = self._best_cut(near) if more else None
        self._best.append(self._best_cut(far) if more else None)

    def _best_cut(self, part: Ints) -> Cut | None:
        graph = self.graph if len(part) == self.graph.n else self.graph.submatrix(part)
        return isoperimetric_cut(
            graph, weights=graph.degrees(), rule=self.params.rule, check=self.context.check
        )

    def labels(self) -> Ints:
        """The number of its part for each item, −1 for items without edges."""
        labels = np.full(self.graph.n, -1, dtype=np.int64)
        for number, part in enumerate(self.parts):
            labels[part] = number
        return labels

    def times(self) -> Embedding:
        """The times of the first cut; items without a way to the ground stand a step beyond all."""
        assert self.first is not None
        part, cut = self.first
        known = np.isfinite(cut.times)
        logs = np.log10((1 + np.where(known, cut.times, 0.0)) / (1 + cut.threshold))
        # In sight of the others, and on the far side of the cut whatever these are.
        beyond = max(float(logs.max()), 0.0) + 0.1 * float(np.ptp(logs)) + 0.1
        shown = np.full(self.graph.n, beyond)
        shown[part] = np.where(known, logs, beyond)
        notes = [f"The first cut is at {cut.threshold:.4g} steps, which is 0 here."]
        if away := int((shown == beyond).sum()):
            notes.append(f"Items not connected to the ground, shown at {beyond:.3g}: {away}.")
        return Embedding(
            title="Steps to the ground",
            dataset=self.dataset,
            coordinates=shown[:, None],
            axes=("log₁₀ steps to ground",),
            notes=tuple(notes),
            details={"ground": int(part[cut.ground]), "threshold": cut.threshold, "cut": 0.0},
        )


def _without_edges(affinity: Affinity) -> Any:
    """Which items have no edge to or from another one; similarity with itself does not count."""
    own = affinity.diagonal()
    out = affinity.degrees() - own
    into = out if affinity.symmetric else np.asarray(affinity.stored.sum(axis=0)).ravel() - own
    return np.maximum(out, into) <= 1e-14 * np.maximum(own, 0.0)


def _flows(graph: Affinity, pi: Floats, degrees: Floats) -> Affinity:
    """The graph whose edges are the flows π_i p_ij."""
    keep = pi / degrees
    if graph.sparse is not None:
        A: Any = graph.sparse.copy()
        A.data = A.data * np.repeat(keep, np.diff(A.indptr))
        return with_entries(graph, A, symmetric=False)
    return with_entries(graph, graph.to_dense() * keep[:, None], symmetric=False)

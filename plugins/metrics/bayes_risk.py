"""Bayes risk of a clustering, which is its normalised cut."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clustering,
    Context,
    Cost,
    DataError,
    Field,
    Metric,
    Score,
)
from coterie.core.model.group_names import group_name

_BLOCK = 64  # groups whose sums are formed at once


class BayesRisk(Metric):
    """How often a walker on the graph leaves its group in one step, averaged over the groups.

    The mean over groups of W(group, others) / W(group, all), which is the normalised cut, and for
    similarities that are a density estimate the expected classification error of the grouping.
    0 when no edge leads from one group to another. Directed graphs are followed along their edges.
    """

    id, title = "bayes-risk", "Bayes risk (normalised cut)"
    reference = "Shi, Malik (2000). Normalized cuts and image segmentation. PAMI 22."
    needs = ("clustering", "affinity")

    class Params(Metric.Params):
        """What becomes of items in no group."""

        unassigned: Literal["exclude", "own-class"] = Field(
            "exclude",
            description="Remove items in no group from the graph, or count them as a group.",
        )

    def compute(
        self, clustering: Clustering, affinity: Affinity, *, params: Params, context: Context
    ) -> Score:
        """Return the risk, and the similarity between each two groups."""
        context.check()
        if clustering.n != affinity.n:
            raise DataError(
                f"The groups have {clustering.n} items, the similarities {affinity.n}. "
                "Take similarities of the same items.",
                code="items-mismatch",
            )
        affinity.require_finite()
        labels = np.asarray(clustering.labels)
        loose = int((labels < 0).sum())
        values, column = np.unique(labels, return_inverse=True)
        kept = values >= 0 if params.unassigned == "exclude" else np.ones(len(values), np.bool_)
        if not kept.any():
            raise DataError("No item is in a group, so there is nothing to cut.", code="no-groups")
        member = (column[:, None] == np.flatnonzero(kept)).astype(np.float64)
        between = np.empty((member.shape[1], member.shape[1]))
        for start in range(0, member.shape[1], _BLOCK):
            context.check()
            part = slice(start, start + _BLOCK)
            between[:, part] = member.T @ affinity.matvec(member[:, part])
        lowest = between.min() if affinity.form == "factor" else affinity.stored.min()
        if lowest < 0:
            raise DataError(
                "The Bayes risk needs similarities of at least 0. These have negative ones: keep "
                "the positive part, or choose another kernel.",
                code="negative-similarities",
            )
        notes = _about_loose(loose, params.unassigned)
        volume, inside = between.sum(axis=1), between.diagonal()
        connected = volume > 0
        if not connected.any():
            raise DataError(
                "No two items are similar at all, so there is nothing to cut.",
                code="no-similarities",
            )
        if alone := int((~connected).sum()):
            notes.append(f"{alone} groups without any similarity were left out.")
        risks = 1 - inside[connected] / volume[connected]
        names = tuple(group_name(int(value), clustering.names) for value in values[kept])
        return Score(
            title="Bayes risk",
            dataset=clustering.dataset,
            value=float(np.clip(risks.mean(), 0.0, 1.0)),
            table=between,
            rows=names,
            columns=names,
            notes=tuple(notes),
            details={"items": int(member.sum()), "unassigned": params.unassigned},
        )

    def estimate(self, clustering: Clustering, affinity: Affinity, *, params: Params) -> Cost:
        """A number for each item and group, and one pass over the similarities for each."""
        k = max(1, clustering.k)
        return Cost(bytes=16 * clustering.n * (k + 1), seconds=1e-9 * clustering.n**2 * k)


def _about_loose(loose: int, unassigned: str) -> list[str]:
    if not loose:
        return []
    items = f"{loose} {'item' if loose == 1 else 'items'} in no group"
    if unassigned == "exclude":
        return [f"{items} left out."]
    return [f"{items} {'counts' if loose == 1 else 'count'} as a group of their own."]

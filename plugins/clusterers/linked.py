"""Linked: groups that keep to what belongs together and what belongs apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coterie.core import (
    Clusterer,
    Clustering,
    Context,
    Cost,
    Dataset,
    Field,
    Ints,
)
from coterie.core.numerics.automatic.links import APART, TOGETHER, kept_to, links_of
from coterie.core.numerics.partitions.regrouping import require_groups_of
from coterie.core.wording import counted


class Linked(Clusterer):
    """Change groups as little as possible until some items share a group and others do not.

    Groups that each hold a quarter or more of the items that belong together become one; fewer
    items move to where the others are. A group that holds items which belong apart is divided
    between them: each of its items goes with the nearest. All other groups stay as they are.
    """

    id, title = "linked", "Must-link and cannot-link"
    reference = (
        "Wagstaff, Cardie, Rogers, Schrödl (2001). Constrained k-means clustering with background "
        "knowledge. ICML."
    )
    needs = ("clustering", "dataset")
    weighs_items = True

    class Params(Clusterer.Params):
        """What belongs together, and what belongs apart."""

        together: list[list[int | str]] = Field(default_factory=list, description=TOGETHER)
        apart: list[list[int | str]] = Field(default_factory=list, description=APART)

    def compute(
        self, groups: Clustering, data: Dataset, *, params: Params, context: Context
    ) -> Clustering:
        """Return the groups that keep to the links."""
        context.check()
        require_groups_of(groups, data, to="keep to links")
        links = links_of(
            params.together, params.apart, data.n, groups.dataset or data, context.check
        )
        labels = kept_to(links, data.dense_features(), groups.labels)
        if np.array_equal(labels, groups.labels):
            return replace(groups, notes=(*groups.notes, "All links hold already."))
        k = int(labels.max()) + 1
        said = f"{counted(groups.k, 'group')} became {counted(k, 'group')} to keep to the links."
        return replace(
            groups,
            title=f"{groups.title}, linked" if groups.title else "Linked groups",
            dataset=groups.dataset or data,
            labels=labels,
            membership=None,
            cohesiveness=None,
            names=groups.names if _is_numbered_alike(labels, groups.labels) else (),
            notes=(*groups.notes, said),
        )

    def estimate(self, groups: Clustering, data: Dataset, *, params: Params) -> Cost:
        """A copy of the features, and a distance to each linked item."""
        linked = sum(map(len, (*params.together, *params.apart)))
        return Cost(bytes=8 * data.n * (data.d + 8) + (1 << 20), seconds=1e-8 * data.n * linked)


def _is_numbered_alike(labels: Ints, before: Ints) -> bool:
    """Whether most items of each group had its number before; then names still fit."""
    both = (labels >= 0) & (before >= 0)
    k = int(labels.max(initial=-1)) + 1
    if k != int(before.max(initial=-1)) + 1:
        return False
    overlap = np.zeros((k, k))
    np.add.at(overlap, (labels[both], before[both]), 1.0)
    return bool((overlap.argmax(axis=1) == np.arange(k)).all())

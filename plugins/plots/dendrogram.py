"""Dendrogram: in which order items and groups were merged, and at what distance."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clustering,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Figure,
    Ints,
    Plot,
)
from coterie.core.numerics.partitions.linkage import (
    Merges,
    merges_of_affinity,
    merges_of_features,
)
from coterie.core.numerics.partitions.tree_cut import height_for
from coterie.core.numerics.partitions.tree_figures import leaf_groups, leaf_parts, merge_tree
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.nearest import nearest_of_few

ROWS = 256  # of similarities, looked at together


class Dendrogram(Plot):
    """The tree of merges: each branching is as high as the distance at which two groups met.

    The two nearest groups are merged again and again, as by agglomerative clustering; of data by
    Euclidean distance, of similarities by how far they are below the largest. Of many items a
    sample is merged, and each other item goes with the nearest of those. Cut the tree at a height
    to make groups of its branches.
    """

    id, title, version = "dendrogram", "Dendrogram", "2"
    reference = "Ward (1963). Hierarchical grouping to optimize an objective function. JASA 58."
    needs = ("dataset|affinity", "clustering?")

    class Params(Plot.Params):
        """How the distance between two groups is measured, and how much is drawn."""

        linkage: Literal["auto", "ward", "average", "complete", "single"] = Field(
            "auto",
            description="Distance between two groups: the growth of the sum of squares (data "
            "only), or the mean, largest or smallest distance between their members; auto: ward "
            "for data, average for similarities.",
        )
        most: int = Field(
            2000,
            ge=10,
            le=20_000,
            description="Maximum number of items to merge.",
            json_schema_extra={"slider": [100, 5000]},
        )
        leaves: int = Field(
            1000,
            ge=2,
            le=20_000,
            description="Maximum number of leaves: items merged earlier share a leaf.",
            json_schema_extra={"advanced": True},
        )

    def compute(
        self,
        source: Dataset | Affinity,
        groups: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Figure:
        """Return the tree, its leaves in the colours of the groups."""
        context.check()
        data = source if isinstance(source, Dataset) else source.dataset
        linkage = params.linkage
        if linkage == "auto":
            linkage = "ward" if isinstance(source, Dataset) else "average"
        if groups is not None and groups.n != source.n:
            raise DataError(
                f"The groups have {groups.n} items, the input {source.n}. Choose groups of the "
                f"same items.",
                code="items-mismatch",
            )
        if isinstance(source, Dataset):
            merges, of_all = _of_features(source, linkage, params.most, context)
        else:
            merges, of_all = _of_affinity(source, linkage, params.most, context)
        context.progress(3, 4, "drawing")
        merged = len(merges.heights) + 1
        tree, leaf = merge_tree(merges, params.leaves)
        parts = leaf_parts(leaf[of_all], data)
        notes = []
        if merged < source.n:
            notes.append(
                f"{merged:,} of {source.n:,} items were merged; every other item belongs with "
                "the nearest of those."
            )
        if len(np.unique(leaf)) < merged:
            notes.append(f"Only the last {params.leaves - 1:,} merges are drawn.")
        figure = Figure(
            form="tree",
            **tree,
            **parts,
            **leaf_groups(groups, parts["items"], parts["starts"]),
            dataset=data,
            axes=("items", f"merging distance ({linkage} linkage)"),
            notes=tuple(notes),
        )
        return figure if groups is None or not figure.linked else _cut_as(figure, groups)

    def estimate(
        self, source: Dataset | Affinity, groups: Clustering | None = None, *, params: Params
    ) -> Cost:
        """The distances of the items that are merged, and those to them of all others."""
        n, some = source.n, min(source.n, params.most)
        graph = source.sparse if isinstance(source, Affinity) else None
        if graph is not None and params.linkage == "single":
            stored = int(graph.nnz)
            return Cost(bytes=60 * stored + 100 * n, seconds=1e-6 * stored)
        return Cost(
            bytes=16 * some * some + 8 * ROWS * n + 64 * n + (1 << 20),
            seconds=3e-8 * some * some + 1e-9 * n * some,
        )


def _of_features(data: Dataset, linkage: str, most: int, context: Context) -> tuple[Merges, Ints]:
    """The merges of some items, and which of those each item goes with."""
    X = data.dense_features()
    require_squares(X)
    n = len(X)
    if n <= most:
        return merges_of_features(X, linkage), np.arange(n)  # type: ignore[arg-type]
    some = np.linspace(0, n - 1, most).astype(np.int64)
    near = nearest_of_few(X, X[some], context.check)
    near[some] = np.arange(most)
    context.progress(1, 4, "merging")
    return merges_of_features(X[some], linkage), near  # type: ignore[arg-type]


def _of_affinity(
    affinity: Affinity, linkage: str, most: int, context: Context
) -> tuple[Merges, Ints]:
    require_items(affinity)
    if not affinity.symmetric:
        raise DataError(
            "Merging needs symmetric similarities, and these are directed. Put graph/symmetrise "
            "before this step.",
            offer=("graph/symmetrise",),
            code="not-symmetric",
        )
    affinity.require_finite()
    n = affinity.n
    alone = affinity.sparse is not None and linkage == "single"
    if n <= most or alone:
        return merges_of_affinity(affinity, linkage), np.arange(n)  # type: ignore[arg-type]
    some = np.linspace(0, n - 1, most).astype(np.int64)
    best, near = np.full(n, -np.inf), np.zeros(n, dtype=np.int64)
    for start in range(0, most, ROWS):
        context.progress(start, 2 * most, "comparing items")
        rows = np.asarray(affinity.rows(some[start : start + ROWS]))
        place = rows.argmax(axis=0)
        value = rows[place, np.arange(n)]
        better = value > best
        best[better], near[better] = value[better], start + place[better]
    near[some] = np.arange(most)
    return merges_of_affinity(affinity.submatrix(some), linkage), near  # type: ignore[arg-type]


def _cut_as(figure: Figure, groups: Clustering) -> Figure:
    """The line at which there are as many branches as groups."""
    from dataclasses import replace

    k = int(groups.labels.max(initial=-1)) + 1
    return replace(figure, cut=height_for(figure, k)) if k else figure

"""The edges of a similarity graph, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset

_ROWS = 1 << 20  # numbers looked at at once


def graph_of(noun: Any) -> Affinity:
    """Return the graph that a noun is: an affinity, or a dataset of given similarities."""
    if isinstance(noun, Affinity):
        return noun
    if isinstance(noun, Dataset) and noun.relation is not None:
        relation: Any = noun.relation
        kind = "sparse" if hasattr(relation, "tocsr") else "values"
        difference = abs(relation - relation.T)
        symmetric = not difference.size or float(difference.max()) == 0
        held: dict[str, Any] = {kind: relation}
        return Affinity(**held, symmetric=symmetric, dataset=noun, title=noun.title)
    raise DataError(
        f"A {getattr(noun, 'encoding_type', type(noun).__name__)} has no edges. "
        "Choose an affinity, or a graph.",
        code="not-exportable",
    )


def edges_by_blocks(
    affinity: Affinity, minimum: float = 0.0
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Return sources, targets and weights of the edges above `minimum`, block by block.

    An edge of a symmetric graph comes once, its source before its target or the same. An entry of
    exactly zero is not an edge; with a `minimum` below zero, negative ones are.
    """
    height = max(1, _ROWS // max(1, affinity.n))
    for start in range(0, affinity.n, height):
        index = np.arange(start, min(start + height, affinity.n))
        if affinity.sparse is not None:
            sparse: Any = affinity.sparse[index].tocoo()
            rows, targets, weights = sparse.row, sparse.col, sparse.data
        else:
            block = affinity.rows(index)
            rows, targets = np.nonzero(block)
            weights = block[rows, targets]
        sources = index[rows]
        kept = (weights > minimum) & (weights != 0)
        if affinity.symmetric:
            kept &= sources <= targets
        yield sources[kept], np.asarray(targets[kept], dtype=np.int64), weights[kept]

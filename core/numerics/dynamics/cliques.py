"""Maximal cliques as dominant sets of a graph with ½ on its diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.numerics.similarity.distances import Check, row_blocks

# Bomze's regularisation of the Motzkin–Straus programme (Bomze 1997, Evolution towards the maximum
# clique, Journal of Global Optimization 10): its strict solutions are exactly the maximal cliques,
# every member with the same share.
OWN = 0.5


def require_graph(affinity: Affinity, *, check: Check | None = None) -> None:
    """Refuse all but a symmetric matrix of zeros and ones, whatever is on its diagonal.

    >>> require_graph(Affinity(values=np.array([[5.0, 1.0], [1.0, 5.0]])))
    """
    advice = f"Apply {well_known.GRAPH_THRESHOLD} first, or turn 'clique' off."
    if affinity.factor is not None:
        raise DataError(
            "Cliques need a matrix of 0 and 1, and these similarities are stored as a factor. "
            f"{advice}",
            code="not-binary",
        )
    if not affinity.symmetric:
        raise DataError(f"Cliques need symmetric similarities. {advice}", code="not-symmetric")
    stored: Any = affinity.stored
    for rows in row_blocks(affinity.n, affinity.n if affinity.sparse is None else 64):
        if check is not None:
            check()
        block = stored[rows]
        if affinity.sparse is None:
            entries, own = block, np.eye(len(block), affinity.n, rows.start, dtype=np.bool_)
        else:
            entries = block.data
            owner = np.arange(rows.start, rows.stop)
            own = block.indices == np.repeat(owner, np.diff(block.indptr))
        strange = (entries != 0) & (entries != 1) & ~own
        if strange.any():
            raise DataError(
                "Cliques need similarities of 0 and 1 only. "
                f"Got {float(entries[strange][0]):.4g}. {advice}",
                code="not-binary",
            )

"""Walks on items with weights: an item of weight two is two equal items, met as one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats
from coterie.core.numerics.mixed.columns import item_weights


def weighed(affinity: Affinity) -> tuple[Affinity, Floats | None]:
    """Return the graph that a walk on weighed items follows, and where it jumps to.

    Were each item there as often as its weight w says, the walk would step from i to any copy of j
    with a chance in proportion to w_j a_ij: the walk on the similarities w_i w_j a_ij, which
    are as symmetric as those given; jumps go to the items in proportion to w.

    Returns
    -------
    The affinity as it is and None where no column has the role of a weight, else one of the same
    form with a matrix of its own, and (n,) shares that sum to one.

    Examples
    --------
    >>> from coterie.core.model.columns import Column
    >>> from coterie.core.model.dataset import Dataset
    >>> twice = Column("times", np.array([2.0, 1.0]), role="weight")
    >>> data = Dataset(features=np.eye(2), table=(twice,))
    >>> graph, shares = weighed(Affinity(values=np.ones((2, 2)), dataset=data))
    >>> (graph.values / graph.values.min()).round(9).tolist(), shares.round(3).tolist()
    ([[4.0, 2.0], [2.0, 1.0]], [0.667, 0.333])
    """
    weights = None if affinity.dataset is None else item_weights(affinity.dataset)
    if weights is None:
        return affinity, None
    if affinity.factor is not None:
        graph = replace(affinity, factor=affinity.factor * weights[:, None])
    elif affinity.values is not None:
        graph = replace(affinity, values=affinity.values * weights * weights[:, None])
    else:
        from scipy.sparse import csr_array

        A: Any = affinity.sparse
        data = A.data * weights[A.indices] * np.repeat(weights, np.diff(A.indptr))
        graph = replace(affinity, sparse=csr_array((data, A.indices, A.indptr), shape=A.shape))
    return graph, weights / weights.sum()

"""Atoms of a mixture as vertices of a graph: how often two of them claim the same item.

Put together in groups V_k, the atoms of a mixture are densities of any shape, and the posterior of
a group is the sum over its atoms. With r_ij the posterior of atom j for item i, the graph is
S = RᵀR, and the mean over groups of Σ_i p_k(x_i) (1 − p_k(x_i)) / Σ_i p_k(x_i) is its normalised
cut: the chance that an item of a group, drawn by its posteriors, is called another one.
"""

from __future__ import annotations

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints


def atom_graph(shares: Floats) -> Affinity:
    """Return S = RᵀR of posteriors R (n, m); its degrees are the numbers of items of the atoms.

    Takes O(n m²).

    >>> atom_graph(np.array([[1.0, 0.0], [0.5, 0.5]])).to_dense().tolist()
    [[1.25, 0.25], [0.25, 0.25]]
    """
    return Affinity(values=np.asarray(shares.T @ shares), nonnegative=True)


def posteriors(shares: Floats, groups: Ints) -> Floats:
    """Return the posterior of each group of atoms, (n, k); atoms in no group are left out.

    Each row sums to 1: an item of which only atoms in no group know anything has equal shares.

    >>> posteriors(np.array([[0.2, 0.3, 0.5]]), np.array([0, 1, 0])).tolist()
    [[0.7, 0.3]]
    """
    k = int(groups.max()) + 1
    summed = np.zeros((len(shares), k))
    for group in range(k):
        summed[:, group] = shares[:, groups == group].sum(axis=1)
    total = summed.sum(axis=1, keepdims=True)
    known = total > 0
    return np.where(known, summed / np.where(known, total, 1.0), 1.0 / k)

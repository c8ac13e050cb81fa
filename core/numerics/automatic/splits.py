"""How well each group could be split further: the best conductance of two parts of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.automatic.surroundings import Surroundings

ROUNDS = 30  # of averaging over neighbours; each probe is then smooth within a group
LEAST_PART = 5  # items; a part must also be 4% of its group
LEAST_SHARE = 0.04


def best_splits(around: Surroundings, items: Ints, group: Ints, k: int) -> Floats:
    """Return the smallest conductance of a two-way split of each group, 1 where there is none.

    All groups are searched at once: probes are averaged over neighbours in the same group until
    they vary slowly, as eigenvectors of the walk do, and each is cut where the ratio of edges
    between the parts to the edges of the smaller part is least.

    Parameters
    ----------
    items : (m,) the items that are in a group
    group : (m,) their groups, from 0 to k − 1, each with a member

    Returns
    -------
    (k,)
    """
    from scipy.sparse import csr_array

    m = len(items)
    number = np.full(around.n, -1, dtype=np.int64)
    number[items] = group
    inside = (number[around.source] >= 0) & (number[around.source] == number[around.target])
    place = np.empty(around.n, dtype=np.int64)
    place[items] = np.arange(m)
    source, target = place[around.source[inside]], place[around.target[inside]]
    graph: Any = csr_array((np.ones(len(source)), (source, target)), shape=(m, m))
    degrees = np.bincount(source, minlength=m).astype(np.float64)
    volume = np.maximum(np.bincount(group, degrees, k), 1e-9)
    probes = _smoothed(around.probes[items], graph, degrees, group, volume)
    counts = np.bincount(group, minlength=k)
    least = np.maximum(LEAST_PART, LEAST_SHARE * counts)
    before = np.concatenate([[0], np.cumsum(counts)])[:-1]
    volume_before = np.concatenate([[0.0], np.cumsum(volume)])[:-1]
    found = np.ones(k)
    for probe in probes.T:
        order = np.lexsort((probe, group))
        rank = np.empty(m, dtype=np.int64)
        rank[order] = np.arange(m)
        # What the cut grows by when an item moves to the near side; it is 0 again after a group.
        grown = np.bincount(source, np.sign(rank[target] - rank[source]), m)
        cut = np.cumsum(grown[order])
        own = group[order]
        near = np.cumsum(degrees[order]) - volume_before[own]
        size = np.arange(1, m + 1) - before[own]
        possible = (size >= least[own]) & (counts[own] - size >= least[own])
        ratio = cut / np.maximum(np.minimum(near, volume[own] - near), 1e-9)
        np.minimum.at(found, own, np.where(possible, ratio, 1.0))
    return np.clip(found, 0.0, 1.0)


def _smoothed(probes: Floats, graph: Any, degrees: Floats, group: Ints, volume: Floats) -> Floats:
    k = len(volume)
    weight = np.maximum(degrees, 1.0)[:, None]
    columns = range(probes.shape[1])

    def means(values: Floats) -> Floats:
        sums = [np.bincount(group, degrees * values[:, j], k) for j in columns]
        return np.column_stack(sums) / volume[:, None]

    # The mean by degrees is what a step of the walk leaves as it is: taking it off once will do.
    probes = probes - means(probes)[group]
    for number in range(ROUNDS):
        probes = (probes + (graph @ probes) / weight) / 2
        if number % 10 == 9:
            probes = probes / (np.sqrt(means(probes**2)) + 1e-30)[group]
    return probes

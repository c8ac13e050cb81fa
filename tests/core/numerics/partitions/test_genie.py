"""Genie joins along the spanning tree, and keeps sizes from growing apart."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.metrics import adjusted_rand_score

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.partitions.genie import genie_joins, groups_after, spanning_tree


def gini(sizes: Ints) -> float:
    apart = np.abs(sizes[:, None] - sizes).sum() / 2
    return float(apart / ((len(sizes) - 1) * sizes.sum()))


@pytest.fixture
def items() -> Floats:
    return np.random.default_rng(8).normal(size=(80, 2))


def test_without_a_limit_it_is_single_linkage(items: Floats) -> None:
    edges, _ = spanning_tree(items)
    joins = genie_joins(edges, 80, 1.0)
    for k in (2, 5, 12):
        ours = groups_after(edges, joins, 80, k)
        assert adjusted_rand_score(ours, fcluster(linkage(items, "single"), k, "maxclust")) == 1.0


def test_the_tree_is_as_short_as_that_of_single_linkage(items: Floats) -> None:
    _, lengths = spanning_tree(items)
    assert np.allclose(lengths, linkage(items, "single")[:, 2])


@pytest.mark.parametrize("limit", [0.1, 0.3, 0.6])
def test_each_join_is_the_shortest_allowed_by_the_definition(items: Floats, limit: float) -> None:
    edges, _ = spanning_tree(items)
    joins = genie_joins(edges, 80, limit)
    label = np.arange(80)
    left = set(range(79))
    for join in joins:
        sizes = np.bincount(label, minlength=80)
        present = sizes[sizes > 0]
        allowed = sorted(left)
        if gini(present) > limit:
            smallest = present.min()
            allowed = [e for e in allowed if smallest in sizes[label[edges[e]]]]
        assert join == allowed[0]
        a, b = label[edges[join]]
        label[label == b] = a
        left.remove(int(join))


def test_it_gives_as_many_groups_as_asked_for(items: Floats) -> None:
    edges, _ = spanning_tree(items)
    joins = genie_joins(edges, 80, 0.3)
    for k in range(1, 81):
        assert len(np.unique(groups_after(edges, joins, 80, k))) == k

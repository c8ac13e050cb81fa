"""The best split of a group is found, and its conductance is what the definition says."""

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.automatic.splits import best_splits
from coterie.core.numerics.automatic.surroundings import surroundings_of
from tests.rounding import rounding


def two_blobs(apart: float) -> Floats:
    rng = np.random.default_rng(5)
    return np.concatenate([rng.normal(0, 1, (60, 2)), rng.normal([apart, 0], 1, (60, 2))])


def split_of(X: Floats, group: Ints) -> Floats:
    return best_splits(surroundings_of(X), np.arange(len(X)), group, int(group.max()) + 1)


def test_two_blobs_far_apart_split_for_nothing() -> None:
    assert split_of(two_blobs(50.0), np.zeros(120, dtype=np.int64)).tolist() == [0.0]


def test_one_blob_splits_worse_than_two_that_touch() -> None:
    one = two_blobs(0.0)
    touching = two_blobs(5.0)
    whole = np.zeros(120, dtype=np.int64)
    assert split_of(touching, whole)[0] < 0.5 * split_of(one, whole)[0]


def test_the_conductance_of_a_small_graph_is_that_of_its_best_cut() -> None:
    X = two_blobs(6.0)
    around = surroundings_of(X)
    side = np.repeat([0, 1], 60)
    crossing = side[around.source] != side[around.target]
    volume = np.bincount(side, around.degrees)
    known = crossing.sum() / 2 / volume.min()
    found = best_splits(around, np.arange(120), np.zeros(120, dtype=np.int64), 1)[0]
    assert found <= known + rounding(len(around.source))


def test_groups_too_small_to_split_have_none() -> None:
    X = two_blobs(50.0)[:8]
    assert split_of(X, np.zeros(8, dtype=np.int64)).tolist() == [1.0]

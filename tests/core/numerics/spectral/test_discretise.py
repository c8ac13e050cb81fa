"""Discretising: a partition, an objective that never rises, and no dependence on rotation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ortho_group

from coterie.core.numerics.partitions.groups import by_size
from coterie.core.numerics.spectral.discretise import (
    Discretised,
    best_of,
    k_means,
    unit_rows,
    yu_shi,
)
from tests.rounding import rounding


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@settings(max_examples=30)
@given(st.integers(1, 30), st.integers(1, 5), st.integers(0, 10**6), st.booleans())
def test_yu_shi_gives_a_partition_and_its_objective_never_rises(
    n: int, k: int, seed: int, coarse: bool
) -> None:
    vectors = np.random.default_rng(seed).normal(size=(n, k))
    if coarse:  # ties, equal rows and rows without a direction
        vectors = vectors.round()
    states = list(yu_shi(vectors, restarts=3, rng=rng()))
    directed = np.abs(vectors).max(axis=1) > 0
    for state in states:
        assert (state.labels[directed] >= 0).all()
        assert (state.labels < k).all()
        assert (state.labels[~directed] == -1).all()
    for one, after in pairwise(states):
        if one.start == after.start:
            assert after.objective <= one.objective + 1e-9
    made = [len(set(state.labels[directed].tolist())) for state in states]
    least = min(s.objective for s, groups in zip(states, made, strict=True) if groups == max(made))
    assert best_of(iter(states)).objective <= least + 1e-6 * n


def test_the_objective_is_the_distance_to_the_nearest_rotation() -> None:
    vectors = np.random.default_rng(3).normal(size=(12, 3))
    rows = unit_rows(vectors)
    state = best_of(yu_shi(vectors, restarts=5, rng=rng()))
    indicators = np.eye(3)[state.labels]
    left, _, right = np.linalg.svd(rows.T @ indicators)
    apart = float(((indicators - rows @ (left @ right)) ** 2).sum())
    np.testing.assert_allclose(state.objective, apart)


@settings(max_examples=10)
@given(st.integers(2, 5), st.integers(0, 1000))
def test_turned_indicators_are_found_again(k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(k), random.integers(0, k, 25)])
    lengths = random.random((len(labels), 1)) + 0.1
    turned = np.eye(k)[labels] @ ortho_group.rvs(k, random_state=seed) * lengths
    found = best_of(yu_shi(turned, restarts=10, rng=rng()))
    assert (by_size(found.labels) == by_size(labels)).all()
    assert found.objective < 1e-9


def test_k_means_shows_each_start_and_survives_fewer_points_than_groups() -> None:
    rows = np.repeat(np.eye(2), 3, axis=0)
    states = list(k_means(rows, 3, restarts=2, rng=rng()))
    assert [state.start for state in states] == [0, 1]
    assert best_of(iter(states)).objective < rounding(6)


def test_k_means_ends_when_three_starts_agree_on_the_lowest_sum() -> None:
    clear = np.repeat(10 * np.eye(3), 5, axis=0) + np.random.default_rng(0).random((15, 3))
    sums = [state.objective for state in k_means(clear, 3, restarts=50, rng=rng())]
    assert sum(one <= min(sums) * (1 + 1e-9) for one in sums) == 3
    assert sums[-1] == pytest.approx(min(sums))
    noise = np.random.default_rng(1).random((300, 6))
    assert len(list(k_means(noise, 12, restarts=5, rng=rng()))) == 5


def test_groups_are_numbered_by_size_then_by_their_first_item() -> None:
    assert by_size(np.array([5, 9, 9, 2, 2, -1])).tolist() == [2, 0, 0, 1, 1, -1]
    assert by_size(np.array([], dtype=np.int64)).tolist() == []


def test_a_start_that_leaves_a_group_empty_never_wins_over_one_that_fills_all() -> None:
    two = Discretised(np.array([0, 0, 2, 2]), 1.0, 0)
    three = Discretised(np.array([0, 1, 2, 2]), 2.0, 1)
    four = Discretised(np.array([0, 1, 2, -1]), 3.0, 2)
    assert best_of(iter([two, three, four])) is three
    assert best_of(iter([three, two])) is three

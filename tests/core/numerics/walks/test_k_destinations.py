"""K-destinations: the objective only falls; runs side by side end like single ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from coterie.core import Floats
from coterie.core.numerics.walks.k_destinations import (
    best_destinations,
    exchanged,
    k_destinations,
    spread_start,
)


def times(n: int, seed: int) -> Floats:
    """Any positive numbers will do; not symmetric."""
    H = np.random.default_rng(seed).uniform(1, 10, (n, n))
    np.fill_diagonal(H, 0.0)
    return H


@pytest.mark.parametrize("seed", range(5))
def test_the_objective_never_rises_and_is_what_it_says(seed: int) -> None:
    H = times(30, seed)
    rng = np.random.default_rng(seed)
    states = list(k_destinations(H, rng.choice(30, 4, replace=False)))
    objectives = [state.objective for state in states]
    assert objectives == sorted(objectives, reverse=True)
    assert states[-1].settled
    for state in states:
        assert len(set(state.items.tolist())) == 4
        assert state.objective == pytest.approx(H[:, state.items].min(axis=1).sum())
        np.testing.assert_array_equal(state.labels[state.items], np.arange(4))


def test_runs_side_by_side_end_where_single_runs_end() -> None:
    H = times(25, 1)
    rng = np.random.default_rng(0)
    starts = np.array([rng.choice(25, 3, replace=False) for _ in range(23)])
    best, objectives = best_destinations(H, starts)
    single = [list(k_destinations(H, start))[-1].objective for start in starts]
    np.testing.assert_allclose(objectives, single)
    assert objectives[best] == min(single)


def test_the_best_of_many_is_the_best_there_is_on_few_items() -> None:
    H = times(9, 3)
    optimum = min(H[:, list(pair)].min(axis=1).sum() for pair in combinations(range(9), 2))
    starts = np.array(list(combinations(range(9), 2)))
    assert best_destinations(H, starts)[1].min() == pytest.approx(optimum)


def test_spread_starts_are_different_items_even_among_equals() -> None:
    rng = np.random.default_rng(0)
    assert len(set(spread_start(np.zeros((5, 5)), 4, np.arange(5), rng).tolist())) == 4
    assert len(set(spread_start(times(10, 0), 10, np.arange(10), rng).tolist())) == 10


@pytest.mark.parametrize("seed", range(5))
def test_exchanges_end_where_no_single_one_lowers_the_sum(seed: int) -> None:
    H = times(14, seed)
    start = np.array([0, 1, 2])
    items = exchanged(H, start)
    least = H[:, items].min(axis=1).sum()
    assert len(set(items.tolist())) == 3
    assert least <= H[:, start].min(axis=1).sum()
    for place in range(3):
        for item in range(14):
            other = items.copy()
            other[place] = item
            assert H[:, other].min(axis=1).sum() >= least - 1e-9

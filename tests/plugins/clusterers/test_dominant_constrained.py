"""Constrained dominant sets, compared with the conditions of their own quadratic program."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context
from coterie.plugins.clusterers.dominant_constrained import DominantConstrained
from tests.refusals import refuses


def grow(A: Any, clustering: Clustering | None = None, **params: Any) -> Clustering:
    given = A if isinstance(A, Affinity) else Affinity(values=A)
    return DominantConstrained().compute(
        given, clustering, params=DominantConstrained.Params(**params), context=Context()
    )


def test_others_need_not_be_similar_to_each_other() -> None:
    A = np.zeros((5, 5))
    A[0, 1:] = A[1:, 0] = 1.0
    found = grow(A, items=[0])
    assert found.labels[0] == 0
    assert np.asarray(found.membership)[0, 0] > 0


def similar(n: int, seed: int) -> Any:
    X = np.random.default_rng(seed).random((n, 2))
    return np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / 0.1)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("sparse", [False, True])
def test_it_is_an_equilibrium_of_the_penalised_game_with_a_seed_in_it(
    seed: int, sparse: bool
) -> None:
    n = 12 + 9 * seed
    A = similar(n, seed)
    chosen = seed % n
    found = grow(Affinity(sparse=csr_array(A)) if sparse else A, items=[chosen])
    x = np.asarray(found.membership)[:, 0]
    assert x[chosen] > 0
    others = np.setdiff1d(np.arange(n), [chosen])
    plain = A - np.eye(n)
    largest = np.linalg.eigvalsh(plain[np.ix_(others, others)]).max()
    price = found.details["sets"][0]["alpha"]
    assert largest < price < 1.011 * largest
    plain[others, others] -= price
    payoffs = plain @ x
    average = x @ payoffs
    # The tolerance of the dynamics is 1e-8 of the average, which is at most 1.
    assert payoffs.max() - average <= 2e-8
    assert np.abs(payoffs[x > 0] - average).max() <= 2e-8
    assert found.labels[chosen] == 0


def test_each_group_of_a_clustering_is_a_seed() -> None:
    A = np.kron(np.eye(2), np.full((6, 6), 0.9)) + 0.01
    np.fill_diagonal(A, 1.0)
    seeds = np.full(12, -1)
    seeds[[0, 7]] = 0, 1
    found = grow(A, Clustering(labels=seeds, names=("left", "right")))
    assert found.labels.tolist() == [0] * 6 + [1] * 6
    assert found.names == ("left", "right")
    given = Clustering(labels=np.where(seeds == 1, 2, seeds), names=("left", "none", "right"))
    assert grow(A, given).names == ("left", "right")


def test_a_seed_unlike_the_others_is_named() -> None:
    A = np.zeros((5, 5))
    A[:4, :4] = 1.0
    np.fill_diagonal(A, 0.0)
    found = grow(A, items=[0, 4])
    assert found.labels[4] == -1
    assert found.details["sets"][0]["seeds_outside"] == [4]
    assert len(found.notes) == 1


def test_seeds_that_make_no_sense_are_refused() -> None:
    A = similar(6, 0)
    with refuses("groups-needed"):
        grow(A)
    with refuses("unknown-item"):
        grow(A, items=[9])
    with refuses("items-mismatch"):
        grow(A, Clustering(labels=np.array([0, 0])))
    alone = A.copy()
    alone[0, 1:] = alone[1:, 0] = 0.0
    with refuses("no-similarities"):
        grow(alone, items=[0])
    with refuses("not-symmetric"):
        grow(Affinity(values=np.triu(A), symmetric=False), items=[0])


@pytest.mark.parametrize("seeds", [[3], [3, 40, 77, 200, 299]])
@pytest.mark.parametrize("width", [0.05, 5.0])
def test_few_and_many_members_satisfy_the_conditions(seeds: list[int], width: float) -> None:
    """Narrow similarities give a small set, wide ones nearly all items: different ways there."""
    n = 400
    X = np.random.default_rng(4).random((n, 3))
    A = np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / width)
    found = grow(A, items=seeds)
    details = found.details["sets"][0]
    x = np.asarray(found.membership)[:, 0]
    plain = A - np.eye(n)
    others = np.setdiff1d(np.arange(n), seeds)
    plain[others, others] -= details["alpha"]
    payoffs = plain @ x
    average = x @ payoffs
    assert not details["limit_hit"]
    assert (x[seeds] > 0).any()
    assert payoffs.max() - average <= 2e-8
    assert np.abs(payoffs[x > 0] - average).max() <= 2e-8
    # What an ascent that stays in the simplex needs for the wide ones: above a thousand.
    assert details["iterations"] < 200


def equilibria(B: Any) -> list[Any]:
    """All strict equilibria of a small game, by the linear equations of every support."""
    n, found = len(B), []
    for size in range(1, n + 1):
        for chosen in combinations(range(n), size):
            support = list(chosen)
            equations = np.ones((size + 1, size + 1))
            equations[:size, :size], equations[size, size] = B[np.ix_(support, support)], 0.0
            equations[:size, size] = -1.0
            if np.linalg.cond(equations) > 1e10:
                continue
            solved = np.linalg.solve(equations, np.eye(size + 1)[size])
            x = np.zeros(n)
            x[support] = solved[:size]
            if solved[:size].min() > 0 and (B @ x).max() <= solved[size] + 1e-10:
                found.append(x)
    return found


@pytest.mark.parametrize("kind", ["positive", "sparse", "signed"])
@pytest.mark.parametrize("seed", range(12))
def test_it_is_one_of_all_equilibria_of_a_small_game(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 4 + seed % 5
    A = rng.normal(size=(n, n)) if kind == "signed" else rng.random((n, n))
    if kind == "sparse":
        A *= rng.random((n, n)) < 0.5
    A = np.triu(A, 1) + np.triu(A, 1).T
    seeds = np.sort(rng.choice(n, size=1 + seed % 3, replace=False))
    if A[seeds].max() <= 0:
        with refuses("no-similarities"):
            grow(Affinity(values=A, nonnegative=False), items=seeds.tolist())
        return
    found = grow(Affinity(values=A, nonnegative=kind != "signed"), items=seeds.tolist())
    details = found.details["sets"][0]
    x = np.asarray(found.membership)[:, 0]
    assert not details["limit_hit"]
    assert (x[seeds] > 0).any()
    others = np.setdiff1d(np.arange(n), seeds)
    largest = np.linalg.eigvalsh(A[np.ix_(others, others)]).max()
    assert details["alpha"] > largest or len(others) == 1
    A[others, others] -= details["alpha"]
    # Payoffs agree to 1e-8; shares to that over the curvature, which the price keeps above 1e-2.
    assert min(np.abs(x - one).max() for one in equilibria(A)) < 1e-6


def test_seeds_that_repel_each_other_do_not_keep_a_group_from_growing() -> None:
    A = np.array([[0, -2, 1, 0], [-2, 0, 0.4, 0], [1, 0.4, 0, 0.5], [0, 0, 0.5, 0]])
    found = grow(Affinity(values=A, nonnegative=False), items=[0, 1])
    assert found.labels[0] == 0
    assert found.details["sets"][0]["seeds_outside"] == [1]
    assert "2" in found.notes[0]


@pytest.mark.parametrize("seed", range(4))
def test_every_seed_can_be_in_a_set_of_its_own_group(seed: int) -> None:
    A = similar(60, seed)
    seeds = np.full(60, -1)
    chosen = np.random.default_rng(seed).choice(60, 20, replace=False)
    seeds[chosen[:10]], seeds[chosen[10:]] = 0, 1
    once = grow(A, Clustering(labels=seeds))
    found = grow(A, Clustering(labels=seeds), every_seed=True)
    shares = np.asarray(found.membership)
    assert (found.labels[chosen] == seeds[chosen]).all()
    assert (shares[chosen, seeds[chosen]] > 0).all()
    assert (shares[np.asarray(once.membership) > 0] > 0).all()  # the first sets are among them
    np.testing.assert_allclose(shares.sum(axis=0), 1, rtol=1e-9)
    assert not any(one["seeds_outside"] for one in found.details["sets"])


def test_a_seed_that_is_similar_to_nothing_keeps_its_group_and_is_said() -> None:
    A = np.zeros((4, 4))
    A[:3, :3] = 1 - np.eye(3)
    found = grow(A, items=[0, 3], every_seed=True)
    assert found.labels[[0, 3]].tolist() == [0, 0]
    assert found.details["sets"][0]["seeds_outside"] == [3]


def test_sets_of_every_seed_are_counted_before_they_are_grown() -> None:
    given, method = Affinity(values=similar(60, 0)), DominantConstrained()
    seeds = Clustering(labels=np.repeat([0, 1, -1], 20))

    def seconds(groups: Clustering | None, **params: Any) -> float:
        return method.estimate(given, groups, params=DominantConstrained.Params(**params)).seconds

    assert seconds(seeds, every_seed=True) > seconds(seeds)
    assert seconds(None, items=[0], every_seed=True) == seconds(None, items=[0])
    assert seconds(seeds, items=[0]) == seconds(None, items=[0])  # the groups are not the seeds

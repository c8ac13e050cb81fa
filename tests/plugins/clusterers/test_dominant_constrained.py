"""Constrained dominant sets, compared with the conditions of their own quadratic program."""

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

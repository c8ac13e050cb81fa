"""Local push: never more than the true scores, and as near to them as promised."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, ParameterError
from coterie.core.numerics.walks.local_push import push
from coterie.core.numerics.walks.markov import random_walk
from coterie.plugins.rankers.personalised_pagerank import PersonalisedPageRank
from tests.refusals import refuses
from tests.rounding import rounding

# Scores sum to one; the solution by definition has a condition of at most 2 / α = 40, and no
# score is the sum of more than 10⁴ numbers.
ROUNDING = rounding(10_000, 40.0)


def by_definition(A: np.ndarray, seed: np.ndarray, restart: float) -> np.ndarray:
    """α (I − (1 − α) Pᵀ)⁻¹ s; from a row of zeros back to the seed."""
    degrees = A.sum(axis=1)
    P = np.where(degrees[:, None] > 0, A / np.where(degrees > 0, degrees, 1)[:, None], seed)
    return restart * np.linalg.solve(np.eye(len(A)) - (1 - restart) * P.T, seed)


@settings(deadline=None)
@given(st.integers(2, 12), st.integers(0, 2**32 - 1), st.sampled_from([1e-2, 1e-4, 1e-8]))
def test_undirected_scores_miss_no_more_than_their_share(
    n: int, seed: int, accuracy: float
) -> None:
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.6), 1)
    A = A + A.T
    A[0, 1] = A[1, 0] = 0.5
    begin = np.zeros(n)
    begin[rng.permutation(n)[:2]] = 0.5
    walk = random_walk(Affinity(sparse=csr_array(A)))
    found = push(walk, begin, 0.15, accuracy)
    missed = by_definition(A, begin, 0.15) - found.scores
    assert missed.min() >= -ROUNDING
    assert missed.sum() == pytest.approx(found.waiting, abs=1e-9)
    assert (missed <= accuracy * walk.degrees / walk.degrees.mean() + ROUNDING).all()


def test_what_it_costs_does_not_grow_with_the_graph() -> None:
    edges = []
    for n in (1_000, 100_000):
        after = (np.arange(n) + 1) % n
        A = csr_array((np.ones(n), (np.arange(n), after)), shape=(n, n))
        begin = np.zeros(n)
        begin[5] = 1.0
        found = push(random_walk(Affinity(sparse=(A + A.T).tocsr())), begin, 0.15, 1e-6)
        edges.append(found.edges)
        assert found.reached < 500
    assert edges[0] == edges[1]


def test_the_ranker_orders_as_the_exact_scores_do() -> None:
    rng = np.random.default_rng(1)
    A = np.triu(rng.random((60, 60)) * (rng.random((60, 60)) < 0.2), 1)
    affinity = Affinity(sparse=csr_array(A + A.T))
    of = {"scope": "items", "items": [3, 7]}
    exact, near = (
        PersonalisedPageRank().compute(
            affinity,
            params=PersonalisedPageRank.Params(**of, accuracy=accuracy),  # type: ignore[arg-type]
            context=Context(),
        )
        for accuracy in (0.0, 1e-12)
    )
    np.testing.assert_allclose(near.scores, exact.scores, atol=1e-9)
    assert near.details["edges"][0] > 0


def test_dense_similarities_are_refused_in_a_sentence() -> None:
    with pytest.raises(DataError) as caught:
        PersonalisedPageRank().compute(
            Affinity(values=np.ones((3, 3))),
            Clustering(labels=np.array([0, 0, 1])),
            params=PersonalisedPageRank.Params(accuracy=1e-3),
            context=Context(),
        )
    assert caught.value.code == "sparse-needed"


def test_an_accuracy_at_which_nothing_is_visited_is_refused() -> None:
    ring = np.roll(np.eye(50), 1, axis=1) + np.roll(np.eye(50), -1, axis=1)
    with refuses("invalid-parameters", ParameterError):
        PersonalisedPageRank().compute(
            Affinity(sparse=csr_array(ring)),
            params=PersonalisedPageRank.Params(accuracy=0.1),
            context=Context(),
        )


def test_a_seed_without_an_edge_keeps_the_promise() -> None:
    A = np.zeros((6, 6))
    A[0, 1] = A[1, 2] = A[2, 3] = 1.0
    A += A.T
    seed = np.array([0.1, 0.0, 0.0, 0.0, 0.6, 0.3])
    walk = random_walk(Affinity(sparse=csr_array(A)))
    for accuracy in (1e-2, 1e-4):
        found = push(walk, seed, 0.05, accuracy)
        missed = by_definition(A, seed, 0.05) - found.scores
        assert missed.min() >= -ROUNDING
        assert (missed <= accuracy * walk.degrees / walk.degrees.mean() + ROUNDING).all()

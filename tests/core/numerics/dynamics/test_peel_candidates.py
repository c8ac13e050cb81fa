"""The best item to start from is the same whether all are asked or only the neighbours."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.peel_candidates import remaining
from tests.rounding import rounding


@given(
    n=st.integers(2, 25),
    seed=st.integers(0, 2**32 - 1),
    lowest=st.sampled_from([0.0, -1.0]),
    own=st.sampled_from([0.0, 0.5]),
)
@settings(max_examples=60)
def test_the_best_is_the_one_most_similar_to_those_left(
    n: int, seed: int, lowest: float, own: float
) -> None:
    rng = np.random.default_rng(seed)
    A = np.triu(rng.uniform(lowest, 1, (n, n)) * (rng.random((n, n)) < 0.3), 1)
    A += A.T
    dense = Affinity(values=A, nonnegative=lowest >= 0)
    sparse = Affinity(sparse=csr_array(A), nonnegative=lowest >= 0)
    forms = [remaining(Game.of(form, own=own)) for form in (dense, sparse)]
    left = np.ones(n, dtype=bool)
    while left.any():
        degrees = A @ left
        for form in forms:
            best = form.best()
            if best is None:
                assert degrees[left].max() <= rounding(4 * n * n)
            else:
                assert left[best]
                assert degrees[best] >= degrees[left].max() - 1e-9
            assert form.count == left.sum()
        gone = rng.choice(np.flatnonzero(left), int(rng.integers(1, left.sum() + 1)), False)
        left[gone] = False
        for form in forms:
            form.remove(gone)
            np.testing.assert_array_equal(form.left, left)


def test_items_without_any_similarity_are_counted() -> None:
    A = np.zeros((5, 5))
    A[0, 1] = A[1, 0] = 1.0
    for affinity in (Affinity(values=A + np.eye(5)), Affinity(sparse=csr_array(A))):
        assert remaining(Game.of(affinity)).lonely == 3

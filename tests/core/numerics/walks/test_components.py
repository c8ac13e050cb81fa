"""Connected pieces of a graph, in every form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from coterie.core import Affinity
from coterie.core.numerics.walks.components import pieces


def same_partition(one: Any, other: Any) -> bool:
    pairs = set(zip(np.asarray(one).tolist(), np.asarray(other).tolist(), strict=True))
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


@settings(max_examples=25)
@given(st.integers(1, 14), st.floats(0.02, 0.4), st.integers(0, 10**6), st.booleans())
def test_dense_and_sparse_agree_with_scipy(
    n: int, density: float, seed: int, directed: bool
) -> None:
    rng = np.random.default_rng(seed)
    A = np.where(rng.random((n, n)) < density, rng.random((n, n)) + 0.1, 0.0)
    if not directed:
        A = A + A.T
    count, labels = connected_components(csr_array(A), directed=False)
    for affinity in (
        Affinity(values=A, symmetric=not directed),
        Affinity(sparse=csr_array(A), symmetric=not directed),
    ):
        found, piece = pieces(affinity)
        assert found == count
        assert same_partition(piece, labels)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_factors_fall_into_pieces_where_their_columns_do(sign: float) -> None:
    factor = np.array([[1.0, 0, 0], [2, 0, 0], [0, 1, 1], [0, 0, 3], [0, 2, 0]])
    factor[:, 0] *= sign  # of either sign, which takes the other way through the rows
    count, piece = pieces(Affinity(factor=factor))
    assert count == 2
    assert piece.tolist() == [1, 1, 0, 0, 0], "the piece with more weight comes first"


def test_an_edge_that_no_solver_could_see_joins_nothing() -> None:
    A = np.kron(np.eye(2), np.ones((2, 2)))
    A[1, 2] = A[2, 1] = 1e-16
    assert pieces(Affinity(values=A))[0] == 2
    # A weak item that hangs on by all it has is joined all the same.
    B = np.array([[0, 1, 0], [1, 0, 1e-16], [0, 1e-16, 0]])
    assert pieces(Affinity(values=B))[0] == 1

"""Conjugate gradients with a coarse graph: against direct solves, and what a clump is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import spsolve

from coterie.core.numerics.spectral import conjugate_gradients as module
from coterie.core.numerics.spectral.conjugate_gradients import clumps, conjugate_gradients


def grounded_grid(side: int, seed: int = 0) -> Any:
    """The Laplacian of a grid with random weights, one vertex taken out."""
    rng = np.random.default_rng(seed)
    at = np.arange(side * side).reshape(side, side)
    ends = [(at[:, :-1].ravel(), at[:, 1:].ravel()), (at[:-1].ravel(), at[1:].ravel())]
    rows, columns = (np.concatenate(e) for e in zip(*ends, strict=True))
    weights = rng.uniform(0.1, 1.0, len(rows))
    A: Any = csr_array((weights, (rows, columns)), shape=(side * side, side * side))
    A = A + A.T
    L: Any = diags_array(A.sum(axis=1)) - A
    return L.tocsr()[1:, 1:].tocsr()


def test_a_long_graph_is_solved_as_by_a_direct_solver() -> None:
    S = grounded_grid(60)
    b = np.random.default_rng(1).random(S.shape[0])
    x, rounds = conjugate_gradients(S, b)
    assert x is not None
    np.testing.assert_allclose(x, spsolve(S.tocsc(), b), rtol=1e-6)
    assert rounds > module.PLAIN  # the coarse graph took part


def test_the_coarse_graph_saves_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    S = grounded_grid(60)
    b = np.ones(S.shape[0])
    _, rounds = conjugate_gradients(S, b)
    monkeypatch.setattr(module, "PLAIN", 10_000)
    _, plain = conjugate_gradients(S, b)
    assert rounds < 0.75 * plain


def test_clumps_are_neighbourhoods_of_their_middles() -> None:
    S = grounded_grid(12)
    of, count = clumps(S)
    assert sorted(np.unique(of)) == list(range(count))
    near = (S.toarray() != 0).astype(int)
    for number in range(count):
        members = np.flatnonzero(of == number)
        # Some member is a neighbour of all the others.
        assert near[np.ix_(members, members)].all(axis=1).any()


def test_too_few_rounds_give_no_answer() -> None:
    S = grounded_grid(20)
    assert conjugate_gradients(S, np.ones(S.shape[0]), most_rounds=3)[0] is None


def test_a_right_hand_side_of_zeros_is_answered_at_once() -> None:
    x, rounds = conjugate_gradients(grounded_grid(5), np.zeros(24))
    assert x is not None
    assert not x.any()
    assert rounds == 0

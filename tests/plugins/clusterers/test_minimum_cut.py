"""Minimum cuts, compared with all cuts of small graphs."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Clustering, Context
from coterie.core.numerics.spectral.global_cut import minimum_cut
from coterie.plugins.clusterers.minimum_cut import MinimumCut
from tests.refusals import refuses


def cut(A: np.ndarray, **params: int) -> Clustering:
    return MinimumCut().compute(
        Affinity(values=A, symmetric=bool((A == A.T).all())),
        params=MinimumCut.Params(**params),
        context=Context(),
    )


def random_graph(seed: int, n: int = 7) -> Any:
    A = np.random.default_rng(seed).integers(0, 9, (n, n)).astype(float)
    A = np.triu(A, 1)
    return A + A.T


@pytest.mark.parametrize("seed", range(12))
def test_no_cut_is_smaller(seed: int) -> None:
    A = random_graph(seed)
    n = len(A)
    sides = [
        (np.arange(n) == 0) | np.array([bool(b >> i & 1) for i in range(n)]) for b in range(2**n)
    ]
    least = min(A[side][:, ~side].sum() for side in sides if not side.all())
    cost, side = minimum_cut(A)
    assert cost == least
    assert A[side][:, ~side].sum() == least


def test_parts_are_cut_until_there_are_enough() -> None:
    A = np.kron(np.eye(3), np.full((4, 4), 5.0)) + 0.1
    np.fill_diagonal(A, 0)
    found = cut(A, k=3)
    assert sorted(np.bincount(found.labels)) == [4, 4, 4]
    assert len(set(found.labels[:4])) == 1


def test_small_pieces_can_be_set_aside() -> None:
    A = np.kron(np.eye(2), np.full((4, 4), 5.0))
    A = np.pad(A, (0, 1)) + 0.1
    np.fill_diagonal(A, 0)
    found = cut(A, k=2, min_size=2)
    assert found.labels.tolist() == [0] * 4 + [1] * 4 + [-1]
    assert found.notes


def test_what_cannot_be_cut_is_said() -> None:
    with refuses("too-many-groups"):
        cut(random_graph(0), k=8)
    with refuses("not-symmetric"):
        cut(np.array([[0.0, 1.0], [2.0, 0.0]]))
    with refuses("negative-similarities"):
        cut(np.array([[0.0, -1.0], [-1.0, 0.0]]))
    assert cut(np.zeros((1, 1)), k=1).labels.tolist() == [0]

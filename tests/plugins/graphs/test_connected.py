"""Joined until all hang together."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.graphs.connected import Connected
from tests.refusals import refuses
from tests.rounding import rounding


def graph(source: Any, **params: Any) -> Affinity:
    data = Dataset(features=source) if isinstance(source, np.ndarray) else source
    return Connected().compute(data, params=Connected.Params(**params), context=Context())


def distances(X: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(((X[:, None] - X[None]) ** 2).sum(2)))


@settings(max_examples=30)
@given(st.integers(2, 25), st.integers(1, 4), st.integers(0, 10**6))
def test_the_last_edge_is_the_longest_of_the_spanning_tree(n: int, d: int, seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(n, d))
    away = distances(X)
    longest = minimum_spanning_tree(csr_array(away)).data.max()
    found = graph(X, weights="binary")
    assert found.details["longest_edge"] == pytest.approx(longest)
    i, j = found.details["last_edge"]
    assert away[i, j] == pytest.approx(longest)
    joined = found.to_dense() > 0
    np.testing.assert_array_equal(joined, (away <= longest * (1 + 1e-12)) & ~np.eye(n, dtype=bool))
    assert connected_components(csr_array(found.to_dense()))[0] == 1
    # Without the last edge, and all as long, it would be in pieces.
    shorter: Any = joined & (away < longest * (1 - 1e-12))
    assert connected_components(shorter)[0] > 1


def test_similarities_are_joined_from_the_strongest_on() -> None:
    X = np.random.default_rng(3).normal(size=(30, 2))
    A = np.exp(-(distances(X) ** 2) / 2)
    of_data = graph(X, sigma=1.0)
    near = rounding(16, float((distances(X) ** 2).max()))  # of the exponents
    for form in ({"values": A}, {"sparse": csr_array(A)}):
        found = graph(Affinity(**form))
        np.testing.assert_allclose(found.to_dense(), of_data.to_dense(), atol=near)


def test_duplicates_are_joined_at_no_distance() -> None:
    found = graph(np.array([[0.0], [0.0], [1.0]]), weights="binary")
    np.testing.assert_array_equal(found.to_dense(), 1 - np.eye(3))


def test_pieces_that_nothing_joins_are_refused() -> None:
    with refuses("not-connected"):
        graph(Affinity(values=np.eye(3)))
    with refuses("not-symmetric"):
        graph(Affinity(values=np.ones((2, 2)), symmetric=False))


@pytest.mark.realdata
def test_glass_hangs_together_by_its_spanning_tree(realdata: Path) -> None:
    X = np.loadtxt(realdata / "glass.csv", delimiter=",", skiprows=1)[:, :-1]
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    found = graph(X, weights="binary")
    assert connected_components(csr_array(found.to_dense()))[0] == 1

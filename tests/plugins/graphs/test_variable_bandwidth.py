"""A directed graph whose widths follow the density."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.graphs import variable_bandwidth
from coterie.plugins.graphs.variable_bandwidth import VariableBandwidth
from tests.refusals import refuses


def graph(X: Any, **params: Any) -> Affinity:
    data = Dataset(features=np.asarray(X, dtype=np.float64))
    return VariableBandwidth().compute(
        data, params=VariableBandwidth.Params(**params), context=Context()
    )


def distances(X: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(((X[:, None] - X[None]) ** 2).sum(2)))


@settings(max_examples=25)
@given(
    st.sampled_from(["source", "target"]),
    st.sampled_from(["neighbours", "all"]),
    st.booleans(),
    st.sampled_from(["d", 0.0, 1.0]),
    st.integers(0, 10**6),
)
def test_it_equals_its_definition(
    bandwidth: str, keep: str, loops: bool, power: Any, seed: int
) -> None:
    X = np.random.default_rng(seed).normal(size=(15, 3))
    away = distances(X)
    h = np.sort(away, axis=1)[:, 4]
    at = h[:, None] if bandwidth == "source" else h[None, :]
    W = at ** -(3.0 if power == "d" else power) * np.exp(-(away**2) / (2 * at**2))
    if keep == "neighbours":
        W[away > h[:, None]] = 0.0
    if not loops:
        np.fill_diagonal(W, 0.0)
    found = graph(X, neighbours=4, keep=keep, bandwidth=bandwidth, power=power, self_loops=loops)
    np.testing.assert_allclose(found.to_dense(), W, rtol=1e-9, atol=1e-12)
    assert not found.symmetric
    assert found.form == ("sparse" if keep == "neighbours" else "dense")


def test_auto_equals_a_direct_search_over_the_likelihood() -> None:
    rng = np.random.default_rng(5)
    X = np.vstack([rng.normal(0, 1, (20, 2)), rng.normal(6, 0.2, (15, 2))])
    n, d = X.shape
    scores = []
    for k in range(1, 13):
        total = 0.0
        for i in range(n):
            # By definition: without the item, everybody has other neighbours.
            others = np.delete(X, i, axis=0)
            widths = np.sort(distances(others), axis=1)[:, k] / np.sqrt(d)
            away = np.linalg.norm(others - X[i], axis=1)
            density = (2 * np.pi * widths**2) ** (-d / 2) * np.exp(-(away**2) / (2 * widths**2))
            total += np.log(density.mean())
        scores.append(total)
    found = graph(X, neighbours="auto", auto_most=12)
    np.testing.assert_allclose(found.details["loo_log_likelihood"], scores, rtol=1e-8)
    assert found.details["neighbours"] == int(np.argmax(scores)) + 1


@pytest.mark.parametrize("columns", [2, 5, 10, 30])
def test_auto_does_not_end_at_one_neighbour(columns: int) -> None:
    X = np.random.default_rng(columns).normal(size=(400, columns))
    assert 1 < graph(X, neighbours="auto").details["neighbours"] < 50


def test_auto_warns_at_the_end_of_its_range() -> None:
    X = np.random.default_rng(0).normal(size=(30, 1))
    for most in range(2, 6):
        found = graph(X, neighbours="auto", auto_most=most)
        at_end = found.details["neighbours"] in (1, most)
        assert any("end of the range" in note for note in found.notes) == at_end


def test_a_sample_of_items_stands_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    whole = graph(X, neighbours="auto").details["loo_log_likelihood"]
    monkeypatch.setattr(variable_bandwidth, "MOST_SCORED", 40)
    some = graph(X, neighbours="auto").details["loo_log_likelihood"]
    np.testing.assert_allclose(some, whole, rtol=0.3)


def test_duplicates_get_the_smallest_bandwidth() -> None:
    X = np.concatenate([np.zeros(5), np.arange(1.0, 8.0)])[:, None]
    found = graph(X, neighbours=3)
    assert np.isfinite(found.to_dense()).all()
    assert "raised to the floor: 5" in found.notes[0]


def test_many_columns_do_not_leave_the_range_of_numbers() -> None:
    X = 1e-3 * np.random.default_rng(0).normal(size=(20, 400))
    found = graph(X, neighbours=4)
    assert np.isfinite(found.degrees()).all()
    assert found.degrees().max() > 0
    assert "divided by the largest" in found.notes[0]
    assert np.isfinite(graph(X, neighbours="auto").details["loo_log_likelihood"]).all()


def test_as_many_neighbours_as_items_are_refused() -> None:
    with refuses("too-many-neighbours"):
        graph(np.arange(3.0)[:, None], neighbours=3)


@pytest.mark.realdata
def test_ionosphere_has_neighbours_of_its_own_class_mostly(realdata: Path) -> None:
    table = np.genfromtxt(realdata / "ionosphere.csv", delimiter=",", skip_header=1, dtype=str)
    X, good = table[:, :-1].astype(np.float64), table[:, -1] == "g"
    W = graph(X).to_dense()
    assert np.isfinite(W).all()
    P = W / W.sum(axis=1, keepdims=True)
    own = P @ good
    assert own[good].mean() > 0.8
    assert own[~good].mean() < 0.5

"""The isoperimetric cut against its definition: every threshold, every side."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from coterie.core import Affinity, Floats
from coterie.core.numerics.spectral.isoperimetric import cut_ratios, ground_times, isoperimetric_cut
from tests.rounding import rounding


def neighbours(n: int, seed: int, *, directed: bool) -> Floats:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    d = ((X[:, None] - X) ** 2).sum(axis=2)
    A = np.where(d <= np.sort(d, axis=1)[:, 4:5], np.exp(-d), 0.0)
    np.fill_diagonal(A, 0.0)
    return np.asarray(A if directed else np.maximum(A, A.T))


def by_definition(A: Floats, order: list[int], weights: Floats) -> list[float]:
    ratios = []
    for t in range(1, len(A)):
        near, far = order[:t], order[t:]
        cut = (A[np.ix_(near, far)].sum() + A[np.ix_(far, near)].sum()) / 2
        ratios.append(cut / min(weights[near].sum(), weights[far].sum()))
    return ratios


@pytest.mark.parametrize("form", ["values", "sparse", "factor"])
def test_one_pass_gives_the_ratio_of_every_threshold(form: str) -> None:
    rng = np.random.default_rng(0)
    factor = rng.random((15, 3))
    A = factor @ factor.T if form == "factor" else neighbours(15, 1, directed=True)
    matrix = {"values": A, "sparse": csr_array(A), "factor": factor}[form]
    affinity = Affinity(**{form: matrix}, symmetric=form == "factor")  # type: ignore[arg-type]
    order, weights = rng.permutation(15), rng.random(15) + 0.1
    expected = by_definition(A, order.tolist(), weights)
    # Cuts are updated: each entry of the matrix is added once and taken away once.
    near = rounding(2 * A.size, float(A.sum() / weights.min()))
    np.testing.assert_allclose(cut_ratios(affinity, order, weights), expected, atol=near)


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), directed=st.booleans())
def test_the_side_of_the_ground_holds_together_for_every_threshold(
    seed: int, directed: bool
) -> None:
    A = neighbours(25, seed, directed=directed)
    graph = csr_array(A)
    ground = int(A.sum(axis=1).argmax())
    times = ground_times(Affinity(sparse=graph, symmetric=not directed), ground)
    assert times[ground] == 0
    for threshold in np.unique(times[np.isfinite(times)]):
        near = np.flatnonzero(times <= threshold)
        assert connected_components(graph[near][:, near], directed=False)[0] == 1


def test_the_criterion_takes_the_smallest_ratio_and_the_jump_the_largest_gap() -> None:
    A = neighbours(30, 5, directed=False)
    affinity, weights = Affinity(values=A), A.sum(axis=1)
    for rule in ("criterion", "jump"):
        cut = isoperimetric_cut(affinity, weights=weights, rule=rule)
        assert cut is not None
        assert sorted([*cut.near, *cut.far]) == list(range(30))
        order = np.argsort(cut.times, kind="stable")
        ratios = cut_ratios(affinity, order, weights)
        finite = np.isfinite(cut.times[order][1:])
        if rule == "criterion":
            assert cut.ratio == pytest.approx(ratios.min())
        else:
            jumps = np.diff(cut.times[order][np.isfinite(cut.times[order])])
            largest = np.inf if not finite.all() else jumps.max()
            assert cut.times[cut.far].min() - cut.times[cut.near].max() == pytest.approx(largest)


def test_what_has_no_way_to_the_ground_is_far() -> None:
    # 0 and 1 are joined; 2 leads to them, 3 is only led to.
    A = np.zeros((4, 4))
    A[0, 1] = A[1, 0] = 1.0
    A[2, 0] = A[0, 3] = 0.5
    times = ground_times(Affinity(sparse=csr_array(A), symmetric=False), 0)
    assert times[[0, 1]].tolist() == [0.0, 1.0]
    assert times[2] == 1.0
    assert times[3] == np.inf


def test_faint_ways_end_in_lost_patience_rather_than_in_rounding() -> None:
    A = np.kron(np.eye(2), np.ones((4, 4)))
    A[3, 4] = A[4, 3] = 1e-17
    times = ground_times(Affinity(values=A), 0)
    assert np.isfinite(times[:4]).all()
    assert np.isinf(times[4:]).all()

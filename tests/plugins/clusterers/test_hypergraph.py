"""Clustering by triples: lines in the plane, cliques of triangles, and what cannot be done."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, Dataset
from coterie.core.numerics.similarity.hyperedges import (
    Hyperedges,
    all_subsets,
    cliques,
    flat_residuals,
)
from coterie.core.numerics.similarity.triples import Triples, line_residuals
from coterie.plugins.clusterers.hypergraph import Hypergraph
from tests.refusals import refuses
from tests.rounding import rounding


def group(data: Dataset | Affinity, seed: int = 0, **params: Any) -> Clustering:
    return Hypergraph().compute(
        data, params=Hypergraph.Params(**params), context=Context(seed=seed)
    )


def lines(per_line: int = 15, clutter: int = 5, seed: int = 0) -> Dataset:
    """Three lines that cross, and a few points on none."""
    rng = np.random.default_rng(seed)
    t = rng.random((3, per_line))
    on_lines = [
        np.column_stack([t[0], 0.1 + 0.8 * t[0]]),
        np.column_stack([t[1], 0.95 - 0.6 * t[1]]),
        np.column_stack([0.15 + 0.05 * t[2], t[2]]),
    ]
    X = np.vstack([*on_lines, rng.random((clutter, 2))])
    truth = np.repeat([0, 1, 2, 3], [per_line] * 3 + [clutter])
    return Dataset(features=X + rng.normal(0, 0.002, X.shape), truth=truth)


def blocks(*sizes: int, between: float = 0.0) -> np.ndarray:
    owner = np.repeat(np.arange(len(sizes)), sizes)
    A = np.where(owner[:, None] == owner[None], 1.0, between)
    np.fill_diagonal(A, 0)
    return A


@pytest.mark.parametrize("seed", range(3))
def test_lines_that_cross_are_found(seed: int) -> None:
    data = lines(seed=seed)
    found = group(data, k=3, sigma=0.01)
    assert data.truth is not None
    matches = [np.bincount(data.truth[found.members(g)], minlength=4) for g in range(3)]
    assert sorted(int(counts.argmax()) for counts in matches) == [0, 1, 2]
    # A point where two lines meet goes with the first; hardly anything else is amiss.
    assert sum(int(counts.max()) for counts in matches) >= 0.85 * 45
    assert sum(int(counts.sum() - counts.max()) for counts in matches) <= 5


def test_pairs_alone_would_not_find_lines_that_cross() -> None:
    data = lines()
    X = data.dense_features()
    near = ((X[:, None] - X[None]) ** 2).sum(2)
    found = group(Affinity(values=np.exp(-near / (2 * 0.1**2))), k=3)
    assert data.truth is not None
    matches = [np.bincount(data.truth[found.members(g)], minlength=4) for g in range(3)]
    assert sum(int(counts.max()) for counts in matches) < 0.85 * 45


@pytest.mark.parametrize("form", ["dense", "sparse", "factor"])
def test_groups_of_given_similarities(form: str) -> None:
    A = blocks(5, 4, between=0.1 if form == "dense" else 0.0)
    if form == "factor":
        affinity = Affinity(factor=np.repeat(np.eye(2), [5, 4], axis=0))
    elif form == "sparse":
        affinity = Affinity(sparse=csr_array(A))
    else:
        affinity = Affinity(values=A)
    found = group(affinity)
    assert found.labels.tolist() == [0] * 5 + [1] * 4
    # The best of five that all fit: 10 triples of (1/5)³ each.
    assert found.cohesiveness is not None
    assert found.cohesiveness[0] == pytest.approx(10 / 125, rel=1e-3)
    assert found.membership is not None
    np.testing.assert_allclose(found.membership.sum(axis=0), 1)


def test_with_too_many_triples_some_items_are_drawn_and_the_others_join() -> None:
    data = lines(per_line=60, clutter=10)
    found = group(data, k=3, sigma=0.01, max_triples=40_000)
    assert data.truth is not None
    assert found.details["drawn"] == 63
    assert found.details["triples"] <= 40_000
    assert any("63 items drawn at random" in note for note in found.notes)
    matches = [np.bincount(data.truth[found.labels == g], minlength=4) for g in range(3)]
    assert sorted(int(counts.argmax()) for counts in matches) == [0, 1, 2]
    assert sum(int(counts.max()) for counts in matches) >= 0.6 * 180
    assert found.details["joined"] > 60


@pytest.mark.parametrize("form", ["dense", "sparse", "factor"])
def test_who_joins_does_so_by_the_payoff_in_the_group(form: str) -> None:
    factor = np.repeat(np.eye(2), [30, 20], axis=0)
    factor = factor + 0.1 * np.random.default_rng(0).random(factor.shape)
    A = factor @ factor.T
    affinity = {
        "dense": Affinity(values=A),
        "sparse": Affinity(sparse=csr_array(A)),
        "factor": Affinity(factor=factor),
    }[form]
    found = group(affinity, k=2, max_triples=3000)
    assert found.details["drawn"] < 50
    assert found.membership is not None
    assert found.cohesiveness is not None
    drawn = set(np.flatnonzero(found.membership.any(axis=1)).tolist())
    for i in set(range(50)) - drawn:
        margins = [
            sum(
                A[i, j] * A[i, k] * A[j, k] * x[j] * x[k]
                for j, k in combinations(np.flatnonzero(x), 2)
            )
            / 3
            - cohesiveness
            for x, cohesiveness in zip(found.membership.T, found.cohesiveness, strict=True)
        ]
        if found.labels[i] >= 0:
            assert found.labels[i] == int(np.argmax(margins))
            assert max(margins) > 0


@pytest.mark.parametrize("scale", [1e-120, 1e120])
def test_the_unit_of_the_features_does_not_matter(scale: float) -> None:
    data = lines(per_line=8)
    scaled = Dataset(features=data.dense_features() * scale)
    usual, other = group(data, k=2), group(scaled, k=2)
    np.testing.assert_array_equal(usual.labels, other.labels)


def test_tiny_similarities_still_make_groups() -> None:
    A = blocks(4, 3) * 1e-80
    assert group(Affinity(values=A)).labels.tolist() == [0] * 4 + [1] * 3


@pytest.mark.parametrize(
    "data",
    [
        Affinity(values=np.zeros((5, 5))),
        Affinity(values=np.ones((2, 2))),
        Affinity(values=np.ones((1, 1))),
        Affinity(sparse=csr_array((4, 4))),
        Dataset(features=np.ones((2, 2))),
    ],
)
def test_without_three_that_are_similar_there_is_no_group(data: Any) -> None:
    found = group(data)
    assert (found.labels == -1).all()
    assert "No group was found: no three items are similar enough." in found.notes


def test_duplicates_are_one_group() -> None:
    found = group(Dataset(features=np.ones((6, 2))))
    assert found.labels.tolist() == [0] * 6
    assert any("Every line fits" in note for note in found.notes)


def test_more_groups_than_there_are_and_small_ones_are_said() -> None:
    found = group(Affinity(values=blocks(5, 3)), k=4, min_size=4)
    assert found.labels.tolist() == [0] * 5 + [-1] * 3
    assert "Only 1 of 4 groups were found: no other set of items is cohesive enough." in found.notes
    assert "1 group was too small and left unassigned." in found.notes


def test_the_iteration_limit_is_never_silent() -> None:
    rng = np.random.default_rng(0)
    A = np.triu(rng.random((12, 12)), 1)
    found = group(Affinity(values=A + A.T), k=1, max_iterations=2)
    assert found.details["sets"][0]["limit_hit"]
    assert any("stopped before the tolerance" in note for note in found.notes)


@pytest.mark.parametrize(
    ("affinity", "code"),
    [
        (Affinity(values=blocks(4) * np.nan), "missing-values"),
        (Affinity(values=-blocks(4), nonnegative=False), "negative-similarities"),
        (Affinity(sparse=csr_array(-blocks(4)), nonnegative=False), "negative-similarities"),
        (Affinity(values=np.triu(blocks(4)), symmetric=False), "not-symmetric"),
        (Affinity(values=blocks(4) * 1e150), "values-too-large"),
        (Affinity(values=np.zeros((0, 0))), "empty-data"),
    ],
)
def test_similarities_that_cannot_be_used_are_refused(affinity: Affinity, code: str) -> None:
    with refuses(code, DataError), np.errstate(over="ignore"):
        group(affinity)


@pytest.mark.parametrize("k", [3, 4, 5])
def test_the_polynomial_of_k_players_is_the_sum_of_its_terms(k: int) -> None:
    rng = np.random.default_rng(k)
    items = all_subsets(8, k)
    weights: Any = rng.random(items.shape[1])
    x = rng.dirichlet(np.ones(8))
    x[3] = 0.0
    edges = Hyperedges(8, items, weights)

    def value(x: np.ndarray) -> Any:
        return sum(w * float(np.prod(x[list(e)])) for e, w in zip(items.T, weights, strict=True))

    slopes = [
        sum(
            w * float(np.prod([x[j] for j in e if j != i]))
            for e, w in zip(items.T, weights, strict=True)
            if i in e
        )
        for i in range(8)
    ]
    near = rounding(2 * items.size)  # sums of products, none of them negative
    np.testing.assert_allclose(edges.slopes(x), slopes, rtol=near)
    assert x @ edges.slopes(x) == pytest.approx(k * value(x), rel=near)
    if k == 3:
        np.testing.assert_allclose(Triples(8, items, weights).slopes(x), slopes, rtol=near)


@pytest.mark.parametrize(("k", "flat"), [(3, 1), (4, 1), (4, 2), (5, 3)])
def test_the_residual_is_what_the_leading_directions_leave(k: int, flat: int) -> None:
    X = np.random.default_rng(k + flat).normal(size=(9, 5))
    items = all_subsets(9, k)
    expected = []
    for chosen in items.T:
        points = X[chosen] - X[chosen].mean(axis=0)
        lengths = np.linalg.svd(points, compute_uv=False)
        expected.append(np.sqrt((lengths[flat:] ** 2).sum()))
    # Roots of differences of eigenvalues keep half the digits.
    np.testing.assert_allclose(flat_residuals(X, items, flat), expected, rtol=1e-7, atol=1e-7)
    if (k, flat) == (3, 1):
        np.testing.assert_allclose(line_residuals(X, items), expected, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("order", [4, 5])
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_groups_are_equilibria_of_the_game_that_so_many_play(form: str, order: int) -> None:
    rng = np.random.default_rng(order)
    A = np.triu(rng.random((9, 9)), 1)
    A = A + A.T
    A[np.ix_([0, 1], [7, 8])] = A[np.ix_([7, 8], [0, 1])] = 0.0
    given = Affinity(sparse=csr_array(A)) if form == "sparse" else Affinity(values=A)
    found = group(given, order=order, k=1, tolerance=1e-9, support=1e-9, min_size=order)
    assert found.membership is not None
    assert found.cohesiveness is not None
    x = found.membership[:, 0]
    payoffs = np.zeros(9)
    for chosen in combinations(range(9), order):
        weight = np.prod([A[i, j] for i, j in combinations(chosen, 2)])
        for i in chosen:
            payoffs[i] += weight * np.prod([x[j] for j in chosen if j != i]) / order
    average = float(x @ payoffs)
    assert average == pytest.approx(found.cohesiveness[0], rel=1e-8)
    assert payoffs.max() <= average * (1 + 1e-8)


def test_planes_are_found_by_four_at_a_time_and_not_as_lines() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 14, 2))
    first = np.column_stack([a, 0.2 + 0.3 * a[:, 0]])
    second = np.column_stack([b[:, 0], 0.8 - 0.5 * b[:, 0] + 0.2 * b[:, 1], b[:, 1]])
    data = Dataset(features=np.vstack([first, second]))
    found = group(data, order=4, flat=2, sigma=0.01, k=2)
    truth = np.repeat([0, 1], 14)
    sizes = [np.bincount(truth[found.members(g)], minlength=2) for g in range(2)]
    assert sorted(int(one.argmax()) for one in sizes) == [0, 1]
    assert sum(int(one.max()) for one in sizes) >= 24


@pytest.mark.parametrize("k", [3, 4, 5])
def test_cliques_of_a_sparse_graph_are_all_there(k: int) -> None:
    rng = np.random.default_rng(k)
    A = np.triu(rng.random((12, 12)) < 0.6, 1).astype(float)
    A = A + A.T
    expected = {e for e in combinations(range(12), k) if A[np.ix_(e, e)].sum() == k * (k - 1)}
    found = cliques(csr_array(A), k, 1000)
    assert found is not None
    assert set(map(tuple, found.T.tolist())) == expected
    assert cliques(csr_array(A), k, len(expected) - 1) is None
    none = cliques(csr_array((4, 4)), k, 10)
    assert none is not None
    assert none.shape == (k, 0)


@pytest.mark.parametrize("kind", ["lines", "similarities", "sparse"])
def test_items_that_were_not_drawn_join_the_game_of_four(kind: str) -> None:
    A = blocks(20, 15, between=0.01 if kind == "similarities" else 0.0)
    data: Any = {
        "lines": lines(per_line=20, clutter=0),
        "similarities": Affinity(values=A),
        "sparse": Affinity(sparse=csr_array(A)),
    }[kind]
    params: dict[str, Any] = {"sigma": 0.01} if kind == "lines" else {}
    found = group(data, order=4, k=2, max_triples=1500, min_size=4, **params)
    assert found.details["drawn"] < data.n
    assert found.details["joined"] > 0
    if kind != "lines":
        assert len(set(found.labels[:20]) - {-1}) == len(set(found.labels[20:]) - {-1}) == 1


def test_shapes_that_every_set_lies_on_are_refused() -> None:
    with refuses("invalid-parameters"):
        group(lines(), order=3, flat=2)

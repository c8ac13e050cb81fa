"""The density tree: by its definition, and compared with scikit-learn's HDBSCAN."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.cluster import HDBSCAN
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from coterie.core.numerics.density.tree import DensityTree, density_tree, nearest_group_fill


def _reachability(X: np.ndarray, min_samples: int) -> np.ndarray:
    away = np.sqrt(((X[:, None] - X[None]) ** 2).sum(2))
    core = np.sort(away, axis=1)[:, min_samples - 1]
    return np.asarray(np.maximum(away, np.maximum(core[:, None], core[None])))


def _components(members: np.ndarray, reach: np.ndarray, below: float) -> list[np.ndarray]:
    left, found = set(members.tolist()), []
    while left:
        part, todo = set(), [min(left)]
        while todo:
            i = todo.pop()
            if i in part:
                continue
            part.add(i)
            todo += [j for j in left if j not in part and reach[i, j] < below]
        left -= part
        found.append(np.array(sorted(part)))
    return found


def _by_definition(X: np.ndarray, min_samples: int, min_size: int) -> np.ndarray:
    """Excess of mass from the connected parts at every level, without a spanning tree."""
    reach = np.round(_reachability(X, min_samples), 9)
    labels = np.full(len(X), -1)

    def best(members: np.ndarray, birth: float, root: bool) -> tuple[float, list[np.ndarray]]:
        mass, inside = 0.0, members
        while True:
            levels = np.unique(reach[np.ix_(inside, inside)][~np.eye(len(inside), dtype=bool)])
            # The largest level at which the part is held together: below it, it falls apart.
            level = min(v for v in levels if len(_components(inside, reach, v * (1 + 1e-9))) == 1)
            parts = _components(inside, reach, level)
            large = [part for part in parts if len(part) >= min_size]
            gone = len(inside) if len(large) != 1 else len(inside) - len(large[0])
            mass += gone * (1 / level - birth)
            if len(large) != 1:
                break
            inside = large[0]
        below = [best(part, 1 / level, False) for part in large]
        if large and (root or sum(m for m, _ in below) > mass * (1 + 1e-9)):
            return sum(m for m, _ in below), [g for _, groups in below for g in groups]
        return mass, [] if root else [members]

    for number, group in enumerate(best(np.arange(len(X)), 0.0, True)[1]):
        labels[group] = number
    return labels


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    noise = np.array_equal(one < 0, other < 0)
    return noise and len(pairs) == len(np.unique(one)) == len(np.unique(other))


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 5))
def test_groups_follow_from_the_definition(seed: int, min_samples: int, min_size: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 2)) + 4 * rng.integers(0, 3, (24, 1))
    tree = density_tree(X, min_samples)
    assert _same(tree.labels(min_size), _by_definition(X, min_samples, min_size))


def _noisy(seed: int, d: int, n: int = 400) -> np.ndarray:
    blobs = make_blobs(n, d, centers=6, random_state=seed)[0]
    return np.vstack([blobs, np.random.default_rng(seed).uniform(-10, 10, (n // 4, d))])


@pytest.mark.parametrize(("selection", "theirs"), [("mass", "eom"), ("leaf", "leaf")])
@pytest.mark.parametrize("d", [2, 20])
def test_one_tree_gives_what_scikit_learn_finds_for_each_size(
    d: int, selection: str, theirs: str
) -> None:
    X = _noisy(1, d)
    tree = density_tree(X, 1)  # with single linkage no two lengths are equal
    for size in (5, 15, 30):
        peer = HDBSCAN(
            min_cluster_size=size, min_samples=1, cluster_selection_method=theirs, copy=True
        ).fit(X)
        found = tree.groups(size, selection)  # type: ignore[arg-type]
        assert _same(found.labels, peer.labels_)
        np.testing.assert_allclose(found.strengths, peer.probabilities_, atol=1e-9)


@pytest.mark.parametrize("min_samples", [5, 10])
def test_with_core_distances_only_ties_differ_from_scikit_learn(min_samples: int) -> None:
    X = _noisy(0, 5)
    tree = density_tree(X, min_samples)
    for size in (5, 15, 30):
        peer = HDBSCAN(min_cluster_size=size, min_samples=min_samples, copy=True).fit(X)
        labels = tree.labels(size)
        assert labels.max() == peer.labels_.max()
        assert adjusted_rand_score(labels, peer.labels_) > 0.97


def _heights(tree: DensityTree) -> float:
    return float(tree.merges.heights.sum())


@pytest.mark.parametrize("d", [2, 10])
def test_the_tree_of_neighbours_is_nearly_the_shortest(d: int) -> None:
    X = _noisy(3, d, n=1200)
    exact, near = density_tree(X, 5), density_tree(X, 5, exact_items=0)
    assert (exact.exact, near.exact) == (True, False)
    assert _heights(exact) * (1 - 1e-9) <= _heights(near) <= 1.002 * _heights(exact)
    assert adjusted_rand_score(exact.labels(30), near.labels(30)) > 0.95


def test_separate_pieces_of_the_graph_are_joined_where_they_are_closest() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(60, 2)) + 100.0 * place for place in range(5)])
    exact, near = density_tree(X, 3), density_tree(X, 3, exact_items=0)
    np.testing.assert_allclose(near.merges.heights, exact.merges.heights, rtol=1e-6)
    assert np.unique(near.labels(20)[:60]).tolist() != [-1]
    assert near.labels(20).max() == 4


def test_the_order_of_the_items_does_not_matter() -> None:
    X = _noisy(4, 3)
    order = np.random.default_rng(0).permutation(len(X))
    found, moved = density_tree(X, 5).groups(10), density_tree(X[order], 5).groups(10)
    assert _same(found.labels[order], moved.labels)
    np.testing.assert_allclose(found.outliers[order], moved.outliers, atol=1e-6)


def test_sparse_rows_and_angles() -> None:
    X = np.abs(_noisy(5, 80))
    assert _same(density_tree(csr_array(X), 1).labels(5), density_tree(X, 1).labels(5))
    scaled = X * np.random.default_rng(0).uniform(0.1, 10, (len(X), 1))
    by_angle = [density_tree(some, 5, metric="cosine").labels(10) for some in (X, scaled)]
    assert _same(*by_angle)


def test_an_item_between_groups_is_the_outlier() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(50, 2)), rng.normal(size=(50, 2)) + 20, [[10.0, 10.0]]])
    found = density_tree(X, 5).groups(10)
    assert found.labels[-1] == -1
    assert found.outliers.argmax() == 100
    assert found.strengths[-1] == 0
    assert ((found.outliers >= 0) & (found.outliers <= 1)).all()


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_few_or_equal_items_have_no_groups_and_no_errors(n: int) -> None:
    for X in (np.zeros((n, 2)), np.arange(2.0 * n).reshape(n, 2)):
        found = density_tree(X, 5).groups(5)
        assert (found.labels == -1).all()
        assert np.isfinite(found.outliers).all()


def test_thousands_of_duplicates_are_groups() -> None:
    X = np.repeat([[0.0, 0.0], [5.0, 5.0], [9.0, 0.0]], 2000, axis=0)
    X = np.vstack([X, np.random.default_rng(0).normal(size=(50, 2)) * 10])
    labels = density_tree(X, 5).labels(20)
    assert [len(np.unique(labels[i * 2000 : (i + 1) * 2000])) for i in range(3)] == [1, 1, 1]
    assert len(np.unique(labels[:6000])) == 3
    assert (labels[:6000] >= 0).all()


def test_noise_goes_to_the_nearest_group_and_stays_where_there_is_none() -> None:
    X, labels = np.array([[0.0], [1.0], [5.0], [4.0]]), np.array([0, -1, 1, -1])
    assert nearest_group_fill(X, labels).tolist() == [0, 0, 1, 1]
    assert nearest_group_fill(csr_array(X), labels).tolist() == [0, 0, 1, 1]
    assert nearest_group_fill(X, np.full(4, -1)).tolist() == [-1] * 4

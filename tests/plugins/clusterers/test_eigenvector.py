"""Thresholded eigenvectors and kernel PCA: what they hold on to."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.core import Affinity, Embedding
from coterie.core.formats.samples import circles
from coterie.plugins.clusterers.eigenvector import Eigenvector
from coterie.plugins.clusterers.kpca_spectral import KPCASpectral

from .graphs import clustering, forms, output, planted


def test_the_first_group_has_the_cohesiveness_of_the_leading_eigenvalue() -> None:
    A = planted((6, 4), between=0.0)
    result = clustering(Eigenvector, Affinity(values=A), k=2)
    assert result.cohesiveness is not None
    np.testing.assert_allclose(result.cohesiveness, np.linalg.eigvalsh(A)[::-1][:2])
    assert result.membership is not None
    np.testing.assert_allclose(np.linalg.norm(result.membership, axis=0), 1.0)


def test_items_that_are_large_in_no_eigenvector_stay_clutter() -> None:
    A = np.zeros((9, 9))
    A[:4, :4], A[4:8, 4:8], A[8, 8] = 1.0, 0.9, 0.01
    result = clustering(Eigenvector, Affinity(values=A), k=2)
    assert result.labels.tolist() == [0] * 4 + [1] * 4 + [-1]


def test_an_eigenvector_of_a_group_that_is_found_is_passed_over() -> None:
    A = np.zeros((8, 8))
    A[:6, :6] = 0.9  # whose second eigenvector, 5 × 0.9 apart in two halves, comes before
    A[:3, :3] = A[3:6, 3:6] = 2.0
    A[6:, 6:] = 0.5
    result = clustering(Eigenvector, Affinity(values=A), k=2)
    assert result.labels.tolist() == [0] * 6 + [1] * 2
    assert result.details["passed_over"] == 1


def recursion(A: np.ndarray, items: np.ndarray, least: float, threshold: float) -> list[list[int]]:
    """Groups by the tree of splits, most cohesive part first or not: the leaves are the same."""
    values, vectors = np.linalg.eigh(A[np.ix_(items, items)])
    if len(items) < 2 or values[-1] <= least:
        return []
    x = vectors[:, -1]
    x = x if (np.maximum(x, 0) ** 2).sum() >= (np.minimum(x, 0) ** 2).sum() else -x
    large = x > threshold * x.max()
    if large.all():
        return [items.tolist()]
    return [
        leaf
        for side in (items[large], items[~large])
        for leaf in recursion(A, side, least, threshold)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_recursive_splits_are_those_of_a_plain_recursion(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.random((14, 14)) ** 3 + planted((6, 5, 3), between=0.0)
    A = (A + A.T) / 2
    if seed == 4:
        A -= 0.3  # negative similarities are allowed
    for form in forms(A).values() if seed < 1 else [Affinity(values=A, nonnegative=False)]:
        if form.factor is not None:
            continue
        found = clustering(Eigenvector, form, how="recursive", smallest=0.2)
        leaves = recursion(A, np.arange(14), 0.2 * np.linalg.eigvalsh(A)[-1], 0.5)
        got = [found.members(g).tolist() for g in range(found.k)]
        assert sorted(got) == sorted(leaves)
        assert found.cohesiveness is not None
        for members, value in zip(got, found.cohesiveness, strict=True):
            expected = np.linalg.eigvalsh(A[np.ix_(members, members)])[-1]
            assert value == pytest.approx(expected, rel=1e-8)


def test_recursive_splits_stop_at_the_number_of_groups() -> None:
    A = planted((6, 5, 4), between=0.01)
    found = clustering(Eigenvector, Affinity(values=A), how="recursive", k=3)
    assert sorted(np.bincount(found.labels).tolist()) == [4, 5, 6]


def test_projections_keep_the_inner_products_and_centred_ones_have_mean_zero() -> None:
    A = planted((5, 4, 3), between=0.2) + np.eye(12)  # positive definite
    for affinity in forms(A).values():
        found = output(KPCASpectral, affinity, k=2, components=20).parts["embedding"]
        assert isinstance(found, Embedding)
        rows = found.coordinates
        np.testing.assert_allclose(rows @ rows.T, A, atol=1e-6)
        centred = output(KPCASpectral, affinity, k=2, centre=True).parts["embedding"]
        np.testing.assert_allclose(centred.coordinates.mean(axis=0), 0.0, atol=1e-9)  # type: ignore[union-attr]


def test_kernel_pca_parts_the_circles() -> None:
    data = circles.make(0, 200)
    X = data.dense_features()
    width = 0.15 * float(np.ptp(X))
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    result = clustering(
        KPCASpectral, Affinity(values=np.exp(-squared / (2 * width**2))), k=2, centre=True
    )
    assert result.k == 2


def test_the_best_start_is_kept_whatever_the_unit_of_the_similarities() -> None:
    rng = np.random.default_rng(5)
    X = np.vstack([rng.normal(centre, 1, (20, 2)) for centre in rng.uniform(-9, 9, (8, 2))])
    plain, tiny = (clustering(KPCASpectral, Affinity(values=u * X @ X.T), k=8) for u in (1, 1e-16))
    assert tiny.details["objective"] == pytest.approx(1e-16 * plain.details["objective"])

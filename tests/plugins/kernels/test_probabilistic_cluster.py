"""Similarity learned from many mixtures."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Affinity, Context, Dataset, Floats, Model, Output
from coterie.core.formats.samples import three_gaussians
from coterie.plugins.kernels.probabilistic_cluster import ProbabilisticCluster
from tests.refusals import refuses
from tests.rounding import rounding

FEW = {"initialisations": 4, "max_components": 6}


def learn(data: Any, context: Context | None = None, **params: Any) -> Output:
    if not isinstance(data, Dataset):
        data = Dataset(title="items", features=np.asarray(data, dtype=np.float64))
    values = ProbabilisticCluster.Params(**(FEW | params))
    return ProbabilisticCluster().compute(data, params=values, context=context or Context(seed=1))


def kernel(data: Any, **params: Any) -> Affinity:
    main = learn(data, **params).main
    assert isinstance(main, Affinity)
    return main


def items(n: int = 80, d: int = 3, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.normal(size=(n, d)) + 3 * rng.integers(0, 3, (n, 1)))


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
@pytest.mark.parametrize("n", [60, 200])
def test_similarities_are_chances_and_positive_semidefinite(covariance: str, n: int) -> None:
    found = kernel(items(n), covariance=covariance)
    assert found.form == ("dense" if n < 80 else "factor")  # 4 × (2 + … + 6) columns
    K = found.to_dense()
    assert K.min() >= 0
    assert K.max() <= 1 + rounding(8 * 80)
    np.testing.assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-10
    # γᵀγ of a posterior over g components is 1/g at least.
    assert found.diagonal().min() >= np.mean(1 / np.arange(2.0, 7.0)) - rounding(8 * 80)


@given(st.integers(0, 10_000), st.integers(12, 60), st.integers(1, 5))
@settings(max_examples=15)
def test_whatever_the_items_similarities_are_chances(seed: int, n: int, d: int) -> None:
    # With duplicates, constant columns, heavy tails, and components that collapse.
    X = np.random.default_rng(seed).standard_t(2, size=(n, d)).round(1)
    X[:, 1:2] = 3.0
    X[0] += 1.0  # at least one differs
    K = kernel(X, initialisations=2, max_components=5).to_dense()
    assert np.isfinite(K).all()
    assert K.min() >= 0
    assert K.max() <= 1 + rounding(8 * 80)
    np.testing.assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-10
    same = (X[:, None] == X[None]).all(axis=2)
    rows, columns = np.nonzero(same)
    np.testing.assert_allclose(K[rows], K[columns], atol=1e-9)


def test_units_and_origin_do_not_matter_for_the_likelihoods_order() -> None:
    X = items()
    K = kernel(X).to_dense()
    np.testing.assert_allclose(kernel(1000 * X + 5e4).to_dense(), K, atol=1e-5)


@pytest.mark.parametrize("workers", [2, 4])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    alone = learn(items(), Context(seed=3))
    together = learn(items(), Context(seed=3, workers=workers))
    assert isinstance(alone.main, Affinity)
    assert isinstance(together.main, Affinity)
    np.testing.assert_array_equal(alone.main.stored, together.main.stored)
    assert alone.main.details == together.main.details


def test_new_items_are_compared_by_the_stored_mixtures() -> None:
    X = items(90)
    output = learn(X)
    model, main = output.parts["model"], output.main
    assert isinstance(model, Model)
    assert isinstance(main, Affinity)
    component = ProbabilisticCluster()
    old = component.apply(model, Dataset(features=X), Context()).factor
    new = component.apply(model, Dataset(features=X[::9] + 1e-9), Context()).factor
    assert old is not None
    assert new is not None
    np.testing.assert_allclose(old @ old.T, main.to_dense(), atol=1e-9)
    np.testing.assert_allclose(new @ old.T, main.to_dense()[::9], atol=1e-5)
    with refuses("columns-mismatch"):
        component.apply(model, Dataset(features=X[:, :2]), Context())


def test_three_clouds_become_three_blocks() -> None:
    data = three_gaussians.make(0, 150)
    assert data.truth is not None
    K = kernel(data, initialisations=8, max_components=8).to_dense()
    same = data.truth[:, None] == data.truth
    assert K[same].mean() > 3 * K[~same].mean()
    # The most similar other item is of the same cloud, nearly always.
    K = K - 2 * np.eye(len(K))
    assert (data.truth[K.argmax(axis=1)] == data.truth).mean() > 0.9


def test_too_few_items_are_told_how_many_components_they_allow() -> None:
    with refuses("too-few-items"):
        learn(items(6))
    with refuses("too-few-items"):
        learn(items(2))


def test_more_columns_than_items_are_sent_to_svd() -> None:
    with refuses("too-few-items"):
        learn(items(12, 12))
    assert kernel(items(12, 12), covariance="diagonal").n == 12


def test_what_cannot_be_learned_from_is_said() -> None:
    with refuses("identical-items"):
        learn(np.ones((20, 2)))
    with refuses("values-out-of-range"):
        learn(items(20) * 1e-200)
    X = items(20)
    X[3, 1] = np.nan
    with refuses("missing-values"):
        learn(X)


def test_constant_columns_change_nothing_but_are_mentioned() -> None:
    X = items()
    found = kernel(np.column_stack([X, np.full(len(X), 7.0)]))
    assert any("carry no information: 'x4'." in note for note in found.notes)
    # The regularisation follows the mean variance, which a constant column lowers by a quarter.
    np.testing.assert_allclose(found.to_dense(), kernel(X).to_dense(), atol=1e-3)


def test_collapsed_components_are_counted() -> None:
    X = np.repeat(np.random.default_rng(0).normal(size=(5, 2)), 4, axis=0)
    found = kernel(X)
    assert found.details["thin"] > 0
    assert any("collapsed" in note for note in found.notes)
    K = found.to_dense()
    assert np.isfinite(K).all()
    assert K[0, 1] == pytest.approx(K[0, 0])  # duplicates are as similar as an item to itself


def test_a_limit_that_was_hit_is_noted() -> None:
    found = kernel(items(), max_iterations=1)
    assert any("still rising after 1 iterations" in note for note in found.notes)


def test_the_estimate_covers_the_kernel_and_the_model() -> None:
    data = Dataset(features=np.zeros((2000, 20)))
    cost = ProbabilisticCluster().estimate(data, params=ProbabilisticCluster.Params())
    assert cost.bytes > 8 * (2000 * 2000 + 13920 * 231)
    assert 5 < cost.seconds < 500
    assert cost.alternatives


def nmi_of_kernel(K: Affinity, truth: Any, k: int) -> float:
    """k-means in the leading directions of the degree-normalised kernel, against the classes."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import normalized_mutual_info_score

    roots = np.sqrt(K.degrees())
    _, vectors = np.linalg.eigh(K.to_dense() / roots[:, None] / roots)
    labels = KMeans(k, n_init=10, random_state=0).fit_predict(vectors[:, -k:] / roots[:, None])
    return float(normalized_mutual_info_score(labels, truth))


def test_iris_groups_are_in_the_kernel() -> None:
    from sklearn.datasets import load_iris

    X, truth = load_iris(return_X_y=True)
    found = kernel(X, initialisations=6, max_components=10)
    assert nmi_of_kernel(found, truth, 3) > 0.65


@pytest.mark.realdata
def test_cloud_and_ground_come_apart(realdata: Path) -> None:
    path = realdata / "cloud_pixels_sentinel2.csv"
    table = np.genfromtxt(path, delimiter=",", skip_header=1, dtype=str)
    chosen = np.random.default_rng(0).choice(len(table), 300, replace=False)
    X, truth = table[chosen, 2:-1].astype(np.float64), table[chosen, -1]
    K = kernel(X, initialisations=5, max_components=12).to_dense()
    K = K - 2 * np.eye(len(K))
    assert (truth[K.argmax(axis=1)] == truth).mean() > 0.8

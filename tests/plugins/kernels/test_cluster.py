"""How often partitions put two items together."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from coterie.core import Affinity, Context, Dataset, Floats, Model, Output
from coterie.core.numerics.mixtures.kmeans_batch import linear_features, partition
from coterie.plugins.kernels.cluster import Cluster
from tests.refusals import refuses
from tests.rounding import rounding


def consensus(X: Any, context: Context | None = None, **params: Any) -> Output:
    data = Dataset(title="items", features=np.asarray(X, dtype=np.float64))
    values = Cluster.Params(**({"initialisations": 4, "max_components": 5} | params))
    return Cluster().compute(data, params=values, context=context or Context(seed=1))


def kernel(X: Any, **params: Any) -> Affinity:
    main = consensus(X, **params).main
    assert isinstance(main, Affinity)
    return main


def items(n: int = 50) -> Floats:
    rng = np.random.default_rng(0)
    return np.asarray(rng.normal(size=(n, 2)) + 4 * rng.integers(0, 3, (n, 1)))


@pytest.mark.parametrize("n", [40, 150])
def test_it_is_the_share_of_partitions_that_put_two_items_together(n: int) -> None:
    X = items(n)
    features = linear_features(X)
    together, partitions = np.zeros((n, n)), 0
    for g, rng in zip(range(2, 6), Context(seed=1).rng.spawn(4), strict=True):
        centres = partition(features, g, 4, rng).coefficients[:, :, 1:]
        for fit in range(4):
            apart = np.square(features[:, None, 1:] - centres[:, fit]).sum(axis=2)
            labels = apart.argmin(axis=1)
            together += labels[:, None] == labels
            partitions += 1
    found = kernel(X)
    assert found.form == ("dense" if n < 56 else "factor")  # 4 × (2 + … + 5) columns
    np.testing.assert_allclose(found.to_dense(), together / partitions, atol=rounding(4 * 56))
    np.testing.assert_allclose(found.diagonal(), 1.0)


def test_the_number_of_workers_changes_nothing() -> None:
    alone, together = consensus(items()).main, consensus(items(), Context(seed=1, workers=3)).main
    assert isinstance(alone, Affinity)
    assert isinstance(together, Affinity)
    np.testing.assert_array_equal(alone.stored, together.stored)


def test_new_items_join_the_nearest_centres() -> None:
    X = items()
    output = consensus(X)
    model = output.parts["model"]
    assert isinstance(model, Model)
    assert isinstance(output.main, Affinity)
    old = Cluster().apply(model, Dataset(features=X), Context()).factor
    new = Cluster().apply(model, Dataset(features=X[:7] + 1e-9), Context()).factor
    assert old is not None
    assert new is not None
    np.testing.assert_allclose(new @ old.T, output.main.to_dense()[:7], atol=rounding(4 * 56))


def test_the_mean_squared_distance_is_given() -> None:
    X = items()
    found = kernel(X, initialisations=1, max_components=2)
    labels = found.to_dense()[0] > 0.5
    inertia = sum(np.square(X[one] - X[one].mean(axis=0)).sum() for one in (labels, ~labels))
    assert found.details["mean_squared_distance"] == pytest.approx(inertia / len(X))


def test_fewer_different_items_than_groups_are_noted() -> None:
    found = kernel(np.repeat([[0.0], [1.0], [5.0]], 5, axis=0))
    assert any("stayed empty" in note for note in found.notes)
    K = found.to_dense()
    np.testing.assert_allclose(K[:5, :5], 1.0)
    np.testing.assert_allclose(K[:5, 10:], 0.0)


def test_bad_input_is_explained() -> None:
    with refuses("too-few-items"):
        consensus(items(5))
    with refuses("identical-items"):
        consensus(np.zeros((9, 2)))


def test_iris_setosa_stands_apart() -> None:
    X, truth = load_iris(return_X_y=True)
    K = kernel(X, initialisations=5, max_components=6).to_dense()
    assert K[truth == 0][:, truth != 0].max() < 0.3
    assert K[truth == 0][:, truth == 0].mean() > 0.4


@pytest.mark.realdata
def test_image_segments_have_neighbours_like_them(realdata: Path) -> None:
    table = np.genfromtxt(realdata / "segment.csv", delimiter=",", skip_header=1, dtype=str)
    chosen = np.random.default_rng(0).choice(len(table), 300, replace=False)
    X, truth = table[chosen, :-1].astype(np.float64), table[chosen, -1]
    spread = X.std(axis=0)
    X = X[:, spread > 0] / spread[spread > 0]
    K = kernel(X, initialisations=5, max_components=12).to_dense()
    K = K - 2 * np.eye(len(K))
    assert (truth[K.argmax(axis=1)] == truth).mean() > 0.6

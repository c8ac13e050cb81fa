"""Scaling to [0, 1]."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from coterie.core import Context, Dataset, Output
from coterie.plugins.transforms.minmax import MinMax
from tests.rounding import rounding

features = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=10),
    elements=st.floats(-1e300, 1e300),
)


def scale(data: Dataset) -> Output:
    return MinMax().compute(data, params=MinMax.Params(), context=Context())


@given(features)
def test_each_column_goes_from_zero_to_one(X: np.ndarray) -> None:
    scaled = np.asarray(scale(Dataset(features=X)).main.features)  # type: ignore[union-attr]
    assert np.isfinite(scaled).all()
    varies = X.max(axis=0) / 2 - X.min(axis=0) / 2 > 0
    np.testing.assert_allclose(scaled[:, varies].min(axis=0, initial=0.0), 0, atol=rounding(4))
    np.testing.assert_allclose(scaled[:, varies].max(axis=0), 1, rtol=1e-9)
    assert not scaled[:, ~varies].any()


@given(features)
def test_the_order_within_a_column_stays(X: np.ndarray) -> None:
    scaled = np.asarray(scale(Dataset(features=X)).main.features)  # type: ignore[union-attr]
    for before, after in zip(X.T, scaled.T, strict=True):
        assert (np.diff(after[np.argsort(before)]) >= 0).all()


def test_the_model_treats_new_items_as_the_old() -> None:
    fitted = Dataset(features=np.array([[0.0, 5.0], [10.0, 5.0]]), columns=("a", "b"))
    output = scale(fitted)
    new = Dataset(features=np.array([[5.0, 7.0], [20.0, 5.0]]), columns=("a", "b"))
    applied = MinMax().apply(output.parts["model"], new, Context())  # type: ignore[arg-type]
    np.testing.assert_allclose(applied.dense_features(), [[0.5, 0], [2.0, 0]])
    assert applied.columns == ("a", "b")


def test_names_and_classes_of_the_items_stay() -> None:
    data = Dataset(
        features=np.array([[1.0], [3.0]]), items=("x", "y"), truth=np.array([0, 1]), columns=("c",)
    )
    scaled = scale(data).main
    assert isinstance(scaled, Dataset)
    assert (scaled.items, scaled.columns) == (("x", "y"), ("c",))
    assert scaled.truth is not None

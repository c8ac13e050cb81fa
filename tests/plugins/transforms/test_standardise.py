"""Mean 0, standard deviation 1."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from coterie.core import Context, Dataset, Output
from coterie.plugins.transforms.standardise import Standardise

features = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=10),
    elements=st.integers(-1000, 1000).map(float),
)


def scale(data: Dataset) -> Output:
    return Standardise().compute(data, params=Standardise.Params(), context=Context())


@given(features)
def test_mean_and_deviation_of_each_column(X: np.ndarray) -> None:
    scaled = np.asarray(scale(Dataset(features=X)).main.features)  # type: ignore[union-attr]
    np.testing.assert_allclose(scaled.mean(axis=0), 0, atol=1e-10)
    varies = np.ptp(X, axis=0) > 0
    np.testing.assert_allclose(scaled[:, varies].std(axis=0), 1)
    assert not scaled[:, ~varies].any()


def test_a_constant_that_binary_numbers_cannot_hold_is_still_constant() -> None:
    scaled = scale(Dataset(features=np.full((10, 1), 0.1))).main
    assert not np.asarray(scaled.features).any()  # type: ignore[union-attr]


def test_the_model_treats_new_items_as_the_old() -> None:
    output = scale(Dataset(features=np.array([[0.0], [2.0]])))
    new = Dataset(features=np.array([[1.0], [4.0]]))
    applied = Standardise().apply(output.parts["model"], new, Context())  # type: ignore[arg-type]
    np.testing.assert_allclose(applied.dense_features(), [[0.0], [3.0]])

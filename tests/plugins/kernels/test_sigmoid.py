"""The sigmoid kernel is a smooth step of the inner product."""

import numpy as np

from coterie.core import Context, Dataset
from coterie.plugins.kernels.sigmoid import Sigmoid


def test_it_equals_its_definition_and_promises_no_definiteness() -> None:
    X = np.random.default_rng(0).normal(size=(9, 3))
    affinity = Sigmoid().compute(
        Dataset(features=X), params=Sigmoid.Params(gain=0.7, threshold=-0.2), context=Context()
    )
    np.testing.assert_allclose(affinity.to_dense(), np.tanh(0.7 * X @ X.T - 0.2))
    assert not affinity.positive_semidefinite
    assert not affinity.nonnegative

"""It keeps the promises that every method makes, and its own."""

import numpy as np
from coterie_any_estimator import methods

from coterie.core import Context, Dataset
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words.
test_conformance = conformance(methods)


def test_clouds_that_are_apart_are_the_groups() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 3
    X = rng.normal(size=(60, 2)) + 20 * np.eye(3)[truth][:, :2]
    method = methods.Bisecting()
    data = Dataset(features=X)
    found = method.compute(data, params=method.Params(k=3), context=Context())
    assert all(len(set(found[truth == group])) == 1 for group in range(3))

"""It keeps the promises that every method makes, and its own."""

import numpy as np
from coterie_autoencoder import methods

from coterie.core import Context, Dataset
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words.
test_conformance = conformance(methods)


def test_the_loss_falls_and_the_errors_are_drawn() -> None:
    rng = np.random.default_rng(0)
    data = Dataset(features=rng.normal(size=(80, 2)) @ rng.normal(size=(2, 6)))
    context = Context(seed=1)
    method = methods.Autoencoder()
    found = method.compute(data, params=method.Params(), context=context)
    trace = context.trace()
    assert trace is not None
    assert trace.value("loss")[-1] < 0.5 * trace.value("loss")[0]
    again = method.apply(found.parts["model"], data, Context())
    np.testing.assert_allclose(again.coordinates, found.main.coordinates)

"""It keeps the promises that every method makes, and its own."""

import numpy as np
from coterie_diffusion_map import methods

from coterie.core import Affinity, Context
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words.
test_conformance = conformance(methods)


def test_two_blocks_are_told_apart_by_the_first_coordinate() -> None:
    A = np.kron(np.eye(2), np.ones((5, 5))) + 0.01
    method = methods.DiffusionMap()
    found = method.compute(Affinity(values=A), params=method.Params(), context=Context())
    first = found.coordinates[:, 0]
    assert (np.sign(first[:5]) != np.sign(first[5:])).all()

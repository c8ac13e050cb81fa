"""The methods keep the promises that every method makes, and the sample is what it says."""

import numpy as np
from coterie_orbits import methods

import coterie
from coterie.core import Context
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words, and runs the recipes.
test_conformance = conformance(methods)


def test_points_lie_on_their_orbits_and_are_found_by_distance() -> None:
    sample = methods.Orbits()
    data = sample.make(params=sample.Params(n=90), context=Context(seed=1))
    polar = methods.Polar().compute(data, params=None, context=Context()).main
    distance = np.asarray(polar.features)[:, :1]
    groups = coterie.run("clusterer/kmeans", distance, k=3)
    assert coterie.run("metric/accuracy", groups, data.truth).value == 1.0

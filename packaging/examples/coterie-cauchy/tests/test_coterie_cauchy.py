"""The Cauchy kernel keeps the promises that every method makes, and its own."""

import numpy as np
from coterie_cauchy import methods

from coterie.core import Context, Dataset
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words.
test_conformance = conformance(methods)


def similarities(points: np.ndarray, scale: float) -> np.ndarray:
    method = methods.Cauchy()
    data = Dataset(features=points)
    return method.compute(data, params=method.Params(scale=scale), context=Context()).to_dense()


def test_similarity_halves_at_the_scale() -> None:
    found = similarities(np.array([[0.0, 0.0], [3.0, 4.0]]), 5.0)
    assert np.allclose(found, [[1.0, 0.5], [0.5, 1.0]])


def test_it_is_the_definition_item_by_item() -> None:
    points = np.random.default_rng(0).normal(size=(40, 3)) + 100.0
    expected = [[1 / (1 + np.sum((x - y) ** 2) / 4.0) for y in points] for x in points]
    assert np.allclose(similarities(points, 2.0), expected, atol=1e-12)


def test_far_items_are_more_similar_than_to_a_gaussian() -> None:
    found = similarities(np.array([[0.0], [10.0]]), 1.0)
    assert found[0, 1] > np.exp(-(10.0**2) / 2)

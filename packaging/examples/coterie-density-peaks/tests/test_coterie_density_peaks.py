"""Density peaks keeps the promises that every method makes, and its own."""

import numpy as np
import pytest
from coterie_density_peaks import methods

from coterie.core import Affinity, Clustering, Context
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words.
test_conformance = conformance(methods)


def groups_of(values: np.ndarray, context: Context | None = None, **params: float) -> Clustering:
    method = methods.DensityPeaks()
    return method.compute(
        Affinity(values=values), params=method.Params(**params), context=context or Context()
    )


def clouds(sizes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    points = rng.normal(size=(len(truth), 2)) + 12.0 * truth[:, None]
    squares = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    return np.exp(-squares / 8), truth


@pytest.mark.parametrize("sizes", [(20, 20), (30, 15), (15, 20, 25)])
def test_clouds_that_lie_apart_are_the_groups(sizes: tuple[int, ...]) -> None:
    values, truth = clouds(sizes)
    found = groups_of(values, k=len(sizes)).labels
    for group in range(len(sizes)):
        assert len(set(found[truth == group])) == 1
    assert len(set(found)) == len(sizes)


def test_each_peak_leads_its_own_group() -> None:
    values, _ = clouds((20, 20))
    found = groups_of(values, k=2)
    peaks = found.details["peaks"]
    assert found.labels[peaks].tolist() == [0, 1]


def test_thin_items_are_in_no_group_when_asked() -> None:
    values, _ = clouds((20, 20))
    assert (groups_of(values, k=2).labels >= 0).all()
    assert (groups_of(values, k=2, clutter=0.9).labels < 0).any()


def test_the_groups_are_shown_as_they_grow() -> None:
    values, _ = clouds((20, 20))
    context = Context()
    groups_of(values, context, k=2)
    trace = context.trace()
    assert trace is not None
    assert (np.diff(trace.objective) > 0).all()
    assert trace.objective[-1] == 1.0

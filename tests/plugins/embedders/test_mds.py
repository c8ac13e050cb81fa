"""Multidimensional scaling."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from coterie.core import Context, Dataset, Output
from coterie.plugins.embedders.mds import MDS
from tests.rounding import rounding

FLAT = np.random.default_rng(1).normal(size=(40, 2))
TURN = np.linalg.qr(np.random.default_rng(2).normal(size=(5, 5)))[0][:2]
BENT = np.random.default_rng(3).normal(size=(40, 5))


def scale(X: Any, **params: Any) -> Output:
    return MDS().compute(Dataset(features=X), params=MDS.Params(**params), context=Context())


@pytest.mark.parametrize("criterion", ["stress", "classical"])
def test_distances_in_a_plane_come_back_from_more_columns(criterion: str) -> None:
    found = scale(FLAT @ TURN, criterion=criterion).main.coordinates  # type: ignore[union-attr]
    np.testing.assert_allclose(cdist(found, found), cdist(FLAT, FLAT), atol=1e-8)


def test_stress_never_rises_and_ends_below_that_of_classical_scaling() -> None:
    context = Context()
    output = MDS().compute(Dataset(features=BENT), params=MDS.Params(), context=context)
    trace = context.trace()
    assert trace is not None
    assert trace.coordinates is not None
    stress = trace.value("stress")
    assert (np.diff(stress) <= rounding(2 * len(BENT) ** 2, float(stress.max()))).all()
    wanted = cdist(BENT, BENT)

    def of(places: Any) -> float:
        return float(np.linalg.norm(cdist(places, places) - wanted) / np.linalg.norm(wanted))

    classical = scale(BENT, criterion="classical").main.coordinates  # type: ignore[union-attr]
    found = output.main.coordinates  # type: ignore[union-attr]
    assert of(found) < of(classical)
    assert of(found) == pytest.approx(stress[-1], rel=1e-9)


@pytest.mark.parametrize("criterion", ["stress", "classical"])
def test_new_items_are_placed_by_their_distances(criterion: str) -> None:
    output = scale(FLAT[:30] @ TURN, criterion=criterion)
    data = Dataset(features=FLAT @ TURN)
    places = MDS().apply(output.parts["model"], data, Context()).coordinates  # type: ignore[arg-type]
    np.testing.assert_allclose(cdist(places, places), cdist(FLAT, FLAT), atol=1e-3)


def test_it_says_when_it_was_stopped_by_the_limit() -> None:
    assert "still falling after 2" in scale(BENT, iterations=2).main.notes[0]

"""Isomap."""

from typing import Any

import numpy as np
from scipy.stats import spearmanr

from coterie.core import Context, Dataset, Output
from coterie.plugins.embedders.isomap import Isomap

ALONG = np.linspace(0.5, 3, 300) * np.pi
SPIRAL = np.column_stack([ALONG * np.cos(ALONG), ALONG * np.sin(ALONG)])


def embed(X: Any, **params: Any) -> Output:
    return Isomap().compute(Dataset(features=X), params=Isomap.Params(**params), context=Context())


def test_a_spiral_is_unrolled() -> None:
    found = embed(SPIRAL, components=1, neighbours=4).main.coordinates[:, 0]  # type: ignore[union-attr]
    assert abs(spearmanr(found, ALONG).statistic) == 1.0
    # The length of the curve ∫ √(1 + t²) dt, which paths between neighbours fall a little short of.
    ends = np.pi * np.array([0.5, 3])
    length = np.diff((ends * np.sqrt(1 + ends**2) + np.arcsinh(ends)) / 2)[0]
    assert 0.97 * length < float(np.ptp(found)) <= 1.001 * length


def test_landmarks_give_nearly_the_same() -> None:
    whole = embed(SPIRAL, components=1, neighbours=4).main.coordinates[:, 0]  # type: ignore[union-attr]
    output = embed(SPIRAL, components=1, neighbours=4, landmarks=40)
    some = output.main.coordinates[:, 0]  # type: ignore[union-attr]
    assert abs(float(np.corrcoef(whole, some)[0, 1])) > 0.999
    assert "40 of 300" in output.main.notes[0]


def test_new_items_are_placed_along_the_curve() -> None:
    output = embed(SPIRAL[::2], components=1, neighbours=4)
    data = Dataset(features=SPIRAL)
    found = Isomap().apply(output.parts["model"], data, Context()).coordinates[:, 0]  # type: ignore[arg-type]
    assert abs(float(spearmanr(found, ALONG).statistic)) > 0.9999


def test_pieces_are_joined_and_that_is_said() -> None:
    two = np.concatenate([SPIRAL[:50], SPIRAL[:50] + 100])
    output = embed(two, neighbours=3)
    assert np.isfinite(output.main.coordinates).all()  # type: ignore[union-attr]
    assert "2 pieces" in output.main.notes[0]

"""The graph of a picture's pixels."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.graphs.pixels import Pixels
from tests.refusals import refuses
from tests.rounding import rounding


def graph(picture: Any, *, known: bool = True, **params: Any) -> Affinity:
    height, width, colours = picture.shape
    data = Dataset(
        title="picture",
        features=picture.reshape(-1, colours),
        details={"height": height, "width": width} if known else {},
    )
    return Pixels().compute(data, params=Pixels.Params(**params), context=Context())


@pytest.mark.parametrize("radius", [1.0, 1.5, 3.0, 9.0])
@pytest.mark.parametrize("shape", [(5, 7, 2), (1, 6, 1), (6, 1, 3)])
def test_it_equals_its_definition(shape: tuple[int, int, int], radius: float) -> None:
    picture = np.random.default_rng(0).random(shape)
    place = np.argwhere(np.ones(shape[:2]))
    colour = picture.reshape(-1, shape[2])
    away = ((place[:, None] - place[None]) ** 2).sum(2)
    unlike = ((colour[:, None] - colour[None]) ** 2).sum(2)
    expected = np.exp(-unlike / (2 * 0.3**2)) * np.exp(-away / (2 * 2.0**2))
    expected[(away > radius**2) | (away == 0)] = 0.0
    found = graph(picture, sigma_intensity=0.3, sigma_position=2.0, radius=radius)
    assert found.form == "sparse"
    np.testing.assert_allclose(found.to_dense(), expected, atol=rounding(8 * shape[2] + 12))


def test_the_height_may_be_given() -> None:
    picture = np.random.default_rng(0).random((4, 3, 1))
    found = graph(picture, known=False, height=4)
    np.testing.assert_array_equal(found.to_dense(), graph(picture).to_dense())


def test_items_without_a_place_are_refused() -> None:
    picture = np.zeros((4, 3, 1))
    with refuses("picture-size-needed"):
        graph(picture, known=False)
    with refuses("picture-size-mismatch"):
        graph(picture, height=5)

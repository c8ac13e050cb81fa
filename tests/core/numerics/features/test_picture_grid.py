"""Pixels know their place in a picture, or the data say why not."""

import numpy as np

from coterie.core import DataError, Dataset
from coterie.core.numerics.features.picture_grid import as_bands, as_items, grid_of
from tests.refusals import refuses


def pixels(n: int, **details: int) -> Dataset:
    return Dataset(title="p", features=np.zeros((n, 2)), details=details)


def test_the_data_say_their_size_or_the_person_does() -> None:
    assert grid_of(pixels(6, height=2, width=3)) == (2, 3)
    assert grid_of(pixels(6, height=2, width=3), 3) == (3, 2)
    assert grid_of(pixels(6), 6) == (6, 1)


def test_some_of_the_pixels_are_no_picture() -> None:
    with refuses("picture-size-needed", DataError):
        grid_of(pixels(6))
    with refuses("picture-size-mismatch", DataError):
        grid_of(pixels(6), 4)
    # A multiple of the height, but not the whole.
    with refuses("picture-size-mismatch", DataError):
        grid_of(pixels(4, height=2, width=3))


def test_bands_and_items_are_the_same_numbers() -> None:
    X = np.arange(12.0).reshape(6, 2)
    bands = as_bands(X, (2, 3))
    assert bands.shape == (2, 2, 3)
    assert bands[1, 1, 0] == X[3, 1]
    np.testing.assert_array_equal(as_items(bands), X)

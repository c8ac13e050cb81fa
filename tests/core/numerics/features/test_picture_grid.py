"""Pixels know their place in a picture, or the data say why not."""

import numpy as np
import pytest

from coterie.core import DataError, Dataset
from coterie.core.numerics.features.picture_grid import as_bands, as_items, grid_of


def pixels(n: int, **details: int) -> Dataset:
    return Dataset(title="p", features=np.zeros((n, 2)), details=details)


def test_the_data_say_their_size_or_the_person_does() -> None:
    assert grid_of(pixels(6, height=2, width=3)) == (2, 3)
    assert grid_of(pixels(6, height=2, width=3), 3) == (3, 2)
    assert grid_of(pixels(6), 6) == (6, 1)


def test_some_of_the_pixels_are_no_picture() -> None:
    with pytest.raises(DataError, match="does not say how its 6 items are arranged"):
        grid_of(pixels(6))
    with pytest.raises(DataError, match="6 pixels cannot fill a picture of 4 rows"):
        grid_of(pixels(6), 4)
    # A multiple of the height, but not the whole.
    with pytest.raises(DataError, match="4 items of 'p' are not the pixels of one picture of 2"):
        grid_of(pixels(4, height=2, width=3))


def test_bands_and_items_are_the_same_numbers() -> None:
    X = np.arange(12.0).reshape(6, 2)
    bands = as_bands(X, (2, 3))
    assert bands.shape == (2, 2, 3)
    assert bands[1, 1, 0] == X[3, 1]
    np.testing.assert_array_equal(as_items(bands), X)

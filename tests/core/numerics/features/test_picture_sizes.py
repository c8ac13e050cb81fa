"""Rows of pixels tell how wide their pictures are, and other rows do not."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from coterie.core.numerics.features.picture_sizes import likely_size, picture_sizes


def test_sizes_use_all_pixels_and_the_squarest_comes_first() -> None:
    sizes = picture_sizes(560)
    assert all(height * width == 560 for height, width in sizes)
    assert sizes[:2] == [(28, 20), (20, 28)]
    assert picture_sizes(257) == []  # a prime number
    assert picture_sizes(12) == []  # too few for a picture


def test_digits_are_known_by_the_pixels_below_each_other() -> None:
    assert likely_size(load_digits().data[:50]) == (8, 8)


@pytest.mark.parametrize(("height", "width"), [(9, 14), (14, 9), (16, 24)])
def test_smooth_pictures_are_told_from_those_turned_aside(height: int, width: int) -> None:
    rng = np.random.default_rng(0)
    down, across = np.mgrid[:height, :width]
    waves = [
        np.sin(down * rng.uniform(0.2, 0.5) + rng.uniform(0, 6))
        * np.sin(across * rng.uniform(0.2, 0.5) + rng.uniform(0, 6))
        for _ in range(30)
    ]
    assert likely_size(np.array(waves).reshape(30, -1)) == (height, width)


def test_noise_curves_and_what_comes_back_are_no_pictures() -> None:
    rng = np.random.default_rng(1)
    assert likely_size(rng.normal(size=(50, 256))) is None
    assert likely_size(np.cumsum(rng.normal(size=(50, 400)), axis=1)) is None
    period = np.sin(2 * np.pi * np.arange(400) / 20 + rng.uniform(0, 6, (50, 1)))
    assert likely_size(period) is None
    assert likely_size(np.full((4, 64), np.nan)) is None
    assert likely_size(np.zeros((4, 64))) is None

"""Oriented filters against convolution with the three Gaussians they are made of."""

import numpy as np
import pytest
from scipy.ndimage import convolve

from coterie.core.numerics.features.oriented import (
    ELONGATION,
    FilteredPicture,
    OrientedFilter,
    filter_bank,
    texture_of,
)
from tests.rounding import rounding


def kernel(bar: OrientedFilter) -> np.ndarray:
    """The filter as a picture of its own: −1, 2, −1 times Gaussians, one σ apart."""
    reach = bar.halo
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(float)
    along = columns * np.cos(bar.angle) + rows * np.sin(bar.angle)
    across = rows * np.cos(bar.angle) - columns * np.sin(bar.angle)

    def gaussian(offset: float) -> np.ndarray:
        squares = ((across - offset) / bar.width) ** 2 + (along / bar.width / ELONGATION) ** 2
        value: np.ndarray = np.exp(-squares / 2) / (2 * np.pi * bar.width**2 * ELONGATION)
        return value

    return np.asarray(2 * gaussian(0) - gaussian(bar.width) - gaussian(-bar.width))


@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi / 2, 2.5])
def test_a_filter_is_the_convolution_with_three_offset_gaussians(angle: float) -> None:
    bar = OrientedFilter(angle, 1.5)
    picture = np.random.default_rng(0).random((20, 31))
    found = FilteredPicture(picture, bar.halo).through(bar)
    expected = convolve(picture, kernel(bar), mode="reflect")
    scale = found.std() / expected.std()
    np.testing.assert_allclose(found, scale * expected, atol=0.02 * found.std())
    assert scale == pytest.approx(1 / 0.6293342861514889, rel=0.01)


def test_a_picture_without_pattern_gives_no_answer() -> None:
    for response in texture_of(np.full((9, 4), 7.0), filter_bank(3, 2)):
        np.testing.assert_allclose(response, 0, atol=1e-9)


@pytest.mark.parametrize("turn", range(6))
def test_stripes_are_answered_most_by_bars_of_their_direction_and_width(turn: int) -> None:
    angle = np.pi * turn / 6
    rows, columns = np.mgrid[:64, :64]
    across = rows * np.cos(angle) - columns * np.sin(angle)
    # A filter of width σ answers most at 1.3065 / σ radians a pixel: here σ = 2.
    stripes = np.cos(across * 1.3065 / 2.0)
    filters = filter_bank(6, 5)
    strengths = [float(r[16:48, 16:48].mean()) for r in texture_of(stripes, filters)]
    best = filters[int(np.argmax(strengths))]
    assert best.angle == pytest.approx(angle)
    assert best.width == pytest.approx(2.0)
    assert max(strengths) == pytest.approx(2 / np.pi, rel=0.05)  # mean of |cos|, gain 1


def test_a_turned_picture_has_turned_texture() -> None:
    picture = np.random.default_rng(3).random((16, 24))
    filters = filter_bank(2, 2)
    plain = list(texture_of(picture, filters))
    turned = list(texture_of(picture.T, filters))
    for size in (0, 2):
        np.testing.assert_allclose(turned[size], plain[size + 1].T, atol=rounding(4 * picture.size))
        np.testing.assert_allclose(turned[size + 1], plain[size].T, atol=rounding(4 * picture.size))

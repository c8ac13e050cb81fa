"""Quantities of spectra against their definitions."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from coterie.core.formats.samples.cloud_scene import BANDS
from coterie.core.numerics.features.bands import (
    band_weights,
    brightness,
    natural_colours,
    normalised_difference,
    ratio,
    slope,
    whiteness,
)
from tests.rounding import rounding

values = arrays(np.float64, (5,), elements=st.floats(0, 1e6))


def test_brightness_is_the_integral_over_wavelength() -> None:
    rng = np.random.default_rng(0)
    waves, spectra = rng.uniform(400, 2500, 9), rng.random((4, 9))
    order = np.argsort(waves)
    area = np.trapezoid(spectra[:, order], waves[order], axis=1)
    np.testing.assert_allclose(brightness(spectra, waves), area / np.ptp(waves))
    np.testing.assert_allclose(brightness(spectra), spectra.mean(axis=1))


def test_the_weights_of_the_bands_add_up_to_one() -> None:
    assert np.isclose(band_weights(13, np.array(list(BANDS.values()), dtype=float)).sum(), 1)
    np.testing.assert_array_equal(band_weights(1, np.array([500.0])), [1])
    np.testing.assert_array_equal(band_weights(2, np.array([500.0, 500.0])), [0.5, 0.5])


def test_grey_is_white_whatever_its_brightness_and_colour_is_not() -> None:
    waves = np.array([400.0, 500.0, 900.0])
    grey = np.outer([0.1, 0.9], np.ones(3))
    np.testing.assert_allclose(whiteness(grey, waves), 0, atol=rounding(4 * len(waves)))
    assert (whiteness(np.array([[0.1, 0.2, 0.9]]), waves) > 0.1).all()


@settings(max_examples=30)
@given(values, values)
def test_normalised_differences_lie_within_one_and_change_sign(
    a: np.ndarray, b: np.ndarray
) -> None:
    # Of numbers too small for all their digits, twice as much is not twice as much.
    a, b = (np.where(np.abs(one) < 1e-290, 0.0, one) for one in (a, b))
    there, back = normalised_difference(a, b), normalised_difference(b, a)
    assert (np.abs(there) <= 1 + rounding(4)).all()
    np.testing.assert_allclose(there, -back)
    np.testing.assert_allclose(normalised_difference(2 * a, 2 * b), there, rtol=1e-9)


def test_what_cannot_be_divided_is_zero() -> None:
    zeros, ones = np.zeros(2), np.ones(2)
    np.testing.assert_array_equal(ratio(ones, zeros), 0)
    np.testing.assert_array_equal(normalised_difference(zeros, zeros), 0)
    np.testing.assert_array_equal(normalised_difference(ones * 1.7e308, ones), 1)


def test_a_slope_is_per_unit() -> None:
    np.testing.assert_allclose(slope(np.array([0.1]), np.array([0.4]), 0.5), [0.6])


def test_sentinels_natural_colours() -> None:
    names = list(BANDS)
    assert [names[i] for i in natural_colours(list(BANDS.values()))] == ["B04", "B03", "B02"]

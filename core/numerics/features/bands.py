"""Quantities of a spectrum: brightness, whiteness, slopes, ratios, normalised differences.

All work on the last axis or on single bands, item by item: no pixel needs its neighbours, so
a scene can be worked through in windows without a halo.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.core.model.arrays import Floats, Ints

RED, GREEN, BLUE = 665.0, 560.0, 490.0  # nanometres


def mean_over_bands(values: Floats, wavelengths: Floats | None = None) -> Floats:
    """Return the mean over the last axis: plain, or over wavelength by trapezoids.

    With wavelengths, bands that lie close together do not count for more than the others.

    >>> mean_over_bands(np.array([1.0, 1.0, 2.0, 4.0])).item()
    2.0
    >>> mean_over_bands(np.array([1.0, 1.0, 3.0]), np.array([0.0, 3.0, 4.0])).item()
    1.25
    """
    weights = band_weights(values.shape[-1], wavelengths)
    # Band by band and not as a matrix product, whose last bit depends on how many items there are:
    # a scene that is worked through in windows must give what the whole gives.
    total = np.zeros(values.shape[:-1])
    for j, weight in enumerate(weights.tolist()):
        total += values[..., j] * weight
    return np.asarray(total)


def band_weights(bands: int, wavelengths: Floats | None = None) -> Floats:
    """Return what each band counts in a mean over the spectrum; the weights add up to 1."""
    even = np.full(bands, 1 / max(1, bands))
    if wavelengths is None or bands < 2:
        return even
    order = np.argsort(wavelengths, kind="stable")
    gaps = np.diff(np.asarray(wavelengths, dtype=np.float64)[order])
    if gaps.sum() <= 0:
        return even
    weights = np.empty(bands)
    weights[order] = (np.append(gaps, 0.0) + np.insert(gaps, 0, 0.0)) / (2 * gaps.sum())
    return weights


def brightness(spectra: Floats, wavelengths: Floats | None = None) -> Floats:
    """Return the mean of each spectrum; clouds are bright."""
    return mean_over_bands(spectra, wavelengths)


def whiteness(spectra: Floats, wavelengths: Floats | None = None) -> Floats:
    """Return the mean distance of each spectrum from its own brightness; 0 is white or grey.

    Gómez-Chova et al. (2007), Cloud-screening algorithm for ENVISAT/MERIS multispectral images.

    >>> whiteness(np.array([[0.5, 0.5], [0.2, 0.8]])).round(12).tolist()
    [0.0, 0.3]
    """
    level = brightness(spectra, wavelengths)
    return mean_over_bands(np.abs(spectra - level[..., None]), wavelengths)


def slope(first: Floats, second: Floats, apart: float = 1.0) -> Floats:
    """Return how fast the spectrum rises from one band to another, `apart` wavelengths away."""
    return np.asarray((second - first) / apart)


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return a / b, and 0 where that is not a number.

    >>> ratio(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    with np.errstate(all="ignore"):
        divided = numerator / denominator
    return np.where(np.isfinite(divided), divided, 0.0)


def normalised_difference(first: Floats, second: Floats) -> Floats:
    """Return (a − b) / (a + b), and 0 where that is not a number: from −1 to 1 for a, b ≥ 0.

    >>> normalised_difference(np.array([3.0, 0.0]), np.array([1.0, 0.0])).tolist()
    [0.5, 0.0]
    """
    # In halves: the sum of very large numbers would overflow.
    return ratio(first / 2 - second / 2, first / 2 + second / 2)


def natural_colours(wavelengths: Sequence[float]) -> Ints:
    """Return the positions of the bands nearest to red, green and blue.

    >>> natural_colours([443, 490, 560, 665, 842]).tolist()
    [3, 2, 1]
    """
    apart = np.abs(np.asarray(wavelengths, dtype=np.float64) - [[RED], [GREEN], [BLUE]])
    return np.asarray(np.argmin(apart, axis=1))

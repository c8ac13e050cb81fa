"""Mean and variance of the pixels around each pixel."""

from __future__ import annotations

import numpy as np

from coterie.core.arrays import Array, Floats


def local_mean(bands: Array, window: int) -> Floats:
    """Return the mean over a square of `window` × `window` pixels around each, band by band.

    Beyond its border the picture is mirrored, the border pixel included. A scene can be worked
    through in parts that overlap by a halo of `window // 2` pixels.

    Parameters
    ----------
    bands : (bands, height, width)
    window : odd

    >>> local_mean(np.array([[[0.0, 3.0, 0.0, 3.0]]]), 3).tolist()
    [[[1.0, 1.0, 2.0, 2.0]]]
    """
    from scipy.ndimage import uniform_filter1d

    values = np.asarray(bands, dtype=np.float64)
    across = uniform_filter1d(values, window, axis=-1, mode="reflect")
    return np.asarray(uniform_filter1d(across, window, axis=-2, mode="reflect"))


def local_variance(bands: Array, window: int) -> Floats:
    """Return the variance (÷ window²) over the square around each pixel, band by band.

    Parameters and halo are those of `local_mean`.

    >>> local_variance(np.array([[[0.0, 3.0, 0.0, 3.0]]]), 3).tolist()
    [[[2.0, 2.0, 2.0, 2.0]]]
    """
    values = np.asarray(bands, dtype=np.float64)
    # About the band's own mean: the difference of two large squares would lose all digits.
    centred = values - values.mean(axis=(-2, -1), keepdims=True)
    variance = local_mean(centred**2, window) - local_mean(centred, window) ** 2
    return np.maximum(variance, 0.0)

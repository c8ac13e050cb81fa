"""Oriented filters: where a picture has bars and edges, and their direction and size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from coterie.core.model.arrays import Array, Floats

ELONGATION = 3.0  # how much longer than wide a filter is
_REACH = 3.0  # beyond so many widths a Gaussian has faded
_PEAK = 0.6293342861514889  # largest value of (2 − 2 cos s) exp(−s²/2), so every filter peaks at 1


@dataclass(frozen=True)
class OrientedFilter:
    """A difference of three offset Gaussians, −1, 2, −1: a bar of one direction and width.

    Attributes
    ----------
    angle : the direction of the bar in radians: 0 is along a row, π/2 along a column
    width : σ across the bar, and the offset of the outer two, in pixels; 3σ along it
    """

    angle: float
    width: float

    @property
    def halo(self) -> int:
        """How many pixels beyond a window the filter sees."""
        return int(np.ceil(_REACH * ELONGATION * self.width))

    def gain(self, rows: Floats, columns: Floats) -> Floats:
        """Return the filter's gain at angular frequencies (radians a pixel); at 0 it is 0.

        In closed form: a Gaussian transforms to a Gaussian, and the offsets to a cosine.
        """
        along = columns * np.cos(self.angle) + rows * np.sin(self.angle)
        across = rows * np.cos(self.angle) - columns * np.sin(self.angle)
        fades = (across**2 + (ELONGATION * along) ** 2) * self.width**2 / 2
        return np.asarray((2 - 2 * np.cos(across * self.width)) * np.exp(-fades) / _PEAK)


def filter_bank(
    orientations: int = 6, scales: int = 5, smallest: float = 1.0, step: float = 2**0.5
) -> tuple[OrientedFilter, ...]:
    """Return the filters, small ones first, each size in all directions.

    >>> [(round(f.angle, 2), f.width) for f in filter_bank(2, 2, 1.0, 2.0)]
    [(0.0, 1.0), (1.57, 1.0), (0.0, 2.0), (1.57, 2.0)]
    """
    return tuple(
        OrientedFilter(np.pi * turn / orientations, smallest * step**size)
        for size in range(scales)
        for turn in range(orientations)
    )


class FilteredPicture:
    """One picture through many filters; the transform of the picture is computed once.

    Beyond its border the picture is mirrored, the border pixel included. Memory: a few times the
    picture with a margin of `halo` pixels all round.

    Examples
    --------
    >>> stripes = np.tile([0.0, 0.0, 1.0, 1.0], (16, 4))
    >>> picture = FilteredPicture(stripes, halo=12)
    >>> level, upright = (np.ptp(picture.through(bar)).item() for bar in filter_bank(2, 1))
    >>> level < 1e-9, upright > 0.5
    (True, True)
    """

    def __init__(self, picture: Array, halo: int) -> None:
        self._shape, self._halo = picture.shape, halo
        self._padded = np.pad(np.asarray(picture, dtype=np.float64), halo, mode="symmetric")

    def through(self, oriented: OrientedFilter) -> Floats:
        """Return the filtered picture (height, width)."""
        return self._back(self._transform * oriented.gain(*self._frequencies))

    @cached_property
    def _transform(self) -> Array:
        from scipy.fft import rfft2

        return np.asarray(rfft2(self._padded))

    @cached_property
    def _frequencies(self) -> tuple[Floats, Floats]:
        height, width = self._padded.shape
        rows = 2 * np.pi * np.fft.fftfreq(height)[:, None]
        return rows, 2 * np.pi * np.fft.rfftfreq(width)[None, :]

    def _back(self, transform: Array) -> Floats:
        from scipy.fft import irfft2

        whole = irfft2(transform, s=self._padded.shape)
        height, width = self._shape
        return np.asarray(whole[self._halo : self._halo + height, self._halo : self._halo + width])


def texture_of(
    picture: Array,
    filters: tuple[OrientedFilter, ...],
    *,
    smoothing: float = 2.0,
    check: Callable[[int], None] | None = None,
) -> Iterator[Floats]:
    """Yield how strongly each filter answers at each pixel, one (height, width) after the other.

    Parameters
    ----------
    picture : (height, width)
    smoothing : the strength is averaged over a Gaussian of so many of the filter's widths, as a
        texture is what bars do around a pixel; 0: the answer itself, with its sign
    check : called with the number of filters done
    """
    from scipy.ndimage import gaussian_filter

    filtered = FilteredPicture(picture, max(f.halo for f in filters))
    for done, oriented in enumerate(filters):
        if check is not None:
            check(done)
        response = filtered.through(oriented)
        if smoothing > 0:
            blur = smoothing * oriented.width
            response = np.asarray(gaussian_filter(np.abs(response), blur, mode="reflect"))
        yield response

"""Mean and variance of the pixels around each pixel.

A pixel's numbers depend on the pixels of its square alone, to the last bit, wherever the picture
begins and ends: a scene that is worked through in parts gives what the whole would give. Sums that
run along a line would not; so sums of 2, 4, 8, … pixels are made by doubling, and a square is put
together of those.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats


@dataclass(frozen=True, eq=False)
class LocalMoments:
    """Mean and variance around each pixel, (bands, height, width) each; 0 where no pixel is valid.

    `variance` is None when it was not asked for.
    """

    mean: Floats
    variance: Floats | None


@dataclass(frozen=True, eq=False)
class _Sums:
    """Of runs of pixels: how many are valid, their sum, and their squared distance from its mean.

    `count` is one number when all pixels are valid.
    """

    count: Array | float
    total: Floats
    spread: Floats | None

    def at(self, start: int, length: int, axis: int) -> _Sums:
        """Those of the runs that begin at `start` and after."""
        chosen = [slice(None)] * 3
        chosen[axis] = slice(start, start + length)
        place = tuple(chosen)
        count = self.count if isinstance(self.count, float) else self.count[place]
        spread = None if self.spread is None else self.spread[place]
        return _Sums(count, self.total[place], spread)

    def joined(self, other: _Sums) -> _Sums:
        """Those of each run with one of another's (Chan, Golub, LeVeque 1979): no digits cancel."""
        count = self.count + other.count
        total = self.total + other.total
        if self.spread is None or other.spread is None:
            return _Sums(count, total, None)
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = self.total / self.count - other.total / other.count
            more = apart**2 * (self.count * other.count / count)
        if not isinstance(count, float):
            more = np.where(np.isfinite(more), more, 0.0)  # nothing to join with
        return _Sums(count, total, self.spread + other.spread + more)


def local_moments(
    bands: Array, window: int, valid: Array | None = None, *, variance: bool = True
) -> LocalMoments:
    """Return mean and variance (÷ number of pixels) over the square around each pixel.

    Beyond its border the picture is mirrored, the border pixel included. A scene can be worked
    through in parts that overlap by a halo of `window // 2` pixels.

    Parameters
    ----------
    bands : (bands, height, width)
    window : side of the square, odd
    valid : (height, width), which pixels count; all when None

    Takes five times the memory of the bands.
    """
    reach = window // 2
    values = np.asarray(bands, dtype=np.float64)
    padding = ((0, 0), (reach, reach), (reach, reach))
    count: Array | float = 1.0
    if valid is not None and not np.all(valid):
        values = np.where(valid, values, 0.0)
        count = np.pad(np.asarray(valid, dtype=np.float64)[None], padding, mode="symmetric")
    total = np.pad(values, padding, mode="symmetric")
    sums = _Sums(count, total, np.zeros_like(total) if variance else None)
    for axis in (2, 1):
        sums = _over(sums, window, axis)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums.total / sums.count
        spread = None if sums.spread is None else sums.spread / sums.count
    if valid is None or isinstance(sums.count, float):
        return LocalMoments(mean, spread)
    known = np.broadcast_to(sums.count > 0, mean.shape)
    return LocalMoments(
        np.where(known, mean, 0.0), None if spread is None else np.where(known, spread, 0.0)
    )


def _over(sums: _Sums, window: int, axis: int) -> _Sums:
    """The sums of `window` neighbours along an axis, which gets shorter by `window` − 1."""
    length = sums.total.shape[axis] - window + 1
    run, at, found = 1, 0, None
    while True:
        if window & run:
            here = sums.at(at, length, axis)
            found = here if found is None else found.joined(here)
            at += run
        if 2 * run > window:
            assert found is not None
            return found
        extent = sums.total.shape[axis] - run
        sums = sums.at(0, extent, axis).joined(sums.at(run, extent, axis))
        run *= 2


def local_mean(bands: Array, window: int) -> Floats:
    """Return the mean over a square of `window` × `window` pixels around each, band by band.

    Parameters and halo are those of `local_moments`.

    >>> local_mean(np.array([[[0.0, 3.0, 0.0, 3.0]]]), 3).tolist()
    [[[1.0, 1.0, 2.0, 2.0]]]
    """
    return local_moments(bands, window, variance=False).mean


def local_variance(bands: Array, window: int) -> Floats:
    """Return the variance (÷ window²) over the square around each pixel, band by band.

    Parameters and halo are those of `local_moments`.

    >>> local_variance(np.array([[[0.0, 3.0, 0.0, 3.0]]]), 3).round(12).tolist()
    [[[2.0, 2.0, 2.0, 2.0]]]
    """
    found = local_moments(bands, window).variance
    assert found is not None
    return found

"""How uncertain a classification is, and where a person's answer would teach it most."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.rasters.maps import MapGrid, ReadRows, write_band_at
from coterie.core.formats.rasters.windows import bounded_gdal, open_raster
from coterie.core.model.arrays import Array, Floats, Ints

UNKNOWN = 255  # no data, or a method that cannot say
MOST_LOOKED_AT = 1500  # pixels along the longer side of what is searched


def uncertainty_path(target: Path) -> Path:
    """Return where the uncertainty of a map goes.

    >>> uncertainty_path(Path("clouds.tif")).name
    'clouds.uncertainty.tif'
    """
    return target.with_name(f"{target.stem}.uncertainty{target.suffix}")


def uncertainty_of(shares: Floats, of_group: Ints) -> Array:
    """Return how uncertain each item is, in whole per cent.

    Parameters
    ----------
    shares : (n, k) membership in each group
    of_group : (k,) class of each group; shares of groups of one class are added

    Returns
    -------
    (n,) bytes: 0 where the best class has all of the membership, 100 where the two best classes
    have the same, or no class has any.

    Examples
    --------
    >>> shares = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.3, 0.2]])
    >>> uncertainty_of(shares, np.arange(3)).tolist()
    [0, 100, 80]
    >>> uncertainty_of(shares, np.array([0, 0, 1])).tolist()
    [0, 0, 40]
    """
    classes = int(of_group.max(initial=0)) + 1
    belongs = np.zeros((len(of_group), max(classes, 2)))
    belongs[np.arange(len(of_group)), of_group] = 1.0
    by_class = np.maximum(np.asarray(shares), 0.0) @ belongs
    best = np.partition(by_class, -2, axis=1)[:, -2:]
    total = by_class.sum(axis=1)
    lead = (best[:, 1] - best[:, 0]) / np.where(total > 0, total, 1.0)
    found: Array = np.rint(100 * (1 - np.where(total > 0, lead, 0.0))).astype(np.uint8)
    return found


def write_uncertainty(
    target: Path, grid: MapGrid, read: ReadRows, check: Callable[[], None]
) -> float | None:
    """Write how uncertain a map is as a GeoTIFF of per cent; return the mean.

    None, and no file, when no pixel says how uncertain it is.
    """
    total = count = 0

    def rows(top: int, bottom: int) -> Array:
        nonlocal total, count
        found = read(top, bottom)
        known = found[found != UNKNOWN]
        total, count = total + int(known.sum(dtype=np.int64)), count + len(known)
        return found

    place = uncertainty_path(target)
    for top in range(0, grid.height, 256):
        check()
        if (read(top, min(top + 256, grid.height)) != UNKNOWN).any():
            break
    else:
        place.unlink(missing_ok=True)  # of a map that was there before
        return None
    write_band_at(place, grid, rows, check, UNKNOWN, "uncertainty, per cent")
    return total / count / 100


def most_uncertain(path: Path, count: int, apart: float = 0.04) -> list[tuple[int, int]]:
    """Return (row, column) of pixels in the most uncertain surroundings, the worst first.

    Parameters
    ----------
    path : an uncertainty map
    count : how many at most
    apart : least distance between two of them, as a share of the longer side

    Single pixels on the edge between two classes are always uncertain and teach little: what counts
    is the mean of a square of pixels around each.
    """
    from scipy.ndimage import uniform_filter

    with bounded_gdal(), open_raster(path) as source:
        height, width = source.shape
        step = max(1, -(-max(height, width) // MOST_LOOKED_AT))
        shape = -(-height // step), -(-width // step)
        doubts = source.read(1, out_shape=shape).astype(np.float64)
    known = doubts != UNKNOWN
    if not known.any():
        raise DataError(f"'{path.name}' has no value for any pixel.", code="no-valid-pixels")
    share = uniform_filter(known.astype(np.float64), 5, mode="constant")
    mean = uniform_filter(np.where(known, doubts, 0.0), 5, mode="constant")
    mean = np.where(known, mean / np.maximum(share, 1 / 25), -1.0)
    reach = max(1, round(apart * max(shape)))
    found: list[tuple[int, int]] = []
    while len(found) < count:
        row, column = np.unravel_index(int(mean.argmax()), shape)
        if mean[row, column] <= 0:
            break
        found.append((_middle(int(row), step, height), _middle(int(column), step, width)))
        mean[
            max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1
        ] = -1
    return found


def _middle(at: int, step: int, size: int) -> int:
    return min(at * step + step // 2, size - 1)

"""How large a pixel is on the ground."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats

# Half the longer axis in metres and the inverse flattening, as a coordinate system gives them.
_ELLIPSOID = re.compile(r'(?:SPHEROID|ELLIPSOID)\["[^"]*",\s*([\d.eE+]+),\s*([\d.eE+]+)')


# A projection that distorts areas by more than this is not taken at its word: transverse Mercator
# zones and national grids keep well within it, Web Mercator doubles areas at 45 degrees.
MOST_DISTORTED = 0.01
_ROWS, _COLUMNS = 65, 5  # where the size of pixels is looked at; between them it changes evenly


def row_areas(height: int, width: int, crs: str, transform: tuple[float, ...]) -> Floats | None:
    """Return the area in square metres of a pixel of each row; None without a coordinate system.

    In degrees, pixels are patches of the system's ellipsoid and shrink towards the poles. Elsewhere
    all are as large as the projection has them, unless it distorts areas by more than one percent:
    then each row has the mean of its true areas.
    """
    if not crs:
        return None
    from rasterio.crs import CRS

    system = CRS.from_user_input(crs)
    if system.is_geographic:
        return _in_degrees(height, system, transform)
    nominal = _on_plane(system, transform)
    if nominal is None:
        return None
    rows = np.linspace(0, height - 1, min(height, _ROWS))
    columns = np.linspace(0, width - 1, min(width, _COLUMNS))
    true = _on_ground(rows, columns, system, transform)
    if true is None or not (np.abs(true / nominal - 1) > MOST_DISTORTED).any():
        return np.full(height, nominal)
    return np.asarray(np.interp(np.arange(height), rows, true.mean(axis=1)))


def side_factor(height: int, width: int, crs: str, transform: tuple[float, ...]) -> float:
    """Return how long a pixel's side is on the ground, as a multiple of what the projection says.

    At the middle, for systems in metres or feet; 1 unless areas are distorted by a percent.
    """
    from rasterio.crs import CRS

    system = CRS.from_user_input(crs)
    nominal = _on_plane(system, transform)
    middle = np.array([(height - 1) / 2]), np.array([(width - 1) / 2])
    true = None if nominal is None else _on_ground(*middle, system, transform)
    if nominal is None or true is None or abs(true[0, 0] / nominal - 1) <= MOST_DISTORTED:
        return 1.0
    return float(np.sqrt(true[0, 0] / nominal))


def _in_degrees(height: int, system: Any, transform: tuple[float, ...]) -> Floats | None:
    found = _ELLIPSOID.search(system.to_wkt())
    if found is None:
        return None
    a, _, _, _, e, f = transform
    edges = np.radians(np.clip(f + e * np.arange(height + 1), -90, 90))
    zones = areas_from_equator(edges, float(found.group(1)), float(found.group(2)))
    return np.asarray(np.radians(abs(a)) * np.abs(np.diff(zones)))


def _on_plane(system: Any, transform: tuple[float, ...]) -> float | None:
    """The area of a pixel as the projection has it; None for a local system without a unit."""
    a, b, _, d, e, _ = transform
    try:
        metres = float(system.linear_units_factor[1])
    except Exception:  # rasterio's own errors differ by version
        return None
    return float(abs(a * e - b * d) * metres**2) or None


def _on_ground(
    rows: Array, columns: Array, system: Any, transform: tuple[float, ...]
) -> Floats | None:
    """The true areas of the pixels at (rows, columns); None where they are unknown."""
    from rasterio.warp import transform as to_degrees

    found = _ELLIPSOID.search(system.to_wkt())
    if found is None:
        return None
    a, b, c, d, e, f = transform
    i, j = np.meshgrid(columns, rows)
    corners = []
    for right, down in ((0, 0), (1, 0), (1, 1), (0, 1)):
        x, y = a * (i + right) + b * (j + down) + c, d * (i + right) + e * (j + down) + f
        try:
            longitude, latitude = to_degrees(system, "EPSG:4326", x.ravel(), y.ravel())[:2]
        except Exception:  # a local system that leads nowhere on earth
            return None
        # In these coordinates equal areas of the earth are equal.
        zones = areas_from_equator(
            np.radians(latitude), float(found.group(1)), float(found.group(2))
        )
        corners.append((np.radians(longitude), zones))
    # Half the cross product of the diagonals: small numbers, so nothing is lost.
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners
    areas = np.abs(_eastward(x2 - x0) * (y3 - y1) - _eastward(x3 - x1) * (y2 - y0)) / 2
    return areas.reshape(i.shape) if np.isfinite(areas).all() and (areas > 0).all() else None


def _eastward(differences: Floats) -> Floats:
    """Differences of longitudes the short way round: across 180° they jump by a whole turn."""
    return np.asarray((differences + np.pi) % (2 * np.pi) - np.pi)


def areas_from_equator(latitudes: Array, semi_major: float, inverse_flattening: float) -> Floats:
    """Return the area between the equator and latitudes, for each radian of longitude.

    Snyder (1987), Map Projections: A Working Manual, equation 3-12.

    Parameters
    ----------
    latitudes : geodetic, in radians
    inverse_flattening : 0 for a sphere

    >>> whole = 4 * np.pi * areas_from_equator(np.pi / 2, 6378137.0, 298.257223563)
    >>> round(float(whole) / 1e12, 3)  # the surface of the earth in millions of square kilometres
    510.066
    """
    sines = np.sin(latitudes)
    flattening = 1 / inverse_flattening if inverse_flattening else 0.0
    e2 = flattening * (2 - flattening)
    if e2 < 1e-12:
        return np.asarray(semi_major**2 * sines)
    e = np.sqrt(e2)
    q = (1 - e2) * (sines / (1 - e2 * sines**2) + np.arctanh(e * sines) / e)
    return np.asarray(semi_major**2 * q / 2)

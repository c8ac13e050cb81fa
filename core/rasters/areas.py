"""How large a pixel is on the ground."""

from __future__ import annotations

import numpy as np

from coterie.core.arrays import Floats

# Radius of the sphere with the surface of the earth (GRS 80), in metres.
RADIUS = 6_371_007.2


def row_areas(height: int, crs: str, transform: tuple[float, ...]) -> Floats | None:
    """Return the area in square metres of a pixel of each row; None without a coordinate system.

    In degrees, pixels are patches of a sphere and shrink towards the poles; elsewhere all are the
    same, and the distortion of the projection is not looked at.
    """
    if not crs:
        return None
    from rasterio.crs import CRS

    system = CRS.from_wkt(crs)
    a, b, _, d, e, f = transform
    if system.is_geographic:
        edges = np.radians(f + e * np.arange(height + 1))
        bands = np.abs(np.diff(np.sin(np.clip(edges, -np.pi / 2, np.pi / 2))))
        return np.asarray(RADIUS**2 * np.radians(abs(a)) * bands)
    try:
        metres = float(system.linear_units_factor[1])
    except Exception:  # rasterio's own errors differ by version: a local system without unit
        return None
    return np.full(height, abs(a * e - b * d) * metres**2)

"""A made-up scene as a satellite would see it: land, water, and thin and dense cloud over it."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset

HEIGHT, WIDTH = 120, 120
# Sentinel-2's bands and the middle of each, in nanometres.
BANDS = {
    "B01": 443,
    "B02": 490,
    "B03": 560,
    "B04": 665,
    "B05": 705,
    "B06": 740,
    "B07": 783,
    "B08": 842,
    "B8A": 865,
    "B09": 945,
    "B10": 1375,
    "B11": 1610,
    "B12": 2190,
}
# Reflectance as seen from above the air, band by band; chosen by hand to look like the real ones.
SPECTRA = {
    "crops": (0.14, 0.11, 0.10, 0.06, 0.11, 0.28, 0.36, 0.38, 0.40, 0.12, 0.003, 0.22, 0.11),
    "forest": (0.12, 0.08, 0.06, 0.04, 0.07, 0.18, 0.23, 0.24, 0.26, 0.08, 0.002, 0.12, 0.05),
    "soil": (0.17, 0.16, 0.17, 0.20, 0.22, 0.24, 0.26, 0.27, 0.29, 0.10, 0.004, 0.36, 0.30),
    "water": (0.13, 0.09, 0.06, 0.04, 0.03, 0.03, 0.02, 0.02, 0.02, 0.01, 0.001, 0.01, 0.005),
}
CLOUD = (0.62, 0.62, 0.60, 0.61, 0.62, 0.63, 0.64, 0.65, 0.64, 0.30, 0.06, 0.52, 0.42)
KINDS = (*SPECTRA, "thin cloud", "dense cloud")
# Shares of the scene. By share and not by height, so every seed has a scene with all of them.
WATER_SHARE, THIN_SHARE, DENSE_SHARE = 0.15, 0.12, 0.18
THINNEST, DENSEST = 0.2, 0.6  # how much of a pixel is cloud where thin and dense cloud begin
# An even grid of 10 m pixels in UTM zone 33 north.
CRS, PIXEL, WEST, NORTH = "EPSG:32633", 10.0, 500_000.0, 5_400_000.0


def make(seed: int, n: int) -> Dataset:  # noqa: ARG001 - what every maker takes
    """Return the pixels of the scene, row by row, with what each of them truly shows."""
    rng = np.random.default_rng(seed)
    land = _land(rng)
    spectra = np.array(list(SPECTRA.values()))[land]
    # Light and soil differ from place to place; neighbours are alike, and bands vary together.
    spectra = spectra * (1 + 0.10 * _field(rng, 9.0) + 0.04 * _field(rng, 1.5))[..., None]
    cover, thin, dense = _cloud_cover(rng)
    lit = 1 + 0.06 * _field(rng, 4.0)[..., None]
    seen = (1 - cover[..., None]) * spectra + cover[..., None] * np.array(CLOUD) * lit
    noise = 0.002 + 0.01 * seen  # a floor, and more where there is more light
    seen = np.clip(seen + noise * rng.normal(size=seen.shape), 0.0, 1.5)
    truth = np.where(dense, len(SPECTRA) + 1, np.where(thin, len(SPECTRA), land))
    return Dataset(
        title="Clouds over land and water",
        features=seen.reshape(-1, len(BANDS)),
        columns=tuple(BANDS),
        items=tuple(f"row {i + 1}, column {j + 1}" for i in range(HEIGHT) for j in range(WIDTH)),
        truth=truth.ravel(),
        truth_names=KINDS,
        truth_column="kind",
        details={
            "height": HEIGHT,
            "width": WIDTH,
            "crs": CRS,
            # As rasterio orders them: x = a·column + b·row + c, y = d·column + e·row + f.
            "transform": [PIXEL, 0.0, WEST, 0.0, -PIXEL, NORTH],
            "wavelengths": list(BANDS.values()),
            "source": "synthetic",
        },
    )


def _field(rng: np.random.Generator, width: float) -> Floats:
    """A smooth random field with mean 0 and deviation 1; places `width` pixels apart are alike."""
    from scipy.ndimage import gaussian_filter

    rough = gaussian_filter(rng.normal(size=(HEIGHT, WIDTH)), width, mode="reflect")
    field: Floats = (rough - rough.mean()) / rough.std()
    return field


def _land(rng: np.random.Generator) -> Ints:
    """The kind of land at each pixel, as its place in `SPECTRA`; water fills the lowest part."""
    kinds = np.argmax([_field(rng, 7.0) for _ in range(len(SPECTRA) - 1)], axis=0)
    height = _field(rng, 10.0)
    water = list(SPECTRA).index("water")
    return np.where(height < np.quantile(height, WATER_SHARE), water, kinds)


def _cloud_cover(rng: np.random.Generator) -> tuple[Floats, Ints, Ints]:
    """How much of each pixel is cloud, and where that is thin and where dense cloud."""
    thickness = _field(rng, 6.0) + 0.25 * _field(rng, 2.0)
    begins, thickens = np.quantile(thickness, [1 - THIN_SHARE - DENSE_SHARE, 1 - DENSE_SHARE])
    knots = [begins, thickens, thickness.max()]
    cover = np.interp(thickness, knots, [THINNEST, DENSEST, 0.98])
    clear = thickness < begins
    cover = np.where(clear, 0.0, cover)
    dense = thickness >= thickens
    return cover, ~clear & ~dense, dense

"""Statistics of each class of a map: its area, its patches, and its mean spectrum."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.maps.map_file import MapFile
from coterie.core.formats.maps.patches import find_patches
from coterie.core.formats.rasters.areas import row_areas
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import SceneReader, Window
from coterie.core.model.arrays import Floats, Ints

ROWS = 256


def write_statistics(
    path: Path, made: MapFile, check: Callable[[], None], scene: Scene | None = None
) -> list[str]:
    """Write a line for each class of a map as CSV; return remarks.

    Parameters
    ----------
    scene : what was classified; its bands' means and deviations are added
    """
    grid = made.grid
    k = len(grid.names)
    hectares = _hectares(made, k, check)
    patches = find_patches(made.read, grid.height, check)
    inside = patches.classes < k
    sizes, kinds = patches.sizes[inside], patches.classes[inside]
    count = np.bincount(kinds, minlength=k)
    pixels = np.bincount(kinds, weights=sizes, minlength=k).astype(np.int64)
    largest = np.zeros(k, dtype=np.int64)
    np.maximum.at(largest, kinds, sizes)
    head = ["value", "class", "pixels", "share", "area_ha"]
    head += ["patches", "largest_patch", "mean_patch"]
    bands = () if scene is None else scene.band_names
    head += [f"{word} {band}" for band in bands for word in ("mean", "sd")]
    means, spreads = (np.zeros((k, 0)),) * 2 if scene is None else _spectra(made, scene, k, check)
    total = max(int(pixels.sum()), 1)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(head)
        for value, name in enumerate(grid.names):
            if value == k - 1 and not pixels[value]:
                continue
            area: Any = "" if hectares is None else hectares[value]
            mean = pixels[value] / count[value] if count[value] else 0.0
            spectrum = np.stack([means[value], spreads[value]], axis=1).reshape(-1).tolist()
            share = pixels[value] / total
            row = [value, name, int(pixels[value]), share, area, int(count[value])]
            writer.writerow([*row, int(largest[value]), mean, *spectrum])
    return [f"{int(count.sum()):,} patches, {total / max(int(count.sum()), 1):.1f} pixels each."]


def _hectares(made: MapFile, k: int, check: Callable[[], None]) -> Floats | None:
    """The area of each class, row by row: in degrees pixels shrink towards the poles."""
    grid = made.grid
    areas = row_areas(grid.height, grid.width, grid.crs, grid.transform)
    if areas is None:
        return None
    found = np.zeros(k)
    for top in range(0, grid.height, ROWS):
        check()
        bottom = min(top + ROWS, grid.height)
        codes = made.read(top, bottom)
        inside = codes < k
        ground = np.broadcast_to(areas[top:bottom, None], codes.shape)[inside]
        found += np.bincount(codes[inside], weights=ground, minlength=k)
    return found / 1e4


def _spectra(
    made: MapFile, scene: Scene, k: int, check: Callable[[], None]
) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each band in each class, over valid pixels."""
    grid = made.grid
    if (scene.height, scene.width) != (grid.height, grid.width):
        raise DataError(
            f"'{scene.name}' has {scene.height} × {scene.width} pixels, the map {grid.height} × "
            f"{grid.width}. Name the scene that was classified.",
            code="grid-mismatch",
        )
    count = np.zeros(k)
    sums, squares = np.zeros((k, len(scene.bands))), np.zeros((k, len(scene.bands)))
    shift: Floats | None = None  # near the means: squares of large values would lose digits
    with SceneReader(scene) as reader:
        for top in range(0, grid.height, ROWS):
            check()
            bottom = min(top + ROWS, grid.height)
            values, valid = reader.read(Window(top, 0, bottom, grid.width))
            codes = made.read(top, bottom)
            taken = valid & (codes < k)
            if not taken.any():
                continue
            spectra, own = values[:, taken].astype(np.float64), codes[taken].astype(np.int64)
            if shift is None:
                shift = spectra.mean(axis=1)
            _add(count, sums, squares, own, spectra - shift[:, None])
    n = np.maximum(count, 1)[:, None]
    means = sums / n
    spread = np.sqrt(np.maximum(squares / n - means**2, 0))
    return means + (0.0 if shift is None else shift), spread


def _add(count: Floats, sums: Floats, squares: Floats, own: Ints, spectra: Floats) -> None:
    k = len(count)
    count += np.bincount(own, minlength=k)
    for band, values in enumerate(spectra):
        sums[:, band] += np.bincount(own, weights=values, minlength=k)
        squares[:, band] += np.bincount(own, weights=values**2, minlength=k)

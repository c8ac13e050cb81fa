"""Spectra: the values of all bands at a pixel, or their mean and deviation over many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array, Floats
from coterie.gui.views.map.base_layer import Ground, read_box, read_pixel
from coterie.gui.views.map.regions.state import Region, pixels_inside

MOST_PICKED = 8
MOST_MEASURED = 20_000  # items of a selection; more are taken evenly
_SIDE = 512  # pixels of a region along its longer side


@dataclass(frozen=True, eq=False)
class PixelSpectrum:
    """A line of a spectral plot.

    Attributes
    ----------
    spread : standard deviation, None for a single pixel
    colour : of a group that has one everywhere; empty: the next of the plot
    """

    name: str
    values: Floats
    spread: Floats | None = None
    count: int = 1
    colour: str = ""


def places_of(ground: Ground) -> tuple[Floats, bool]:
    """Return where each band goes along x, and whether these are wavelengths."""
    waves = np.asarray(ground.wavelengths, dtype=np.float64)
    if len(waves) == len(ground.bands) and (waves > 0).all():
        return waves, True
    return np.arange(1.0, len(ground.bands) + 1), False


def of_items(name: str, features: Any, items: Array) -> PixelSpectrum | None:
    """Return the mean spectrum of some rows of a table of bands; None when there are none."""
    if not len(items):
        return None
    some = np.asarray(items)[:: -(-len(items) // MOST_MEASURED)]
    rows = np.asarray(features[some], dtype=np.float64)
    if len(items) == 1:
        return PixelSpectrum(name, rows[0])
    return PixelSpectrum(name, rows.mean(axis=0), rows.std(axis=0), len(items))


def readable(names: Sequence[str], room: float) -> range:
    """Return which names can stand along an axis without touching: all, or every so many.

    Parameters
    ----------
    room : letters that one name has room for

    >>> readable(["B1", "B2", "B3"], 4.0), readable(["B1", "B6_VCID_2", "B7"], 4.0)
    (range(0, 3), range(0, 3, 2))
    """
    for step in range(1, len(names) + 1):
        shown = range(0, len(names), step)
        apart = step * room - 1
        if all(len(names[i]) + len(names[i + step]) <= 2 * apart for i in shown[:-1]):
            return shown
    return range(0)


def of_pixel(ground: Ground, row: int, column: int) -> PixelSpectrum | None:
    """Read the spectrum of a pixel; None when it holds no data. For a thread."""
    found = read_pixel(ground, row, column)
    if found is None:
        return None
    return PixelSpectrum(f"row {row + 1}, column {column + 1}", np.asarray(found, dtype=np.float64))


def of_region(ground: Ground, region: Region) -> PixelSpectrum | None:
    """Read the mean spectrum of a region; None when no valid pixel is in it. For a thread.

    Of a region longer than 512 pixels every so many are read, so memory stays bounded.
    """
    corners = region.in_pixels(ground)
    place, inside = pixels_inside(corners, ground.height, ground.width, _SIDE)
    if place is None or not inside.any():
        return None
    values, valid = read_box(ground, Window(*place), inside.shape)
    taken = np.asarray(values[:, inside & valid], dtype=np.float64)
    if not taken.shape[1]:
        return None
    return PixelSpectrum(region.name, taken.mean(axis=1), taken.std(axis=1), taken.shape[1])


def of_classes(spectra: Sequence[PixelSpectrum]) -> list[PixelSpectrum]:
    """Return one spectrum for each name: mean and deviation over all pixels of its regions.

    >>> one = PixelSpectrum("a", np.array([1.0]), np.array([0.0]), 1)
    >>> two = PixelSpectrum("a", np.array([4.0]), np.array([0.0]), 2)
    >>> (found,) = of_classes([one, two])
    >>> found.values.tolist(), found.spread.round(3).tolist(), found.count
    ([3.0], [1.414], 3)
    """
    by_name: dict[str, list[PixelSpectrum]] = {}
    for spectrum in spectra:
        by_name.setdefault(spectrum.name, []).append(spectrum)
    found = []
    for name, parts in by_name.items():
        if len(parts) == 1:
            found.append(parts[0])
            continue
        counts = np.array([part.count for part in parts], dtype=np.float64)[:, None]
        means = np.stack([part.values for part in parts])
        total = counts.sum()
        mean = (counts * means).sum(axis=0) / total
        spreads = [np.zeros(1) if part.spread is None else part.spread for part in parts]
        within = np.stack([np.broadcast_to(s, mean.shape) for s in spreads]) ** 2
        variance = (counts * (within + (means - mean) ** 2)).sum(axis=0) / total
        found.append(PixelSpectrum(name, mean, np.sqrt(variance), int(total)))
    return found

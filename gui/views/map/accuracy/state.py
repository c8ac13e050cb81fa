"""A map, or groups over a whole picture, held against what is known of the pixels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coterie.core.formats.rasters.error_maps import write_errors
from coterie.core.formats.rasters.maps import MapGrid
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Ints
from coterie.core.numerics.partitions.accuracy import Accuracy, accuracy_of, matched, merged_rows
from coterie.gui.views.map.base_layer import Ground
from coterie.gui.views.map.layers.class_sources import Codes, counts_of


@dataclass(frozen=True, eq=False)
class Verdict:
    """Counts of a map against the truth, and which true class each class of the map stands for.

    Attributes
    ----------
    counts : (map classes, true classes) pixels
    mapped : (map classes,) pixels on the whole map
    into : (map classes,) true class that each stands for
    """

    names: tuple[str, ...]
    truths: tuple[str, ...]
    counts: Ints
    mapped: Ints
    into: tuple[int, ...]

    @property
    def accuracy(self) -> Accuracy:
        """The accuracies, area-weighted, with intervals."""
        k, into = len(self.truths), np.array(self.into, dtype=np.int64)
        areas = np.zeros(k)
        np.add.at(areas, into, self.mapped.astype(np.float64))
        return accuracy_of(merged_rows(self.counts, into, k), self.truths, areas)

    @property
    def shown(self) -> tuple[int, ...]:
        """The classes of the map that cover anything."""
        return tuple(np.flatnonzero(self.mapped).tolist())


def judge(made: Codes, known: Codes, names: tuple[str, ...], truths: tuple[str, ...]) -> Verdict:
    """Count, and match classes by name, else by most of their pixels; for a thread."""
    counts, mapped = counts_of(made, known, len(names), len(truths))
    into = matched(counts, names, truths)
    return Verdict(names, truths, counts, mapped, tuple(into.tolist()))


def save_errors(
    target: Path, ground: Ground, made: Codes, known: Codes, verdict: Verdict, of: int
) -> None:
    """Write where a map is wrong as a raster in the place of the scene; for a thread.

    `of` is the true class that is looked at, −1 for all of them, as of the layer of errors.
    """
    none = np.zeros((0, 3), dtype=np.uint8)
    grid = MapGrid(
        height=ground.height,
        width=ground.width,
        names=(),
        colours=none,
        nodata=255,
        dtype=np.dtype(np.uint8),
        crs=ground.crs,
        transform=ground.transform,
        ties=ground.ties,
    )

    def both(top: int, bottom: int) -> tuple[Ints, Ints]:
        window = Window(top, 0, bottom, ground.width)
        return made.read(window, window.shape), known.read(window, window.shape)

    write_errors(target, grid, both, verdict.into, verdict.truths, of, lambda: None)

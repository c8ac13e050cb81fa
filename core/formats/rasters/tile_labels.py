"""The labels of one tile: its pixels read, handed to a method, and put into classes.

All that a tile needs is in one value, which can be sent to a worker of a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.context import Context
from coterie.core.errors import DataError
from coterie.core.formats.maps.uncertainty import UNKNOWN, uncertainty_of
from coterie.core.formats.rasters.classes import ClassTable
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import SceneReader, Window
from coterie.core.io.fingerprints import file_hash
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.core.numerics.features.picture_grid import VALID

# Pixels that are labelled in one go: a method may hold several copies of them in float64.
MOST_PIXELS = 1 << 18

Label = Callable[[Dataset], "Ints | Clustering"]
Pixels = tuple[Window, Floats, Array]  # a window, and what `SceneReader.read` gives around it


@dataclass(frozen=True, eq=False)
class Tile:
    """The codes of a window, and how uncertain each is in per cent; None if nobody can say."""

    codes: Array
    doubts: Array | None = None


@dataclass(frozen=True, eq=False)
class TileLabels:
    """How the tiles of a scene are labelled; parameters as those of `classify_scene`."""

    scene: Scene
    label: Label
    table: ClassTable
    reach: int
    by_window: bool = False

    def each(self, windows: Sequence[Window], context: Context) -> Generator[Tile, None, None]:
        """Yield the codes of each window, one after the other here, or all over a cluster.

        Workers that have the same scene at the same place read it themselves. If one of them has
        not, the pixels are sent to all.
        """
        with SceneReader(self.scene) as reader:
            if not context.crew.away:
                for window in windows:
                    yield self.codes(self.pixels(window, reader))
            elif self._seen_everywhere(context):
                yield from context.each(self._read_and_label, windows)
            else:
                yield from context.each(self.codes, (self.pixels(w, reader) for w in windows))

    def pixels(self, window: Window, reader: SceneReader) -> Pixels:
        """Return the pixels of a window and of its margin."""
        wider = window.grown(self.reach, self.scene.height, self.scene.width)
        return window, *reader.read(wider)

    def codes(self, pixels: Pixels) -> Tile:
        """Return the classes of the pixels of a window."""
        window, values, valid = pixels
        found = np.full(window.shape, self.table.nodata, dtype=self.table.dtype)
        doubts = np.full(window.shape, UNKNOWN, dtype=np.uint8)
        label = self._label_window if self.reach or self.by_window else self._label_pixels
        return Tile(found, doubts if label(window, values, valid, found, doubts) else None)

    def _read_and_label(self, window: Window) -> Tile:
        with SceneReader(self.scene) as reader:
            return self.codes(self.pixels(window, reader))

    def _seen_everywhere(self, context: Context) -> bool:
        path = Path(self.scene.path)
        ours = file_hash(path, context.check, partly=True)
        return all(context.crew.everywhere(partial(_sees, path, ours), context.check))

    def _label_pixels(
        self, _: Window, values: Floats, valid: Array, codes: Array, doubts: Array
    ) -> bool:
        at = np.flatnonzero(valid)
        flat = values.reshape(len(values), -1)
        found, unsure, known = codes.reshape(-1), doubts.reshape(-1), False
        for start in range(0, len(at), MOST_PIXELS):
            some = at[start : start + MOST_PIXELS]
            answer = self.label(self._table(flat[:, some].T, {}))
            labels, shares = self._checked(answer, len(some))
            found[some] = self.table.codes(labels)
            if shares is not None:
                unsure[some], known = uncertainty_of(shares, self.table.of_group), True
        return known

    def _label_window(
        self, window: Window, values: Floats, valid: Array, codes: Array, doubts: Array
    ) -> bool:
        if not valid.any():
            return False
        # What is not there must be something finite; it is not labelled itself.
        fill = values[:, valid].mean(axis=1)
        values[:, ~valid] = fill[:, None]
        wider = window.grown(self.reach, self.scene.height, self.scene.width)
        high, wide = wider.shape
        details = {"height": high, "width": wide, VALID: valid.reshape(-1)}
        pixels = self._table(values.reshape(len(values), -1).T, details)
        labels, shares = self._checked(self.label(pixels), high * wide)
        rows = slice(window.top - wider.top, window.bottom - wider.top)
        columns = slice(window.left - wider.left, window.right - wider.left)
        inside = valid[rows, columns]
        codes[inside] = self.table.codes(labels.reshape(high, wide)[rows, columns][inside])
        if shares is not None:
            unsure = uncertainty_of(shares, self.table.of_group).reshape(high, wide)
            doubts[inside] = unsure[rows, columns][inside]
        return shares is not None

    def _checked(self, found: Ints | Clustering, n: int) -> tuple[Ints, Floats | None]:
        labels = labels_of(found)
        if labels.shape != (n,):
            raise DataError(
                f"The method labelled {len(labels):,} of {n:,} pixels. Use another one.",
                code="invalid-result",
            )
        shares = found.membership if isinstance(found, Clustering) else None
        fits = shares is not None and shares.shape[1] == len(self.table.of_group)
        return labels, shares if fits else None

    def _table(self, features: Array, details: dict[str, Any]) -> Dataset:
        scene = self.scene
        return Dataset(
            title=scene.name, features=features, columns=scene.band_names, details=details
        )


def labels_of(found: Ints | Clustering) -> Ints:
    """Return the group of each pixel, of an answer with or without memberships."""
    return found.labels if isinstance(found, Clustering) else found


def _sees(path: Path, ours: str) -> bool:
    """Whether the same scene is at the same path on this machine."""
    try:
        return file_hash(path, lambda: None, partly=True) == ours
    except OSError:
        return False

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
from coterie.core.formats.rasters.classes import ClassTable
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import SceneReader, Window
from coterie.core.io.fingerprints import file_hash
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.features.picture_grid import VALID

# Pixels that are labelled in one go: a method may hold several copies of them in float64.
MOST_PIXELS = 1 << 18

Label = Callable[[Dataset], Ints]
Pixels = tuple[Window, Floats, Array]  # a window, and what `SceneReader.read` gives around it


@dataclass(frozen=True, eq=False)
class TileLabels:
    """How the tiles of a scene are labelled; parameters as those of `classify_scene`."""

    scene: Scene
    label: Label
    table: ClassTable
    reach: int

    def each(self, windows: Sequence[Window], context: Context) -> Generator[Array, None, None]:
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

    def codes(self, pixels: Pixels) -> Array:
        """Return the classes of the pixels of a window."""
        window, values, valid = pixels
        found = np.full(window.shape, self.table.nodata, dtype=self.table.dtype)
        if self.reach:
            self._label_window(window, values, valid, found)
        else:
            self._label_pixels(values, valid, found)
        return found

    def _read_and_label(self, window: Window) -> Array:
        with SceneReader(self.scene) as reader:
            return self.codes(self.pixels(window, reader))

    def _seen_everywhere(self, context: Context) -> bool:
        path = Path(self.scene.path)
        ours = file_hash(path, context.check, partly=True)
        return all(context.crew.everywhere(partial(_sees, path, ours), context.check))

    def _label_pixels(self, values: Floats, valid: Array, codes: Array) -> None:
        at = np.flatnonzero(valid)
        flat = values.reshape(len(values), -1)
        found = codes.reshape(-1)
        for start in range(0, len(at), MOST_PIXELS):
            some = at[start : start + MOST_PIXELS]
            labels = self.label(self._table(flat[:, some].T, {}))
            found[some] = self.table.codes(_checked(labels, len(some)))

    def _label_window(self, window: Window, values: Floats, valid: Array, codes: Array) -> None:
        if not valid.any():
            return
        # What is not there must be something finite; it is not labelled itself.
        fill = values[:, valid].mean(axis=1)
        values[:, ~valid] = fill[:, None]
        wider = window.grown(self.reach, self.scene.height, self.scene.width)
        high, wide = wider.shape
        details = {"height": high, "width": wide, VALID: valid.reshape(-1)}
        pixels = self._table(values.reshape(len(values), -1).T, details)
        labels = _checked(self.label(pixels), high * wide).reshape(high, wide)
        rows = slice(window.top - wider.top, window.bottom - wider.top)
        columns = slice(window.left - wider.left, window.right - wider.left)
        inside = valid[rows, columns]
        codes[inside] = self.table.codes(labels[rows, columns][inside])

    def _table(self, features: Array, details: dict[str, Any]) -> Dataset:
        scene = self.scene
        return Dataset(
            title=scene.name, features=features, columns=scene.band_names, details=details
        )


def _sees(path: Path, ours: str) -> bool:
    """Whether the same scene is at the same path on this machine."""
    try:
        return file_hash(path, lambda: None, partly=True) == ours
    except OSError:
        return False


def _checked(labels: Ints, n: int) -> Ints:
    if labels.shape != (n,):
        raise DataError(
            f"The method labelled {len(labels):,} of {n:,} pixels. Use another one.",
            code="invalid-result",
        )
    return labels

"""Labelling every pixel of a scene, tile by tile: bounded memory, cancel, and resume."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np

from coterie.core.api.context import Context
from coterie.core.errors import DataError
from coterie.core.formats.rasters.classes import ClassTable
from coterie.core.formats.rasters.numpy_scenes import require_space
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.tile_labels import MOST_PIXELS, Label, TileLabels
from coterie.core.formats.rasters.windows import Window, tile_side, windows_over
from coterie.core.io.platform import durable
from coterie.core.model.arrays import Array

TILE = 512


class TileTaker(Protocol):
    """Takes the tiles of a map one by one, and knows which it has: a file, or somebody who counts.

    `done` are the numbers of the tiles that it has.
    """

    done: set[int]

    def write(self, number: int, window: Window, codes: Array) -> None: ...


def partial_files(target: Path) -> tuple[Path, Path]:
    """Return the paths of the numbers and the journal of a map while it is being made.

    The first line of the journal is JSON with the `shape` and `dtype` of the numbers, so a
    window can show the map as far as it is.
    """
    return target.with_name(f".{target.name}.part"), target.with_name(f".{target.name}.part.json")


class PartialMap:
    """The rows of a map on disk, and which tiles of it are done.

    Two files beside the target: the numbers, row by row, and a journal whose first line says what
    is being made and each further line which tile was done. A run that was cancelled, or killed,
    goes on after the last tile in the journal, if it is the same work.
    """

    def __init__(self, target: Path, scene: Scene, table: ClassTable, identity: str) -> None:
        self.shape = (scene.height, scene.width)
        self.dtype = table.dtype
        self._numbers, self._journal = partial_files(target)
        self._head = json.dumps(
            {"work": identity, "shape": self.shape, "dtype": str(self.dtype)}, sort_keys=True
        )
        self.done = self._resumed()
        if not self.done:
            self._begin(target, table)

    def _resumed(self) -> set[int]:
        """The tiles that an earlier run of the same work has done."""
        size = self.shape[0] * self.shape[1] * self.dtype.itemsize
        try:
            head, *lines = self._journal.read_text(encoding="ascii").split("\n")
            if head != self._head or self._numbers.stat().st_size != size:
                return set()
            if lines and lines[-1]:  # cut short: the next number must not be joined to it
                self._journal.write_text("\n".join([head, *lines[:-1], ""]), encoding="ascii")
            return {int(line) for line in lines[:-1] if line.isdigit()}
        except (OSError, ValueError):
            return set()

    def _begin(self, target: Path, table: ClassTable) -> None:
        size = self.shape[0] * self.shape[1] * self.dtype.itemsize
        require_space(target.parent, 2 * size, f"write '{target.name}'")
        with _writing(target):
            self._journal.unlink(missing_ok=True)
            with self._numbers.open("wb") as stream:
                row = np.full(self.shape[1], table.nodata, dtype=self.dtype).tobytes()
                for _ in range(self.shape[0]):
                    stream.write(row)
            self._journal.write_text(f"{self._head}\n", encoding="ascii")

    def write(self, number: int, window: Window, codes: Array) -> None:
        """Write a tile, and only then note that it is done."""
        with self._numbers.open("r+b") as stream:
            for i in range(len(codes)):
                at = (window.top + i) * self.shape[1] + window.left
                stream.seek(at * self.dtype.itemsize)
                stream.write(np.ascontiguousarray(codes[i], dtype=self.dtype).tobytes())
            stream.flush()
            durable.sync(stream.fileno())
        with self._journal.open("a", encoding="ascii") as journal:
            journal.write(f"{number}\n")
        self.done.add(number)

    def read(self, top: int, bottom: int) -> Array:
        """Return rows of the map as far as it is made."""
        count = (bottom - top) * self.shape[1]
        with self._numbers.open("rb") as stream:
            stream.seek(top * self.shape[1] * self.dtype.itemsize)
            numbers = np.fromfile(stream, dtype=self.dtype, count=count)
        return numbers.reshape(bottom - top, self.shape[1])

    def remove(self) -> None:
        """Delete both files: the map itself is there."""
        self._numbers.unlink(missing_ok=True)
        self._journal.unlink(missing_ok=True)


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Say in one sentence why a map cannot be written, such as on a medium that is read-only."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"'{target}' cannot be written: {error.strerror or error}. Choose another folder.",
            code="file-access",
        ) from None


def classify_scene(
    scene: Scene,
    label: Label,
    table: ClassTable,
    partial: TileTaker,
    context: Context,
    *,
    reach: int = 0,
) -> None:
    """Label every valid pixel of a scene, tile by tile, into `partial`.

    Parameters
    ----------
    label : gives the group of each item of a table with a row for each pixel, −1 for none. With a
        `reach` the table holds all pixels of a window, with its height and width in the details;
        otherwise the valid ones only
    reach : how many pixels around a pixel its group depends on

    Tiles that `partial` has already are passed over. An event "tile" reports each that is done.
    """
    windows = windows_over(scene.height, scene.width, _side(scene))
    missing = [number for number in range(len(windows)) if number not in partial.done]
    tiles = TileLabels(scene, label, table, reach)
    with closing(tiles.each([windows[number] for number in missing], context)) as labelled:
        for number in missing:
            context.progress(number, len(windows), f"tile {number + 1} of {len(windows)}")
            codes, window = next(labelled), windows[number]
            context.check()
            partial.write(number, window, codes)
            context.event(
                "tile", rows=[window.top, window.bottom], columns=[window.left, window.right]
            )
    context.progress(1, 1, "all tiles")


def _side(scene: Scene) -> tuple[int, int]:
    high, wide = tile_side(scene, TILE)
    while high * wide > 4 * MOST_PIXELS and high > 1:
        high = -(-high // 2)
    return high, wide

"""Labelling every pixel of a scene, tile by tile: bounded memory, cancel, and resume."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from coterie.core.api.context import Context
from coterie.core.errors import DataError
from coterie.core.formats.maps.uncertainty import UNKNOWN
from coterie.core.formats.rasters.classes import ClassTable
from coterie.core.formats.rasters.numpy_scenes import require_space
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.tile_labels import MOST_PIXELS, Label, Tile, TileLabels
from coterie.core.formats.rasters.windows import Window, tile_side, windows_over
from coterie.core.io.platform import durable
from coterie.core.model.arrays import Array

TILE = 512


class TileTaker(Protocol):
    """Takes the tiles of a map one by one, and knows which it has: a file, or somebody who counts.

    `done` are the numbers of the tiles that it has.
    """

    done: set[int]

    def write(self, number: int, window: Window, tile: Tile) -> None: ...


def partial_files(target: Path) -> tuple[Path, Path]:
    """Return the paths of the numbers and the journal of a map while it is being made.

    The first line of the journal is JSON with the `shape` and `dtype` of the numbers, so a
    window can show the map as far as it is.
    """
    return target.with_name(f".{target.name}.part"), target.with_name(f".{target.name}.part.json")


class PartialRows:
    """Numbers of a map on disk, row by row, as far as they are known."""

    def __init__(self, path: Path, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
        self._path, self._shape, self._dtype = path, shape, dtype

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return self._shape[0] * self._shape[1] * self._dtype.itemsize

    @property
    def whole(self) -> bool:
        """Whether the file is there, of the right size."""
        return self._path.is_file() and self._path.stat().st_size == self.size

    def begin(self, fill: int) -> None:
        """Make the file, with the same number everywhere."""
        with self._path.open("wb") as stream:
            row = np.full(self._shape[1], fill, dtype=self._dtype).tobytes()
            for _ in range(self._shape[0]):
                stream.write(row)

    def write(self, window: Window, numbers: Array) -> None:
        """Write the numbers of a window, and have them on the disk."""
        with self._path.open("r+b") as stream:
            for i in range(len(numbers)):
                at = (window.top + i) * self._shape[1] + window.left
                stream.seek(at * self._dtype.itemsize)
                stream.write(np.ascontiguousarray(numbers[i], dtype=self._dtype).tobytes())
            stream.flush()
            durable.sync(stream.fileno())

    def read(self, top: int, bottom: int) -> Array:
        """Return some rows."""
        count = (bottom - top) * self._shape[1]
        with self._path.open("rb") as stream:
            stream.seek(top * self._shape[1] * self._dtype.itemsize)
            numbers = np.fromfile(stream, dtype=self._dtype, count=count)
        return numbers.reshape(bottom - top, self._shape[1])

    def remove(self) -> None:
        """Delete the file."""
        self._path.unlink(missing_ok=True)


class PartialMap:
    """The rows of a map on disk, and which tiles of it are done.

    Two files beside the target: the numbers, row by row, and a journal whose first line says what
    is being made and each further line which tile was done. A run that was cancelled, or killed,
    goes on after the last tile in the journal, if it is the same work. A third file holds how
    uncertain each pixel is, where that is wanted.
    """

    def __init__(
        self,
        target: Path,
        scene: Scene,
        table: ClassTable,
        identity: str,
        *,
        uncertainty: bool = False,
    ) -> None:
        self.shape = (scene.height, scene.width)
        self.dtype = table.dtype
        numbers, self._journal = partial_files(target)
        self._numbers = PartialRows(numbers, self.shape, self.dtype)
        beside = numbers.with_name(f".{target.name}.uncertainty.part")
        self.doubts = PartialRows(beside, self.shape, np.dtype(np.uint8)) if uncertainty else None
        self._head = json.dumps(
            {"work": identity, "shape": self.shape, "dtype": str(self.dtype)}, sort_keys=True
        )
        self.done = self._resumed()
        if not self.done:
            self._begin(target, table)

    def _resumed(self) -> set[int]:
        """The tiles that an earlier run of the same work has done."""
        try:
            head, *lines = self._journal.read_text(encoding="ascii").split("\n")
            whole = all(rows.whole for rows in self._files)
            if head != self._head or not whole:
                return set()
            if lines and lines[-1]:  # cut short: the next number must not be joined to it
                self._journal.write_text("\n".join([head, *lines[:-1], ""]), encoding="ascii")
            return {int(line) for line in lines[:-1] if line.isdigit()}
        except (OSError, ValueError):
            return set()

    def _begin(self, target: Path, table: ClassTable) -> None:
        size = 2 * sum(rows.size for rows in self._files)
        require_space(target.parent, size, f"write '{target.name}'")
        with _writing(target):
            self._journal.unlink(missing_ok=True)
            self._numbers.begin(table.nodata)
            if self.doubts is not None:
                self.doubts.begin(UNKNOWN)
            self._journal.write_text(f"{self._head}\n", encoding="ascii")

    @property
    def _files(self) -> tuple[PartialRows, ...]:
        return (self._numbers,) if self.doubts is None else (self._numbers, self.doubts)

    def write(self, number: int, window: Window, tile: Tile) -> None:
        """Write a tile, and only then note that it is done."""
        self._numbers.write(window, tile.codes)
        if self.doubts is not None and tile.doubts is not None:
            self.doubts.write(window, tile.doubts)
        with self._journal.open("a", encoding="ascii") as journal:
            journal.write(f"{number}\n")
        self.done.add(number)

    def read(self, top: int, bottom: int) -> Array:
        """Return rows of the map as far as it is made."""
        return self._numbers.read(top, bottom)

    def remove(self) -> None:
        """Delete the files: the map itself is there."""
        for rows in self._files:
            rows.remove()
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
    by_window: bool = False,
) -> None:
    """Label every valid pixel of a scene, tile by tile, into `partial`.

    Parameters
    ----------
    label : gives the group of each item of a table with a row for each pixel, −1 for none; as a
        clustering with memberships where uncertainty is wanted. With a `reach`, or `by_window`,
        the table holds all pixels of a window, with its height and width in the details; otherwise
        the valid ones only
    reach : how many pixels around a pixel its group depends on
    by_window : whether tiles are squares that begin at multiples of `TILE`, wherever the scene is
        read best: what is found in a tile, such as segments, then does not depend on the file

    Tiles that `partial` has already are passed over. An event "tile" reports each that is done.
    """
    windows = windows_over(scene.height, scene.width, (TILE, TILE) if by_window else _side(scene))
    missing = [number for number in range(len(windows)) if number not in partial.done]
    tiles = TileLabels(scene, label, table, reach, by_window)
    with closing(tiles.each([windows[number] for number in missing], context)) as labelled:
        for number in missing:
            context.progress(number, len(windows), f"tile {number + 1} of {len(windows)}")
            tile, window = next(labelled), windows[number]
            context.check()
            partial.write(number, window, tile)
            context.event(
                "tile", rows=[window.top, window.bottom], columns=[window.left, window.right]
            )
    context.progress(1, 1, "all tiles")


def _side(scene: Scene) -> tuple[int, int]:
    high, wide = tile_side(scene, TILE)
    while high * wide > 4 * MOST_PIXELS and high > 1:
        high = -(-high // 2)
    return high, wide

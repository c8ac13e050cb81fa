"""Where the numbers of a class layer come from: an array, a mask, a map file, or two compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from coterie.core.formats.maps.error_maps import compared
from coterie.core.formats.rasters.tiles import partial_files
from coterie.core.formats.rasters.truth import Truth
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array, Ints
from coterie.core.numerics.drawing.palette import Bytes
from coterie.projects.sources.rasters import OpenScene, read_map


class Codes(Protocol):
    """Gives a small whole number for each pixel of a window, −1 for none. Used on a thread."""

    @property
    def shape(self) -> tuple[int, int]: ...
    def read(self, window: Window, shape: tuple[int, int]) -> Ints: ...


@dataclass(frozen=True, eq=False)
class ArrayCodes:
    """Numbers in memory, one for each pixel."""

    numbers: Array

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return int(self.numbers.shape[0]), int(self.numbers.shape[1])

    def read(self, window: Window, shape: tuple[int, int]) -> Ints:
        """Return the nearest pixels of a window in that shape."""
        return _thinned(self.numbers[window.slices], shape).astype(np.int64)


@dataclass(frozen=True)
class MaskCodes:
    """The known classes in a second raster."""

    truth: Truth

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.truth.scene.height, self.truth.scene.width

    def read(self, window: Window, shape: tuple[int, int]) -> Ints:
        """Return the classes in a window."""
        first = replace(self.truth.scene, bands=self.truth.scene.bands[:1])
        with OpenScene(first) as opened:
            values, valid = opened.read(window, shape)
        return self.truth.classes(values[0], valid)


@dataclass(frozen=True, eq=False)
class TakenCodes:
    """Known classes of which several are taken as one, or left out."""

    raw: Codes
    classes: Callable[[Array], Ints]

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.raw.shape

    def read(self, window: Window, shape: tuple[int, int]) -> Ints:
        """Return the classes in a window."""
        return self.classes(self.raw.read(window, shape))


@dataclass(frozen=True)
class FileCodes:
    """A map that was written."""

    path: Path
    shape: tuple[int, int]
    classes: int

    def read(self, window: Window, shape: tuple[int, int]) -> Ints:
        """Return the classes in a window."""
        found = read_map(self.path, self.shape, window, shape)
        return np.where(found < self.classes, found, -1)


@dataclass(frozen=True)
class ShareCodes:
    """Whole per cent as one of a few shades."""

    shares: FileCodes
    shades: int

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.shares.shape

    def read(self, window: Window, shape: tuple[int, int]) -> Ints:
        """Return the shade of each pixel of a window."""
        found = self.shares.read(window, shape)
        return np.where(found < 0, -1, np.minimum(found * self.shades // 100, self.shades - 1))


@dataclass(frozen=True)
class PartialCodes:
    """A map that is being made, as far as it is."""

    target: Path
    shape: tuple[int, int]
    classes: int

    def read(self, window: Window, shape: tuple[int, int]) -> Ints:
        """Return the classes in a window; what is not done yet has none."""
        numbers, journal = partial_files(self.target)
        try:
            with journal.open(encoding="ascii") as lines:
                dtype = np.dtype(json.loads(lines.readline())["dtype"])
            mapped = np.memmap(numbers, dtype=dtype, mode="r", shape=self.shape)
        except (OSError, ValueError, KeyError, TypeError):
            return np.full(shape, -1, dtype=np.int64)  # not begun, or just finished
        found = _thinned(mapped[window.slices], shape).astype(np.int64)
        return np.where(found < self.classes, found, -1)


@dataclass(frozen=True, eq=False)
class ErrorCodes:
    """A map compared with the known classes.

    Attributes
    ----------
    into : the true class that each class of the map stands for
    of : the true class that is looked at, −1 for all of them
    """

    made: Codes
    known: Codes
    into: tuple[int, ...]
    of: int = -1

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.made.shape

    def read(self, window: Window, shape: tuple[int, int]) -> Ints:
        """Return `RIGHT`, `MISSED`, `FALSE` or `WRONG` where both are known."""
        made, known = self.made.read(window, shape), self.known.read(window, shape)
        return compared(made, known, self.into, self.of)


def coloured(codes: Ints, colours: Bytes) -> Bytes:
    """Return (height, width, 4) bytes: a colour for each number, nothing for −1."""
    table = np.zeros((len(colours) + 1, 4), dtype=np.uint8)
    table[:-1, :3], table[:-1, 3] = colours, 255
    return table[np.where(codes < len(colours), codes, -1)]


def _thinned(numbers: Array, shape: tuple[int, int]) -> Array:
    if numbers.shape == shape:
        return np.asarray(numbers)
    rows, columns = (
        np.arange(new) * old // new for new, old in zip(shape, numbers.shape, strict=True)
    )
    return np.asarray(numbers[np.ix_(rows, columns)])

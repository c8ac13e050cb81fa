"""A coarse picture of a scene, drawn while its smaller copies are still being made."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from coterie.core.formats.rasters.overviews import OverviewLevel
from coterie.core.formats.rasters.windows import Window, windows_over
from coterie.core.model.arrays import Array, Floats

MOST_PIXELS = 2_000_000  # about what a screen shows
_SIDE = 96  # pixels of the sketch that are read in one go
_BLOCKS = 4  # of the scene beside each other in a window: threads unpack them at the same time
_STRIDE = 0.618  # of all windows, from one to the next: the golden ratio spreads them best


class ReadableScene(Protocol):
    """An open scene."""

    def read(
        self, window: Window, shape: tuple[int, int] | None = None, bands: Sequence[int] = ()
    ) -> tuple[Floats, Array]: ...


class Sketch:
    """One level of a scene in a few bands, filled window by window on a thread.

    A pixel that is not read yet is not valid. Every eighth pixel, say, is taken as it is, where
    the copies have the mean of those around it.

    Attributes
    ----------
    level : whose pixels it has
    bands : positions of those that are read
    done : share of the scene that is read
    """

    def __init__(self, levels: Sequence[OverviewLevel], bands: Sequence[int]) -> None:
        small = [level for level in levels if level.height * level.width <= MOST_PIXELS]
        self.level = (small or levels[-1:])[0]
        self.bands = tuple(dict.fromkeys(bands))
        self.done = 0.0
        shape = self.level.height, self.level.width
        self._values = np.zeros((len(self.bands), *shape), dtype=np.float32)
        self._valid = np.zeros(shape, dtype=np.bool_)
        # NumPy counts a mask before it picks by it: one that grows in between ends the program.
        self._lock = threading.Lock()

    def fill(
        self,
        reader: ReadableScene,
        size: tuple[int, int],
        block: tuple[int, int],
        check: Callable[[], None],
    ) -> None:
        """Read the scene, all over it at first, or from the top where its rows are stored whole.

        Parameters
        ----------
        size : height and width of the scene
        block : height and width in which it is stored; a window is made of whole ones, as each is
            unpacked again for every window that touches it
        check : called between two windows; what it raises ends the reading
        """
        level = self.level
        in_strips = block[1] >= size[1]
        side = self._whole_blocks(block)
        if in_strips:
            side = self._whole_strips(block), level.width
        windows = windows_over(level.height, level.width, side)
        order: Any = range(len(windows))
        if not in_strips:
            order = np.argsort(np.arange(len(windows)) * _STRIDE % 1.0, kind="stable")
        for count, at in enumerate(order, start=1):
            check()
            small = windows[at]
            wide = level.in_scene(small, *size)
            values, valid = reader.read(wide, small.shape, self.bands)
            rows, columns = small.slices
            with self._lock:
                self._values[:, rows, columns] = values
                self._valid[rows, columns] = valid
            self.done = count / len(windows)

    def _whole_blocks(self, block: tuple[int, int]) -> tuple[int, int]:
        """Return a height and width of some `_SIDE` pixels that whole blocks of the scene cover."""
        factor = 2**self.level.number
        near = _SIDE * factor
        if self._is_huge(block):
            return _SIDE, _SIDE
        high = max(block[0], near // block[0] * block[0])
        wide = max(_BLOCKS * block[1], near // block[1] * block[1])
        return max(1, high // factor), max(1, wide // factor)

    def _whole_strips(self, block: tuple[int, int]) -> int:
        """Return some rows that whole strips of the scene cover."""
        factor: int = 2**self.level.number
        near = _SIDE // 4 * factor
        if self._is_huge(block):
            return _SIDE // 4
        return max(1, max(block[0], near // block[0] * block[0]) // factor)

    def _is_huge(self, block: tuple[int, int]) -> bool:
        """Whether most of the scene is one block, which is read in parts all the same."""
        factor: int = 2**self.level.number
        return block[0] * block[1] > MOST_PIXELS * factor

    def has(self, bands: Sequence[int]) -> bool:
        """Whether these bands are among those that are read."""
        return set(bands) <= set(self.bands)

    def read(self, window: Window, bands: Sequence[int]) -> tuple[Floats, Array]:
        """Return values and validity of a window of its level, as far as it is read."""
        rows, columns = window.slices
        at = [self.bands.index(band) for band in bands]
        with self._lock:
            return self._values[at, rows, columns].copy(), self._valid[rows, columns].copy()

    def limits(
        self, bands: Sequence[int], low: float, high: float
    ) -> tuple[tuple[float, float], ...]:
        """Return for each band the values at two percentiles of what is read so far."""
        found = []
        with self._lock:
            valid = self._valid.copy()
        for band in bands:
            sound = self._values[self.bands.index(band)][valid]
            first, last = np.percentile(sound, [low, high]).tolist() if sound.size else (0.0, 1.0)
            found.append((first, last if last > first else first + 1.0))
        return tuple(found)

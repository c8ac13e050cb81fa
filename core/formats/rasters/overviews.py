"""Smaller copies of a scene in a cache folder, so a large one is looked at in bounded memory.

The user's file is never altered. Level 0 is the scene itself, each further level has half the
height and width, each pixel the mean of the valid among four. Levels are stored as float32 with a
band of validity, tiled and compressed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from coterie.core.api.context import Context
from coterie.core.errors import DataError
from coterie.core.formats.products.archives import is_archive
from coterie.core.formats.rasters.numpy_scenes import require_space
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import (
    SceneReader,
    Window,
    bounded_gdal,
    gdal_window,
    open_raster,
    windows_over,
)
from coterie.core.io.atomic_write import writing_place
from coterie.core.io.folders import cache_folder
from coterie.core.io.platform.processors import available_cores
from coterie.core.model.arrays import Array, Floats

SMALLEST = 512  # no level is made of one that is smaller
STRIP = 1024  # rows and columns of the scene that are reduced in one go
BLOCK = 256
PERCENTILES = (2.0, 98.0)
MOST_THREADS = 8


@dataclass(frozen=True)
class OverviewLevel:
    """One size of a scene; level 0 is the scene itself and has no file."""

    number: int
    height: int
    width: int
    file: Path | None = None

    def in_scene(self, window: Window, height: int, width: int) -> Window:
        """Return a window of this level in pixels of the scene, which has that many.

        >>> OverviewLevel(2, 3, 3).in_scene(Window(0, 1, 3, 3), 11, 12)
        Window(top=0, left=4, bottom=11, right=12)
        """
        factor = 2**self.number
        return Window(
            window.top * factor,
            window.left * factor,
            min(window.bottom * factor, height),
            min(window.right * factor, width),
        )


class Overviews:
    """A scene in several sizes. Use it in a `with` statement, and in one thread only."""

    def __init__(self, scene: Scene, levels: Sequence[OverviewLevel]) -> None:
        self.scene = scene
        self.levels = tuple(levels)
        self._readers: dict[int, Any] = {}

    def __enter__(self) -> Self:
        self._gdal = bounded_gdal()
        self._gdal.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for reader in self._readers.values():
            reader.__exit__(None, None, None)
        self._readers.clear()
        self._gdal.__exit__(None, None, None)

    def level_for(self, pixels: float) -> OverviewLevel:
        """Return the coarsest level whose pixels are at most `pixels` of the scene wide."""
        fine = [level for level in self.levels if 2**level.number <= max(1.0, pixels)]
        return fine[-1]

    def read_window(
        self, level: int, window: Window, bands: Sequence[int] = ()
    ) -> tuple[Floats, Array]:
        """Return (bands, height, width) values and validity of a window of a level.

        The window is in the pixels of that level; memory is that of the window.
        """
        chosen = self.levels[level]
        if chosen.file is None:
            return self._scene().read(window, bands=bands)
        source = self._level(level, chosen.file)
        high, wide = window.shape
        place = gdal_window(window.left, window.top, wide, high)
        count = len(self.scene.bands)
        wanted = [i + 1 for i in (bands or range(count))]
        read = source.read([*wanted, count + 1], window=place)
        return read[:-1], read[-1] > 0

    def stretch(
        self, bands: Sequence[int], percentiles: tuple[float, float] = PERCENTILES
    ) -> tuple[tuple[float, float], ...]:
        """Return for each band the values between which to stretch its brightness.

        They are percentiles of the valid pixels of the smallest level.
        """
        last = self.levels[-1]
        values, valid = self._small(last, bands)
        limits = []
        for band in values:
            sound = band[valid]
            if not sound.size:
                limits.append((0.0, 1.0))
                continue
            low, high = np.percentile(sound, percentiles).tolist()
            limits.append((low, high if high > low else low + 1.0))
        return tuple(limits)

    def _small(self, level: OverviewLevel, bands: Sequence[int]) -> tuple[Floats, Array]:
        whole = Window(0, 0, level.height, level.width)
        if level.file is not None:
            return self.read_window(level.number, whole, bands)
        # A scene without levels is small, or long and thin: every so many pixels are enough.
        shape = min(level.height, 2 * SMALLEST), min(level.width, 2 * SMALLEST)
        return self._scene().read(whole, shape, bands)

    def _scene(self) -> SceneReader:
        if 0 not in self._readers:
            self._readers[0] = SceneReader(self.scene, unpacking_threads()).__enter__()
        reader: SceneReader = self._readers[0]
        return reader

    def _level(self, number: int, file: Path) -> Any:
        if number not in self._readers:
            opening = open_raster(file)
            self._readers[number] = _Opened(opening)
        return self._readers[number].source


def unpacking_threads() -> int:
    """Return how many threads unpack blocks of a scene that a person waits for."""
    return min(available_cores(), MOST_THREADS)


class _Opened:
    """An open file with the exit of its context."""

    def __init__(self, opening: Any) -> None:
        self._opening = opening
        self.source = opening.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._opening.__exit__(*error)


def overviews_of(scene: Scene, context: Context, folder: Path | None = None) -> Overviews:
    """Return a scene with its smaller levels, made once and kept in the cache folder.

    Parameters
    ----------
    folder : where to keep them; the user's cache folder unless it is named

    Raises a clear error when the disk cannot take them. What was made before is used again as long
    as the scene has the same place, size and time of change.
    """
    levels, home, made = planned_levels(scene, folder)
    if not made:
        _make(scene, levels, home, context)
    return Overviews(scene, levels)


def planned_levels(
    scene: Scene, folder: Path | None = None
) -> tuple[tuple[OverviewLevel, ...], Path, bool]:
    """Return the levels that a scene has or will have, their folder, and whether they are made."""
    home = (folder or overviews_folder()) / _identity(scene)
    levels = tuple(
        OverviewLevel(i, high, wide, home / f"{i}.tif" if i else None)
        for i, (high, wide) in enumerate(_sizes(scene))
    )
    return levels, home, len(levels) == 1 or (home / "complete").exists()


def overviews_folder() -> Path:
    """Return the folder in the user's cache that has the smaller copies of all scenes."""
    return cache_folder() / "overviews"


def _make(scene: Scene, levels: Sequence[OverviewLevel], home: Path, context: Context) -> None:
    # The scene may be readable by its owner alone: so are its copies, whatever the umask.
    home.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Uncompressed it would be this much; the cache must never be what fills a disk.
    depth = (len(scene.bands) + 1) * 4
    needed = sum(level.height * level.width * depth for level in levels[1:])
    require_space(home.parent, needed, f"keep smaller copies of '{scene.name}'")
    temporary = writing_place(home, home.name)
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(mode=0o700)
    try:
        total = sum(level.height * level.width for level in levels[:-1])
        done = 0
        for finer, coarser in pairwise(levels):
            assert coarser.file is not None
            # What is made so far is in the temporary folder.
            within = [replace(v, file=v.file and temporary / v.file.name) for v in levels]
            with Overviews(scene, within) as so_far:
                target = temporary / coarser.file.name
                done = _reduce(so_far, finer, coarser, target, context, done, total)
        for file in temporary.iterdir():
            if file.stat().st_mode & 0o077:  # a confined process makes none, and may change none
                file.chmod(0o600)
        (temporary / "complete").touch(mode=0o600)
        shutil.rmtree(home, ignore_errors=True)
        temporary.replace(home)
    except OSError as error:
        raise DataError(
            f"Smaller copies of '{scene.name}' cannot be stored in '{home.parent}': "
            f"{error.strerror or error!s:.100}. Free some disk space.",
            code="file-not-writable",
        ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _reduce(
    so_far: Overviews,
    finer: OverviewLevel,
    coarser: OverviewLevel,
    target: Path,
    context: Context,
    done: int,
    total: int,
) -> int:
    import rasterio

    profile = {
        "driver": "GTiff",
        "height": coarser.height,
        "width": coarser.width,
        "count": len(so_far.scene.bands) + 1,
        "dtype": "float32",
        "tiled": True,
        "blockxsize": BLOCK,
        "blockysize": BLOCK,
        "compress": "lzw",
        "interleave": "band",
        "BIGTIFF": "IF_SAFER",
    }
    # A pixel in each block of the finer level and as many bands: that many rows fit in memory.
    side = STRIP if len(so_far.scene.bands) <= 16 else STRIP // 2
    with rasterio.open(target, "w", **profile) as made:
        for window in windows_over(finer.height, finer.width, (side, side)):
            context.progress(done, total, f"smaller copies, level {coarser.number}")
            values, valid = so_far.read_window(finer.number, window)
            small, sound = _halved(values, valid)
            high, wide = sound.shape
            place = gdal_window(window.left // 2, window.top // 2, wide, high)
            made.write(small, list(range(1, len(small) + 1)), window=place)
            made.write(sound.astype(np.float32), len(small) + 1, window=place)
            done += window.shape[0] * window.shape[1]
    return done


def _halved(values: Floats, valid: Array) -> tuple[Floats, Array]:
    """Half the height and width: the mean of the valid among each four pixels."""
    bands, high, wide = values.shape
    pad = ((0, high % 2), (0, wide % 2))
    sound = np.pad(valid, pad).reshape((high + 1) // 2, 2, (wide + 1) // 2, 2)
    counts = sound.sum(axis=(1, 3))
    small = np.empty((bands, *counts.shape), dtype=values.dtype)
    for band, out in zip(values, small, strict=True):
        here = np.pad(np.where(valid, band, 0), pad).reshape(sound.shape).sum(axis=(1, 3))
        np.divide(here, np.maximum(counts, 1), out=out, casting="same_kind")
    return small, counts > 0


def _sizes(scene: Scene) -> list[tuple[int, int]]:
    sizes = [(scene.height, scene.width)]
    while min(sizes[-1]) > SMALLEST or max(sizes[-1]) > 4 * SMALLEST:
        high, wide = sizes[-1]
        sizes.append(((high + 1) // 2, (wide + 1) // 2))
    return sizes


def _identity(scene: Scene) -> str:
    path = Path(scene.path)
    files = [path] if is_archive(path) else sorted({path / band.file for band in scene.bands})
    try:
        marks = [[str(f), f.stat().st_size, f.stat().st_mtime_ns] for f in files]
    except OSError:
        raise DataError(
            f"The scene '{scene.path}' is missing. Was it moved or renamed? Locate it.",
            code="file-not-found",
        ) from None
    text = json.dumps([marks, scene.as_json()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]

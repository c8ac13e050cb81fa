"""Some of a scene's pixels as a table: at random, or as many of each class or region."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np

from coterie.core.api.context import Context
from coterie.core.errors import DataError
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import SceneReader, Window, tile_side, windows_over
from coterie.core.model.arrays import Array, Floats, Ints

# Pixels without data are only known once they are read: so many more than needed are drawn.
SPARE = 1.3
# A class with few valid pixels gives fewer pixels; a note says so.
SPARE_OF_CLASS = 2.0


class ClassSource(Protocol):
    """Tells the class of each pixel in a window, −1 for none: a mask, or regions."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *error: Any) -> None: ...
    def read(self, window: Window) -> Ints: ...


class WindowReader(Protocol):
    """Reads windows of a scene: its bands (`SceneReader`), or what is derived of them."""

    scene: Scene
    dtype: np.dtype[Any]
    single: int  # so many pixels of a large window cost what a window of one pixel does

    @property
    def columns(self) -> tuple[str, ...]: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
    def read(self, window: Window, /) -> tuple[Floats, Array]: ...


@dataclass(frozen=True, eq=False)
class PixelSample:
    """Pixels of a scene, in the order of rows and columns.

    Attributes
    ----------
    positions : (m,) row · width + column
    values : (m, bands)
    classes : (m,) class of each, −1 for none; None when there is nobody to ask
    """

    positions: Ints
    values: Floats
    classes: Ints | None = None

    def joined(self, others: PixelSample) -> PixelSample:
        """Return these pixels and those of another sample that are not among them.

        The others have no class.
        """
        new = ~np.isin(others.positions, self.positions)
        positions = np.concatenate([self.positions, others.positions[new]])
        order = np.argsort(positions)
        values = np.concatenate([self.values, others.values[new]])
        known = np.full(len(self.positions), -1) if self.classes is None else self.classes
        classes = np.concatenate([known, np.full(int(new.sum()), -1)])
        return PixelSample(positions[order], values[order], classes[order].astype(np.int64))


def sample_at_random(
    scene: Scene | WindowReader,
    size: int,
    context: Context,
    classes: ClassSource | None = None,
) -> PixelSample:
    """Return `size` valid pixels, each as likely as any other, or all when there are fewer.

    Only the windows that contain them are read, one after the other.
    """
    opened = _reader(scene)
    scene = opened.scene
    size = min(size, scene.n)
    order: Ints = np.empty(0, dtype=np.int64)
    taken: dict[int, Any] = {}
    seen: Ints = order
    with opened as reader:
        wanted = min(scene.n, int(size * SPARE) + 16)
        while len(taken) < size and len(seen) < scene.n:
            batch = _draw_more(scene.n, wanted, seen, context)
            values, valid = read_pixels(reader, np.sort(batch), context)
            at = {int(p): i for i, p in enumerate(np.sort(batch)) if valid[i]}
            for position in batch.tolist():  # in the order drawn, so none is preferred
                if len(taken) < size and position in at:
                    taken[position] = values[at[position]]
            seen = np.union1d(seen, batch)
            share = max(len(taken) / len(seen), 1 / len(seen))
            wanted = int((size - len(taken)) / share * SPARE) + 16
            wanted = min(max(wanted, len(seen)), scene.n - len(seen), 1 << 22)
    if not taken:
        raise DataError(_no_valid(scene), code="no-valid-pixels")
    positions = np.array(sorted(taken), dtype=np.int64)
    values = np.stack([taken[p] for p in positions.tolist()])
    found = None if classes is None else classes_at(scene, classes, positions, context)
    return PixelSample(positions, values, found)


def sample_by_class(
    scene: Scene | WindowReader, size: int, context: Context, classes: ClassSource, count: int
) -> PixelSample:
    """Return as many valid pixels of each of `count` classes, together `size` as far as there are.

    The classes are read once, window by window; of each, pixels are kept by lot.
    """
    opened = _reader(scene)
    scene = opened.scene
    candidates = _by_lot(scene, size, context, classes, count)
    every = np.sort(np.concatenate(candidates)) if candidates else np.empty(0, np.int64)
    if not len(every):
        raise DataError(
            f"No pixel of '{scene.name}' is in a class or region. Check the values of the "
            "mask, or the coordinates of the regions.",
            code="no-valid-pixels",
        )
    with opened as reader:
        values, valid = read_pixels(reader, every, context)
    fit = [members[valid[np.searchsorted(every, members)]] for members in candidates]
    chosen = np.sort(np.concatenate(_evenly(fit, size)))
    if not len(chosen):
        raise DataError(_no_valid(scene), code="no-valid-pixels")
    label = np.full(len(chosen), -1, dtype=np.int64)
    for number, members in enumerate(fit):
        label[np.isin(chosen, members)] = number
    return PixelSample(chosen, values[np.searchsorted(every, chosen)], label)


def _reader(scene: Scene | WindowReader) -> WindowReader:
    return SceneReader(scene) if isinstance(scene, Scene) else scene


def read_pixels(reader: WindowReader, positions: Ints, context: Context) -> tuple[Floats, Array]:
    """Return (m, columns) values and (m,) validity of the pixels at sorted positions.

    Each block that holds one is read once.
    """
    scene = reader.scene
    values = np.zeros((len(positions), len(reader.columns)), dtype=reader.dtype)
    valid = np.zeros(len(positions), dtype=np.bool_)
    rows, columns = np.divmod(positions, scene.width)
    blocks = _blocks_of(scene, rows, columns)
    for done, (index, window) in enumerate(_singly(blocks, rows, columns, reader.single)):
        if done % 8 == 0:
            context.check()
        piece, sound = reader.read(window)
        at = rows[index] - window.top, columns[index] - window.left
        values[index] = piece[:, at[0], at[1]].T
        valid[index] = sound[at]
    return values, valid


def _blocks_of(scene: Scene, rows: Ints, columns: Ints) -> list[tuple[Ints, Window]]:
    """The pixels by block, each block with the smallest window around its pixels."""
    high, wide = tile_side(scene, 1)
    across = -(-scene.width // wide)
    block = rows // high * across + columns // wide
    order = np.argsort(block, kind="stable")
    starts = np.flatnonzero(np.diff(block[order], prepend=-1))
    found = []
    for index in np.split(order, starts[1:]):
        top, left = int(rows[index].min()), int(columns[index].min())
        bottom, right = int(rows[index].max()) + 1, int(columns[index].max()) + 1
        found.append((index, Window(top, left, bottom, right)))
    return found


def _singly(
    blocks: list[tuple[Ints, Window]], rows: Ints, columns: Ints, single: int
) -> Iterator[tuple[Ints, Window]]:
    """The same, but a few pixels in a large window each by itself, where that is cheaper."""
    for index, window in blocks:
        if window.shape[0] * window.shape[1] <= single * len(index):
            yield index, window
            continue
        for one in index:
            row, column = int(rows[one]), int(columns[one])
            yield np.array([one]), Window(row, column, row + 1, column + 1)


def _draw_more(n: int, wanted: int, seen: Ints, context: Context) -> Ints:
    """Positions that were not drawn before, in random order."""
    context.check()
    if len(seen) + wanted >= n or 2 * (len(seen) + wanted) > n:
        left = np.setdiff1d(np.arange(n), seen, assume_unique=True)
        return np.asarray(context.rng.permutation(left)[:wanted], dtype=np.int64)
    drawn = context.rng.choice(n, size=wanted + len(seen), replace=False)
    return np.asarray(drawn[~np.isin(drawn, seen)][:wanted], dtype=np.int64)


def classes_at(scene: Scene, classes: ClassSource, positions: Ints, context: Context) -> Ints:
    """Return the class of the pixels at these positions, −1 for none."""
    found = np.full(len(positions), -1, dtype=np.int64)
    rows, columns = np.divmod(positions, scene.width)
    with classes:
        for index, window in _blocks_of(scene, rows, columns):
            context.check()
            here = classes.read(window)
            found[index] = here[rows[index] - window.top, columns[index] - window.left]
    return found


def _by_lot(
    scene: Scene, size: int, context: Context, classes: ClassSource, count: int
) -> list[Ints]:
    """For each class, positions of more pixels than will be needed, in the order of their lots."""
    most = int(size * SPARE_OF_CLASS) + 16
    lots: list[Floats] = [np.empty(0) for _ in range(count)]
    held: list[Ints] = [np.empty(0, dtype=np.int64) for _ in range(count)]
    windows = windows_over(scene.height, scene.width, tile_side(scene, 1024))
    with classes:
        for done, window in enumerate(windows):
            context.progress(done, len(windows), "looking for the classes")
            labels = classes.read(window)
            lot = context.rng.random(labels.shape)
            for number in np.unique(labels[labels >= 0]).tolist():
                rows, columns = np.nonzero(labels == number)
                positions = (rows + window.top) * scene.width + columns + window.left
                both = np.concatenate([lots[number], lot[rows, columns]])
                places = np.concatenate([held[number], positions])
                keep = np.argsort(both, kind="stable")[:most]
                lots[number], held[number] = both[keep], places[keep]
    return held


def _evenly(classes: list[Ints], size: int) -> list[Ints]:
    """As many of each class; what a small class lacks the others make up for."""
    order = sorted(classes, key=len)
    parts, left = [], size
    for number, members in enumerate(order):
        share = min(len(members), -(-left // (len(order) - number)))
        parts.append(members[:share])
        left -= share
    return parts


def _no_valid(scene: Scene) -> str:
    return (
        f"'{scene.name}' has no valid pixel in the places examined: all are no-data or not a "
        "number. Choose other bands, or another value for no data."
    )

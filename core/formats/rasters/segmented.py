"""The segments of a scene on disk, square by square, as a table of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from coterie.core.api.context import Context
from coterie.core.errors import DataError
from coterie.core.formats.rasters.sampling import ClassSource, WindowReader, sample_at_random
from coterie.core.formats.rasters.windows import windows_over
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.features.segments import (
    SIDE,
    Segmenting,
    class_of_each,
    described,
    segments_of,
)

LOOKED_AT = 4000  # pixels whose spread is the scale of the bands
MOST_SEGMENTS = 2_000_000


@dataclass(frozen=True, eq=False)
class SegmentTable:
    """The segments of a scene.

    Attributes
    ----------
    features : (segments, features)
    positions : (segments,) row · width + column of the pixel nearest to the middle of each
    classes : (segments,) the known class of most of its pixels, −1 for none; None if nobody knows
    """

    features: Floats
    positions: Ints
    classes: Ints | None = None


def scaled_by(values: Floats, size: int, compactness: float) -> Segmenting:
    """Return how to segment, with the scale of some pixels: (n, bands)."""
    spread = values.std(axis=0)
    spread[~(spread > 0)] = 1.0
    centre = tuple(values.mean(axis=0).tolist())
    return Segmenting(size, compactness, centre, tuple(spread.tolist()))


def scale_of(reader: WindowReader, size: int, compactness: float, context: Context) -> Segmenting:
    """Return how to segment a scene, scaled by some of its pixels."""
    taken = sample_at_random(reader, LOOKED_AT, context)
    return scaled_by(np.asarray(taken.values, dtype=np.float64), size, compactness)


def segment_scene(
    reader: WindowReader,
    how: Segmenting,
    chosen: Sequence[str],
    context: Context,
    known: ClassSource | None = None,
) -> SegmentTable:
    """Return the segments of all squares of a scene."""
    scene = reader.scene
    if scene.n // how.size > MOST_SEGMENTS:
        raise DataError(
            f"'{scene.name}' would have some {scene.n // how.size:,} segments, more than "
            f"{MOST_SEGMENTS:,}. Choose larger segments.",
            code="too-many-items",
        )
    windows = windows_over(scene.height, scene.width, (SIDE, SIDE))
    parts: list[SegmentTable] = []
    with reader:
        for done, window in enumerate(windows):
            context.progress(done, len(windows), "finding segments")
            values, valid = reader.read(window)
            labels, found = segment_window(values, valid, how, chosen)
            if not len(found.positions):
                continue
            rows, columns = np.divmod(found.positions, window.shape[1])
            places = (rows + window.top) * scene.width + columns + window.left
            classes = None
            if known is not None:
                with known:
                    classes = class_of_each(labels, known.read(window), len(places))
            parts.append(replace(found, positions=places, classes=classes))
    if not parts:
        raise DataError(
            f"'{scene.name}' has no valid pixel. Choose other bands, or another value for no data.",
            code="no-valid-pixels",
        )
    every = [part.classes for part in parts if part.classes is not None]
    return SegmentTable(
        np.vstack([part.features for part in parts]),
        np.concatenate([part.positions for part in parts]),
        np.concatenate(every) if every else None,
    )


def segment_window(
    values: Array, valid: Array, how: Segmenting, chosen: Sequence[str]
) -> tuple[Ints, SegmentTable]:
    """Return the segment of each pixel of a window, −1 for none, and the window's own table."""
    if not valid.any():
        return np.full(valid.shape, -1, dtype=np.int64), SegmentTable(
            np.empty((0, 0)), np.empty(0, dtype=np.int64)
        )
    values = np.where(valid, values, 0)  # what is not there may be NaN
    labels = segments_of(values, valid, how)
    return labels, SegmentTable(*described(values, labels, how, chosen))

"""Segments of a picture (superpixels): neighbouring pixels that look alike, as one item each.

A picture is divided in squares of `SIDE` pixels that are segmented one by one, so a scene of any
size takes the memory of one square, and its map can be made tile by tile with the same segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints

SIDE = 512
STEPS = 10  # of k-means; published (Achanta and others) as enough
FARTHEST = 8.0  # standard deviations: one dead pixel must not decide the scale of a square
MEANS, SPREADS, TEXTURE, SHAPE = "means", "spreads", "texture", "shape"
DESCRIPTIONS = (MEANS, SPREADS, TEXTURE, SHAPE)


@dataclass(frozen=True)
class Segmenting:
    """How pictures are segmented.

    Attributes
    ----------
    size : pixels of a segment, about
    compactness : weight of place against look, which is in standard deviations
    centre, scale : mean and standard deviation of each band in the whole picture
    """

    size: int
    compactness: float
    centre: tuple[float, ...]
    scale: tuple[float, ...]

    def standardised(self, bands: Array) -> Array:
        """Return (d, height, width) bands in standard deviations, as 32-bit numbers."""
        centre = np.array(self.centre)[:, None, None]
        scale = np.array(self.scale)[:, None, None]
        found: Array = np.clip((bands - centre) / scale, -FARTHEST, FARTHEST).astype(np.float32)
        return found


def segments_of(bands: Array, valid: Array, how: Segmenting) -> Ints:
    """Return the segment of each pixel of a picture, from 0, and −1 where it has no data.

    Parameters
    ----------
    bands : (d, height, width), finite everywhere
    valid : (height, width) whether a pixel has data
    """
    labels = np.full(valid.shape, -1, dtype=np.int64)
    if not valid.any():
        return labels
    picture = how.standardised(bands)
    picture[:, ~valid] = picture[:, valid].mean(axis=1, dtype=np.float64)[:, None]
    high, wide = valid.shape
    count = max(1, round(high * wide / how.size))
    found = _clustered(picture, count, how.compactness) if count > 1 else np.zeros_like(labels)
    labels[valid] = np.unique(found[valid], return_inverse=True)[1]
    return labels


def _clustered(picture: Array, count: int, compactness: float) -> Ints:
    from skimage.segmentation import slic

    # It scales what it is given to 0 … 1, square by square: the weight of place must follow.
    width = float(picture.max() - picture.min()) or 1.0
    found: Ints = slic(
        np.moveaxis(picture, 0, -1),
        n_segments=count,
        compactness=compactness / width,
        max_num_iter=STEPS,
        convert2lab=False,
        start_label=0,
        channel_axis=-1,
    )
    return found


def names_of_segments(columns: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
    """Return what the features of segments are called.

    >>> names_of_segments(["red"], ["means", "shape"])
    ('red', 'size', 'elongation', 'compactness')
    """
    parts = {
        MEANS: tuple(columns),
        SPREADS: tuple(f"spread of {name}" for name in columns),
        TEXTURE: ("texture",),
        SHAPE: ("size", "elongation", "compactness"),
    }
    return tuple(name for part in DESCRIPTIONS if part in chosen for name in parts[part])


def described(
    bands: Array, labels: Ints, how: Segmenting, chosen: Sequence[str]
) -> tuple[Floats, Ints]:
    """Return (segments, features), and the pixel of each segment nearest to its middle.

    Parameters
    ----------
    bands : (d, height, width)
    labels : (height, width) from `segments_of`
    chosen : some of `DESCRIPTIONS`
    """
    inside = labels >= 0
    own = labels[inside]
    k = int(own.max()) + 1 if len(own) else 0
    size = np.bincount(own, minlength=k).astype(np.float64)
    rows, columns = (v.astype(np.float64) for v in np.nonzero(inside))
    middle = np.stack([_sum(own, v, k) / size for v in (rows, columns)])
    parts: list[Floats] = []
    if MEANS in chosen or SPREADS in chosen:
        means, spreads = _moments(bands[:, inside], own, size)
        parts += [means] * (MEANS in chosen) + [spreads] * (SPREADS in chosen)
    if TEXTURE in chosen:
        parts.append((_sum(own, _roughness(how.standardised(bands), inside), k) / size)[:, None])
    if SHAPE in chosen:
        parts.append(_shapes(labels, own, size, rows - middle[0][own], columns - middle[1][own]))
    away = (rows - middle[0][own]) ** 2 + (columns - middle[1][own]) ** 2
    order = np.lexsort((away, own))
    nearest = order[np.searchsorted(own[order], np.arange(k))]
    return np.hstack(parts), np.flatnonzero(inside)[nearest]


def class_of_each(labels: Ints, classes: Ints, k: int) -> Ints:
    """Return the known class of most pixels of each segment, −1 where none is known.

    >>> class_of_each(np.array([0, 0, 0, 1]), np.array([2, 2, 1, -1]), 2).tolist()
    [2, -1]
    """
    known = (labels >= 0) & (classes >= 0)
    kinds = int(classes.max(initial=0)) + 1
    counts = np.bincount(labels[known] * kinds + classes[known], minlength=k * kinds)
    table = counts.reshape(k, kinds)
    return np.where(table.any(axis=1), table.argmax(axis=1), -1)


def _sum(own: Ints, values: Array, k: int) -> Floats:
    found: Floats = np.bincount(own, weights=values, minlength=k).astype(np.float64)
    return found


def _moments(values: Array, own: Ints, size: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each band in each segment."""
    k = len(size)
    means, spreads = np.empty((k, len(values))), np.empty((k, len(values)))
    for band, found in enumerate(values):
        mean = means[:, band] = _sum(own, found, k) / size
        spreads[:, band] = np.sqrt(_sum(own, (found - mean[own]) ** 2, k) / size)
    return means, spreads


def _roughness(picture: Array, inside: Array) -> Floats:
    """How much the mean of the bands varies in the 3 × 3 pixels around each pixel inside."""
    from scipy.ndimage import uniform_filter

    bright = picture.mean(axis=0, dtype=np.float64)
    weight = uniform_filter(inside.astype(np.float64), 3, mode="mirror")[inside]
    known = np.where(inside, bright, 0.0)
    mean = uniform_filter(known, 3, mode="mirror")[inside] / weight
    square = uniform_filter(known**2, 3, mode="mirror")[inside] / weight
    found: Floats = np.sqrt(np.maximum(square - mean**2, 0.0))
    return found


def _shapes(labels: Ints, own: Ints, size: Floats, down: Floats, across: Floats) -> Floats:
    """Pixels, how much longer than wide, and how near to a disc (1; a square has 0.79)."""
    k = len(size)
    # A pixel is a square: by itself it spreads by 1/12 each way.
    a = _sum(own, down**2, k) / size + 1 / 12
    b = _sum(own, across**2, k) / size + 1 / 12
    c = _sum(own, down * across, k) / size
    half, apart = (a + b) / 2, np.sqrt(((a - b) / 2) ** 2 + c**2)
    elongation = np.sqrt((half + apart) / np.maximum(half - apart, 1e-12))
    edges = np.zeros(k)
    around = np.pad(labels, 1, constant_values=-1)
    here = around[1:-1, 1:-1]
    for other in (around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]):
        edge = (here >= 0) & (other != here)
        edges += np.bincount(here[edge], minlength=k)
    return np.column_stack([size, elongation, 4 * np.pi * size / edges**2])

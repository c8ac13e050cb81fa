"""Labelled pixels counted by group and true class, apart for the sample that was learnt from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.api.context import Context
from coterie.core.formats.rasters.classes import ClassTable
from coterie.core.formats.rasters.sampling import classes_at, read_pixels, sample_at_random
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.tile_labels import Label, Tile, labels_of
from coterie.core.formats.rasters.tiles import classify_scene
from coterie.core.formats.rasters.truth import Truth, TruthReader
from coterie.core.formats.rasters.windows import SceneReader, Window
from coterie.core.model.arrays import Array, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.partitions.accuracy import matched


@dataclass(frozen=True, eq=False)
class Tally:
    """Pixels by group and true class.

    Attributes
    ----------
    names : of the groups, the last for pixels in none
    truths : of the true classes
    others : (groups, classes) pixels that nothing was learnt from: what a method is judged by
    sampled : (groups, classes) pixels of the sample: which shows the class that a group stands for
    """

    names: tuple[str, ...]
    truths: tuple[str, ...]
    others: Ints
    sampled: Ints


def standing_for(tally: Tally) -> Ints:
    """Return the true class that each group stands for.

    That of its name; else the one that most of its pixels in the sample have, as a person who looks
    at the sample would call it. A group without any known pixel there goes by the other pixels.

    >>> few = np.array([[3, 1], [0, 0], [0, 0]])
    >>> many = np.array([[0, 9], [2, 7], [0, 0]])
    >>> standing_for(Tally(("a", "b", "-"), ("land", "cloud"), many, few)).tolist()
    [0, 1, 0]
    """
    seen = tally.sampled.sum(axis=1) > 0
    counts = np.where(seen[:, None], tally.sampled, tally.others)
    return matched(counts, tally.names, tally.truths)


def tally_scene(
    scene: Scene,
    truth: Truth,
    label: Label,
    table: ClassTable,
    sample: Ints,
    context: Context,
    *,
    reach: int = 0,
    by_window: bool = False,
    at_most: int = 0,
) -> Tally:
    """Label the pixels of a scene and count them.

    Parameters
    ----------
    sample : row · width + column of the pixels that were learnt from
    reach, by_window : as `classify_scene` takes them
    at_most : judge by so many pixels drawn at random instead of all; 0 for all. Methods that look
        around a pixel are always done to the whole scene
    """
    counter = _Counter(scene, truth, table, sample)
    if at_most and not (reach or by_window):
        _count_some(counter, scene, truth, label, at_most, context)
    else:
        with TruthReader(truth) as counter.reader:
            classify_scene(scene, label, table, counter, context, reach=reach, by_window=by_window)
    return Tally(table.names, truth.names, counter.others, counter.sampled)


class _Counter:
    """Takes tiles as a map does, and keeps the counts alone."""

    reader: TruthReader

    def __init__(self, scene: Scene, truth: Truth, table: ClassTable, sample: Ints) -> None:
        self.done: set[int] = set()
        self.table, self.width = table, scene.width
        self.sample = np.sort(np.asarray(sample, dtype=np.int64))
        shape = len(table.names), len(truth.names)
        self.others = np.zeros(shape, dtype=np.int64)
        self.sampled = np.zeros(shape, dtype=np.int64)

    def write(self, number: int, window: Window, tile: Tile) -> None:
        """Count a tile."""
        codes = tile.codes
        known = self.reader.read(window)
        inside = codes < len(self.table.names)
        rows, columns = np.nonzero(inside)
        positions = (rows + window.top) * self.width + columns + window.left
        self.count(positions, codes[inside].astype(np.int64), known[inside])
        self.done.add(number)

    def count(self, positions: Ints, codes: Ints, known: Ints) -> None:
        """Count pixels of known class by whether they are in the sample."""
        learnt = _is_in(positions, self.sample)
        classes, truths = self.others.shape
        for counts, chosen in ((self.others, ~learnt), (self.sampled, learnt)):
            chosen = chosen & (known >= 0)
            pairs = codes[chosen] * truths + known[chosen]
            counts += np.bincount(pairs, minlength=classes * truths).reshape(classes, truths)


def _count_some(
    counter: _Counter, scene: Scene, truth: Truth, label: Label, at_most: int, context: Context
) -> None:
    """Count the sample, and pixels drawn at random."""
    drawn = sample_at_random(scene, at_most, context, TruthReader(truth))
    assert drawn.classes is not None
    fresh = ~_is_in(drawn.positions, counter.sample)
    _count_table(counter, scene, label, drawn.positions[fresh], drawn.values[fresh],
                 drawn.classes[fresh])  # fmt: skip
    if len(counter.sample):
        with SceneReader(scene) as reader:
            values, valid = read_pixels(reader, counter.sample, context)
        classes = classes_at(scene, TruthReader(truth), counter.sample, context)
        _count_table(counter, scene, label, counter.sample[valid], values[valid], classes[valid])


def _count_table(
    counter: _Counter, scene: Scene, label: Label, positions: Ints, values: Array, known: Ints
) -> None:
    if len(positions):
        pixels = Dataset(title=scene.name, features=values, columns=scene.band_names)
        codes = counter.table.codes(labels_of(label(pixels))).astype(np.int64)
        counter.count(positions, codes, known)


def _is_in(positions: Ints, among: Ints) -> Array:
    """Whether each position is one of the sorted `among`."""
    if not len(among):
        return np.zeros(len(positions), dtype=np.bool_)
    at = np.minimum(np.searchsorted(among, positions), len(among) - 1)
    return np.asarray(among[at] == positions)

"""A map compared with a mask: the error matrix, and accuracies with intervals."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isnan
from pathlib import Path

import numpy as np

from coterie.core.formats.rasters.maps import MapGrid, ReadRows
from coterie.core.formats.rasters.truth import Truth, TruthReader
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Ints
from coterie.core.numerics.partitions.accuracy import Accuracy, accuracy_of, matched, merged_rows

ROWS = 256
_ENDS = ("", "_low_95", "_high_95")

# Gives the classes of these rows on the map and those that are known, −1 for none.
ReadBoth = Callable[[int, int], tuple[Ints, Ints]]


@dataclass(frozen=True, eq=False)
class MapComparison:
    """Counts of a map against the truth, and which true class each class of the map stands for.

    Attributes
    ----------
    counts : (map classes, true classes) pixels
    mapped : (map classes,) pixels on the whole map
    into : (map classes,) true class that each stands for
    """

    names: tuple[str, ...]
    truths: tuple[str, ...]
    counts: Ints
    mapped: Ints
    into: tuple[int, ...]

    @property
    def accuracy(self) -> Accuracy:
        """The accuracies, area-weighted, with intervals."""
        k, into = len(self.truths), np.array(self.into, dtype=np.int64)
        areas = np.zeros(k)
        np.add.at(areas, into, self.mapped.astype(np.float64))
        return accuracy_of(merged_rows(self.counts, into, k), self.truths, areas)

    @property
    def shown(self) -> tuple[int, ...]:
        """The classes of the map that cover anything."""
        return tuple(np.flatnonzero(self.mapped).tolist())

    def in_words(self) -> list[str]:
        """Say what classes without a name in the truth stand for, and the main numbers."""
        said = [
            f"'{self.names[at]}' is compared with '{self.truths[self.into[at]]}'."
            for at in self.shown
            if self.names[at].casefold() != self.truths[self.into[at]].casefold()
        ]
        found = self.accuracy
        said.append(f"Overall accuracy {with_range(found.overall, found.overall_range, 2)}, ")
        said[-1] += f"kappa {found.kappa:.3f}."
        return said + left_out(found)


def compare(
    both: ReadBoth,
    height: int,
    names: tuple[str, ...],
    truths: tuple[str, ...],
    check: Callable[[], None] = lambda: None,
) -> MapComparison:
    """Count the pixels of a map by its classes and the true ones, strip by strip.

    A class of the map stands for the true class of the same name; one without such a name for the
    class that most of its pixels have.
    """
    shape = len(names), len(truths)
    counts, mapped = np.zeros(shape, dtype=np.int64), np.zeros(len(names), dtype=np.int64)
    for top in range(0, height, ROWS):
        check()
        made, known = both(top, min(top + ROWS, height))
        mapped += np.bincount(made[made >= 0], minlength=len(names))[: len(names)]
        pairs = (made >= 0) & (known >= 0)
        at = made[pairs] * len(truths) + known[pairs]
        counts += np.bincount(at, minlength=counts.size).reshape(shape)
    return MapComparison(
        names, truths, counts, mapped, tuple(matched(counts, names, truths).tolist())
    )


@contextmanager
def beside_truth(grid: MapGrid, read: ReadRows, truth: Truth) -> Iterator[ReadBoth]:
    """Read a map that is being written beside the mask of known classes."""
    with TruthReader(truth) as reader:

        def both(top: int, bottom: int) -> tuple[Ints, Ints]:
            codes = read(top, bottom).astype(np.int64)
            known = reader.read(Window(top, 0, bottom, grid.width))
            return np.where(codes < len(grid.names), codes, -1), known

        yield both


def with_range(value: float, limits: Sequence[float], decimals: int = 1) -> str:
    """Return a share with its interval; a dash when it is not known.

    >>> with_range(1.0, (0.94, 1.0))
    '100.0% (94.0–100.0)'
    """
    if isnan(value):
        return "–"
    low, high = (f"{100 * limit:.{decimals}f}" for limit in limits)
    return f"{100 * value:.{decimals}f}% ({low}–{high})"


def left_out(found: Accuracy) -> list[str]:
    """Say how much of a map nobody looked at, if any."""
    if not found.unseen:
        return []
    return [
        f"Classes without a place that was checked are left out: {found.unseen:.1%} of the map."
    ]


def write_accuracy(path: Path, found: Accuracy) -> None:
    """Write the error matrix and the accuracies of each class as CSV.

    A row for each class: how many of its pixels on the map are truly what, then user's and
    producer's accuracy and the share of the area, each with the limits of its 95% interval.
    """
    measures = [f"{name}{end}" for name in ("users", "producers", "area") for end in _ENDS]
    unions = found.intersection_over_union()
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["map", *(f"truly {name}" for name in found.names), *measures, "iou"])
        for i, name in enumerate(found.names):
            values = (
                *(found.users[i], *found.users_range[i]),
                *(found.producers[i], *found.producers_range[i]),
                *(found.areas[i], *found.areas_range[i]),
                unions[i],
            )
            shown = ["" if np.isnan(value) else f"{value:.6f}" for value in values]
            writer.writerow([name, *found.counts[i].tolist(), *shown])
        limits = zip(_ENDS, (found.overall, *found.overall_range), strict=True)
        for end, value in limits:
            writer.writerow([f"overall{end}", f"{value:.6f}"])
        writer.writerow(["kappa", f"{found.kappa:.6f}"])

"""A map compared with a mask: the error matrix, and accuracies with intervals."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np

from coterie.core.formats.rasters.error_maps import write_errors
from coterie.core.formats.rasters.maps import MapGrid, ReadRows
from coterie.core.formats.rasters.truth import Truth, TruthReader
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Ints
from coterie.core.numerics.partitions.accuracy import Accuracy, accuracy_of, matched, merged_rows

ROWS = 256


def judge_map(
    target: Path, grid: MapGrid, read: ReadRows, truth: Truth, check: Callable[[], None]
) -> tuple[list[str], Ints]:
    """Write `map.accuracy.csv` beside a map; return its main numbers in words, and the matching.

    A class of the map stands for the true class of the same name; one without such a name for the
    class that most of its pixels have, which is said.
    """
    counts, mapped = count_errors(grid, read, truth, check)
    into = matched(counts, grid.names, truth.names)
    k = len(truth.names)
    square = merged_rows(counts, into, k)
    areas = np.zeros(k)
    np.add.at(areas, into, mapped)
    found = accuracy_of(square, truth.names, areas)
    write_accuracy(target.with_suffix(".accuracy.csv"), found)
    said = [
        f"'{name}' stands for '{truth.names[j]}'."
        for name, j, pixels in zip(grid.names, into.tolist(), mapped.tolist(), strict=True)
        if pixels and name.casefold() != truth.names[j].casefold()
    ]
    overall, half = found.overall
    said.append(f"Overall accuracy {overall:.2%} ± {half:.2%}, kappa {found.kappa:.3f}.")
    return said, into


def write_map_errors(
    target: Path,
    grid: MapGrid,
    read: ReadRows,
    truth: Truth,
    into: Ints,
    of: int,
    check: Callable[[], None],
) -> list[str]:
    """Write where a map is wrong as a raster of its own; return what it says in words."""
    classes = len(grid.names)
    with TruthReader(truth) as reader:

        def both(top: int, bottom: int) -> tuple[Ints, Ints]:
            codes = read(top, bottom).astype(np.int64)
            known = reader.read(Window(top, 0, bottom, grid.width))
            return np.where(codes < classes, codes, -1), known

        return write_errors(target, grid, both, into.tolist(), truth.names, of, check)


def count_errors(
    grid: MapGrid, read: ReadRows, truth: Truth, check: Callable[[], None]
) -> tuple[Ints, Ints]:
    """Return pixels by map class and true class, and pixels of each map class on the whole map."""
    classes, truths = len(grid.names), len(truth.names)
    counts = np.zeros((classes, truths), dtype=np.int64)
    mapped = np.zeros(classes, dtype=np.int64)
    with TruthReader(truth) as reader:
        for top in range(0, grid.height, ROWS):
            check()
            bottom = min(top + ROWS, grid.height)
            codes = read(top, bottom).astype(np.int64)
            known = reader.read(Window(top, 0, bottom, grid.width))
            valid = codes < classes
            mapped += np.bincount(codes[valid], minlength=classes)
            both = valid & (known >= 0)
            pairs = codes[both] * truths + known[both]
            counts += np.bincount(pairs, minlength=classes * truths).reshape(classes, truths)
    return counts, mapped


def write_accuracy(path: Path, found: Accuracy) -> None:
    """Write the error matrix and the accuracies of each class as CSV.

    A row for each class: how many of its pixels on the map are truly what, then user's and
    producer's accuracy and the share of the area, each with half the width of its 95 % interval.
    """
    measures = ("users", "users_95", "producers", "producers_95", "area", "area_95", "iou")
    unions = found.intersection_over_union()
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["map", *(f"truly {name}" for name in found.names), *measures])
        for i, name in enumerate(found.names):
            values = (
                found.users[i],
                found.users_error[i],
                found.producers[i],
                found.producers_error[i],
                found.areas[i],
                found.areas_error[i],
                unions[i],
            )
            shown = ["" if np.isnan(value) else f"{value:.6f}" for value in values]
            writer.writerow([name, *found.counts[i].tolist(), *shown])
        overall, error = found.overall
        writer.writerow(["overall", f"{overall:.6f}"])
        writer.writerow(["overall_95", f"{error:.6f}"])
        writer.writerow(["kappa", f"{found.kappa:.6f}"])

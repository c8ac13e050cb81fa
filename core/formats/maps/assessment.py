"""Places at which a map is checked by eye: drawn by class, kept as a table, and judged."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.maps.accuracy_report import MapComparison
from coterie.core.formats.maps.map_file import MapFile
from coterie.core.formats.rasters.maps import ReadRows
from coterie.core.io.atomic_write import writing_place
from coterie.core.model.arrays import Ints

ROWS = 256
COLUMNS = ("point", "row", "column", "x", "y", "map", "reference")


@dataclass(frozen=True)
class Place:
    """A pixel that is looked at.

    Attributes
    ----------
    code : class on the map
    answer : what a person sees there; empty while nobody looked, or nobody can say
    """

    row: int
    column: int
    code: int
    answer: str = ""


def pixels_of(read: ReadRows, height: int, k: int, check: Callable[[], None]) -> Ints:
    """Return how many pixels each of k classes has; other numbers are no class."""
    counts = np.zeros(k, dtype=np.int64)
    for top in range(0, height, ROWS):
        check()
        codes = np.asarray(read(top, min(top + ROWS, height))).astype(np.int64)
        counts += np.bincount(codes[(codes >= 0) & (codes < k)], minlength=k)
    return counts


def drawn(
    read: ReadRows,
    height: int,
    pixels: Ints,
    wanted: Sequence[int] | Ints,
    rng: np.random.Generator,
    check: Callable[[], None] = lambda: None,
) -> list[Place]:
    """Return places at random, so many of each class, in a random order.

    Parameters
    ----------
    pixels : (k,) how many pixels each class has, as `pixels_of` counts them
    wanted : (k,) how many to draw; all of a class that has fewer

    The map is read once, in strips. In a random order the class cannot be guessed from the number,
    and the first so many are a sample too.
    """
    ranks = [
        np.sort(rng.choice(int(n), size=min(int(w), int(n)), replace=False))
        for n, w in zip(pixels, wanted, strict=True)
    ]
    seen = np.zeros(len(pixels), dtype=np.int64)
    found: list[Place] = []
    for top in range(0, height, ROWS):
        check()
        codes = np.asarray(read(top, min(top + ROWS, height)))
        for code, chosen in enumerate(ranks):
            flat = np.flatnonzero(codes.reshape(-1) == code)
            low, high = np.searchsorted(chosen, (seen[code], seen[code] + len(flat)))
            for at in flat[chosen[low:high] - seen[code]].tolist():
                row, column = divmod(at, codes.shape[1])
                found.append(Place(row + top, column, code))
            seen[code] += len(flat)
    return [found[at] for at in rng.permutation(len(found)).tolist()]


def judged(places: Sequence[Place], names: Sequence[str], pixels: Ints) -> MapComparison:
    """Return the map against the answers; places without one are left out.

    An answer that is the name of no class of the map is a class of its own, which the map lacks.
    """
    known = {name.casefold(): name for name in reversed(names)}
    given = dict.fromkeys(known.get(place.answer.casefold(), place.answer) for place in places)
    truths = (*names, *(name for name in given if name and name not in names))
    counts = np.zeros((len(truths), len(truths)), dtype=np.int64)
    for place in places:
        if place.answer:
            answer = known.get(place.answer.casefold(), place.answer)
            counts[place.code, truths.index(answer)] += 1
    mapped = np.zeros(len(truths), dtype=np.int64)
    mapped[: len(names)] = pixels
    return MapComparison(truths, truths, counts, mapped, tuple(range(len(truths))))


def write_places(
    path: Path, places: Sequence[Place], names: Sequence[str], transform: Sequence[float]
) -> None:
    """Write places as CSV; the column for what a person sees there is empty without an answer."""
    a, b, c, d, e, f = transform
    beside = writing_place(path)
    try:
        with beside.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(COLUMNS)
            for number, one in enumerate(places, 1):
                across, down = one.column + 0.5, one.row + 0.5
                x, y = a * across + b * down + c, d * across + e * down + f
                where = (one.row + 1, one.column + 1, f"{x:.10g}", f"{y:.10g}")
                writer.writerow((number, *where, names[one.code], one.answer))
        beside.replace(path)
    except OSError as error:
        raise DataError(
            f"'{path}' cannot be written: {error.strerror or error}. Choose another folder.",
            code="file-access",
        ) from None
    finally:
        beside.unlink(missing_ok=True)


def read_places(path: Path, made: MapFile) -> list[Place]:
    """Read places with answers; the class on the map is looked up in the map."""
    grid = made.grid
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            text = stream.read(1 << 24)
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"'{path.name}' cannot be read: {error!s:.80}.", code="file-access"
        ) from None
    lines = text.splitlines()
    semicolons = bool(lines) and lines[0].count(";") > lines[0].count(",")
    table = csv.DictReader(lines, delimiter=";" if semicolons else ",")
    if not {"row", "column", "reference"} <= set(table.fieldnames or ()):
        raise DataError(
            f"'{path.name}' has no columns row, column and reference. Use the table that "
            "'coterie assess' drew.",
            code="wrong-format",
        )
    found: list[Place] = []
    for number, line in enumerate(table, 2):
        try:
            row, column = int(line["row"]) - 1, int(line["column"]) - 1
        except (TypeError, ValueError):
            raise DataError(
                f"Line {number} of '{path.name}' has no row and column. Got "
                f"'{line['row']!s:.20}' and '{line['column']!s:.20}'.",
                code="wrong-format",
            ) from None
        if not (0 <= row < grid.height and 0 <= column < grid.width):
            raise DataError(
                f"Line {number} of '{path.name}' is outside the map of {grid.height:,} × "
                f"{grid.width:,} pixels: row {row + 1}, column {column + 1}.",
                code="grid-mismatch",
            )
        found.append(Place(row, column, -1, " ".join(str(line["reference"] or "").split())))
    return _looked_up(found, made)


def _looked_up(places: list[Place], made: MapFile) -> list[Place]:
    """The places with their classes on the map; those without any are left out."""
    codes: dict[int, int] = {}
    order = sorted(range(len(places)), key=lambda at: places[at].row)
    at = 0
    for top in range(0, made.grid.height, ROWS):
        bottom = min(top + ROWS, made.grid.height)
        if at == len(order) or places[order[at]].row >= bottom:
            continue
        rows = made.read(top, bottom)
        while at < len(order) and places[order[at]].row < bottom:
            one = places[order[at]]
            codes[order[at]] = int(rows[one.row - top, one.column])
            at += 1
    k = len(made.grid.names)
    return [replace(one, code=codes[i]) for i, one in enumerate(places) if codes[i] < k]

"""Where a map is wrong: each pixel right, missed or false, as numbers and as a raster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.rasters.maps import MapGrid, ReadRows, write_map_at
from coterie.core.model.arrays import Array, Ints

RIGHT, MISSED, FALSE, WRONG = range(4)
ERROR_NAMES = ("right", "missed", "false", "wrong class")
ERROR_COLOURS = ("#2c7fb8", "#e6550d", "#c51b8a", "#d7301f")
NEITHER = "#f0f0f0"  # neither on the map nor in truth of the class that is looked at
UNKNOWN = 255

# Gives the classes of the map and the true ones in some rows, −1 where there is none.
ReadBoth = Callable[[int, int], tuple[Ints, Ints]]


def compared(made: Ints, known: Ints, into: Sequence[int], of: int = -1) -> Ints:
    """Return what a map makes of each pixel: right or wrong, or right, missed, false of one class.

    Parameters
    ----------
    made : class on the map, −1 for none
    known : true class, −1 for none
    into : the true class that each class of the map stands for
    of : the true class that is looked at, −1 for all of them

    >>> compared(np.array([0, 1, 1, -1]), np.array([0, 0, 1, 1]), (0, 1)).tolist()
    [0, 3, 0, -1]
    >>> compared(np.array([0, 1, 1, 1]), np.array([0, 0, 1, 2]), (0, 1), of=1).tolist()
    [-1, 2, 0, 2]
    """
    table = np.array([*into, -1], dtype=np.int64)
    said = table[made]
    both = (made >= 0) & (known >= 0)
    if of < 0:
        return np.where(both, np.where(said == known, RIGHT, WRONG), -1)
    found, true = said == of, known == of
    verdict = np.where(found & true, RIGHT, np.where(true, MISSED, np.where(found, FALSE, -1)))
    return np.where(both, verdict, -1)


def class_called(name: str, truths: Sequence[str]) -> int:
    """Return the number of a true class by its name, −1 for an empty one."""
    if not name.strip():
        return -1
    known = [truth.casefold() for truth in truths]
    if name.strip().casefold() not in known:
        raise DataError(
            f"There is no known class '{name}'. There are: {', '.join(truths):.200}.",
            code="unknown-class",
        )
    return known.index(name.strip().casefold())


def write_errors(
    target: Path,
    grid: MapGrid,
    read: ReadBoth,
    into: Sequence[int],
    truths: Sequence[str],
    of: int,
    check: Callable[[], None],
    write: Callable[[Path, MapGrid, ReadRows, Callable[[], None]], Ints] = write_map_at,
) -> list[str]:
    """Write where a map is wrong as a GeoTIFF with colours and names; return what it says.

    Parameters
    ----------
    grid : of the map; its size and place are taken
    of : the true class that is looked at: right, missed, false, or neither on the map nor in
        truth; −1 for all classes: right or wrong. Pixels without a known class are
        no data
    write : does what `write_map_at` does, perhaps in another process
    """
    names, colours = _legend(truths, of)
    errors = replace(grid, names=names, colours=colours, nodata=UNKNOWN, dtype=np.dtype(np.uint8))

    def rows(top: int, bottom: int) -> Array:
        made, known = read(top, bottom)
        found = compared(made, known, into, of)
        both = (made >= 0) & (known >= 0)
        if of < 0:
            found = np.where(found == WRONG, 1, found)
        else:
            found = np.where(both & (found < 0), len(names) - 1, found)
        return np.where(both, found, UNKNOWN).astype(np.uint8)

    counts = write(target, errors, rows, check).sum(axis=0)
    total = max(int(counts.sum()), 1)
    shown = zip(names, counts.tolist(), strict=True)
    return [f"{name}: {count:,} pixels, {count / total:.2%}." for name, count in shown]


def _legend(truths: Sequence[str], of: int) -> tuple[tuple[str, ...], Array]:
    if of < 0:
        return ("right", "wrong"), _bytes((ERROR_COLOURS[RIGHT], ERROR_COLOURS[WRONG]))
    name = truths[of]
    words = (f"{name}, right", f"{name}, missed", f"{name}, false", f"not {name}, right")
    return words, _bytes((*ERROR_COLOURS[:3], NEITHER))


def _bytes(colours: Sequence[str]) -> Array:
    return np.array([list(bytes.fromhex(colour[1:])) for colour in colours], dtype=np.uint8)

"""Which tiles a view needs, and a bounded store of those that were drawn."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from coterie.core.formats.rasters.overviews import OverviewLevel
from coterie.core.formats.rasters.windows import Window
from coterie.gui.views.map.base_layer import TILE

T = TypeVar("T")
MOST_TILES = 256  # of a layer; each takes 256 KB


@dataclass(frozen=True)
class Address:
    """A tile: its level, and its row and column among the tiles of that level."""

    level: int
    row: int
    column: int

    def window(self, level: OverviewLevel) -> Window:
        """Return it in pixels of its level."""
        top, left = self.row * TILE, self.column * TILE
        return Window(top, left, min(top + TILE, level.height), min(left + TILE, level.width))

    def ground(self, level: OverviewLevel, height: int, width: int) -> Window:
        """Return it in pixels of the ground."""
        return level.in_scene(self.window(level), height, width)


def visible(level: OverviewLevel, box: tuple[float, float, float, float]) -> list[Address]:
    """Return the tiles of a level that touch a box, those in the middle first.

    Parameters
    ----------
    box : left, top, right, bottom in pixels of the ground

    >>> visible(OverviewLevel(0, 300, 300), (0, 0, 10, 300))
    [Address(level=0, row=0, column=0), Address(level=0, row=1, column=0)]
    """
    side = TILE * 2**level.number
    left, top, right, bottom = box
    rows = range(max(0, int(top // side)), min(_count(level.height), int(bottom // side) + 1))
    columns = range(max(0, int(left // side)), min(_count(level.width), int(right // side) + 1))
    middle = (top + bottom) / 2 / side - 0.5, (left + right) / 2 / side - 0.5

    def distance(at: Address) -> float:
        return float((at.row - middle[0]) ** 2 + (at.column - middle[1]) ** 2)

    return sorted((Address(level.number, r, c) for r in rows for c in columns), key=distance)


def _count(pixels: int) -> int:
    return -(-pixels // TILE)


class TileStore(Generic[T]):
    """Drawn tiles of one layer, the least recently used dropped when there are too many.

    A tile knows the look it was drawn in. One of an old look is still worth showing until it is
    redrawn.
    """

    def __init__(self, most: int = MOST_TILES) -> None:
        self._most = most
        self._tiles: OrderedDict[Address, tuple[Hashable, T]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tiles)

    def put(self, address: Address, look: Hashable, tile: T) -> None:
        """Keep a tile."""
        self._tiles[address] = (look, tile)
        self._tiles.move_to_end(address)
        while len(self._tiles) > self._most:
            self._tiles.popitem(last=False)

    def missing(self, wanted: Iterable[Address], look: Hashable) -> list[Address]:
        """Return those that are not there in this look; the others count as used."""
        absent = []
        for address in wanted:
            found = self._tiles.get(address)
            if found is None or found[0] != look:
                absent.append(address)
            if found is not None:
                self._tiles.move_to_end(address)
        return absent

    def shown(self, wanted: Iterable[Address]) -> list[tuple[Address, T]]:
        """Return what to draw for the wanted tiles, coarse ones first where some are missing."""
        wanted = list(wanted)
        there = [(address, self._tiles[address][1]) for address in wanted if address in self._tiles]
        if len(there) == len(wanted):
            return there
        every = sorted(self._tiles, key=lambda address: -address.level)
        return [(address, self._tiles[address][1]) for address in every]

    def outdate(self, level_sides: dict[int, int], window: Window) -> None:
        """Have the tiles that touch a window of the ground drawn again.

        Parameters
        ----------
        level_sides : for each level the side of a tile in pixels of the ground
        """
        for address, (_, tile) in list(self._tiles.items()):
            side = level_sides.get(address.level, TILE * 2**address.level)
            top, left = address.row * side, address.column * side
            if (
                top < window.bottom
                and top + side > window.top
                and left < window.right
                and left + side > window.left
            ):
                self._tiles[address] = (None, tile)

    def clear(self) -> None:
        """Forget all."""
        self._tiles.clear()

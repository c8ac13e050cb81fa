"""Named polygons, and their form in well-known binary (OGC 06-103), as databases keep them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats

POLYGON, MULTIPOLYGON = 3, 6
MOST_CORNERS = 100_000  # of all polygons of a file together
# What an extension of the form (EWKB) sets on the type: Z, M, and a reference system before it.
_Z, _M, _SRID = 0x80000000, 0x40000000, 0x20000000


@dataclass(frozen=True, eq=False)
class Polygon:
    """A polygon: its outer ring, then its holes; each (m, 2), the last corner not the first."""

    name: str
    rings: tuple[Floats, ...]


def polygon_to_wkb(polygon: Polygon) -> bytes:
    """Return a polygon in well-known binary; every ring ends where it begins.

    >>> square = Polygon("a", (np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),))
    >>> len(polygon_to_wkb(square)) == 1 + 4 + 4 + 4 + 4 * 16
    True
    """
    parts = [struct.pack("<BII", 1, POLYGON, len(polygon.rings))]
    for ring in polygon.rings:
        closed = np.vstack([ring, ring[:1]]).astype("<f8")
        parts += [struct.pack("<I", len(closed)), closed.tobytes()]
    return b"".join(parts)


def polygons_of_wkb(data: bytes, name: str) -> list[Polygon]:
    """Return the polygons of a polygon or multipolygon, its heights left out.

    >>> square = Polygon("a", (np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),))
    >>> polygons_of_wkb(polygon_to_wkb(square), "a")[0].rings[0].tolist()
    [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
    """
    try:
        return _Wkb(data, name).geometry()
    except (struct.error, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"The shape of '{name:.60}' is damaged: it is incomplete.", code="file-damaged"
        ) from None


class _Wkb:
    """Reads well-known binary from the start; every length is checked against what is left."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data, self._name, self._at = data, name, 0

    def geometry(self) -> list[Polygon]:
        kind, order, width = self._head()
        if kind == POLYGON:
            return self._polygon(order, width)
        if kind != MULTIPOLYGON:
            raise DataError(
                f"'{self._name:.60}' is not a polygon (it has type {kind}). Leave it out.",
                code="invalid-region",
            )
        found: list[Polygon] = []
        for _ in range(self._count(order, 9)):  # a polygon has at least its head and a count
            inner, order_of_it, width_of_it = self._head()
            if inner != POLYGON:
                raise DataError(
                    f"'{self._name:.60}' holds something other than polygons. Leave it out.",
                    code="invalid-region",
                )
            found += self._polygon(order_of_it, width_of_it)
        return found

    def _head(self) -> tuple[int, str, int]:
        order = {0: ">", 1: "<"}.get(self._number("<B"))
        if order is None:
            raise DataError(
                f"The shape of '{self._name:.60}' is damaged. Export it again.", code="file-damaged"
            )
        code = self._number(f"{order}I")
        width = 2 + bool(code & _Z) + bool(code & _M)
        if code & _SRID:
            self._number(f"{order}I")
        code &= 0x0FFFFFFF
        width += {0: 0, 1: 1, 2: 1, 3: 2}.get(code // 1000, 0)
        return code % 1000, order, width

    def _polygon(self, order: str, width: int) -> list[Polygon]:
        rings = []
        for _ in range(self._count(order, 4)):
            corners = self._count(order, 8 * width)
            size = 8 * width * corners
            raw = np.frombuffer(self._data, f"{order}f8", corners * width, self._at)
            self._at += size
            rings.append(_ring(raw.reshape(corners, width)[:, :2], self._name))
        # An empty polygon has no rings, and is skipped.
        return [Polygon(self._name, tuple(rings))] if rings else []

    def _count(self, order: str, each: int) -> int:
        """How many follow; no more than there is room for, as the number may be forged."""
        count = self._number(f"{order}I")
        if count * each > len(self._data) - self._at:
            raise ValueError("more is promised than there is")
        return count

    def _number(self, form: str) -> int:
        (number,) = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return int(number)


def _ring(corners: Floats, name: str) -> Floats:
    ring = np.asarray(corners, dtype=np.float64)
    if len(ring) > 3 and np.array_equal(ring[0], ring[-1]):
        ring = ring[:-1]
    if len(ring) < 3 or not np.isfinite(ring).all():
        raise DataError(f"Region '{name:.60}' has fewer than three corners.", code="invalid-region")
    return ring


def require_few_corners(polygons: Sequence[Polygon]) -> None:
    """Raise when polygons are finer than regions drawn by people are."""
    if sum(len(ring) for polygon in polygons for ring in polygon.rings) > MOST_CORNERS:
        raise DataError(
            f"The regions have more than {MOST_CORNERS:,} corners. Simplify them.",
            code="file-too-large",
        )

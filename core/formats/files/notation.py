"""How numbers are written in a text: the decimal mark, digit groups, what stands for none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from coterie.core.formats.files.tabular import MISSING
from coterie.core.model.arrays import Floats

THOUSANDS = {"none": "", ",": ",", ".": ".", "space": " ", "'": "'"}
# Decimal mark and digit groups, the likelier first: of those that read as many cells, it is taken.
NOTATIONS = (
    *((".", ""), (",", "")),
    *((".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (",", "'")),
)


@dataclass(frozen=True)
class Notation:
    """How numbers are written, and what stands for one that is not known."""

    decimal: str = "."
    thousands: str = ""
    missing: frozenset[str] = frozenset(MISSING)

    def is_missing(self, cell: str) -> bool:
        """Return whether a cell says that its value is not known."""
        return cell.lower() in self.missing

    def number(self, cell: str) -> float | None:
        """Return the number a cell holds, or None. A programmer's 1_000 is not a number here.

        >>> Notation(decimal=",", thousands=".").number("1.234,5")
        1234.5
        """
        if self.thousands and self.thousands in cell.replace("\xa0", " "):
            cell = cell.replace("\xa0", " ")
            if not self._grouped.fullmatch(cell):
                return None
            cell = cell.replace(self.thousands, "")
        if self.decimal == ",":
            if "." in cell:
                return None
            cell = cell.replace(",", ".")
        if "_" in cell:
            return None
        try:
            return float(cell)
        except ValueError:
            return None

    @cached_property
    def _grouped(self) -> re.Pattern[str]:
        mark = re.escape(self.thousands)
        return re.compile(rf"[+-]?\d{{1,3}}({mark}\d{{3}})+({re.escape(self.decimal)}\d*)?")

    def count(self, rows: Iterable[Iterable[str]]) -> int:
        """Return how many cells are numbers."""
        return sum(
            self.number(cell) is not None
            for cells in rows
            for cell in cells
            if not self.is_missing(cell)
        )

    def numbers(self, cells: Sequence[str]) -> tuple[Floats, int]:
        """Return the numbers of the cells, NaN if missing, and where the first non-number is."""
        values = np.full(len(cells), np.nan)
        for i, cell in enumerate(cells):
            if not self.is_missing(cell):
                number = self.number(cell)
                if number is None:
                    return values, i
                values[i] = number
        return values, -1

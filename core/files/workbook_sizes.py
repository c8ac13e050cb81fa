"""Whether a spreadsheet holds what it would take memory for, found out before it is read.

A workbook is an archive of texts. A few kilobytes of it may unfold to gigabytes, and two cells in
opposite corners of a sheet stand for seventeen thousand million in between, all of which the
library that reads it makes room for.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from coterie.core.errors import DataError

MOST_UNFOLDED = 2 << 30  # bytes of all texts: far beyond a full sheet of numbers
# Cells of one sheet, and how many of them may be empty for each that is filled.
MOST_CELLS, MOST_EMPTY = 1 << 24, 20
_BLOCK = 1 << 20
_OVERLAP = 64  # no place of a cell is longer
# Where a cell or a row is: r="XFD1048576". Far ones only, as there are millions of near ones.
_FAR_COLUMN = re.compile(rb"""\br\s*=\s*["']([A-Z]{2,3})\d""")
_FAR_ROW = re.compile(rb"""\br\s*=\s*["'][A-Z]*(\d{5,7})["']""")
_CELL = (b"<c ", b"<c>")
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)


@dataclass
class _Extent:
    """How far a sheet reaches, and how many cells of it are there."""

    rows: int = 9_999  # nearer ones are not looked at
    columns: int = 26
    cells: int = 0

    def take(self, block: bytes) -> None:
        """Take in what a piece of the sheet names."""
        self.cells += sum(block.count(mark) for mark in _CELL)
        self.columns = max(self.columns, *map(_number, set(_FAR_COLUMN.findall(block))), 0)
        self.rows = max(self.rows, *map(int, set(_FAR_ROW.findall(block))), 0)


def require_modest(path: Path, check: Callable[[], None] = lambda: None) -> None:
    """Raise a clear error when a workbook would unfold to far more than it holds.

    What is no archive, or a damaged one, is left to whoever reads it.

    Parameters
    ----------
    check : called now and then; raises when the person cancelled
    """
    unfolded = 0
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                extent = _Extent() if _SHEET.fullmatch(member.filename) else None
                before = b""
                with archive.open(member) as stream:
                    while block := stream.read(_BLOCK):
                        check()
                        unfolded += len(block)
                        if unfolded > MOST_UNFOLDED:
                            raise DataError(_too_large(path))
                        if extent is not None:
                            extent.take(before + block)
                            before = block[-_OVERLAP:]
                if extent is not None:
                    _require_filled(path, member.filename, extent)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError):
        return
    except RuntimeError:  # it has a password
        return


def _require_filled(path: Path, sheet: str, extent: _Extent) -> None:
    room = extent.rows * extent.columns
    if room > MOST_CELLS and room > MOST_EMPTY * extent.cells:
        raise DataError(
            f"A sheet of '{path.name}' ({sheet.rpartition('/')[2]:.40}) reaches to row "
            f"{extent.rows:,}, column {extent.columns:,}, with {extent.cells:,} cells in it. "
            "Delete the cells far out, or export the table as CSV."
        )


def _number(letters: bytes) -> int:
    """The number of a column: A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number


def _too_large(path: Path) -> str:
    return (
        f"'{path.name}' unfolds to more than {MOST_UNFOLDED >> 30} GiB of text. Export the table "
        "as CSV."
    )

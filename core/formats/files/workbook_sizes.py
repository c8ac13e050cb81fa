"""Whether a spreadsheet holds what it would take memory for, found out before it is read.

A workbook is an archive of texts. A few kilobytes of it may unfold to gigabytes, and two cells in
opposite corners of a sheet stand for seventeen thousand million in between, all of which the
library that reads it makes room for; so does one cell of OpenDocument that is said to be repeated.
A limit on the memory of the process is not enough: where an allocation fails, that library aborts,
and the engine, or the script that reads the file, ends with it.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from coterie.core.errors import CoterieError, DataError
from coterie.core.wording import counted, size_in_words

MOST_UNPACKED = 2 << 30  # bytes of all texts: far beyond a full sheet of numbers
# Cells of one sheet, and how many of them may be empty for each that is filled.
MOST_CELLS, MOST_EMPTY = 1 << 24, 20
_BLOCK = 1 << 20
_OVERLAP = 256  # no place of a cell is longer
# Where a cell or a row is: r="XFD1048576". Far ones only, as there are millions of near ones: no
# sheet of 16 columns or of 1,023 rows has too many cells.
_NEAR_ROWS, _NEAR_COLUMNS = 1_023, 16
_FAR_COLUMN = re.compile(rb"""r(?<!\wr)\s*+=\s*+["']([Q-Zq-z]|[A-Za-z]{2,7})\d""")
_FAR_ROW = re.compile(rb"""r(?<!\wr)\s*+=\s*+["'][A-Za-z]*+0*+(\d{4,10})["']""")
_SHEET = re.compile(rb"<(?:[\w.-]++:)?+sheetData[\s/>]")
_MARK = re.compile(rb"<(?:[\w.-]++:)?+(c|row)(?=[\s/>])")
_ROW_END = re.compile(rb"</(?:[\w.-]++:)?+row\s*+>")
_OPEN_DOCUMENT = "content.xml"
_TABLE, _ROW = "table:table", "table:table-row"
_CELLS = ("table:table-cell", "table:covered-table-cell")
_OF_NUMBERS = {"office:value", "office:value-type"}
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, expat.ExpatError)

Check = Callable[[], None]


@dataclass
class _Extent:
    """How far a sheet reaches, how many cells are written down, and how many made on the way."""

    rows: int = 0
    columns: int = 0
    cells: int = 0
    made: int = 0

    def require_filled(self, path: Path, part: str) -> None:
        """Raise a clear error when next to none of the cells in its reach is there."""
        room = self.rows * self.columns
        reach = f"reaches to row {self.rows:,}, column {self.columns:,}"
        if self.made > room:
            room, reach = self.made, f"repeats empty cells {self.made:,} times"
        if room > MOST_CELLS and room > MOST_EMPTY * self.cells:
            raise DataError(
                f"A sheet of '{path.name}' ({part.rpartition('/')[2]:.40}) {reach}, with "
                f"{counted(self.cells, 'cell')} in it. "
                "Delete the outlying cells, or export the table as CSV.",
                code="file-too-large",
            )


@dataclass
class _Part:
    """A text of an Excel workbook, which may be a sheet, whatever it is called."""

    extent: _Extent = field(default_factory=lambda: _Extent(_NEAR_ROWS, _NEAR_COLUMNS))
    unfolded: int = 0
    _is_sheet: bool = False
    _before: bytes = b""
    _begun: int = 0
    _ended: int = 0
    _in_row: int = 0

    def take(self, block: bytes) -> None:
        """Take in what a piece of the text names."""
        self.unfolded += len(block)
        near = self._before + block
        self._is_sheet = self._is_sheet or (b"sheetData" in near and bool(_SHEET.search(near)))
        if self._is_sheet:
            self._count(block)
            extent = self.extent
            columns = map(_number, set(_FAR_COLUMN.findall(near)))
            extent.columns = max(extent.columns, *columns, 0)
            rows = map(int, set(_FAR_ROW.findall(near)))
            extent.rows = max(extent.rows, self._begun, self._ended, *rows)
        written = near.rstrip()  # there may be any number of blanks within r = "A1"
        self._before = written[-_OVERLAP:] + near[len(written) : len(written) + 1]

    def close(self) -> list[_Extent]:
        """Return how far its sheets reach."""
        return [self.extent] if self._is_sheet else []

    def _count(self, block: bytes) -> None:
        """Count cells and rows; those that name no place stand beside the one before."""
        first, *others = b"".join(_MARK.findall(block)).split(b"row")
        in_rows = [self._in_row + len(first), *map(len, others)]
        self._in_row = in_rows[-1]
        self._begun += len(others)
        self._ended += len(_ROW_END.findall(block))
        self.extent.cells += len(first) + sum(map(len, others))
        self.extent.columns = max(self.extent.columns, *in_rows, 0)


class _OpenDocument:
    """The text of an OpenDocument workbook, with all its sheets."""

    def __init__(self) -> None:
        self.unfolded = 0
        self._extents = [_Extent()]
        self._tables = self._cells = 0  # that were begun and have not ended
        self._rows = self._row_repeats = self._cell_repeats = 0
        self._columns = self._reach = self._width = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text

    def take(self, block: bytes) -> None:
        """Take in what a piece of the text names."""
        self.unfolded += len(block)
        self._parser.Parse(block, False)

    def close(self) -> list[_Extent]:
        """Return how far its sheets reach."""
        self._parser.Parse(b"", True)
        return self._extents

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._cells and name in (_TABLE, _ROW, *_CELLS):
            raise expat.ExpatError("a cell holds another table")
        if name == _TABLE:
            self._tables += 1
            if self._tables == 1:
                self._extents.append(_Extent())
                self._rows = 0
        elif name == _ROW:
            self._row_repeats = _repeats(attributes, "table:number-rows-repeated")
            self._columns = self._reach = self._width = 0
        elif name in _CELLS:
            self._cells += 1
            self._cell(attributes)
        elif name == "text:s":
            self._long(_repeats(attributes, "text:c"))

    def _cell(self, attributes: dict[str, str]) -> None:
        """Empty cells take room when any other follows in their row."""
        self._extents[-1].cells += 1
        self._width = self._columns
        self._cell_repeats = _repeats(attributes, "table:number-columns-repeated")
        self._columns += self._cell_repeats
        held = {k for k in attributes if k.startswith("office:") or k == "table:formula"}
        if held:
            self._reach = self._width = self._columns
            self._long(sum(len(attributes[name]) for name in held - _OF_NUMBERS))

    def _end(self, name: str) -> None:
        extent = self._extents[-1]
        if name == _TABLE:
            self._tables -= 1
        elif name == _ROW:
            self._rows += self._row_repeats
            self._row_repeats = 0
            extent.made += self._width
            extent.columns = max(extent.columns, self._reach)
            if self._reach:
                extent.rows = self._rows
        elif name in _CELLS:
            self._cells -= 1
            self._cell_repeats = 0

    def _text(self, text: str) -> None:
        self._long(len(text))

    def _long(self, length: int) -> None:
        """Take in the length of a text, which is there as often as its cell."""
        self.unfolded += length * max(1, self._cell_repeats) * max(1, self._row_repeats)


def require_modest(path: Path, check: Check = lambda: None) -> None:
    """Raise a clear error when a workbook would unfold to far more than it holds.

    So does a damaged archive: of what we cannot look at, somebody else may read more. What is no
    archive is left to whoever reads it. Of .xlsb, which is binary, only the size is checked.

    Parameters
    ----------
    check : called now and then; raises when the person cancelled
    """
    # An old .xls may have an archive in it, which is not what is read.
    if path.suffix.lower() == ".xls" or not zipfile.is_zipfile(path):
        return
    unfolded = 0
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                unfolded += _look(path, archive, member, MOST_UNPACKED - unfolded, check)
    except CoterieError:
        raise
    except _DAMAGE as error:
        raise DataError(
            f"'{path.name}' cannot be read as a spreadsheet ({error!s:.120}). "
            "Save it again as .xlsx, or export it as CSV.",
            code="file-damaged",
        ) from None


def _look(
    path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int, check: Check
) -> int:
    """Return how many bytes a text of the archive unfolds to; raise when it is too much."""
    part = _OpenDocument() if member.filename == _OPEN_DOCUMENT else _Part()
    member.file_size = MOST_UNPACKED + _BLOCK  # what it says of itself would be believed
    with archive.open(member) as stream:
        while block := stream.read(_BLOCK):
            check()
            part.take(block)
            if part.unfolded > most:
                raise DataError(
                    f"'{path.name}' unpacks to more than {size_in_words(MOST_UNPACKED)} of text. "
                    "Export the table as CSV.",
                    code="file-too-large",
                )
    for extent in part.close():
        extent.require_filled(path, member.filename)
    return part.unfolded


def _repeats(attributes: dict[str, str], name: str) -> int:
    """How often something occurs; anything but a number is left to the reader."""
    try:
        return max(0, int(attributes.get(name, "1")))
    except ValueError:
        return 1


def _number(letters: bytes) -> int:
    """The number of a column: A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - ord("A") + 1
    return number

"""Cells of a sheet that hold a formula without a value, or an error in place of one.

Both look empty to the library that reads the values: a program that writes formulas without working
them out leaves no value, and 1/0 has none. The texts of the sheet show which they are.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers import expat

from coterie.core.wording import counted

_BLOCK = 1 << 20
_OPEN_DOCUMENT = "content.xml"
_TOLD = re.compile(rb"""<(?:\w+:)?f[\s/>]|[\s"']t\s*=\s*["']e["']|:formula\s*=|#[A-Z]+[/!?]""")
_CELLS = ("table:table-cell", "table:covered-table-cell")
_VALUES = ("office:value", "office:date-value", "office:time-value", "office:boolean-value")


@dataclass
class Unvalued:
    """How many cells have no value for one of two reasons, and the place of the first of each."""

    unsaved: int = 0
    first_unsaved: str = ""
    errors: int = 0
    first_error: str = ""
    error: str = ""

    def notes(self) -> list[str]:
        """Say in words what is taken as missing, and what to do."""
        said = []
        if self.unsaved:
            one = self.unsaved == 1
            said.append(
                f"{counted(self.unsaved, 'formula')} {'has' if one else 'have'} no value in the "
                f"file, the first in cell {self.first_unsaved}: taken as missing. Open the file in "
                "a spreadsheet program and save it again, which works them out."
            )
        if self.errors:
            one = self.errors == 1
            said.append(
                f"{counted(self.errors, 'cell')} {'holds' if one else 'hold'} an error, the first "
                f"is {self.error:.20} in cell {self.first_error}: taken as missing."
            )
        return said


def unvalued_cells(path: Path, sheet: str, check: Callable[[], None] = lambda: None) -> Unvalued:
    """Return what of a sheet only looks empty; nothing for files that are not texts in an archive.

    Costs a look for the mark of a formula, and where there is one, a pass over the sheet's text.
    """
    if not zipfile.is_zipfile(path):
        return Unvalued()
    try:
        with zipfile.ZipFile(path) as archive:
            if _OPEN_DOCUMENT in archive.namelist():
                return _pass(archive, _OPEN_DOCUMENT, _OpenCells(sheet), check)
            member = _member_of(archive, sheet)
            return _pass(archive, member, _ExcelCells(), check) if member else Unvalued()
    except (zipfile.BadZipFile, KeyError, OSError, expat.ExpatError):
        return Unvalued()  # whoever reads the values says what is damaged


def _pass(
    archive: zipfile.ZipFile, member: str, cells: _Cells, check: Callable[[], None]
) -> Unvalued:
    before = b""
    with archive.open(member) as stream:
        while block := stream.read(_BLOCK):
            check()
            if _TOLD.search(before[-64:] + block):
                break
            before = block
        else:
            return Unvalued()
    with archive.open(member) as stream:
        while block := stream.read(_BLOCK):
            check()
            cells.parser.Parse(block, False)
        cells.parser.Parse(b"", True)
    return cells.found


def _member_of(archive: zipfile.ZipFile, sheet: str) -> str:
    """The member that holds an Excel sheet; "" when there is none in the form of a text."""
    links: dict[str, str] = {}
    targets: dict[str, str] = {}

    def start(name: str, attributes: dict[str, str]) -> None:
        kind = name.rpartition(":")[2]
        if kind == "sheet":
            link = next((v for k, v in attributes.items() if k.endswith(":id")), "")
            links.setdefault(attributes.get("name", ""), link)
        elif kind == "Relationship":
            targets[attributes.get("Id", "")] = attributes.get("Target", "")

    for text in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"):
        parser = expat.ParserCreate()
        parser.StartElementHandler = start
        parser.Parse(archive.read(text), True)
    target = targets.get(links.get(sheet, ""), "")
    if not target.endswith(".xml"):
        return ""
    return target[1:] if target.startswith("/") else posixpath.normpath(f"xl/{target}")


class _Cells:
    """Takes in the elements of a sheet, and counts the cells that have no value."""

    def __init__(self) -> None:
        self.found = Unvalued()
        self.parser: Any = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.row = self.column = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        raise NotImplementedError

    def end(self, name: str) -> None:
        """An element ends."""
        raise NotImplementedError

    def unsaved(self, place: str, times: int = 1) -> None:
        """Count a formula without a value."""
        self.found.first_unsaved = self.found.first_unsaved or place
        self.found.unsaved += times

    def error(self, place: str, text: str, times: int = 1) -> None:
        """Count an error."""
        if not self.found.errors:
            self.found.first_error, self.found.error = place, text
        self.found.errors += times


class _ExcelCells(_Cells):
    """<c r="B2" t="e"><f>A2/0</f><v>#DIV/0!</v></c>"""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match name.rpartition(":")[2]:
            case "row":
                self.row = _number(attributes.get("r", ""), self.row + 1)
                self.column = 0
            case "c":
                self.column += 1
                self._place = attributes.get("r", "") or f"{letters(self.column)}{self.row}"
                self._kind = attributes.get("t", "")
                self._formula, self._value = False, ""
            case "f":
                self._formula = True
            case "v":
                self.parser.CharacterDataHandler = self._text

    def _text(self, text: str) -> None:
        self._value += text

    def end(self, name: str) -> None:
        match name.rpartition(":")[2]:
            case "v":
                self.parser.CharacterDataHandler = None
            case "c" if self._kind == "e" and self._value:
                self.error(self._place, self._value)
            # A formula may well give an empty text, which is then said to be one.
            case "c" if self._formula and not self._value and self._kind != "str":
                self.unsaved(self._place)


class _OpenCells(_Cells):
    """<table:table-cell table:formula="of:=1/0" calcext:value-type="error"> of one sheet."""

    def __init__(self, sheet: str) -> None:
        super().__init__()
        self._sheet = sheet
        self._inside = False
        self._cell: dict[str, str] | None = None
        self._words = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "table:table":
            self._inside = attributes.get("table:name", "") == self._sheet
            self.row = 0
        elif not self._inside:
            return
        elif name == "table:table-row":
            self.row += 1
            self._rows = _number(attributes.get("table:number-rows-repeated", ""), 1)
            self.column = 0
        elif name in _CELLS:
            self._cell, self._words = attributes, ""
            self.parser.CharacterDataHandler = self._text

    def _text(self, text: str) -> None:
        self._words += text

    def end(self, name: str) -> None:
        if not self._inside:
            return
        if name == "table:table-row":
            self.row += self._rows - 1
        elif name in _CELLS and self._cell is not None:
            self._close(self._cell)
            self._cell, self.parser.CharacterDataHandler = None, None

    def _close(self, cell: dict[str, str]) -> None:
        place = f"{letters(self.column + 1)}{self.row}"
        times = _number(cell.get("table:number-columns-repeated", ""), 1)
        self.column += times
        words = self._words.strip()
        if cell.get("calcext:value-type") == "error":
            self.error(place, words or "an error", times * self._rows)
        elif "table:formula" not in cell or any(value in cell for value in _VALUES):
            return
        elif words.startswith(("#", "Err:")):
            self.error(place, words, times * self._rows)
        elif not words and cell.get("office:value-type") != "string":
            self.unsaved(place, times * self._rows)


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise


def letters(column: int) -> str:
    """Return the letters of a column: those of 1 are A, of 27 AA.

    >>> letters(28)
    'AB'
    """
    found = ""
    while column > 0:
        column, place = divmod(column - 1, 26)
        found = chr(ord("A") + place) + found
    return found

"""Read a table as Weka writes them: ARFF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from coterie.core import Context, DataError, Dataset, Field, Reader
from coterie.core.formats.columns.cells import Cells, cells_of, coded
from coterie.core.formats.columns.choosing import ColumnParams
from coterie.core.formats.columns.typed_table import NUMBERS, ColumnChoices, typed_dataset
from coterie.core.formats.files.delimited import bounded
from coterie.core.formats.files.textfiles import find_encoding, open_text

CHECK_EVERY = 4096  # rows between two looks at the cancel button
NUMERIC = ("numeric", "real", "integer")
# A quoted text, in which a backslash keeps the next character, or what reaches to the next mark.
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|\S+)\s+(.+)", re.IGNORECASE)
# No blanks after the unquoted: a pattern that may give them to either side tries all ways to.
_CELL = re.compile(rf"\s*(?:({_QUOTED})\s*|([^,]*))(?:,|$)")
_SPARSE = re.compile(rf"\s*+(\d++)\s++(?:({_QUOTED})\s*+|([^,]++))(?:,|$)")
_LONGEST_NUMBER = 9  # digits of an attribute's number


@dataclass
class _Attribute:
    """A column: its name, its values when it is nominal, and its cells."""

    name: str
    kind: str
    values: dict[str, None] = field(default_factory=dict)  # in order, and quickly looked up
    cells: list[str | None] = field(default_factory=list)


class ARFF(Reader):
    """Weka's attribute-relation files, dense or sparse, one item per row.

    A nominal last attribute is taken as the known classes, as Weka does, and that is said. Other
    nominal attributes are categories, and features like numbers and dates; texts are kept as
    information.
    """

    id, title = "arff", "Weka table (ARFF)"
    version = "2"
    extensions = (".arff", ".arff.gz")

    class Params(ColumnParams):
        """How the file is written, and what its attributes are."""

        encoding: str = Field("auto", description="Character encoding, such as utf-8 or cp1252.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the file at `path`."""
        path = Path(path)
        encoding = params.encoding
        if encoding == "auto":
            encoding = find_encoding(path, check=context.check)
        with open_text(path, encoding) as stream:
            attributes = _read(path, stream, context)
        if not attributes[0].cells:
            raise DataError(
                f"'{path.name}' has no items after @data. Open another file.",
                code="empty-data",
            )
        cells = [_cells(attribute, params.features == NUMBERS) for attribute in attributes]
        choices, last = ColumnChoices.of(params), attributes[-1]
        chosen = {params.items, *params.leave_out, *params.roles}
        labelled = params.truth or "label" in params.roles.values()
        if not labelled and last.values and len(attributes) > 1 and last.name not in chosen:
            why = "The last attribute was taken as the known classes, as Weka does."
            cells[-1] = replace(cells[-1], role="label", why=why)
        return typed_dataset(path, cells, choices)


def _read(path: Path, stream: TextIO, context: Context) -> list[_Attribute]:
    attributes: list[_Attribute] = []
    lines = _lines(bounded(path, stream))
    for number, line in lines:
        word = line.split(None, 1)[0].lower()
        if word == "@attribute":
            attributes.append(_attribute(path, number, line))
        elif word == "@data":
            break
        elif word != "@relation":
            raise DataError(
                f"Line {number} of '{path.name}' begins with '{word:.40}', where @attribute or "
                "@data was expected. Is it an ARFF file?",
                code="malformed-line",
            )
    else:
        raise DataError(
            f"'{path.name}' has no @data, so it is not a complete ARFF file.", code="malformed-line"
        )
    if not attributes:
        raise DataError(
            f"'{path.name}' declares no @attribute, so there are no columns.", code="malformed-line"
        )
    for count, (number, line) in enumerate(lines):
        if count % CHECK_EVERY == 0:
            context.check()
        cells = _sparse(path, number, line, attributes) if line[0] == "{" else _dense(line)
        if len(cells) != len(attributes):
            raise DataError(
                f"Line {number} of '{path.name}' has {len(cells)} values for "
                f"{len(attributes)} attributes. Correct that line.",
                code="malformed-line",
            )
        for attribute, cell in zip(attributes, cells, strict=True):
            if cell and attribute.values and cell not in attribute.values:
                raise DataError(
                    f"Line {number} of '{path.name}' has '{cell:.40}', which is not a value of "
                    f"'{attribute.name}'.",
                    code="malformed-line",
                )
            attribute.cells.append(cell)
    return attributes


def _lines(stream: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    for number, line in enumerate(stream, 1):
        text = line.strip()
        if text and not text.startswith("%"):
            yield number, text


def _attribute(path: Path, number: int, line: str) -> _Attribute:
    found = _ATTRIBUTE.match(line)
    if found is None:
        raise DataError(
            f"Line {number} of '{path.name}' declares no attribute: '{line:.60}'.",
            code="malformed-line",
        )
    name, kind = _unquoted(found[1]), found[2].strip()
    if kind.startswith("{"):
        inside = kind.lstrip("{").rpartition("}")[0]
        return _Attribute(name, "nominal", dict.fromkeys(v for v in _dense(inside) if v))
    return _Attribute(name, kind.split()[0].lower())


def _dense(line: str) -> list[str | None]:
    """The values of a line; None for '?'."""
    cells: list[str | None] = []
    position = 0
    while position <= len(line):
        found = _CELL.match(line, position)
        if found is None:  # a quote within a value: take the rest as it is
            cells.append(line[position:].strip())
            break
        cells.append(_value(found[1], found[2]))
        if found.end() == len(line) and not found[0].endswith(","):
            break
        position = found.end()
    return cells


def _sparse(path: Path, number: int, line: str, attributes: list[_Attribute]) -> list[str | None]:
    """The values of a line {position value, …}; what is not named is zero, or the first value."""
    cells: list[str | None] = [next(iter(a.values), "0") for a in attributes]
    inside = line.strip("{} \t")
    begin = 0
    while begin < len(inside):
        found = _SPARSE.match(inside, begin)
        if found is None:
            raise DataError(
                f"Line {number} of '{path.name}' has '{inside[begin:].strip():.40}' where an "
                "attribute's number and its value were expected. Correct that line.",
                code="malformed-line",
            )
        if len(found[1]) > _LONGEST_NUMBER or int(found[1]) >= len(attributes):
            raise DataError(
                f"Line {number} of '{path.name}' names attribute {found[1]:.40}, "
                f"but the last one is {len(attributes) - 1}.",
                code="malformed-line",
            )
        cells[int(found[1])] = _value(found[2], found[3])
        begin = found.end()
    return cells


def _value(quoted: str | None, plain: str | None) -> str | None:
    """A cell as it is meant; None for '?'."""
    text = quoted if quoted is not None else (plain or "").strip()
    return None if text == "?" else _unquoted(text)


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _cells(attribute: _Attribute, plain: bool) -> Cells:
    """The cells of an attribute; `plain`: its values in the order of the alphabet, as in 0.1."""
    if attribute.kind in NUMERIC:
        return cells_of(attribute.name, attribute.cells)
    codes, words = coded(["" if cell is None else cell for cell in attribute.cells], ("",))
    cells = Cells(attribute.name, None, codes, words)
    if not attribute.values:
        return cells
    order = () if plain else tuple(attribute.values)
    return replace(cells, type="category", categories=order, why="The file lists its values.")

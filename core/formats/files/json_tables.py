"""Tables in JSON: one object per item, in whatever arrangement programs write them.

Read are an array of objects or of rows, an object of columns, one object per line (JSON Lines), the
arrangements of pandas' `to_json`, GeoJSON features, and an object that has such a table under one
of its names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from coterie.core.errors import DataError
from coterie.core.formats.columns.cells import Cells, cells_of, coded
from coterie.core.formats.files.delimited import bounded
from coterie.core.formats.files.tabular import unique_names
from coterie.core.formats.files.textfiles import find_encoding, open_text
from coterie.core.wording import counted, first_of

CHECK_EVERY = 4096  # items between two looks at the cancel button
LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
# An object parsed takes about ten times the bytes of its text.
PARSED = 10
DEEPEST = 4  # objects within objects that become columns of their own
MOST_COLUMNS = 100_000
_LONGEST_NUMBER = 300  # digits; a longer one has no place among floating point numbers
_EXACT = 1 << 53  # whole numbers beyond it lose digits as numbers

Check = Callable[[], None]
Record = Mapping[str, Any]


@dataclass(frozen=True)
class JsonTable:
    """The cells of each column by name, and what was decided about the file."""

    columns: Mapping[str, Sequence[Any]]
    notes: tuple[str, ...] = ()


def read_table(path: Path, *, memory: int, check: Check, most: int | None = None) -> JsonTable:
    """Return the table in a JSON file.

    Parameters
    ----------
    memory : bytes that may be used; a file that needs more is refused
    most : items after which a preview may end; only JSON Lines end there
    """
    encoding = find_encoding(path, check=check)
    if path.name.lower().endswith(LINES):
        return _of_records(path, _lines(path, encoding, most), check)
    with open_text(path, encoding) as stream:
        text = stream.read(memory // PARSED + 1)
    if len(text) > memory // PARSED:
        raise DataError(
            f"'{path.name}' would need about {len(text) * PARSED / 1e9:.0f} GB of memory or more. "
            "Write it with one object per line (.jsonl), or as Parquet or CSV.",
            code="out-of-memory",
        )
    check()
    if _has_lines(text):
        return _of_records(path, _lines(path, encoding, most), check)
    return _of_value(path, _parsed(text, f"'{path.name}'"), check)


def as_cells(table: JsonTable, missing: Sequence[str], check: Check) -> list[Cells]:
    """Return the columns; whole numbers with more digits than a number keeps stay texts."""
    found = []
    names = unique_names(table.columns)
    for name, values in zip(names, table.columns.values(), strict=True):
        check()
        if any(type(value) is int and abs(value) > _EXACT for value in values):
            texts = ("" if value is None else str(value) for value in values)
            found.append(Cells(name, None, *coded(texts, missing)))
        else:
            found.append(cells_of(name, values, missing))
    return found


def _has_lines(text: str) -> bool:
    """Whether each of the first lines is an object of its own, and there are several."""
    first, _, rest = text.lstrip().partition("\n")
    if not first.startswith("{") or not rest.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text, parse_int=_whole, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        raise DataError(
            f"{where} is not valid JSON: {error.msg} at {line}column {error.colno}. "
            "Correct it there, or export the file again.",
            code="malformed-line",
        ) from None
    except RecursionError:
        raise DataError(
            f"{where} has values nested too deeply to be a table. Choose a flatter file.",
            code="malformed-line",
        ) from None


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else float(digits)


def _lines(path: Path, encoding: str, most: int | None) -> Iterator[Record]:
    with open_text(path, encoding) as stream:
        count = 0
        for number, line in enumerate(bounded(path, stream), 1):
            if not line.strip():
                continue
            value = _parsed(line.rstrip(), f"Line {number} of '{path.name}'")
            if not isinstance(value, dict):
                raise DataError(
                    f"Line {number} of '{path.name}' is not an object, {{…}}. JSON Lines have one "
                    "object per line.",
                    code="malformed-line",
                )
            yield value
            count += 1
            if most is not None and count >= most:
                return


def _of_value(path: Path, value: Any, check: Check) -> JsonTable:
    """Find the table in what a whole file says."""
    if isinstance(value, list):
        return _of_list(path, value, check)
    if not isinstance(value, dict) or not value:
        raise _no_table(path)
    if value.get("type") == "FeatureCollection" and isinstance(value.get("features"), list):
        return _of_records(path, map(_feature, value["features"]), check)
    if isinstance(value.get("columns"), list) and _rows(value.get("data")):
        names = [str(name) for name in value["columns"]]
        return _of_rows(path, value["data"], names, check)
    parts = list(value.values())
    if _equally_long(parts) and not any(isinstance(part[0], dict) for part in parts):
        return JsonTable({name: _plain(part) for name, part in value.items()})
    if all(isinstance(part, dict) for part in parts):
        return _of_mappings(path, value, check)
    under = {name: part for name, part in value.items() if isinstance(part, list) and part}
    if under:
        name = max(under, key=lambda each: len(under[each]))
        found = _of_list(path, under[name], check)
        others = [f"'{other:.60}'" for other in under if other != name]
        left = f" Left out: {first_of(others)}." if others else ""
        return JsonTable(found.columns, (f"The items are those under '{name:.60}'.{left}",))
    raise _no_table(path)


def _of_list(path: Path, items: Sequence[Any], check: Check) -> JsonTable:
    if not items:
        raise DataError(
            f"'{path.name}' holds no items. Open a file with at least one.", code="empty-data"
        )
    if all(isinstance(item, dict) for item in items):
        return _of_records(path, items, check)
    if _rows(items):
        first = items[0]
        named = len(items) > 1 and all(isinstance(cell, str) for cell in first)
        width = max(map(len, items))
        names = [*map(str, first)] if named else [f"column {j + 1}" for j in range(width)]
        return _of_rows(path, items[1:] if named else items, names, check)
    if not any(isinstance(item, list | dict) for item in items):
        return JsonTable({"value": _plain(items)})
    raise _no_table(path)


def _equally_long(parts: Sequence[Any]) -> bool:
    lengths = {len(part) if isinstance(part, list) else 0 for part in parts}
    return len(lengths) == 1 and 0 not in lengths


def _rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, list) for row in value)


def _of_rows(path: Path, rows: Sequence[Any], names: Sequence[str], check: Check) -> JsonTable:
    unique = unique_names(names)
    wrong = next((i for i, row in enumerate(rows, 1) if len(row) > len(unique)), 0)
    if wrong:
        raise DataError(
            f"Row {wrong} of '{path.name}' has {counted(len(rows[wrong - 1]), 'value')} for "
            f"{counted(len(unique), 'column')}. Correct that row.",
            code="malformed-line",
        )
    return _of_records(path, (dict(zip(unique, row, strict=False)) for row in rows), check)


def _of_mappings(path: Path, value: Mapping[str, Any], check: Check) -> JsonTable:
    """An object of objects: columns by name, as pandas writes them, or items by name."""
    inner = list(dict.fromkeys(key for part in value.values() for key in part))
    if all(key.isdigit() for key in inner) or len(inner) > len(value):
        columns = {name: _plain([part.get(key) for key in inner]) for name, part in value.items()}
        if not all(key.isdigit() for key in inner):
            columns = {"name": inner, **columns}
        return JsonTable(columns)
    named = {} if all(key.isdigit() for key in value) else {"name": list(value)}
    found = _of_records(path, value.values(), check)
    return JsonTable({**named, **found.columns})


def _of_records(path: Path, records: Iterable[Any], check: Check) -> JsonTable:
    """One item per object; what an object leaves out is missing."""
    columns: dict[str, list[Any]] = {}
    count = 0
    for count, record in enumerate(records, 1):
        if count % CHECK_EVERY == 0:
            check()
        for name, value in _flat(record):
            cells = columns.get(name)
            if cells is None:
                if len(columns) == MOST_COLUMNS:
                    raise DataError(
                        f"'{path.name}' has more than {MOST_COLUMNS:,} different names of values. "
                        "It does not look like a table with one item per object.",
                        code="malformed-line",
                    )
                cells = columns[name] = []
            cells.extend([None] * (count - 1 - len(cells)))
            if len(cells) < count:
                cells.append(value)
    if not columns:
        raise DataError(
            f"'{path.name}' holds no items. Open a file with at least one.", code="empty-data"
        )
    for cells in columns.values():
        cells.extend([None] * (count - len(cells)))
    return JsonTable(columns)


def _flat(record: Record, above: str = "", depth: int = 1) -> Iterator[tuple[str, Any]]:
    """Yield the values of an object, those of objects in it under both names."""
    for key, value in record.items():
        name = f"{above}{key}"
        if isinstance(value, dict) and value and depth < DEEPEST:
            yield from _flat(value, f"{name}.", depth + 1)
        else:
            yield name, _cell(value)


def _plain(values: Iterable[Any]) -> list[Any]:
    return [_cell(value) for value in values]


def _cell(value: Any) -> Any:
    """A value as a cell; lists and objects as their text, infinite numbers as missing."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False) if value else None
    if isinstance(value, float) and not isfinite(value):
        return None
    return value


def _feature(feature: Any) -> Record:
    """A GeoJSON feature: its properties, and where it is when that is a point."""
    if not isinstance(feature, dict):
        return {}
    properties, geometry = feature.get("properties"), feature.get("geometry")
    found = dict(properties) if isinstance(properties, dict) else {}
    place = geometry.get("coordinates") if isinstance(geometry, dict) else None
    if isinstance(place, list) and not any(isinstance(value, list) for value in place):
        for name, value in zip(("longitude", "latitude"), place, strict=False):
            found.setdefault(name, value)
    return found


def _no_table(path: Path) -> DataError:
    return DataError(
        f"'{path.name}' is valid JSON, but not a table. Expected one object per item, an array of "
        "rows, or an object of columns.",
        code="malformed-line",
    )

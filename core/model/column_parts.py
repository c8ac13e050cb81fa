"""A table of typed columns as plain parts, packed: a wide table is four arrays, not thousands.

=======================  ==========================================================
``meta["table"]``        a list with name, type, role, unit, why and place of each column
``table/numbers``        n × m: the numbers and dates that are not columns of the features
``table/codes``          n × m: the codes of the categories, −1 where missing
``table/categories``     the names of all categories, one column's after the other's
``table/utf8, starts``   the bytes of all texts, column after column, and where each begins
=======================  ==========================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.artefacts import Encoded
from coterie.core.model.columns import CODED, NUMERIC, Column, Texts

_TEXTS = ("name", "type", "role", "unit", "why")


def encode_table(encoded: Encoded, table: Sequence[Column], features: Any, names: Any) -> None:
    """Add the parts of a table to those of its dataset."""
    same = _same_as_features(table, features, names)
    places: list[dict[str, Any]] = []
    numbers: list[Array] = []
    codes: list[Array] = []
    categories: list[str] = []
    texts: list[Texts] = []
    for column in table:
        place: dict[str, Any] = {name: getattr(column, name) for name in _TEXTS}
        if column.notes:
            place["notes"] = list(column.notes)
        if column.name in same:
            place["feature"] = same[column.name]
        elif column.type in NUMERIC:
            place["at"] = len(numbers)
            numbers.append(column.values)
        elif column.type in CODED:
            place |= {"at": len(codes), "first": len(categories), "count": len(column.categories)}
            codes.append(column.values)
            categories += column.categories
        else:
            place["at"] = len(texts)
            texts.append(column.values)
        places.append(place)
    encoded.meta["table"] = places
    if numbers:
        encoded.arrays["table/numbers"] = np.column_stack(numbers)
    if codes:
        encoded.arrays["table/codes"] = np.column_stack(codes)
    if categories:
        encoded.strings["table/categories"] = tuple(categories)
    if texts:
        lengths = np.concatenate([np.diff(each.starts) for each in texts])
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        encoded.arrays["table/utf8"] = np.concatenate([each.utf8 for each in texts])
        encoded.arrays["table/starts"] = starts


def decode_table(encoded: Encoded, features: Any) -> tuple[Column, ...]:
    """Build the columns again, refusing parts that do not fit."""
    places = encoded.meta.get("table", [])
    try:
        if not isinstance(places, list) or not all(isinstance(p, dict) for p in places):
            raise TypeError("it is not a list of columns")
        return tuple(_column(encoded, place, features) for place in places)
    except DataError as error:
        raise DataError(f"{error} The file is damaged.", code="file-damaged") from error
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise DataError(
            f"The table of this dataset does not fit together: {error}. The file is damaged.",
            code="file-damaged",
        ) from error


def _same_as_features(table: Sequence[Column], features: Any, names: Any) -> dict[str, int]:
    """The columns that are columns of the features as they are, which are stored only once."""
    if features is None or is_sparse(features) or features.dtype != np.float64:
        return {}
    position = {name: j for j, name in enumerate(names)}
    return {
        column.name: position[column.name]
        for column in table
        if column.type in NUMERIC
        and column.name in position
        and len(column) == len(features)
        and _equal(column.values, features[:, position[column.name]])
    }


def _equal(one: Array, other: Array) -> bool:
    """Whether two columns hold the same; at once where they are the same memory."""
    places = (one.__array_interface__["data"], one.strides), (
        other.__array_interface__["data"], other.strides,
    )  # fmt: skip
    return places[0] == places[1] or np.array_equal(one, other, equal_nan=True)


def _column(encoded: Encoded, place: Mapping[str, Any], features: Any) -> Column:
    about = {name: _text(place.get(name, "")) for name in _TEXTS}
    about["notes"] = tuple(map(_text, place.get("notes", ())))
    kind = about["type"]
    if "feature" in place:
        if kind not in NUMERIC or features is None or is_sparse(features):
            raise ValueError("a column names features that are not there")
        return Column(values=features[:, _whole(place["feature"], features.shape[1])], **about)
    if kind in NUMERIC:
        numbers = _matrix(encoded, "table/numbers", "f")
        return Column(values=numbers[:, _whole(place["at"], numbers.shape[1])], **about)
    if kind in CODED:
        codes = _matrix(encoded, "table/codes", "i")
        known = encoded.strings.get("table/categories", ())
        first, count = (_whole(place[name], len(known) + 1) for name in ("first", "count"))
        if first + count > len(known):
            raise ValueError("a column has more categories than there are")
        at = _whole(place["at"], codes.shape[1])
        return Column(values=codes[:, at], categories=tuple(known[first : first + count]), **about)
    return Column(values=_texts(encoded, place), **about)


def _texts(encoded: Encoded, place: Mapping[str, Any]) -> Texts:
    utf8, starts = encoded.arrays["table/utf8"], encoded.arrays["table/starts"]
    columns = sum(
        p.get("type") not in (*NUMERIC, *CODED) for p in encoded.meta["table"] if "at" in p
    )
    if starts.ndim != 1 or starts.dtype.kind != "i" or (len(starts) - 1) % columns:
        raise ValueError("its texts are not the same number in each column")
    n = (len(starts) - 1) // columns
    at = _whole(place["at"], columns)
    mine = starts[at * n : at * n + n + 1]
    if mine[0] < 0 or mine[-1] > len(utf8):
        raise ValueError("its texts begin beyond their bytes")
    return Texts(utf8[mine[0] : mine[-1]], mine - mine[0])


def _matrix(encoded: Encoded, name: str, kind: str) -> Array:
    found = encoded.arrays[name]
    if found.ndim != 2 or found.dtype.kind != kind:
        raise ValueError(f"'{name}' is not a table of {'numbers' if kind == 'f' else 'codes'}")
    return found


def _whole(value: Any, below: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
        raise ValueError(f"a column is at {value!r:.40}, which there is not")
    return value


def _text(value: Any) -> Any:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not a text")
    return value

"""Artefacts as plain parts: JSON, arrays and lists of strings. One encoding for every store.

The workspace writes these parts as files in a folder, the project file as HDF5 datasets. The
parts follow from the fields of the noun's dataclass, so a new field, or a new noun, is
saved without another line of code:

=====================================  ==========================================
field holds                            becomes
=====================================  ==========================================
array                                  ``arrays[name]``
sparse matrix                          ``arrays[name/data|indices|indptr|shape]``, without ``name/``
                                       when the field is marked ``flat``
mapping of arrays                      ``arrays[name/key]``
strings                                ``strings[name]``
the dataset it is about                a link, kept by the store
typed columns                          packed, see `core.model.column_parts`
anything else                          ``meta[name]``, JSON
None, or empty strings                 nothing
=====================================  ==========================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, TypeAlias

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import (
    ARRAY_MAPPING,
    ARRAY_TYPES,
    SPARSE_TYPES,
    declared_type,
    is_sparse,
    plain_values,
)
from coterie.core.model.artefacts import Encoded as Encoded
from coterie.core.model.column_parts import decode_table, encode_table
from coterie.core.model.dataset import Dataset
from coterie.core.model.result_types import RESULT_TYPES
from coterie.core.model.results import Result
from coterie.core.model.upgrades import upgraded

Noun: TypeAlias = Dataset | Affinity | Result

_SPARSE_PARTS = ("data", "indices", "indptr", "shape")
_STRINGS = "tuple[str, ...]"
_TABLE = "tuple[Column, ...]"
# What a field of each type may find in JSON; others take what is there.
_JSON: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "dict[str, Any]": (dict,),
    "Mapping[str, Any]": (dict,),
    ARRAY_MAPPING: (dict,),
    "tuple[Mapping[str, Any], ...]": (list,),
}


def encode(noun: Noun) -> Encoded:
    """Return the plain parts of `noun`; the dataset it is about is left to the store."""
    encoded = Encoded(noun.encoding_type, noun.encoding_version)
    for part in fields(noun):
        value = getattr(noun, part.name)
        if value is None or part.name == "dataset":
            continue
        if part.type == _TABLE:
            if value and isinstance(noun, Dataset):
                encode_table(encoded, value, noun.features, noun.columns)
        elif is_sparse(value):
            for name in _SPARSE_PARTS:
                encoded.arrays[_sparse_name(part, name)] = np.asarray(getattr(value, name))
        elif isinstance(value, np.ndarray):
            encoded.arrays[part.name] = value
        elif _is_strings(value):
            if value:
                encoded.strings[part.name] = value
        elif isinstance(value, Mapping) and _is_arrays(value):
            encoded.arrays.update({f"{part.name}/{key}": array for key, array in value.items()})
        else:
            encoded.meta[part.name] = _as_json(noun, part.name, value)
    return encoded


def decode(encoded: Encoded, dataset: Dataset | None = None) -> Any:
    """Build the noun again from its parts, refusing parts that do not fit.

    Parts of an older encoding version are upgraded first (`core.model.upgrades`).
    """
    kind: Any = encoded.type
    version: Any = encoded.version
    known = RESULT_TYPES.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise DataError(
            f"Unknown type of result '{kind!s:.80}'. It may need a newer Coterie.",
            code="newer-version",
        )
    noun = known.noun
    if not isinstance(version, int):
        raise DataError(
            f"This {encoded.type} has encoding version {version!s:.80}, not a whole number.",
            code="file-damaged",
        )
    if version > noun.encoding_version:
        raise DataError(
            f"This {encoded.type} has encoding version {version!s:.80}; this Coterie "
            f"reads up to {noun.encoding_version}. Open it with a newer Coterie.",
            code="newer-version",
        )
    encoded = upgraded(encoded, noun.encoding_version)
    values: dict[str, Any] = {}
    for part in fields(noun):
        if part.name == "dataset":
            values["dataset"] = dataset
            continue
        value = (
            decode_table(encoded, values.get("features"))
            if part.type == _TABLE
            else _field_value(part, encoded)
        )
        if value is not None:
            values[part.name] = value
        elif part.default is MISSING and part.default_factory is MISSING:
            raise DataError(
                f"This {encoded.type} has no '{part.name}'. The file is damaged.",
                code="file-damaged",
            )
    try:
        return noun(**values)
    except DataError:
        raise
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise DataError(
            f"This {encoded.type} does not fit together: {error}.", code="file-damaged"
        ) from error


def _field_value(part: Field[Any], encoded: Encoded) -> Any:
    """Return the value of a field from where a field of its type is kept, None where it is not."""
    declared, name = declared_type(part.type), part.name
    if declared in ARRAY_TYPES:
        if name in encoded.arrays:
            return encoded.arrays[name]
        if declared in SPARSE_TYPES and _sparse_name(part, "indptr") in encoded.arrays:
            return _sparse_value(part, encoded)
    elif declared == _STRINGS:
        if name in encoded.strings:
            return _checked_strings(name, encoded.strings[name])
    elif name in encoded.meta:
        return _checked_json(name, declared, encoded.meta[name])
    else:
        prefix = f"{name}/"
        arrays = encoded.arrays.items()
        named = {key.removeprefix(prefix): array for key, array in arrays if key.startswith(prefix)}
        if named:
            return named
    if any(name in store for store in (encoded.arrays, encoded.strings, encoded.meta)):
        raise DataError(
            f"'{name}' of this {encoded.type} is not {declared}. The file is damaged.",
            code="file-damaged",
        )
    return None


def _sparse_name(part: Field[Any], name: str) -> str:
    return name if part.metadata.get("flat") else f"{part.name}/{name}"


def _sparse_value(part: Field[Any], encoded: Encoded) -> Any:
    from scipy.sparse import csr_array

    try:
        data, indices, indptr, shape = (
            encoded.arrays[_sparse_name(part, name)] for name in _SPARSE_PARTS
        )
        if indices.dtype.kind not in "iu" or indptr.dtype.kind not in "iu":
            raise TypeError("its indices are not whole numbers")
        rows, columns = (int(extent) for extent in shape)
        return csr_array((data, indices, indptr), shape=(rows, columns))  # checked by the noun
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise DataError(
            f"The sparse matrix '{part.name}' is damaged: {error}.", code="file-damaged"
        ) from error


def _checked_strings(name: str, values: Any) -> tuple[str, ...]:
    if not isinstance(values, list | tuple) or not all(isinstance(text, str) for text in values):
        raise DataError(
            f"'{name}' must be a list of texts. The file is damaged.", code="file-damaged"
        )
    return tuple(values)


def _checked_json(name: str, declared: str, value: Any) -> Any:
    # To Python, True is a whole number as well.
    fits = isinstance(value, _JSON.get(declared, (object,)))
    if not fits or (isinstance(value, bool) and "bool" not in declared):
        raise DataError(f"'{name}' must be {declared}. Got {value!r:.80}.", code="file-damaged")
    if declared.startswith("tuple[Mapping"):
        if not all(isinstance(entry, dict) for entry in value):
            raise DataError(f"'{name}' must be {declared}. Got {value!r:.80}.", code="file-damaged")
        return tuple(value)
    return value


def _is_strings(value: Any) -> bool:
    return isinstance(value, tuple) and all(issubclass(kind, str) for kind in set(map(type, value)))


def _is_arrays(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(isinstance(entry, np.ndarray) for entry in value.values())


def _as_json(noun: Noun, name: str, value: Any) -> Any:
    try:
        return json.loads(json.dumps(value, default=plain_values))
    except (TypeError, ValueError) as error:
        kind = noun.encoding_type
        raise DataError(
            f"'{name}' of this {kind} is not plain JSON: {error}.", code="wrong-type"
        ) from error

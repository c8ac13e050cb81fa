"""Artefacts as plain parts: JSON, arrays and lists of strings. One encoding for every store.

The workspace writes these parts as files in a folder, the project file as HDF5 datasets. The
parts follow from the fields of the noun's dataclass, so that a new field, or a new noun, is
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
anything else                          ``meta[name]``, JSON
None, or empty strings                 nothing
=====================================  ==========================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, TypeAlias

import numpy as np

from coterie.core.affinity import Affinity
from coterie.core.arrays import Array, is_sparse
from coterie.core.dataset import Dataset
from coterie.core.errors import DataError
from coterie.core.results import (
    Clustering,
    Embedding,
    Labelling,
    Model,
    Ranking,
    Score,
    Spectrum,
    Trace,
)

Noun: TypeAlias = (
    Dataset
    | Affinity
    | Clustering
    | Ranking
    | Embedding
    | Spectrum
    | Labelling
    | Model
    | Score
    | Trace
)

NOUNS: dict[str, type[Any]] = {
    noun.encoding_type: noun
    for noun in (
        Dataset,
        Affinity,
        Clustering,
        Ranking,
        Embedding,
        Spectrum,
        Labelling,
        Model,
        Score,
        Trace,
    )
}

_SPARSE_PARTS = ("data", "indices", "indptr", "shape")
_SCALARS: dict[str, Any] = {"str": str, "int": int, "float": (int, float), "bool": bool}
_KINDS = {"Floats": "f", "Ints": "i", "Array": "biufc", "Matrix": "f", "SparseMatrix": "f"}


@dataclass(frozen=True)
class Encoded:
    """An artefact as plain parts, ready to be written anywhere."""

    type: str
    version: int
    meta: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)
    strings: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays and strings."""
        texts = sum(len(text) for values in self.strings.values() for text in values)
        return sum(int(array.nbytes) for array in self.arrays.values()) + texts


def encode(noun: Noun) -> Encoded:
    """Return the plain parts of `noun`; the dataset it is about is left to the store."""
    encoded = Encoded(noun.encoding_type, noun.encoding_version)
    for part in fields(noun):
        value = getattr(noun, part.name)
        if value is None or part.name == "dataset":
            continue
        if is_sparse(value):
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
    """Build the noun again from its parts, refusing parts that do not fit."""
    try:
        noun = NOUNS[encoded.type]
    except KeyError:
        raise DataError(
            f"Unknown kind of artefact '{encoded.type}'. It may need a newer Coterie."
        ) from None
    if encoded.version > noun.encoding_version:
        raise DataError(
            f"This {encoded.type} has encoding version {encoded.version}; this Coterie reads "
            f"up to {noun.encoding_version}. Open it with a newer Coterie."
        )
    values: dict[str, Any] = {}
    for part in fields(noun):
        if part.name == "dataset":
            values["dataset"] = dataset
            continue
        value = _field_value(part, encoded)
        if value is not None:
            values[part.name] = value
        elif part.default is MISSING and part.default_factory is MISSING:
            raise DataError(f"This {encoded.type} has no '{part.name}'. The file is damaged.")
    try:
        return noun(**values)
    except DataError:
        raise
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise DataError(f"This {encoded.type} does not fit together: {error}.") from error


def _field_value(part: Field[Any], encoded: Encoded) -> Any:
    name = part.name
    if name in encoded.arrays:
        return _checked_array(part, encoded.arrays[name])
    if name in encoded.strings:
        return tuple(encoded.strings[name])
    if name in encoded.meta:
        return _checked_json(part, encoded.meta[name])
    if _sparse_name(part, "indptr") in encoded.arrays:
        return _sparse_value(part, encoded)
    prefix = f"{name}/"
    named = {k.removeprefix(prefix): a for k, a in encoded.arrays.items() if k.startswith(prefix)}
    return named or None


def _sparse_name(part: Field[Any], name: str) -> str:
    return name if part.metadata.get("flat") else f"{part.name}/{name}"


def _sparse_value(part: Field[Any], encoded: Encoded) -> Any:
    from scipy.sparse import csr_array

    try:
        data, indices, indptr, shape = (
            encoded.arrays[_sparse_name(part, name)] for name in _SPARSE_PARTS
        )
        rows, columns = (int(extent) for extent in shape)
        matrix: Any = csr_array((data, indices, indptr), shape=(rows, columns))
        matrix.check_format(full_check=True)  # indices out of range would crash scipy later
    except (KeyError, ValueError, TypeError) as error:
        raise DataError(f"The sparse matrix '{part.name}' is damaged: {error}.") from error
    return matrix


def _checked_array(part: Field[Any], array: Array) -> Array:
    kinds = _KINDS.get(str(part.type).removesuffix(" | None"), "")
    if array.dtype.kind not in kinds:
        raise DataError(f"'{part.name}' cannot hold numbers of type {array.dtype}.")
    return array


def _checked_json(part: Field[Any], value: Any) -> Any:
    expected = _SCALARS.get(str(part.type))
    if expected is not None and not isinstance(value, expected):
        raise DataError(f"'{part.name}' must be {part.type}. Got {value!r:.80}.")
    if str(part.type).startswith("tuple"):
        return tuple(value)
    return value


def _is_strings(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(entry, str) for entry in value)


def _is_arrays(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(isinstance(entry, np.ndarray) for entry in value.values())


def _as_json(noun: Noun, name: str, value: Any) -> Any:
    try:
        return json.loads(json.dumps(value, allow_nan=True, default=_plain))
    except (TypeError, ValueError) as error:
        kind = noun.encoding_type
        raise DataError(f"'{name}' of this {kind} is not plain JSON: {error}.") from error


def _plain(value: Any) -> Any:
    """Let numpy scalars and mappings pass as what they stand for."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")

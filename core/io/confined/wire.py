"""What a confined process is asked and answers: JSON, and the raw bytes of arrays."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coterie.core import errors
from coterie.core.model.arrays import Array, number_type, plain_values

_HEADER = struct.Struct("<I")
LOADED = "loaded"  # the first word of a process that was kept ready
_LONGEST_SENTENCE = 2000
# The errors that an answer can stand for, by name.
_KINDS: dict[str, type[errors.CoterieError]] = {
    kind.__name__: kind
    for kind in (
        errors.CoterieError,
        errors.ParameterError,
        errors.DataError,
        errors.RecipeError,
        errors.CostError,
        errors.WorkspaceError,
        errors.ProjectFileError,
    )
}


class InvalidAnswerError(ValueError):
    """What arrived is not an answer."""


@dataclass(frozen=True)
class Parcel:
    """A value of JSON with some arrays by name."""

    value: Any = None
    arrays: Mapping[str, Array] = field(default_factory=dict)


def pack(parcel: Parcel) -> bytes:
    """Return a parcel as bytes."""
    arrays = {name: np.ascontiguousarray(array) for name, array in parcel.arrays.items()}
    listed = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    text = json.dumps([parcel.value, listed], default=plain_values).encode()
    parts = [_HEADER.pack(len(text)), text]
    parts += [array.tobytes() for array in arrays.values()]
    return b"".join(parts)


def unpack(data: bytes) -> Parcel:
    """Return a parcel from bytes of unknown origin."""
    try:
        (length,) = _HEADER.unpack_from(data)
        start = _HEADER.size + length
        value, listed = json.loads(data[_HEADER.size : start])
        arrays = {}
        for name, kind, shape in listed:
            array = _array(data, start, kind, shape)
            arrays[str(name)] = array
            start += array.nbytes
    except (struct.error, ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise InvalidAnswerError(f"{error}") from error
    if start != len(data):
        raise InvalidAnswerError("it is not as long as it says")
    return Parcel(value, arrays)


def _array(data: bytes, start: int, kind: Any, shape: Any) -> Array:
    dtype = number_type(kind)
    if not all(isinstance(extent, int) and extent >= 0 for extent in shape):
        raise ValueError("array of an invalid shape")
    count = math.prod(shape)
    if start + count * dtype.itemsize > len(data):
        raise ValueError("array without its numbers")
    return np.frombuffer(data, dtype, count, start).reshape(shape)


def describe_error(error: BaseException) -> dict[str, Any]:
    """Return an error as JSON: our own by kind, code and sentence."""
    kind = next((c.__name__ for c in type(error).__mro__ if c.__name__ in _KINDS), "")
    if isinstance(error, MemoryError) and not kind:
        return {"kind": "CostError", "code": "out-of-memory", "text": ""}
    return {
        "kind": kind,
        "code": errors.code_of(error),
        "text": errors.in_words(error),
        "offer": list(getattr(error, "offer", ())),
        "errno": getattr(error, "errno", None),
    }


def error_of(told: Mapping[str, Any]) -> errors.CoterieError | None:
    """Return the error that a confined process reported; None for one that is not our own."""
    try:
        kind = _KINDS.get(str(told["kind"]))
        text, code = str(told["text"])[:_LONGEST_SENTENCE], str(told["code"])[:40]
        offer = tuple(str(one)[:80] for one in told.get("offer", ()))
    except (KeyError, TypeError) as error:
        raise InvalidAnswerError("an error without a sentence") from error
    return None if kind is None else kind(text, code=code, offer=offer)

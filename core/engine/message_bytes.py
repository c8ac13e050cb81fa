"""Messages as bytes: a JSON header, and the raw bytes of the arrays. Nothing is ever unpickled."""

from __future__ import annotations

import json
import math
import struct
from dataclasses import fields
from typing import Any

import numpy as np

from coterie.core.api.frame import Frame
from coterie.core.engine.messages import MESSAGES, FrameMessage, Message
from coterie.core.errors import EngineError
from coterie.core.model.arrays import Array, number_type, plain_values

_HEADER = struct.Struct("<I")
_NOT_A_MESSAGE = (ValueError, LookupError, TypeError, ArithmeticError, RecursionError)
# What JSON may hold for a field of each type; a message of anything else is invalid.
_JSON: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "str": (str,),
    "bool": (bool,),
    "list[str]": (list,),
    "list[int]": (list,),
    "dict[str, str]": (dict,),
    "dict[str, Any]": (dict,),
    "dict[str, Array]": (dict,),
    "Frame": (Frame,),
}


def to_bytes(message: Message) -> bytes:
    """Return the message as bytes for the wire."""
    body = {part.name: getattr(message, part.name) for part in fields(message)}
    sent = body.pop("arrays", {})
    if isinstance(message, FrameMessage):
        body["frame"], sent = message.frame.to_parts()
    arrays = {name: np.asarray(array) for name, array in sent.items()}
    header = {
        "type": type(message).__name__,
        "body": body,
        "arrays": [[name, array.dtype.str, array.shape] for name, array in arrays.items()],
    }
    text = json.dumps(header, default=plain_values).encode()
    parts = [_HEADER.pack(len(text)), text, *(array.tobytes() for array in arrays.values())]
    return b"".join(parts)


def from_bytes(data: bytes) -> Message:
    """Read a message from the wire, or raise an error if it is not one."""
    try:
        (length,) = _HEADER.unpack_from(data)
        start = _HEADER.size + length
        header = json.loads(data[_HEADER.size : start])
        kind = MESSAGES[header["type"]]
        body = dict(header["body"])
        arrays = {}
        for name, dtype_text, shape in header["arrays"]:
            array = _array(data, start, dtype_text, shape)
            arrays[str(name)] = array
            start += array.nbytes
        if start != len(data):
            raise ValueError(f"{len(data) - start} bytes too many")
        if kind is FrameMessage:
            body["frame"] = Frame.from_parts(body["frame"], arrays)
        elif arrays:
            body["arrays"] = arrays
        message = kind(**body)
        _check_types(message)
        return message
    except (struct.error, *_NOT_A_MESSAGE) as error:
        raise EngineError(
            f"The engine sent an invalid message: {error}.", code="invalid-message"
        ) from error


def _array(data: bytes, start: int, dtype_text: Any, shape: Any) -> Array:
    dtype = number_type(dtype_text)
    if not all(isinstance(extent, int) and extent >= 0 for extent in shape):
        raise ValueError(f"array of shape {shape}")
    count = math.prod(shape)
    if start + count * dtype.itemsize > len(data):
        raise ValueError("array without its numbers")
    return np.frombuffer(data, dtype, count, start).reshape(shape)


def _check_types(message: Message) -> None:
    for part in fields(message):
        value, declared = getattr(message, part.name), str(part.type)
        strange = isinstance(value, bool) and declared != "bool"  # True passes for a whole number
        if strange or not isinstance(value, _JSON[declared]):
            raise TypeError(f"'{part.name}' is {value!r:.80}")

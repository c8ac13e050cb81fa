"""An artefact: the immutable result of a step as plain parts, and the key of what determines it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie.core.model.arrays import Array


@dataclass(frozen=True)
class Encoded:
    """A noun as plain parts, which every store writes and reads."""

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


@dataclass(frozen=True)
class Artefact:
    """The plain parts of a noun, with where it comes from.

    Attributes
    ----------
    key : SHA-256 of what determines it, as 64 hexadecimal digits
    dataset : key of the dataset it is about; None for a dataset
    provenance : component, parameters, inputs, seed, time and library versions, as JSON
    """

    key: str
    encoded: Encoded
    dataset: str | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def type(self) -> str:
        """The encoding type, such as "clustering"."""
        return self.encoded.type


def canonical_json(value: Any) -> str:
    """Return the one JSON text of `value`: sorted names, no spaces, no NaN, 1.0 as 1.

    >>> canonical_json({"b": 1.0, "a": [0.5, None]})
    '{"a":[0.5,null],"b":1}'
    """
    return json.dumps(plain_numbers(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def plain_numbers(value: Any) -> Any:
    """Return `value` with whole floats as integers: a form may give 1 where a file says 1.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(name): plain_numbers(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain_numbers(entry) for entry in value]
    return value


def step_key(
    *,
    component: str,
    version: str,
    fingerprint: str,
    params: Mapping[str, Any],
    inputs: Sequence[str],
    seed: int,
) -> str:
    """Return the key of a step's result.

    Library versions are provenance and do not enter: a newer numpy does not make results stale.
    """
    determines = {
        "component": component,
        "version": version,
        "source": fingerprint,
        "params": dict(params),
        "inputs": list(inputs),
        "seed": seed,
    }
    return hashlib.sha256(canonical_json(determines).encode()).hexdigest()


def part_key(key: str, part: str) -> str:
    """Return the key of a part, such as the trace, published beside the result `key`."""
    return hashlib.sha256(f"{key}/{part}".encode()).hexdigest()


def is_key(text: object) -> bool:
    """Return whether `text` has the form of a key; anything else must never become a path."""
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")

"""Read what MATLAB and Octave save as versions 5 to 7.2.

scipy's reader follows numbers of the file without checking them: one changed byte ends the process.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array

HEADER = 128  # bytes of text and version before the first variable
MOST_DEEP = 3  # lists within lists

_COMPRESSED, _MATRIX = 15, 14
_NUMBERS = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
}
_TEXTS = {1: "latin-1", 2: "latin-1", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
_CELL, _CHAR, _SPARSE = 1, 4, 5
_CLASSES = {
    6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8",
}  # fmt: skip
_LOGICAL, _COMPLEX = 1 << 9, 1 << 11
_NOT_READ = np.array([None], dtype=object)  # structs, objects, functions


def is_version_5(head: bytes) -> bool:
    """Return whether a file that begins so is of version 5 to 7.2; one of version 4 has a 0 early.

    >>> is_version_5(b"MATLAB 5.0".ljust(124) + bytes([0, 1]) + b"IM")
    True
    """
    return len(head) >= HEADER and 0 not in head[:4] and _order(head) in ("<", ">")


def read_variables(content: bytes, most: int) -> dict[str, Any]:
    """Return the variables of a file by name; ValueError where it is damaged.

    Parameters
    ----------
    content : the bytes of the file
    most : bytes that it may unpack to
    """
    reader = _Reader(_order(content[:HEADER]), most)
    return dict(reader.variables(content[HEADER:]))


def _order(head: bytes) -> str:
    """The order of bytes; "" where the version is another."""
    return {b"\x00\x01IM": "<", b"\x01\x00MI": ">"}.get(head[HEADER - 4 : HEADER], "")


@dataclass(frozen=True)
class _Element:
    kind: int
    data: memoryview


@dataclass
class _Reader:
    """One file: its order of bytes, and how much it may still unpack."""

    order: str
    left: int

    def variables(self, content: bytes) -> Iterator[tuple[str, Any]]:
        for element in self._elements(memoryview(content)):
            if element.kind == _COMPRESSED:
                inner = self._elements(memoryview(self._unpacked(element.data)))
                yield from (self._variable(each.data) for each in inner if each.kind == _MATRIX)
            elif element.kind == _MATRIX:
                yield self._variable(element.data)

    def _unpacked(self, packed: memoryview) -> bytes:
        try:
            unpacking = zlib.decompressobj()
            content = unpacking.decompress(packed, self.left + 1)
        except zlib.error as error:
            raise ValueError(f"a variable cannot be unpacked: {error}") from error
        self.left -= len(content)
        if self.left < 0:
            raise MemoryError
        return content

    def _elements(self, data: memoryview) -> Iterator[_Element]:
        """Take bytes apart: each element has a type, a length and its content."""
        at = 0
        while at + 8 <= len(data):
            kind, length = (
                int(word) for word in np.frombuffer(data[at : at + 8], self.order + "u4")
            )
            if kind >> 16:  # a short one has its length beside the type, and four bytes
                kind, length, start, after = kind & 0xFFFF, kind >> 16, at + 4, at + 8
            else:
                start = at + 8
                after = start + length + (0 if kind == _COMPRESSED else -length % 8)
            if start + length > min(after, len(data)):
                raise ValueError("a variable is cut short")
            yield _Element(kind, data[start : start + length])
            at = after

    def _variable(self, data: memoryview, depth: int = 0) -> tuple[str, Any]:
        parts = self._elements(data)
        try:
            flags = int(self._numbers(next(parts))[0])
            shape = tuple(int(extent) for extent in self._numbers(next(parts)))
            name = bytes(next(parts).data).decode("ascii", "replace")
            if min(shape, default=0) < 0 or len(shape) < 2:
                raise ValueError(f"'{name:.40}' claims to be of size {shape}")
            return name, self._value(flags, shape, parts, depth)
        except (StopIteration, IndexError):
            raise ValueError("a variable ends too early") from None

    def _value(
        self, flags: int, shape: tuple[int, ...], parts: Iterator[_Element], depth: int
    ) -> Any:
        kind = flags & 0xFF
        if kind in _CLASSES:
            dtype = np.dtype(bool if flags & _LOGICAL else _CLASSES[kind])
            real = self._shaped(self._numbers(next(parts)).astype(dtype), shape)
            if flags & _COMPLEX:
                return real + 1j * self._shaped(self._numbers(next(parts)), shape)
            return real
        if kind == _SPARSE:
            return self._sparse(flags, shape, parts)
        if kind == _CHAR:
            return self._texts(next(parts, None), shape)
        if kind == _CELL and depth < MOST_DEEP:
            cells = [self._variable(part.data, depth + 1)[1] if len(part.data) else np.empty((0, 0))
                     for part in parts if part.kind == _MATRIX]  # fmt: skip
            listed = np.empty(len(cells), dtype=object)
            listed[:] = cells
            return self._shaped(listed, shape)
        return _NOT_READ

    def _sparse(self, flags: int, shape: tuple[int, ...], parts: Iterator[_Element]) -> Any:
        from scipy.sparse import csc_array

        rows, starts = (self._numbers(next(parts)).astype(np.int64) for _ in range(2))
        count = int(starts[-1])
        if len(shape) != 2 or not 0 <= count <= len(rows):
            raise ValueError("a sparse matrix does not fit together")
        values = self._stored(next(parts), count)
        if flags & _COMPLEX:
            values = values + 1j * self._stored(next(parts), count)
        kept = values.astype(bool if flags & _LOGICAL else values.dtype)[:count]
        # Whoever converts it checks where the indices lead: `check_indices`.
        return csc_array((kept, rows[:count], starts), shape=shape)

    def _stored(self, element: _Element, count: int) -> Array:
        """The entries of a sparse matrix; logical ones are bytes, whatever their type says."""
        if len(element.data) == count:
            return np.frombuffer(element.data, np.uint8)
        return self._numbers(element)

    def _texts(self, element: _Element | None, shape: tuple[int, ...]) -> Array:
        """A text for each row of a matrix of characters."""
        encoding = _TEXTS.get(element.kind, "") if element is not None else "latin-1"
        if not encoding:
            raise ValueError("a text is of an unknown type")
        if encoding not in ("latin-1", "utf-8"):
            encoding += "-le" if self.order == "<" else "-be"
        text = bytes(element.data).decode(encoding, "replace") if element is not None else ""
        if shape[0] == 1 or not text:
            return np.array([text.rstrip()] * min(shape[0], 1))
        letters = self._shaped(np.array(list(text)), shape).reshape(shape[0], -1)
        return np.array(["".join(row).rstrip() for row in letters])

    def _numbers(self, element: _Element) -> Array:
        if element.kind not in _NUMBERS:
            raise ValueError(f"{element.kind} is not a type of numbers")
        dtype = np.dtype(self.order + _NUMBERS[element.kind])
        return np.frombuffer(
            element.data[: len(element.data) // dtype.itemsize * dtype.itemsize], dtype
        )

    def _shaped(self, values: Array, shape: tuple[int, ...]) -> Array:
        """Values column by column, as MATLAB keeps them."""
        if math.prod(shape) != len(values):
            raise ValueError(
                f"{' × '.join(map(str, shape))} values are promised, there are {len(values)}"
            )
        return values.reshape(shape, order="F")

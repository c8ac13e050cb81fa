"""Queries over the columns of a table, such as `petal width > 1.2 and species = setosa`.

Read by Python's own parser and worked out by a short list of what is allowed; nothing is ever
evaluated as code. Signs may be typed as they are printed, and names as they are spoken. Where a
name could be read as something else it stands in backticks, and a value in quotes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array
from coterie.core.model.query_words import read

LONGEST = 2000  # characters
DEEPEST = 40  # brackets within brackets
NONE = ("", "–", "none", "unassigned", "unknown")  # what a missing name is called

_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}
_RECKONED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Mod: np.mod,
}


@dataclass(frozen=True, eq=False)
class Named:
    """A column of codes with a name for each; a code below zero is missing.

    Attributes
    ----------
    numbered : whether a number stands for the code before it, as group 1 has the code 0
    """

    codes: Array
    names: tuple[str, ...]
    numbered: bool = False

    @property
    def texts(self) -> Array:
        """The names, and after the last of them what a missing one reads."""
        return np.array([*self.names, ""])

    @property
    def places(self) -> Array:
        """For each item where in `texts` its name is."""
        return np.where(self.codes < 0, len(self.names), self.codes)


@dataclass(frozen=True)
class _Word:
    """A word that names no column: perhaps a value."""

    text: str


Columns = Mapping[str, "Array | Named"]


def matching(query: str, columns: Columns, n: int) -> Array:
    """Return for each of n items whether the query holds; missing values fulfil nothing.

    Parameters
    ----------
    columns : a number or text for each item, by the name that the query calls them

    Examples
    --------
    >>> table = {"width": np.array([1.0, 2.0, np.nan]), "kind": np.array(["a", "b", "b"])}
    >>> matching("width > 1.5 or kind == 'a'", table, 3).tolist()
    [True, True, False]
    >>> matching("1 ≤ width < 2,5 and kind in (A, b)", table, 3).tolist()
    [True, True, False]
    """
    result = np.asarray(_worked_out(query, columns, n))
    if result.dtype != bool:
        raise DataError(
            "The query is not a condition. Compare something, such as width > 2.",
            code="invalid-query",
        )
    return np.array(np.broadcast_to(result, (n,)))


def computed_values(expression: str, columns: Columns, n: int) -> Array:
    """Return a number for each of n items: sums and products of columns, or 1 and 0 of a condition.

    >>> computed_values("2 * width + 1", {"width": np.array([1.0, np.nan])}, 2).tolist()
    [3.0, nan]
    """
    found = _worked_out(expression, columns, n)
    result = np.asarray(found) if not isinstance(found, Named) else np.array("")
    if result.dtype.kind not in "biuf":
        raise DataError(
            f"'{expression.strip():.60}' is not a number. Use columns of numbers, or "
            "compare something.",
            code="invalid-query",
        )
    return np.array(np.broadcast_to(result.astype(np.float64), (n,)))


def _worked_out(query: str, columns: Columns, n: int) -> Any:
    if not query.strip():
        raise DataError(
            "The query is empty. Write a condition, such as width > 2.", code="invalid-query"
        )
    if len(query) > LONGEST:
        raise DataError(
            f"A query has at most {LONGEST} characters. Got {len(query)}.", code="invalid-query"
        )
    loose = {_plain(known): known for known in reversed(list(columns))}

    def column_of(words: str) -> str | None:
        return words if words in columns else loose.get(_plain(words) or words)

    reading = read(query.strip(), column_of, columns)
    try:
        tree = ast.parse(reading.expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise DataError(
            f"The query '{query.strip()[:60]}' cannot be read. "
            "Write conditions such as width > 2 and kind = a.",
            code="invalid-query",
        ) from None
    with np.errstate(all="ignore"):
        return _Reader(columns, reading.columns, reading.words, n).value(tree, 0)


class _Reader:
    """Works out a tree of conditions, one allowed piece after the other."""

    def __init__(
        self, columns: Columns, names: Mapping[str, str], words: Mapping[str, str], n: int
    ) -> None:
        self._columns, self._names, self._words, self._n = columns, names, words, n

    def value(self, node: ast.AST, depth: int) -> Any:
        if depth > DEEPEST:
            raise DataError("The query has too many nested brackets.", code="invalid-query")
        depth += 1
        match node:
            case ast.Constant(value=bool() | int() | float() | str() as value):
                return _bounded(value)
            case ast.Name(id=name):
                return self._column(name)
            case ast.BoolOp(op=op, values=parts):
                join = np.logical_and if isinstance(op, ast.And) else np.logical_or
                held = self._condition(parts[0], depth)
                for part in parts[1:]:
                    held = join(held, self._condition(part, depth))
                return held
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return np.logical_not(self._condition(operand, depth))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return np.negative(self._number(operand, depth))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self._number(operand, depth)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _RECKONED:
                return _RECKONED[type(op)](self._number(left, depth), self._number(right, depth))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._comparison(left, ops, others, depth)
        raise DataError(
            f"A query cannot hold '{self._typed(node)}'. Use columns, numbers, strings, "
            "comparisons, + − * /, in, and, or, not.",
            code="invalid-query",
        )

    def _comparison(
        self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr], depth: int
    ) -> Array:
        held: Any = np.True_
        before = self._operand(left, depth)
        for op, other in zip(ops, others, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                found: Any = np.zeros(self._n, dtype=bool)
                for entry in _entries(other):
                    found = found | self._compared(ast.Eq, before, self._operand(entry, depth))
                # What is missing is not among others either.
                known = _known(_values(before))
                held = held & (found if isinstance(op, ast.In) else ~found & known)
                continue
            if type(op) not in _COMPARED:
                raise DataError("A query compares by < <= > >= == != and in.", code="invalid-query")
            after = self._operand(other, depth)
            held = held & self._compared(type(op), before, after)
            before = after
        return np.asarray(held)

    def _operand(self, node: ast.AST, depth: int) -> Any:
        """A side of a comparison: also a word that may be the name of a value."""
        if isinstance(node, ast.Name) and node.id in self._words:
            return _Word(self._words[node.id])
        return self.value(node, depth)

    def _compared(self, op: type[ast.cmpop], one: Any, other: Any) -> Any:
        for word, beside in ((one, other), (other, one)):
            if isinstance(word, _Word) and not _is_value(word.text, beside):
                raise self._unknown(word.text)
        one, other = (side.text if isinstance(side, _Word) else side for side in (one, other))
        return _compare(op, one, other)

    def _condition(self, node: ast.AST, depth: int) -> Any:
        value = self.value(node, depth)
        if np.asarray(value).dtype != bool:
            raise DataError(
                f"'{self._typed(node)}' is not a condition. Compare it with something.",
                code="invalid-query",
            )
        return value

    def _number(self, node: ast.AST, depth: int) -> Any:
        value = self.value(node, depth)
        if isinstance(value, Named) or np.asarray(value).dtype.kind not in "iuf":
            raise DataError(f"'{self._typed(node)}' is not a number.", code="invalid-query")
        return np.asarray(value, dtype=np.float64)

    def _column(self, name: str) -> Array | Named:
        wanted = self._meant(name)
        if name in self._words or wanted not in self._columns:
            raise self._unknown(wanted)
        found = self._columns[wanted]
        return found if isinstance(found, Named) else np.asarray(found)

    def _meant(self, name: str) -> str:
        """Return the words that a made-up name stands for."""
        return self._names.get(name, self._words.get(name, name))

    def _typed(self, node: ast.AST) -> str:
        """Return a piece of the query as it was typed, for an error that ends the reading."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                part.id = self._meant(part.id)
        return ast.unparse(node)[:60]

    def _unknown(self, name: str) -> DataError:
        close = get_close_matches(name, list(self._columns), n=1, cutoff=0.5)
        hint = f"Did you mean {close[0]}?" if close else f"There are: {_listed(self._columns)}."
        return DataError(f"There is no column '{name}'. {hint}", code="unknown-column")


def _compare(op: type[ast.cmpop], one: Any, other: Any) -> Any:
    if isinstance(other, Named) and not isinstance(one, Named):
        one, other, op = other, one, _TURNED.get(op, op)
    if isinstance(one, Named) and np.ndim(_values(other)) == 0:
        # Of each name once, rather than of each item.
        return _compare_texts(op, one.texts, other, one.numbered)[one.places]
    return _compare_texts(op, _values(one), _values(other), False)


def _compare_texts(op: type[ast.cmpop], one: Any, other: Any, numbered: bool) -> Any:
    one, other = np.asarray(one), np.asarray(other)
    texts = [side.dtype.kind == "U" for side in (one, other)]
    if any(texts) != all(texts):
        if op not in (ast.Eq, ast.NotEq):
            raise DataError(
                "A text and a number cannot be ordered. Compare them by = or ≠.",
                code="invalid-query",
            )
        one, other, number = _as_text(one), _as_text(other), other
        if numbered and not (one == other).any():
            place = np.arange(1, len(one) + 1) == number
            held = place if op is ast.Eq else ~place
            return held & _known(one)
    if any(texts) and op in (ast.Eq, ast.NotEq):
        same = _same_text(one, other)
        # A missing value differs from nothing.
        return same if op is ast.Eq else ~same & _known(one) & _known(other)
    held = _COMPARED[op](one, other)
    if op is ast.NotEq:
        held = held & _known(one) & _known(other)
    return held


def _same_text(one: Array, other: Array) -> Any:
    """Which texts are the same; when none is to the letter, capitals do not matter."""
    same = np.asarray(one == other)
    if same.any():
        return same
    for wanted, values in ((one, other), (other, one)):
        if wanted.ndim == 0 and str(wanted).casefold() in NONE and "" in values:
            return values == ""
    return np.asarray(np.strings.lower(one) == np.strings.lower(other))


def _is_value(word: str, beside: Any) -> bool:
    """Whether a word without quotes is the name of a value of what it is compared with."""
    values = beside.texts if isinstance(beside, Named) else _values(beside)
    if values.dtype.kind != "U" or values.ndim == 0:
        return False
    return word.casefold() in NONE or bool(_same_text(values, np.asarray(word)).any())


def _values(side: Any) -> Array:
    if isinstance(side, _Word):
        return np.asarray(side.text)
    return side.texts[side.places] if isinstance(side, Named) else np.asarray(side)


def _bounded(value: float | str) -> float | str:
    """Whole numbers without end are for Python alone: they become the nearest that numpy has."""
    if not isinstance(value, int) or abs(value) < 1 << 53:
        return value
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def _known(values: Array) -> Any:
    return values != "" if values.dtype.kind == "U" else values == values


def _as_text(values: Array) -> Array:
    if values.dtype.kind == "U":
        return values
    return np.array([f"{value:g}" for value in np.atleast_1d(values)]).reshape(values.shape)


def _entries(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return node.elts
    raise DataError(
        '"in" must be followed by a list, such as kind in ("a", "b").', code="invalid-query"
    )


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")


def _listed(columns: Columns, most: int = 8) -> str:
    names = list(columns)
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")

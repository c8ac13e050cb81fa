"""Queries over the columns of a table, such as `petal_width > 1.2 and species == "setosa"`.

Read by Python's own parser and worked out by a short list of what is allowed; nothing is ever
evaluated as code. A name with spaces or signs stands in backticks: `` `petal width (cm)` < 2 ``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from coterie.core.arrays import Array
from coterie.core.errors import DataError

LONGEST = 2000  # characters
DEEPEST = 40  # brackets within brackets
_QUOTED = re.compile(r"`([^`]*)`")

_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
_RECKONED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Mod: np.mod,
}


def matching(query: str, columns: Mapping[str, Array], n: int) -> Array:
    """Return for each of n items whether the query holds; missing values fulfil nothing.

    Parameters
    ----------
    columns : a number or text for each item, by the name that the query calls them

    Examples
    --------
    >>> table = {"width": np.array([1.0, 2.0, np.nan]), "kind": np.array(["a", "b", "b"])}
    >>> matching("width > 1.5 or kind == 'a'", table, 3).tolist()
    [True, True, False]
    >>> matching("1 <= width < 2 and kind in ('a', 'b')", table, 3).tolist()
    [True, False, False]
    """
    if not query.strip():
        raise DataError("The query is empty. Write a condition, such as width > 2.")
    if len(query) > LONGEST:
        raise DataError(f"A query has at most {LONGEST} characters. Got {len(query)}.")
    names: dict[str, str] = {}

    def plain(found: re.Match[str]) -> str:
        known = f"column_{len(names)}_"
        names[known] = found.group(1)
        return known

    text = _QUOTED.sub(plain, query.strip())
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = getattr(error, "offset", None)
        where = f" near character {place}" if place else ""
        raise DataError(
            f'The query cannot be read{where}. Write conditions such as width > 2 and kind == "a".'
        ) from None
    with np.errstate(all="ignore"):
        value = _Reader(columns, names, n).value(tree, 0)
    result = np.asarray(value)
    if result.dtype != bool:
        raise DataError("The query is no condition. Compare something, such as width > 2.")
    return np.array(np.broadcast_to(result, (n,)))


class _Reader:
    """Works out a tree of conditions, one allowed piece after the other."""

    def __init__(self, columns: Mapping[str, Array], names: Mapping[str, str], n: int) -> None:
        self._columns, self._names, self._n = columns, names, n

    def value(self, node: ast.AST, depth: int) -> Any:
        if depth > DEEPEST:
            raise DataError("The query has too many brackets within brackets.")
        depth += 1
        match node:
            case ast.Constant(value=bool() | int() | float() | str() as value):
                return value
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
            f"A query cannot hold '{ast.unparse(node)[:60]}'. Use columns, numbers, texts, "
            "comparisons, + − * /, in, and, or, not."
        )

    def _comparison(
        self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr], depth: int
    ) -> Array:
        held: Any = np.True_
        before = self.value(left, depth)
        for op, other in zip(ops, others, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                found: Any = np.zeros(self._n, dtype=bool)
                for entry in _entries(other):
                    found = found | _compare(ast.Eq, before, self.value(entry, depth))
                # What is missing is not among others either.
                known = _known(np.asarray(before))
                held = held & (found if isinstance(op, ast.In) else ~found & known)
                continue
            if type(op) not in _COMPARED:
                raise DataError("A query compares by < <= > >= == != and in.")
            after = self.value(other, depth)
            held = held & _compare(type(op), before, after)
            before = after
        return np.asarray(held)

    def _condition(self, node: ast.AST, depth: int) -> Any:
        value = self.value(node, depth)
        if np.asarray(value).dtype != bool:
            raise DataError(
                f"'{ast.unparse(node)[:60]}' is no condition. Compare it with something."
            )
        return value

    def _number(self, node: ast.AST, depth: int) -> Any:
        value = self.value(node, depth)
        if np.asarray(value).dtype.kind not in "iuf":
            raise DataError(f"'{ast.unparse(node)[:60]}' is no number to reckon with.")
        return np.asarray(value, dtype=np.float64)

    def _column(self, name: str) -> Array:
        wanted = self._names.get(name, name)
        if wanted in self._columns:
            return np.asarray(self._columns[wanted])
        # What a person types for "petal width (cm)".
        loose = {_plain(known): known for known in self._columns}
        if _plain(wanted) in loose:
            return np.asarray(self._columns[loose[_plain(wanted)]])
        close = get_close_matches(wanted, list(self._columns), n=1, cutoff=0.5)
        hint = f"Did you mean {close[0]}?" if close else f"There are: {_listed(self._columns)}."
        raise DataError(f"There is no column '{wanted}'. {hint}")


def _compare(op: type[ast.cmpop], one: Any, other: Any) -> Any:
    one, other = np.asarray(one), np.asarray(other)
    texts = [side.dtype.kind == "U" for side in (one, other)]
    if any(texts) != all(texts):
        if op in (ast.Eq, ast.NotEq):
            one, other = _as_text(one), _as_text(other)
        else:
            raise DataError("A text and a number have no order. Compare them by == or !=.")
    held = _COMPARED[op](one, other)
    if op is ast.NotEq:  # a missing value differs from nothing
        held = held & _known(one) & _known(other)
    return held


def _known(values: Array) -> Any:
    return values != "" if values.dtype.kind == "U" else values == values


def _as_text(values: Array) -> Array:
    if values.dtype.kind == "U":
        return values
    return np.array([f"{value:g}" for value in np.atleast_1d(values)]).reshape(values.shape)


def _entries(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return node.elts
    raise DataError('After "in" comes a list, such as kind in ("a", "b").')


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")


def _listed(columns: Mapping[str, Array], most: int = 8) -> str:
    names = list(columns)
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")

"""Orange's three-line headers: below the names of the columns their types, then their roles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coterie.core.formats.columns.cells import Cells

_TYPES = {
    **dict.fromkeys(("c", "continuous", "numeric", "n"), "number"),
    **dict.fromkeys(("d", "discrete", "categorical"), "category"),
    **dict.fromkeys(("s", "string", "text"), "text"),
    **dict.fromkeys(("t", "time", "datetime"), "date"),
}
_ROLES = {
    **dict.fromkeys(("class", "c"), "label"),
    **dict.fromkeys(("meta", "m", "ignore", "i"), "information"),
}
_BLANK = re.compile(r"(?<!\\) +")
_ATTRIBUTE = re.compile(r"[^=\s]+=\S*")
MOST_VALUES = 0.5  # of the types may be lists of values; else it is not a line of types


@dataclass(frozen=True)
class Declared:
    """What a file's header says about a column; "" where it says nothing."""

    type: str = ""
    role: str = ""
    categories: tuple[str, ...] = ()


def declared_columns(types: Sequence[str], flags: Sequence[str]) -> tuple[Declared, ...]:
    """Return what two lines below the names declare; nothing when they are lines of values.

    >>> declared_columns(["c", "low high"], ["", "class"])[1].categories
    ('low', 'high')
    """
    if not types or len(types) != len(flags):
        return ()
    roles = [_role(flag) for flag in flags]
    known = [_TYPES.get(cell.casefold()) for cell in types]
    lists = [cell for cell, kind in zip(types, known, strict=True) if kind is None and cell]
    if None in roles or len(lists) > MOST_VALUES * len(types) or not any(known):
        return ()
    if any(len(_values(cell)) < 2 for cell in lists):
        return ()
    return tuple(
        Declared(kind or ("category" if cell else ""), role or "", () if kind else _values(cell))
        for cell, kind, role in zip(types, known, roles, strict=True)
    )


def as_declared(cells: Cells, by: Declared) -> Cells:
    """Return the cells with what the header declares of them."""
    why = "As given in the header of the file."
    return replace(cells, type=by.type, role=by.role, categories=by.categories, why=why)


def _role(flag: str) -> str | None:
    """The role that a cell of the third line gives; None when it is not such a cell."""
    words = [word for word in flag.split() if not _ATTRIBUTE.fullmatch(word)]
    roles = [_ROLES.get(word.casefold()) for word in words]
    if None in roles:
        return None
    return roles[0] if roles else ""


def _values(cell: str) -> tuple[str, ...]:
    """The values in a list: separated by blanks, those within a value after a backslash."""
    if not cell:
        return ()
    return tuple(part.replace("\\ ", " ") for part in _BLANK.split(cell.strip()) if part)

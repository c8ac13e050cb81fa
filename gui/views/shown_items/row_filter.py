"""The filter of the table: part of a name, or a query such as "age > 3 and group = 1"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array
from coterie.core.model.query import Named, matching
from coterie.core.model.query_columns import is_of_category
from coterie.core.model.query_words import has_sign
from coterie.gui.views.shown_items.columns import ItemColumn


class QueryColumns(Mapping[str, "Array | Named"]):
    """The columns of the table as queries know them; their values are read when asked for."""

    def __init__(self, columns: Sequence[ItemColumn], n: int) -> None:
        coded = {column.title for column in columns if column.kind == "category"}
        columns = [c for c in columns if not is_of_category(c.title, coded)]
        # Of two with the same name the first is meant: what was found out comes before features.
        self._columns = {_word(column): column for column in reversed(columns)}
        self._words = list(dict.fromkeys(map(_word, columns)))
        self._n = n

    def __getitem__(self, word: str) -> Array | Named:
        column = self._columns[word]
        if column.kind in ("group", "truth", "text", "category"):
            return Named(column.values, tuple(column.names), numbered=column.kind == "group")
        if column.kind == "date":  # as ISO 8601, the order of the letters is that of time
            return np.array(column.dates(slice(None)))
        if column.kind == "item":
            return np.array(column.names) if len(column.names) else np.arange(1, self._n + 1)
        return np.asarray(column.values, dtype=float)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self._columns


@dataclass(frozen=True, eq=False)
class Filtered:
    """A mask of the rows to show, and a sentence when what was typed cannot be followed."""

    kept: Array
    problem: str = ""


def filtered(columns: Sequence[ItemColumn], n: int, text: str) -> Filtered:
    """Return which of n rows match what was typed; all, when it cannot be followed."""
    text = text.strip()
    if not text:
        return Filtered(np.ones(n, dtype=bool))
    if not has_sign(text):
        return Filtered(containing(columns, n, text))
    try:
        return Filtered(matching(text, QueryColumns(columns, n), n))
    except DataError as error:
        # A name with a sign in it is still a text to look for.
        found = containing(columns, n, text)
        if found.any():
            return Filtered(found)
        return Filtered(np.ones(n, dtype=bool), str(error))


def containing(columns: Sequence[ItemColumn], n: int, text: str) -> Array:
    """Return a mask of the rows with `text` in a name (item, group, class) or in their text."""
    wanted = text.casefold()
    found = np.zeros(n, dtype=bool)
    for column in columns:
        if column.kind == "item":
            names = column.names if len(column.names) else tuple(str(i + 1) for i in range(n))
            found |= np.fromiter((wanted in name.casefold() for name in names), bool, n)
        elif column.kind == "text":
            found |= np.fromiter((wanted in text.casefold() for text in column.names), bool, n)
        elif column.names:
            codes = [c for c, name in enumerate(column.names) if wanted in name.casefold()]
            found |= np.isin(column.values, codes)
    return found


def _word(column: ItemColumn) -> str:
    """What a query calls a column: those of the table by their names, others by what they are."""
    of_texts = column.kind == "text" and column.title == "Text"
    found_out = column.kind in ("item", "group", "rank") or of_texts
    return column.kind if found_out else column.title

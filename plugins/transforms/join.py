"""Columns of a second table, joined by a key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from coterie.core import Column, Context, Cost, DataError, Dataset, Field, Ints, Transform
from coterie.core.formats.columns.retyping import own_table
from coterie.core.formats.files.tabular import require_column
from coterie.core.numerics.features.typed_columns import encoded


class Join(Transform):
    """Add to each item the columns of the row of a second table that has the same key.

    Keys are compared as they are written; the names of the items are a key as well. Items without a
    partner keep their row, with what is joined missing; of several partners the first is taken, and
    the notes say how many there were. The features are the default encoding of all columns; known
    classes of the second table become information.
    """

    id, title = "join", "Join a second table"
    needs = ("dataset", "dataset")

    class Params(Transform.Params):
        """By which columns the rows belong together."""

        key: str = Field(
            "", description="Column of the first table that holds the key; empty: the item names."
        )
        other_key: str = Field(
            "",
            description="Column of the second table that holds the key; empty: the column of "
            "the same name.",
        )

    def compute(
        self, data: Dataset, other: Dataset, *, params: Params, context: Context
    ) -> Dataset:
        """Return the items of the first table with the columns of both."""
        context.check()
        for one in (data, other):
            one.on_disk and one.clean_features()
        key, other_key = params.key, params.other_key or params.key
        own, theirs = _keys(data, key), _keys(other, other_key)
        partner, repeated = _partners(own, theirs)
        context.check()
        taken = {column.name for column in own_table(data)}
        more = [
            _named(_spread(column, partner), taken, other.title)
            for column in own_table(other)
            if column.name != other_key
        ]
        table = (*own_table(data), *more)
        features, names = encoded(table)
        alone = int((partner < 0).sum())
        notes = [f"{data.n - alone:,} of {data.n:,} items have a row in '{other.title}'."]
        if repeated:
            notes.append(f"{repeated:,} of its rows repeat an earlier key and were left out.")
        if alone == data.n:
            raise DataError(
                f"No key of '{data.title}' is in '{other.title}'. The first has "
                f"'{own[0] if own else '':.40}', the second '{theirs[0] if theirs else '':.40}'. "
                "Choose other key columns.",
                code="nothing-left",
            )
        return replace(
            data, features=features, columns=names, table=table, notes=(*data.notes, *notes)
        )

    def estimate(self, data: Dataset, other: Dataset, *, params: Params) -> Cost:
        """The columns of both."""
        width = data.d + other.d + len(other.table) + 4
        return Cost(bytes=48 * data.n * width, seconds=1e-6 * (data.n + other.n))


def _keys(data: Dataset, name: str) -> list[str]:
    if not name:
        return list(data.item_names)
    table = own_table(data)
    require_column(data.title, [column.name for column in table], name, "the key")
    return next(column for column in table if column.name == name).words()


def _partners(own: Sequence[str], theirs: Sequence[str]) -> tuple[Ints, int]:
    """For each key the first row of the other table that has it, −1 for none."""
    first: dict[str, int] = {}
    for row, key in enumerate(theirs):
        first.setdefault(key, row)
    known = sum(1 for key in theirs if key)
    first.pop("", None)
    return np.array([first.get(key, -1) for key in own], dtype=np.int64), known - len(first)


def _spread(column: Column, partner: Ints) -> Column:
    """The values of the partners; missing where there is none."""
    found = column.take(np.maximum(partner, 0))
    alone = partner < 0
    if not alone.any():
        return found
    if column.type in ("number", "date"):
        return replace(found, values=np.where(alone, np.nan, found.values))
    if column.type in ("category", "ordered"):
        return replace(found, values=np.where(alone, -1, found.values))
    words = ["" if out else word for word, out in zip(found.values, alone.tolist(), strict=True)]
    return Column(column.name, words, column.type, column.role, why=column.why, notes=column.notes)


def _named(column: Column, taken: set[str], title: str) -> Column:
    """A column under a free name; names of items and labels become information."""
    name, number = column.name, 1
    while name in taken:
        number += 1
        name = f"{column.name} ({title})" if number == 2 else f"{column.name} ({title} {number})"
    taken.add(name)
    role = "information" if column.role in ("name", "label") else column.role
    return replace(column, name=name, role=role, why=f"Joined from '{title}'.")

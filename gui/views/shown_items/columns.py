"""The columns of the data table: how each reads its cells from the arrays, without copying them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from coterie.core.model.arrays import Array, Ints, is_sparse
from coterie.core.model.columns import (
    CODED,
    SECONDS_A_DAY,
    WORDED,
    Column,
    dates_in_words,
)
from coterie.core.model.dataset import Dataset
from coterie.core.model.group_names import group_name
from coterie.core.numerics.features.typed_columns import is_default_encoding
from coterie.gui.views.shown_items.displayed import Shown
from coterie.gui.views.shown_items.rank_positions import places_of

MISSING = "–"
_LOOKED_AT = 2000  # cells that decide how many decimals a column needs

BEGINNING = 80  # characters shown of a text

ColumnKind = Literal[
    "item", "group", "rank", "truth", "text", "feature", "number", "category", "date"
]
NUMBERS: tuple[ColumnKind, ...] = ("feature", "number")
TYPE_WORDS = {
    "number": "Number",
    "category": "Category",
    "ordered": "Ordered category",
    "date": "Date or time",
    "text": "Text",
    "identifier": "Identifier",
}
COLUMN_ROLES = {
    "feature": "Feature",
    "label": "Label (known class)",
    "name": "Item names",
    "weight": "Weight of the items",
    "information": "Information only",
}
_SAID = {"feature": "a feature", "information": "kept as information", "weight": "a weight"}


@dataclass(frozen=True, eq=False)
class ItemColumn:
    """One column: n numbers or codes, and what a person reads for each.

    A "number" is one of the table that is not a feature as it stands, a date counts seconds.
    """

    kind: ColumnKind
    title: str
    tip: str
    source: Any = field(repr=False)
    names: Sequence[str] = ()
    index: int = 0
    colours: tuple[str, ...] = ()  # of its groups, as in a clustering

    @property
    def key(self) -> str:
        """What the column is known by when the table changes."""
        return f"{self.kind}:{self.title}"

    @property
    def numeric(self) -> bool:
        """Whether it holds amounts, to be aligned and shown as a distribution."""
        return self.kind in (*NUMBERS, "rank", "date")

    @property
    def is_typed(self) -> bool:
        """Whether it is a column of the table itself, in its own type."""
        return self.kind in ("number", "category", "date")

    @cached_property
    def values(self) -> Array:
        """All n values: a view of a dense table's column, one copy of a sparse one's."""
        if isinstance(self.source, range):
            return np.arange(len(self.source))
        if callable(self.source):  # what takes a while is worked out when somebody looks at it
            return np.asarray(self.source())
        if self.kind != "feature" or self.source.ndim == 1:
            return np.asarray(self.source)
        if is_sparse(self.source):
            return np.asarray(self.source[:, [self.index]].toarray()).ravel()
        return np.asarray(self.source[:, self.index])

    def missing(self, item: int) -> bool:
        """Return whether the item has no value here."""
        if self.kind == "item":
            return False
        if self.kind == "text":
            return not self.names[item]
        value = self.values[item]
        return bool(value < 0) if self._coded else not np.isfinite(value)

    @property
    def _coded(self) -> bool:
        return self.kind == "category" or len(self.names) > 0

    def text(self, item: int) -> str:
        """Return what a person reads for the item."""
        if self.kind == "item":
            return self.names[item] if self.names else str(item + 1)
        if self.missing(item):
            return MISSING
        if self.kind == "text":
            return beginning(self.names[item])
        if self.kind == "date":
            return self.dates([item])[0]
        value = self.values[item]
        if self.names:
            return group_name(int(value), self.names)
        return str(int(value)) if self.kind == "rank" else self._number(float(value))

    def exact(self, item: int) -> str:
        """Return the value in full, as a file gets it; nothing when it is missing."""
        if self.missing(item):
            return ""
        if self.kind == "text":
            return self.names[item]
        return repr(float(self.values[item])) if self.kind in NUMBERS else self.text(item)

    def written(self, items: Ints) -> list[str]:
        """Return the values of these items as a file gets them: `exact` for many at once."""
        if self.kind == "date":
            return self.dates(items)
        if self.kind not in NUMBERS:
            return [self.exact(item) for item in items.tolist()]
        values = self.values[items].astype(float)
        return [
            repr(value) if known else ""
            for value, known in zip(values.tolist(), np.isfinite(values).tolist(), strict=True)
        ]

    def dates(self, items: Any) -> list[str]:
        """Return the dates of these items as ISO 8601; all of them with the time, or none."""
        return dates_in_words(self.values[items], timed=self._timed)

    @cached_property
    def _timed(self) -> bool:
        known = self.values[np.isfinite(self.values)]
        return bool((known % SECONDS_A_DAY).any())

    def order(self, *, descending: bool) -> Array:
        """Return the items sorted by this column; equal ones keep their order, missing go last."""
        if self.kind in ("item", "text"):
            keys = _name_keys(self.names) if len(self.names) else np.arange(len(self.values))
            order = np.argsort(keys, kind="stable")
            return order[::-1] if descending else order
        values = self.values.astype(float)
        gone = (values < 0) if self._coded else ~np.isfinite(values)
        values = -values if descending else values
        values[gone] = np.inf
        return np.argsort(values, kind="stable")

    @cached_property
    def _decimals(self) -> int | None:
        """Decimals that write every value in full, else five digits of the largest.

        None when that would not do: for values that are huge or tiny.
        """
        some = self.values[:_LOOKED_AT].astype(float)
        largest = np.abs(some[np.isfinite(some)]).max(initial=0.0)
        if not 1e-3 <= largest < 1e7:
            return 0 if largest == 0 else None
        fitting = max(4 - int(np.floor(np.log10(largest))), 0)
        for decimals in range(fitting):
            if np.allclose(np.round(some, decimals), some, rtol=0, atol=1e-9, equal_nan=True):
                return decimals
        return fitting

    def _number(self, value: float) -> str:
        if self._decimals is not None:
            return f"{value:.{self._decimals}f}".replace("-", "−")
        return f"{value:#.5g}".rstrip(".").replace("-", "−")


def columns_of(shown: Shown) -> tuple[ItemColumn, ...]:
    """Return the columns of the table: what was found out first, then the features."""
    data = shown.dataset
    if data is None:
        return ()
    columns = [ItemColumn("item", "Item", "Name of the item", range(data.n), data.items)]
    if (found := shown.clustering) is not None:
        tip = f"Group found by '{shown.clustering_step}'; – means unassigned"
        names = group_names(shown)
        groups = ItemColumn("group", "Group", tip, found.labels, names, colours=found.colours)
        columns.append(groups)
    if (ranking := shown.ranking) is not None and ranking.order is not None:
        tip = f"Rank in '{shown.ranking_step}', relative to {ranking.relative_to}; 1 is first"
        places = partial(places_of, ranking, None if found is None else found.labels)
        columns.append(ItemColumn("rank", "Rank", tip, places))
    if data.truth is not None:
        title = data.truth_column or "Truth"
        columns.append(ItemColumn("truth", title, "Known class", data.truth, truth_names(shown)))
    if data.texts and data.texts != data.items:
        tip = "Beginning of the text"
        columns.append(ItemColumn("text", "Text", tip, range(data.n), data.texts))
    return (*columns, *table_columns(data))


def table_columns(data: Dataset) -> tuple[ItemColumn, ...]:
    """Return the features of a data set and all other columns of its table, in their own types.

    Where the features are the table's columns as they were read, each is shown once, as in the
    file. Where a step changed them, its numbers come first, then what it leaves as it is.
    """
    as_read = is_default_encoding(data)
    features = () if as_read else data.columns
    taken = {*features}
    if data.truth is not None:
        taken |= {c.name for c in data.table if c.role == "label" and c.name == data.truth_column}
    if data.items:
        taken |= {next((c.name for c in data.table if c.role == "name"), "")}
    return (
        *(
            ItemColumn("feature", name, f"Feature '{name}'", data.features, index=j)
            for j, name in enumerate(features)
        ),
        *(typed_column(column) for column in data.table if column.name not in taken),
    )


def typed_column(column: Column) -> ItemColumn:
    """Return a column of a table as the table in the window shows it."""
    unit = f" in {column.unit}" if column.unit else ""
    role = _SAID.get(column.role, column.role)
    tip = f"'{column.name}': {column.type}{unit}, {role}"
    if column.why:
        tip += f"\n{column.why}"
    if column.type in WORDED:
        return ItemColumn("text", column.name, tip, range(len(column)), column.values)
    if column.type in CODED:
        return ItemColumn("category", column.name, tip, column.values, column.categories)
    kind: ColumnKind = "date" if column.type == "date" else "number"
    if kind == "number" and column.role == "feature":
        kind = "feature"
    return ItemColumn(kind, column.name, tip, column.values)


def beginning(text: str) -> str:
    """Return how a text begins, on one line.

    >>> beginning("All are\\n equal")
    'All are equal'
    """
    words = " ".join(text[: 4 * BEGINNING].split())
    return words if len(words) <= BEGINNING else f"{words[:BEGINNING].rstrip()} …"


def group_names(shown: Shown) -> tuple[str, ...]:
    """Return a name for each group of the clustering."""
    found = shown.clustering
    if found is None:
        return ()
    k = max(int(found.labels.max(initial=-1)) + 1, 1)
    return tuple(group_name(group, found.names) for group in range(k))


def truth_names(shown: Shown) -> tuple[str, ...]:
    """Return a name for each known class."""
    if shown.dataset is None or shown.dataset.truth is None:
        return ()
    k = max(int(shown.dataset.truth.max(initial=-1)) + 1, 1)
    names = shown.dataset.truth_names
    return tuple(names[c] if c < len(names) else f"class {c + 1}" for c in range(k))


def _name_keys(names: Sequence[str]) -> Array:
    """Sort keys of names: as numbers when all are, so 10 comes after 9."""
    try:
        return np.array(list(names), dtype=float)
    except ValueError:
        return np.array([name.casefold() for name in names])

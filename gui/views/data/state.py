"""The data table: its columns, the order of its rows, and the distribution of one column."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from coterie.core.formats.columns.retyping import own_table
from coterie.core.formats.files.tables import ROW, row_numbers
from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.columns import Column
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Step
from coterie.core.numerics.features.typed_columns import is_default_encoding
from coterie.core.wording import counted
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.views.data.distribution import Histogram, histogram_of
from coterie.gui.views.data.ordering import Ordering, ordered
from coterie.gui.views.shown_items.columns import ColumnKind, ItemColumn, columns_of
from coterie.gui.views.shown_items.corrections import EDIT, What, corrected
from coterie.gui.views.shown_items.displayed import Shown, look
from coterie.projects.recipe.column_edits import with_column

if TYPE_CHECKING:
    from coterie.projects.session import Session

_WRITTEN_AT_ONCE = 4096  # rows
MOST_AT_ONCE = 200_000  # items; to sort or count more takes longer than a frame
_WORTH_A_LOOK: tuple[ColumnKind, ...] = ("feature", "category", "truth", "group")
_CORRECTED: dict[ColumnKind, What] = {"item": "names", "truth": "truth"}


class TableState:
    """What the Data view shows, in which order, and which column is looked at."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.shown = Shown()
        self.columns: tuple[ItemColumn, ...] = ()
        self.ordering: Pending[Ordering] = Pending(Ordering())
        self.distribution: Pending[Histogram | None] = Pending(None)
        self.sorted_by: tuple[str, bool] | None = None
        self.filter = ""
        self._looked_at = ""

    @property
    def n(self) -> int:
        """Number of items."""
        return self.shown.n

    @property
    def rows(self) -> int:
        """Number of rows: of items that pass the filter."""
        return self.ordering.value.rows

    @property
    def order(self) -> Array:
        """The items of all rows, from top to bottom."""
        return self.ordering.value.between(0, self.rows - 1)

    @property
    def problem(self) -> str:
        """Why the filter cannot be followed."""
        return self.ordering.value.problem

    def update(self) -> bool:
        """Take what the session has now; return whether anything differs."""
        shown = look(self._session, self.chosen)
        if _same(shown, self.shown):
            return False
        self.shown = shown
        self.columns = columns_of(shown)
        if self.ordering.value.n != self.n:
            self.ordering.value = Ordering(self.n)  # until they are sorted again
        self._sort()
        return True

    def sort(self, column: int, *, descending: bool) -> None:
        """Order the rows by a column; −1: as they were opened."""
        self.sorted_by = None if column < 0 else (self.columns[column].key, descending)
        self._sort()

    def _sort(self) -> None:
        plain = self.sorted_by is None and not self.filter.strip()
        work = partial(ordered, self.columns, self.n, self.sorted_by, self.filter)
        made_of = (self.columns, self.sorted_by, self.filter)
        self.ordering.renew(made_of, work, at_once=plain or self.n <= MOST_AT_ONCE)

    def keep_only(self, text: str) -> None:
        """Show only the rows that match a text or comparisons; nothing typed: all."""
        self.filter = text
        self._sort()

    def item(self, row: int) -> int:
        """Return which item a row shows."""
        return self.ordering.value.item(row)

    def row(self, item: int) -> int:
        """Return in which row an item is shown; −1 when the filter hides it."""
        return self.ordering.value.row(item)

    def is_unknown(self, item: int) -> bool:
        """Return whether none of the features of an item has a value."""
        data = self.shown.dataset
        if data is None or data.features is None or is_sparse(data.features) or not data.d:
            return False
        features: Array = np.asarray(data.features)
        return bool(np.isnan(features[item]).all())

    def group(self, item: int) -> int | None:
        """Return the group of an item; None when nothing is grouped."""
        found = self.shown.clustering
        return None if found is None else int(found.labels[item])

    def summary(self, selected: int) -> str:
        """Return the size of what is shown, in a line."""
        data = self.shown.dataset
        if data is None:
            return ""
        count = counted(self.n, "item")
        if self.rows < self.n:
            count = f"{self.rows:,} of {count}"
        parts = [data.title or self.shown.dataset_step, count]
        if data.table and is_default_encoding(data):
            parts.append(counted(len(data.table), "column"))
        elif data.d:
            parts.append(counted(data.d, "feature"))
        if self.shown.clustering is not None:
            parts.append(counted(self.shown.clustering.k, "group"))
        if selected:
            parts.append(f"{selected:,} selected")
        return "  ·  ".join(parts)

    # Corrections

    def can_correct(self, column: int) -> bool:
        """Return whether a person may write into a column: names and known classes."""
        return self.columns[column].kind in _CORRECTED

    def correct(self, column: int, item: int, text: str) -> None:
        """Give an item another name or class, as a step of the recipe that can be undone."""
        kind, text = self.columns[column].kind, text.strip()
        before = self.columns[column]
        old = "" if before.missing(item) else before.text(item)
        if kind not in _CORRECTED or text == old or (kind == "item" and not text):
            return
        recipe, step = corrected(self._session.recipe, self._origin(), _CORRECTED[kind], item, text)
        name = self.columns[0].text(item)
        doing = f"rename “{name}”" if kind == "item" else f"class of “{name}”"
        self._session.edits.replace(recipe, doing)
        self._session.run(step)

    # Types and roles

    def typed(self, column: int) -> Column | None:
        """Return the column of the table that a column shows; None for what was found out."""
        data, title = self.shown.dataset, self.columns[column].title
        if data is None or self.columns[column].kind in ("group", "rank"):
            return None
        table = own_table(data) if data.features is not None and not data.on_disk else data.table
        if self.columns[column].kind == "item":
            return next((one for one in table if one.role == "name"), None)
        return next((one for one in table if one.name == title), None)

    def retype(self, column: int, *, kind: str = "", role: str = "") -> None:
        """Give a column another type or role, as a step of the recipe that can be undone."""
        before = self.typed(column)
        if before is None or (kind or before.type, role or before.role) == (
            before.type,
            before.role,
        ):
            return
        recipe, step = with_column(
            self._session.recipe, self._origin(), before.name, kind=kind, role=role
        )
        self._session.edits.replace(recipe, f"make “{before.name}” {kind or role}")
        self._session.run(step)

    def _origin(self) -> str:
        """The first data with these items: as they were opened, or as they were sampled."""
        recipe, name = self._session.recipe, self.shown.dataset_step
        while isinstance(part := recipe.find(name), Step) and part.use != EDIT:
            above = self._session.results.artefact(part.of[0]) if part.of else None
            if not isinstance(above, Dataset) or above.n != self.n or above.on_disk:
                break
            name = part.of[0]
        return name

    # The distribution of one column

    def look_at(self, column: int) -> None:
        """Choose the column whose distribution is shown."""
        self._looked_at = self.columns[column].key

    @property
    def looked_at(self) -> int:
        """The column whose distribution is shown, −1 for none."""
        keys = [column.key for column in self.columns]
        if self._looked_at in keys:
            return keys.index(self._looked_at)
        kinds = [column.kind for column in self.columns]
        # Ranks are spread evenly, names and texts not at all.
        return next((kinds.index(kind) for kind in _WORTH_A_LOOK if kind in kinds), -1)

    def histogram(self) -> Histogram | None:
        """Return the distribution of the column that is looked at, None when it has none."""
        self.look_again()
        self.distribution.finish()
        return self.distribution.value

    def look_again(self) -> None:
        """See whether the distribution is another now; that of many items is worked out aside."""
        column = self.columns[self.looked_at] if self.looked_at >= 0 else None
        groups = self.shown.clustering
        work = partial(_no_histogram) if column is None else partial(histogram_of, column, groups)
        self.distribution.renew((column, groups), work, at_once=self.n <= MOST_AT_ONCE)

    # Out

    def table_to_write(self) -> Callable[[Path], None]:
        """Return what writes the table as it is shown now; it may be called on another thread."""
        ordering = self.ordering.value
        work = self.ordering.work or (lambda: ordering)
        return partial(_write_csv, self.columns, self.shown.dataset, work)


def _write_csv(
    columns: Sequence[ItemColumn],
    data: Dataset | None,
    order: Callable[[], Ordering],
    path: Path,
) -> None:
    """Write a table in the order in which it is shown, with values in full.

    Each line begins with the row of its item in the data that were opened.
    """
    ordering = order()
    rows = row_numbers(data, data.n if data is not None else 0)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([ROW, *(column.title for column in columns)])
        for start in range(0, ordering.rows, _WRITTEN_AT_ONCE):
            items = ordering.between(start, min(start + _WRITTEN_AT_ONCE, ordering.rows) - 1)
            cells = (column.written(items) for column in columns)
            writer.writerows(zip((rows[i] for i in items.tolist()), *cells, strict=True))


def _no_histogram() -> Histogram | None:
    return None


def _same(one: Shown, other: Shown) -> bool:
    """Whether the table looks the same: the same arrays, under the same names."""
    return (
        one.dataset is other.dataset
        and one.clustering is other.clustering
        and one.ranking is other.ranking
        and one.clustering_step == other.clustering_step
        and one.ranking_step == other.ranking_step
    )

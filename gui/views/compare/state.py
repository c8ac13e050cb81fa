"""The Compare view: two groupings of the same items, or one and the known classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.core.numerics.drawing.palette import group_colour
from coterie.core.numerics.partitions.contingency import Contingency, contingency
from coterie.gui.views.shown_items.displayed import look
from coterie.gui.views.shown_items.group_editing import GroupEditing

if TYPE_CHECKING:
    from coterie.projects.session import Session

NO_GROUP = "no group"
TRUTH = "truth"  # not a name of a step: the known classes


@dataclass(frozen=True, eq=False)
class Grouping:
    """One way of grouping the items."""

    key: str
    title: str
    labels: Ints
    names: tuple[str, ...]
    colours: tuple[str, ...] = ()

    def same_as(self, other: Grouping | None) -> bool:
        """Return whether another is the same result under the same names."""
        return other is not None and (
            self.labels is other.labels
            and (self.key, self.title, self.names) == (other.key, other.title, other.names)
            and self.colours == other.colours
        )


@dataclass(frozen=True, eq=False)
class Comparison:
    """How two groupings overlap.

    Attributes
    ----------
    table : items counted by both
    of_rows, of_columns : which groups the lines of the table are
    partners : for each column the row that the best matching gives it, −1 for none
    """

    rows: Grouping
    columns: Grouping
    table: Contingency
    of_rows: tuple[int, ...]
    of_columns: tuple[int, ...]
    partners: tuple[int, ...]

    @property
    def agreement(self) -> tuple[tuple[str, str], ...]:
        """Numbers that say how far they agree, with their names."""
        table = self.table
        wrong = table.wrong()
        return (
            ("Items compared", f"{table.n:,}"),
            ("In matched groups", f"{1 - wrong / table.n:.2%}"),
            ("Error", f"{wrong / table.n:.4f}"),
            ("NMI", f"{table.information():.4f}"),
            ("NMI, geometric", f"{table.information('geometric'):.4f}"),
            ("Adjusted Rand", f"{table.adjusted_rand():.4f}"),
        )

    def members(self, row: int, column: int) -> Ints:
        """Return the items that are in both groups; after the last group come those in none."""
        own_row = self.of_rows[row] if row < len(self.of_rows) else -1
        own_column = self.of_columns[column] if column < len(self.of_columns) else -1
        return np.flatnonzero((self.rows.labels == own_row) & (self.columns.labels == own_column))

    def disagreeing(self) -> Ints:
        """Return the items outside the best matching."""
        rows, columns = self.rows.labels, self.columns.labels
        partner = np.full(int(columns.max(initial=-1)) + 1, -2)  # -2: a group without a partner
        for column, row in enumerate(self.partners):
            if row >= 0:
                partner[self.of_columns[column]] = self.of_rows[row]
        both = np.flatnonzero((columns >= 0) & (rows >= 0))
        return np.asarray(both[partner[columns[both]] != rows[both]])

    def whole_counts(self) -> Ints:
        """Return the counts with a row and a column of no group, where there are such items."""
        rows, columns = self.rows.labels, self.columns.labels
        above = [int(((rows < 0) & (columns == group)).sum()) for group in self.of_columns]
        beside = [int(((rows == group) & (columns < 0)).sum()) for group in self.of_rows]
        neither = int(((rows < 0) & (columns < 0)).sum())
        counts = np.zeros((len(beside) + 1, len(above) + 1), dtype=np.int64)
        counts[:-1, :-1] = self.table.counts
        counts[-1] = [*above, neither]
        counts[:-1, -1] = beside
        last_row = None if counts[-1].any() else -1
        last_column = None if counts[:, -1].any() else -1
        return counts[:last_row, :last_column]

    def name_of_row(self, row: int) -> str:
        """Return what a row is called; the one after the last group holds the items in none."""
        return self.table.rows[row] if row < len(self.table.rows) else NO_GROUP

    def name_of_column(self, column: int) -> str:
        """Return what a column is called; the one after the last group holds the items in none."""
        return self.table.columns[column] if column < len(self.table.columns) else NO_GROUP

    def row_heads(self, *, dark: bool) -> list[tuple[str, str]]:
        """Return name and colour of each row of `whole_counts`.

        Columns have their own colours, as in every other view; a row has that of its partner.
        """
        free = max([*self.of_rows, *self.of_columns], default=0) + 1
        partner = {row: self.of_columns[at] for at, row in enumerate(self.partners) if row >= 0}
        found = []
        for row in range(len(self.whole_counts())):
            if row in partner:
                shade = group_colour(partner[row], self.columns.colours, dark=dark)
            else:
                shade = group_colour(free if row < len(self.of_rows) else -1, dark=dark)
                free += 1
            found.append((self.name_of_row(row), shade))
        return found

    def column_heads(self, *, dark: bool) -> list[tuple[str, str]]:
        """Return name and colour of each column of `whole_counts`."""
        groups = [*self.of_columns, -1][: self.whole_counts().shape[1]]
        return [
            (self.name_of_column(at), group_colour(group, self.columns.colours, dark=dark))
            for at, group in enumerate(groups)
        ]


class CompareState:
    """Which groupings there are, and the two that are compared."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.rows_key = ""
        self.columns_key = ""
        self.groupings: tuple[Grouping, ...] = ()
        self.comparison: Comparison | None = None
        self.problem = ""
        self._awaited: tuple[str, str] | None = None

    def await_pair(self, rows: str, columns: str) -> None:
        """Compare two results once both are there, whatever was chosen before."""
        self._awaited = rows, columns

    def update(self) -> None:
        """Look for groupings again, and compare."""
        shown = look(self._session, self.chosen)
        self.groupings = self._find(shown.dataset)
        keys = [grouping.key for grouping in self.groupings]
        if self._awaited is not None and all(key in keys for key in self._awaited):
            (self.rows_key, self.columns_key), self._awaited = self._awaited, None
        if self.columns_key not in keys:
            preferred = [shown.clustering_step] if shown.clustering_step in keys else []
            steps = [key for key in keys if key != TRUTH]
            self.columns_key = (preferred or steps[-1:] or [""])[0]
        if self.rows_key not in keys or self.rows_key == self.columns_key:
            others = [key for key in keys if key != self.columns_key]
            self.rows_key = TRUTH if TRUTH in others else (others[-1] if others else "")
        self._compare()

    def choose(self, rows: str, columns: str) -> None:
        """Compare two groupings by their keys."""
        self._awaited = None
        self.rows_key, self.columns_key = rows, columns
        self._compare()

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to compare, else nothing."""
        if self.comparison is not None:
            return ""
        if not self._session.recipe.names:
            return "Open a file or choose a sample, then cluster its items to compare results."
        if len(self.groupings) < 2:
            return (
                "Run two clustering methods, or choose a column of known classes, to "
                "compare them here."
            )
        return self.problem or "Choose two different results to compare."

    def editing(self, key: str) -> GroupEditing | None:
        """Return what changes the groups of one of the two; None for the known classes."""
        names = self._session.recipe.names
        found = self._session.results.artefact(key) if key in names else None
        return GroupEditing(self._session, key, found) if isinstance(found, Clustering) else None

    def write_csv(self, path: Path) -> None:
        """Write the table of counts."""
        import csv

        if self.comparison is None:
            return
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            counts = self.comparison.whole_counts()
            columns = map(self.comparison.name_of_column, range(counts.shape[1]))
            writer.writerow(["", *columns])
            for row, values in enumerate(counts.tolist()):
                writer.writerow([self.comparison.name_of_row(row), *values])

    def _find(self, dataset: Dataset | None) -> tuple[Grouping, ...]:
        if dataset is None:
            return ()
        found = []
        if dataset.truth is not None:
            title = dataset.truth_column or "known classes"
            found.append(Grouping(TRUTH, title, dataset.truth, dataset.truth_names))
        for step in self._session.recipe.in_order():
            if not step.use.startswith("clusterer/"):
                continue
            clustering = self._session.results.artefact(step.name)
            if isinstance(clustering, Clustering) and clustering.n == dataset.n:
                found.append(
                    Grouping(
                        step.name, step.name, clustering.labels,
                        clustering.group_names, clustering.colours,
                    )
                )  # fmt: skip
        return tuple(found)

    def _compare(self) -> None:
        by_key = {grouping.key: grouping for grouping in self.groupings}
        rows, columns = by_key.get(self.rows_key), by_key.get(self.columns_key)
        before = self.comparison
        if before is not None and before.rows.same_as(rows) and before.columns.same_as(columns):
            return  # news of other steps
        self.comparison, self.problem = None, ""
        if rows is None or columns is None or rows is columns:
            return
        try:
            self.comparison = compare(rows, columns)
        except DataError as error:
            self.problem = str(error)


def compare(rows: Grouping, columns: Grouping) -> Comparison:
    """Count the items by both groupings, columns ordered so partners stand on the diagonal."""
    table = contingency(
        Clustering(labels=columns.labels, names=columns.names),
        Clustering(labels=rows.labels, names=rows.names),
    )
    both = (rows.labels >= 0) & (columns.labels >= 0)
    of_rows = np.unique(rows.labels[both])
    of_columns = np.unique(columns.labels[both])
    pairs = zip(*(side.tolist() for side in reversed(table.matching())), strict=True)
    # The best matching may pair what is left over, though no item is in both.
    partner = {column: row for column, row in pairs if table.counts[row, column]}
    order = sorted(range(len(of_columns)), key=lambda j: (partner.get(j, len(of_rows)), j))
    ordered = Contingency(
        table.counts[:, order], table.rows, _taken(table.columns, order), table.notes
    )
    return Comparison(
        rows,
        columns,
        ordered,
        tuple(int(g) for g in of_rows),
        tuple(int(of_columns[j]) for j in order),
        tuple(partner.get(j, -1) for j in order),
    )


def _taken(names: tuple[str, ...], order: Sequence[int] | Array) -> tuple[str, ...]:
    return tuple(names[int(j)] for j in order)

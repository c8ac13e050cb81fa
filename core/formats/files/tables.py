"""Every kind of result as columns of equal length: what files and the screen show of it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TextIO

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.columns import Column
from coterie.core.model.dataset import Dataset
from coterie.core.model.figures import Figure
from coterie.core.model.group_names import group_name
from coterie.core.model.result_types import type_of_noun
from coterie.core.model.results import (
    Clustering,
    Embedding,
    Labelling,
    Model,
    Ranking,
    Score,
    Spectrum,
    Trace,
)
from coterie.core.numerics.features.typed_columns import is_default_encoding

ROW = "row"
GROUP = "group"  # the number that people see
_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?")
LABEL = "label (from 0; -1: no group)"  # what methods and programs count by


@dataclass(frozen=True)
class Table:
    """Columns of equal length, each with a name."""

    names: tuple[str, ...]
    columns: tuple[Sequence[Any], ...]

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Return the rows, one after the other."""
        return zip(*self.columns, strict=True)


def table_of(noun: Any) -> Table:
    """Return a result as a table: a row for each item, iteration, eigenvalue or row of pixels."""
    known = type_of_noun(noun)
    if known is None:
        raise DataError(
            f"A {type(noun).__name__} cannot be written as a table.", code="not-exportable"
        )
    table: Table = known.table(noun)
    return table


def write_csv(
    table: Table,
    stream: TextIO,
    *,
    delimiter: str = ",",
    decimal: str = ".",
    header: bool = True,
    formulas: bool = True,
) -> None:
    """Write a table as CSV; every number with all its digits, nothing for what is missing.

    Parameters
    ----------
    formulas : leave texts that a spreadsheet would compute; else an apostrophe goes before them
    """
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    rows = ([_cell(value, decimal) for value in row] for row in table.rows())
    for row in chain([list(table.names)] if header else [], rows):
        writer.writerow(row if formulas else [without_formula(value) for value in row])


def without_formula(value: Any) -> Any:
    """Return a text with an apostrophe before it if a spreadsheet would compute it.

    >>> without_formula("=1+1"), without_formula("a=b"), without_formula("-0,5")
    ("'=1+1", 'a=b', '-0,5')
    """
    if not isinstance(value, str) or not value.startswith(_BEGIN_FORMULAS):
        return value
    return value if _NUMBER.fullmatch(value) else f"'{value}"


def _cell(value: Any, decimal: str) -> Any:
    if not isinstance(value, float):
        return value
    if np.isnan(value):
        return ""
    return value if decimal == "." else repr(value).replace(".", decimal)


def _dense(matrix: Any) -> Array:
    return np.asarray(matrix.toarray() if is_sparse(matrix) else matrix)


def item_names(dataset: Dataset | None, n: int) -> tuple[str, ...]:
    """Return a name for each item, its position where it has none."""
    return dataset.item_names if dataset is not None else tuple(str(i + 1) for i in range(n))


def item_name(dataset: Dataset | None, item: int) -> str:
    """Return the name of one item, its position where it has none."""
    return str(item + 1) if dataset is None else dataset.item_name(item)


def row_numbers(dataset: Dataset | None, n: int) -> Sequence[int]:
    """Return the row of each item in the data that were opened, from 1.

    Of items that were chosen among others it is where those were.
    """
    chosen = dataset.details.get("positions") if dataset is not None else None
    if isinstance(chosen, list) and len(chosen) == n:
        return [int(position) + 1 for position in chosen]
    return range(1, n + 1)


def with_columns(table: Table, dataset: Dataset | None) -> Table:
    """Return a table of items with all columns of their data behind its own.

    A column whose name is taken gets a number behind it. Other tables are returned as they are.
    """
    if dataset is None or len(table) != dataset.n or "item" not in table.names:
        return table
    if dataset.table:
        more = {column.name: column_values(column) for column in dataset.table}
    else:
        more = dict(zip(*_without_items(dataset_table(dataset)), strict=True))
    names, columns = list(table.names), list(table.columns)
    for name, values in more.items():
        free, number = name, 1
        while free in names:
            number += 1
            free = f"{name} ({number})"
        names.append(free)
        columns.append(values)
    return Table(tuple(names), tuple(columns))


def column_values(column: Column) -> Sequence[Any]:
    """Return the values of a typed column as a file gets them."""
    values: list[float] = column.values.tolist() if column.type == "number" else []
    return values or column.words()


def _without_items(table: Table) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    kept = [at for at, name in enumerate(table.names) if name not in ("item", ROW)]
    return [table.names[at] for at in kept], [table.columns[at] for at in kept]


def _with_items(dataset: Dataset | None, n: int, names: Sequence[str], values: Array) -> Table:
    items = item_names(dataset, n)
    return Table(("item", *names), (items, *(column.tolist() for column in values.T)))


def dataset_table(data: Dataset) -> Table:
    """All that is known of each item.

    The columns of the table as they were read; features that a transform made come in the place of
    those columns that they were made of. Of items chosen among others, their rows there come first.
    """
    table = _columns_table(data) if is_default_encoding(data) else _features_table(data)
    if "positions" not in data.details or ROW in table.names:
        return table
    return Table((ROW, *table.names), (row_numbers(data, data.n), *table.columns))


def _features_table(data: Dataset) -> Table:
    """The features, with what else the table has beside them."""
    columns: dict[str, Sequence[Any]] = {}
    if data.items:
        columns["item"] = data.items
    if data.features is not None:
        dense = _dense(data.features)
        columns |= {name: dense[:, j].tolist() for j, name in enumerate(data.columns)}
    elif data.relation is not None:
        dense = _dense(data.relation)
        columns |= {name: dense[:, j].tolist() for j, name in enumerate(data.item_names)}
    if data.texts:
        columns["text"] = data.texts
    if data.truth is not None:
        names = data.truth_names
        column = data.truth_column or "truth"
        columns[column] = [class_name(names, int(value)) for value in data.truth]
    made = Table(tuple(columns), tuple(columns.values()))
    aside = [c for c in data.table if c.role not in ("feature", "name") and c.name not in columns]
    more = Table(tuple(c.name for c in aside), tuple(map(column_values, aside)))
    return Table((*made.names, *more.names), (*made.columns, *more.columns))


def _columns_table(data: Dataset) -> Table:
    """The typed columns, with the names of the items where no column has them."""
    named = not data.items or any(column.role == "name" for column in data.table)
    every: dict[str, Sequence[Any]] = {} if named else {"item": data.items}
    every |= {column.name: column_values(column) for column in data.table}
    return Table(tuple(every), tuple(every.values()))


def class_name(names: Sequence[str], value: int) -> str:
    """Return what a class is called: nothing for the unknown, its number when it has no name."""
    if value < 0:
        return ""
    return names[value] if value < len(names) else str(value)


def affinity_table(affinity: Affinity) -> Table:
    """The matrix, a row and a column for each item."""
    names = item_names(affinity.dataset, affinity.n)
    return _with_items(affinity.dataset, affinity.n, names, affinity.to_dense())


def clustering_table(clustering: Clustering) -> Table:
    """The group of each item, and its shares in all groups where there are any."""
    labels = clustering.labels.tolist()
    columns: dict[str, Sequence[Any]] = {
        ROW: row_numbers(clustering.dataset, clustering.n),
        "item": item_names(clustering.dataset, clustering.n),
        GROUP: [label + 1 if label >= 0 else "" for label in labels],
    }
    if clustering.names:
        names = (*clustering.group_names, "")
        columns["group name"] = [names[label] for label in labels]
    columns[LABEL] = labels
    if clustering.membership is not None:
        for group, shares in enumerate(clustering.membership.T):
            name = group_name(group, clustering.names)
            name = f"{name} ({group + 1})" if f"share of {name}" in columns else name
            columns[f"share of {name}"] = shares.tolist()
    return Table(tuple(columns), tuple(columns.values()))


def ranking_table(ranking: Ranking) -> Table:
    """The rank and score of each item."""
    assert ranking.order is not None
    # An order may leave items out, such as those of other groups: they have a score but no rank.
    rank: list[Any] = [""] * len(ranking.scores)
    for position, item in enumerate(ranking.order.tolist(), 1):
        rank[item] = position
    rows, items = row_numbers(ranking.dataset, len(rank)), item_names(ranking.dataset, len(rank))
    scores = ranking.scores.tolist()
    return Table((ROW, "item", "rank", "score"), (rows, items, rank, scores))


def embedding_table(embedding: Embedding) -> Table:
    """The coordinates of each item."""
    n = embedding.coordinates.shape[0]
    places = [column.tolist() for column in embedding.coordinates.T]
    rows, items = row_numbers(embedding.dataset, n), item_names(embedding.dataset, n)
    return Table((ROW, "item", *embedding.axis_names), (rows, items, *places))


def spectrum_table(spectrum: Spectrum) -> Table:
    """The eigenvalues, numbered."""
    numbers = range(1, len(spectrum.eigenvalues) + 1)
    return Table(("number", "eigenvalue"), (numbers, spectrum.eigenvalues.tolist()))


def trace_table(trace: Trace) -> Table:
    """A row for each kept iteration."""
    columns = {"iteration": trace.iterations, **trace.values}
    return Table((*columns,), tuple(column.tolist() for column in columns.values()))


def labelling_table(labelling: Labelling) -> Table:
    """The classes as the pixels lie."""
    return Table(
        tuple(f"column {j + 1}" for j in range(labelling.classes.shape[-1])),
        tuple(column.tolist() for column in labelling.classes.T),
    )


def score_table(score: Score) -> Table:
    """The number itself first, then the entries of the table that explains it."""
    quantities, values = [score.title or "value"], [score.value]
    if score.table is not None and score.table.ndim == 2:
        rows = score.rows or tuple(str(i) for i in range(score.table.shape[0]))
        columns = score.columns or tuple(str(j) for j in range(score.table.shape[1]))
        quantities += [f"{row} / {column}" for row in rows for column in columns]
        values += score.table.ravel().tolist()
    return Table(("quantity", "value"), (quantities, values))


def model_table(model: Model) -> Table:
    """One row for each number: which array, where in it, and what."""
    entries = [
        (name, " ".join(map(str, position)), value.item())
        for name, array in model.arrays.items()
        for position, value in np.ndenumerate(array)
    ]
    columns = tuple(zip(*entries, strict=True)) if entries else ((), (), ())
    return Table(("array", "position", "value"), columns)


def figure_table(figure: Figure) -> Table:
    """One row for each mark, with its group; of a tree its branchings too."""
    values = figure.values
    if figure.cells:
        wide = len(figure.columns)
        texts = [figure.cells[j::wide] for j in range(wide)]
        return Table(figure.columns, tuple(texts))
    if values.ndim == 3:
        raise DataError(
            "A coloured image is not a table. Write it as PNG, SVG or PDF.", code="not-exportable"
        )
    columns: dict[str, Sequence[Any]] = {"mark": list(range(1, len(values) + 1))}
    if figure.rows:
        columns["name"] = [*figure.rows, *[""] * (len(values) - figure.marks)]
    if figure.groups is not None and figure.form != "tree":
        names = [group_name(int(group), figure.group_names) for group in figure.groups]
        columns[GROUP] = names
    if figure.parents is not None:
        columns["parent"] = [int(parent) + 1 if parent >= 0 else "" for parent in figure.parents]
    if values.ndim == 1:
        columns["height" if figure.form == "tree" else "value"] = values.tolist()
    else:
        called = figure.columns or tuple(str(j + 1) for j in range(values.shape[1]))
        for name, column in zip(called, values.T, strict=True):
            columns[name if name not in columns else f"{name} (value)"] = column.tolist()
    return Table(tuple(columns), tuple(columns.values()))

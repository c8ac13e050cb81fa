"""Previews: the first lines of a file as its reader takes them, or some items of an input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.components import Reader
from coterie.core.api.context import Context
from coterie.core.errors import DataError
from coterie.core.formats.columns.previews import ROLES, about
from coterie.core.formats.files.matrices import SeveralArraysError
from coterie.core.formats.files.tabular import TablePreview, unique_names
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Ints, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering

ROWS = 50
COLUMNS = 500  # shown of a very wide table
LARGEST = 32 << 20  # bytes of a file that is read whole for the sake of its first rows
TEXT = 200  # characters shown of a text


def first_lines(reader: Reader, path: Path, params: Any, context: Context) -> TablePreview:
    """Return the reader's own preview, or else the first rows of what it makes of the file.

    A reader may have a preview of some of its files only, and returns None for others.
    """
    if type(reader).preview is not Reader.preview:
        table = reader.preview(path, params=params, context=context)
        if isinstance(table, TablePreview):
            return table
        if table is not None:
            raise DataError(
                f"The preview of reader/{reader.id} is not a table. Report it to its author.",
                code="invalid-result",
            )
    if _size(path) > LARGEST:
        return TablePreview((), (), notes=("The file is too large to preview.",))
    try:
        data = reader.compute(path, params=params, context=context)
    except SeveralArraysError as several:
        return _arrays(several)
    if not isinstance(data, Dataset):
        return TablePreview((), (), notes=("It has no rows to preview.",))
    items = getattr(params, "items", "")
    return head_of(data, items if isinstance(items, str) else "")


def head_of(data: Dataset, items: str = "") -> TablePreview:
    """Return the first rows of a dataset, each column with its role; `items` names the names.

    >>> head_of(Dataset(features=np.eye(2), columns=("a", "b"))).roles
    ('feature', 'feature')
    """
    if data.table:
        return _head_of_table(data)
    count = min(ROWS, data.n)
    columns: dict[str, tuple[str, list[str]]] = {}
    if data.items:
        columns[items or "item"] = ("items", list(data.items[:count]))
    if data.texts:
        columns["text"] = ("text", [text[:TEXT] for text in data.texts[:count]])
    notes = list(data.notes)
    matrix, names, role = data.features, data.columns, "feature"
    if matrix is None and data.relation is not None:
        matrix, names, role = data.relation, data.item_names, "similarity"
    if matrix is not None:
        first: Any = matrix[:count, :COLUMNS]
        first = np.asarray(first.toarray() if is_sparse(first) else first)
        for j, name in enumerate(unique_names(names[:COLUMNS])):
            columns[name] = (role, [_cell(value) for value in first[:, j]])
        if len(names) > COLUMNS:
            notes.append(f"The first {COLUMNS} of {len(names)} columns are shown.")
    if data.truth is not None:
        name = data.truth_column or "class"
        columns[name] = ("truth", [_class(data, int(c)) for c in data.truth[:count]])
    notes.append(f"{data.n} items.")
    return TablePreview(
        columns=tuple(columns),
        rows=tuple(zip(*(cells for _, cells in columns.values()), strict=True)),
        roles=tuple(role for role, _ in columns.values()),
        guessed=dict(data.details.get("guessed", {})),
        notes=tuple(notes),
        named=data.kind == "table" and "guessed" in data.details and not is_sparse(data.features),
    )


def _head_of_table(data: Dataset) -> TablePreview:
    """The first rows of typed columns, and what each column is."""
    shown = data.table[:COLUMNS]
    first = np.arange(min(ROWS, data.n))
    more = len(data.table) - len(shown)
    notes = [*data.notes, f"{data.n} items."]
    if more:
        notes.append(f"The first {COLUMNS} of {len(data.table)} columns are shown.")
    return TablePreview(
        columns=tuple(column.name for column in shown),
        rows=tuple(zip(*(column.take(first).words() for column in shown), strict=True)),
        roles=tuple(ROLES[column.role] for column in shown),
        guessed=dict(data.details.get("guessed", {})),
        notes=tuple(notes),
        about=tuple(about(column) for column in shown),
    )


def _arrays(several: SeveralArraysError) -> TablePreview:
    """The arrays of a file, for a person to choose one."""
    return TablePreview(
        columns=("Array", "Size"),
        rows=tuple(several.arrays.items()),
        named=False,
        choices={several.parameter: tuple(several.arrays)},
        problem=str(several),
    )


def some_items(noun: Any, index: Ints, use: str) -> Any:
    """Return some of the items of an input, for a preview of the step `use`."""
    match noun:
        case Dataset():
            return noun.take(index)
        case Affinity():
            return noun.submatrix(index)
        case Clustering(group_items=None):
            membership = None if noun.membership is None else noun.membership[index]
            dataset = None if noun.dataset is None else noun.dataset.take(index)
            return replace(noun, labels=noun.labels[index], membership=membership, dataset=dataset)
    raise DataError(f"{use} has no preview. Run it to see its result.", code="no-preview")


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def _cell(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.6g}"


def _class(data: Dataset, number: int) -> str:
    if number < 0:
        return ""
    return data.truth_names[number] if number < len(data.truth_names) else str(number)

"""Columns that are already read, given other types and roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.columns.cells import Cells, coded
from coterie.core.formats.columns.column_types import asked_column
from coterie.core.formats.columns.typed_table import first_of
from coterie.core.formats.files.notation import Notation
from coterie.core.formats.files.tabular import require_column
from coterie.core.model.arrays import is_sparse
from coterie.core.model.columns import CODED, NUMERIC, WORDED, Column, ColumnType, Role, category
from coterie.core.model.dataset import Dataset


def own_table(data: Dataset) -> tuple[Column, ...]:
    """Return the columns of a data set; its features are numbers where it keeps no table."""
    if data.table:
        return data.table
    if data.features is None:
        data.clean_features()  # says what is missing
    features: Any = data.features
    if is_sparse(features):
        features = features.toarray()
    columns = [Column(name, features[:, j]) for j, name in enumerate(data.columns)]
    if data.truth is not None and data.truth_names:
        words = [data.truth_names[c] if c >= 0 else "" for c in data.truth.tolist()]
        columns.append(category(data.truth_column or "class", words, role="label"))
    return tuple(columns)


def retyped(
    table: Sequence[Column], types: Mapping[str, str], roles: Mapping[str, str], title: str
) -> tuple[Column, ...]:
    """Return the columns with other types and roles, by name; refuse names that there are not."""
    names = [column.name for column in table]
    for what, chosen in (("type", types), ("role", roles)):
        for name in chosen:
            require_column(title, names, name, f"a column with a {what} of its own")
    return tuple(
        _changed(column, types.get(column.name, ""), roles.get(column.name, "")) for column in table
    )


def with_table(data: Dataset, table: Sequence[Column]) -> Dataset:
    """Return the items with these columns: known classes and names are those of their roles.

    Where the column of the known classes, or of the names, is the one that it was, they stay as
    they are, with what was corrected in them. The features stay too: encode them again.
    """
    label, name = first_of(table, "label", data.truth_column), first_of(table, "name", "")
    before = first_of(data.table, "name", "")
    changed = replace(data, table=tuple(table))
    if label is None:
        changed = replace(changed, truth=None, truth_names=(), truth_column="")
    elif data.truth is None or label.name != data.truth_column:
        changed = replace(
            changed,
            truth=label.values.astype(np.int64),
            truth_names=label.categories,
            truth_column=label.name,
        )
    if name is None:
        kept = () if before is not None else data.items
        return replace(changed, items=kept)
    if before is None or before.name != name.name:
        changed = replace(changed, items=tuple(name.words()))
    return changed


def _changed(column: Column, kind: str, role: str) -> Column:
    wanted = kind or _needed(column, role)
    found = column if wanted == column.type else _as_type(column, wanted)
    if not kind and not role:
        return found
    return replace(found, role=cast(Role, role or column.role), why="")


def _needed(column: Column, role: str) -> str:
    """The type that a role asks for, where the column has another."""
    if role == "label" and column.type not in CODED:
        return "category"
    if role == "feature" and column.type in WORDED:
        return "category"
    if role == "weight" and column.type != "number":
        return "number"
    return column.type


def _as_type(column: Column, kind: str) -> Column:
    if {kind, column.type} <= {*CODED} or {kind, column.type} <= {*WORDED}:
        return replace(column, type=cast(ColumnType, kind))
    if column.type in NUMERIC and not (kind == "date" and column.type == "number"):
        cells = Cells(column.name, column.values, dates=column.type == "date", unit=column.unit)
    else:
        codes, words = coded(column.words(), ("",))
        cells = Cells(column.name, None, codes, words, unit=column.unit)
    found = asked_column(cells, kind, Notation())
    if found.missing.all() and not column.missing.all():
        raise DataError(
            f"Column '{column.name:.80}' cannot become a {kind}: none of its values would be "
            "left. Choose another type for it.",
            code="wrong-type",
        )
    return found

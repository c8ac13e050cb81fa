"""A dataset of typed columns from the cells of a file: guessed, or as a person chose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.columns.cells import Cells
from coterie.core.formats.columns.column_types import asked_column, guessed_column
from coterie.core.formats.columns.roles import guessed_roles
from coterie.core.formats.files.notation import Notation
from coterie.core.formats.files.tabular import (
    MISSING,
    require_column,
    title_of,
    truth_by_name,
)
from coterie.core.model.columns import CODED, NUMERIC, WORDED, Column, Role
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.features.typed_columns import encoded
from coterie.core.wording import counted, listed

# What people and programs write besides `MISSING` where a value is not known.
MORE_MISSING = (
    *("n.a.", "n. a.", "n.a", "not available", "no data", "missing", "<na>", "nat", "#na", "na."),
    *("k.a.", "k. a.", "k.a", "keine angabe", "n.v.", "n. v.", "#n/v", "s.d.", "n.d.", "sin datos"),
    *("#null!", "#div/0!", "#value!", "#wert!", "#ref!", "#bezug!", "#num!", "#zahl!", "#name?"),
    *(".", "..", "--", "---", "–", "—"),
)
ALL_MISSING = (*MISSING, *MORE_MISSING)
NUMBERS = "numbers"  # all columns of plain numbers are the features, as in Coterie 0.1
SAID = 12  # columns about which a note says why they are not features


@dataclass(frozen=True)
class ColumnChoices:
    """What a person said about the columns of a file, by their names.

    Attributes
    ----------
    features : "guess", or "numbers": all columns of plain numbers and no others
    """

    truth: str = ""
    items: str = ""
    leave_out: Sequence[str] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    features: str = "guess"

    @classmethod
    def of(cls, params: Any) -> ColumnChoices:
        """Take them from the parameters of a reader, as far as it has them."""
        names = ("truth", "items", "leave_out", "types", "roles", "features")
        return cls(**{name: getattr(params, name) for name in names if hasattr(params, name)})

    def as_text(self, names: Sequence[str]) -> set[str]:
        """Return the columns whose cells are wanted as they are written."""
        asked = {name for name, kind in self.types.items() if kind not in NUMERIC}
        named = {name for name, role in self.roles.items() if role in ("label", "name")}
        used = [name for name in names if name not in self.leave_out]
        return (asked | named | {self.truth, self.items, truth_by_name(used)}) - {""}

    def require(self, file: str, names: Sequence[str]) -> None:
        """Refuse to speak of columns that the file does not have."""
        for name in self.leave_out:
            require_column(file, names, name, "left out")
        for kind, chosen in (("type", self.types), ("role", self.roles)):
            for name in chosen:
                require_column(file, names, name, f"a column with a {kind} of its own")
        used = [name for name in names if name not in self.leave_out]
        require_column(file, used, self.truth, "truth")
        require_column(file, used, self.items, "items")


def typed_columns(
    cells: Sequence[Cells], choices: ColumnChoices, notation: Notation | None = None
) -> list[Column]:
    """Return the columns with their types and roles, and why each has them."""
    form = notation or Notation()
    if choices.features == NUMBERS:
        return _as_numbers(cells, choices, form)
    columns = []
    fixed = set()
    for each in cells:
        role = _chosen_role(each.name, choices)
        if role:
            fixed.add(each.name)
        columns.append(_column(each, choices.types.get(each.name, ""), role, form))
    said = {c.name for c in cells if c.role} | fixed
    found = guessed_roles(columns, said)
    return [_fitting(c, of, choices, form) for c, of in zip(found, cells, strict=True)]


def typed_dataset(
    path: Path,
    cells: Sequence[Cells],
    choices: ColumnChoices,
    *,
    notation: Notation | None = None,
    notes: Sequence[str] = (),
    guessed: Mapping[str, Any] | None = None,
    advice: str = "Open a file with at least one column of numbers or categories.",
) -> Dataset:
    """Return the table that these cells make, with all its columns.

    Parameters
    ----------
    notes : remarks that come before those about single columns
    guessed : what the reader guessed; guesses of classes and names are added to it
    advice : what to do when no column can be a feature
    """
    names = [each.name for each in cells]
    choices.require(path.name, names)
    table = typed_columns(cells, choices, notation)
    features, columns = encoded(table)
    said = [*notes, *_remarks(table)]
    if features is None:
        why = [note for note in said[-3:] if note not in advice]
        raise DataError(
            f"'{path.name}' has no column that can describe its items. {' '.join([*why, advice])}",
            code="no-numbers",
        )
    found = dict(guessed or {})
    label = first_of(table, "label", choices.truth)
    name = first_of(table, "name", choices.items)
    if label is not None and not choices.truth and label.name not in choices.roles:
        found["truth"] = label.name
    if name is not None and not choices.items and name.name not in choices.roles:
        found["items"] = name.name
    position = {column: j for j, column in enumerate(columns)}
    return Dataset(
        title=title_of(path),
        features=features,
        columns=columns,
        items=tuple(name.words()) if name is not None else (),
        truth=None if label is None else label.values.astype(np.int64),
        truth_names=() if label is None else label.categories,
        truth_column="" if label is None else label.name,
        notes=tuple(said),
        details={"guessed": found},
        # Numbers are kept once: the columns are views of the features.
        table=tuple(
            replace(c, values=features[:, position[c.name]])
            if c.type in NUMERIC and c.role == "feature"
            else c
            for c in table
        ),
    )


def first_of(table: Sequence[Column], role: str, wanted: str) -> Column | None:
    """Return the column with a role, the wanted one before others; None when there is none."""
    having = [column for column in table if column.role == role]
    having.sort(key=lambda column: column.name != wanted)
    return having[0] if having else None


def _chosen_role(name: str, choices: ColumnChoices) -> str:
    if name in choices.roles:
        return choices.roles[name]
    if name in (choices.truth, choices.items):
        return "label" if name == choices.truth else "name"
    return "information" if name in choices.leave_out else ""


def _column(cells: Cells, kind: str, role: str, notation: Notation) -> Column:
    """A column of the type asked for, else of that which its role needs, else guessed."""
    if not kind:
        kind = {"label": "category", "name": "text", "weight": "number"}.get(role, "")
    if kind and not cells.known() and kind not in NUMERIC:
        kind = ""
    column = asked_column(cells, kind, notation) if kind else guessed_column(cells, notation)
    role = role or cells.role
    return replace(column, role=cast(Role, role)) if role else column


def _fitting(column: Column, cells: Cells, choices: ColumnChoices, notation: Notation) -> Column:
    """A column whose type suits its role; what a person chose stays as it is."""
    if column.name in choices.types:
        return column
    if (column.role == "label" and column.type not in CODED) or (
        column.role == "feature" and column.type in WORDED
    ):
        changed = asked_column(cells, "category", notation)
    else:
        return column
    return replace(changed, role=column.role, why=column.why)


def _as_numbers(cells: Sequence[Cells], choices: ColumnChoices, notation: Notation) -> list[Column]:
    """All plain numbers are features; the rest is known classes, names, or information."""
    used = [each.name for each in cells if each.name not in choices.leave_out]
    truth = choices.truth
    if not truth and (named := truth_by_name(used)) not in ("", choices.items):
        truth = named
    columns = []
    for each in cells:
        kind = choices.types.get(each.name, "")
        role = _chosen_role(each.name, choices) or ("label" if each.name == truth else each.role)
        plain = each.numbers is not None and not each.dates and each.known() > 0
        column = _column(each, kind, role or ("feature" if plain else "information"), notation)
        if each.name == truth != choices.truth:
            why = "Taken as the known classes because of its name."
            column = replace(column, why=why)
        columns.append(column)
    return columns


def _remarks(table: Sequence[Column]) -> list[str]:
    """Why columns are not features, what was wrong in single cells, and how much is missing."""
    aside = [column for column in table if column.role != "feature"]
    said = [f"Column '{c.name}' {_IS[c.role]}. {c.why}".strip() for c in aside[:SAID]]
    if len(aside) > SAID:
        said.append(f"{len(aside) - SAID} other columns are not features either.")
    said += [f"Column '{c.name}': {note}" for c in table for note in c.notes]
    features = [column for column in table if column.role == "feature"]
    missing = np.array([int(column.missing.sum()) for column in features], dtype=np.int64)
    if missing.any():
        count = int(missing.sum())
        said.append(
            f"{counted(count, 'cell')} {'is' if count == 1 else 'are'} missing, in "
            f"{int((missing > 0).sum())} of {len(missing)} columns."
        )
        empty = np.flatnonzero(np.logical_and.reduce([c.missing for c in features]))
        if len(empty):
            which = listed([int(i) + 1 for i in empty[:SAID]]) + (" …" if len(empty) > SAID else "")
            said.append(f"No value is known for {counted(len(empty), 'item')}: {which}.")
    return said


_IS = {
    "label": "holds the known classes",
    "name": "holds the names of the items",
    "weight": "holds the weights of the items",
    "information": "is kept as information, not as a feature",
}

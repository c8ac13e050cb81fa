"""Columns as a file has them, put to their uses: features, known classes, names of the items."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset

TRUTH_NAMES = ("label", "class", "species", "target", "truth")
MISSING = ("", "na", "n/a", "#n/a", "nan", "null", "none", "?", "-")
_SHOWN = 20  # names that a message lists


@dataclass(frozen=True, eq=False)
class FileColumn:
    """One column as a reader found it.

    Attributes
    ----------
    numbers : its values, NaN where missing; None when it does not hold numbers
    texts : its cells as text, "" where missing; may be left out for a column of numbers
    trouble : why it does not hold numbers: "'anna' on line 2 is not a number"
    """

    name: str
    numbers: Floats | None = None
    texts: Sequence[str] | None = None
    trouble: str = ""

    @property
    def missing(self) -> int:
        """How many of its numbers are missing."""
        return 0 if self.numbers is None else int(np.isnan(self.numbers).sum())

    def words(self) -> list[str]:
        """Return its cells as text; whole numbers without a decimal point."""
        if self.texts is not None:
            return list(self.texts)
        assert self.numbers is not None
        return [_word(float(value)) for value in self.numbers]


@dataclass(frozen=True)
class ColumnAbout:
    """What a column holds and is used for, in words and small numbers.

    Attributes
    ----------
    type, role, why, unit, notes : those of `coterie.core.model.columns.Column`
    examples : the first values that are known
    range : from where to where, or the categories
    missing, known : how many cells are, of those looked at
    histogram : how many cells are in each of a few bins, or have each of the categories
    """

    name: str
    type: str = "number"
    role: str = "feature"
    why: str = ""
    unit: str = ""
    examples: tuple[str, ...] = ()
    range: str = ""
    missing: int = 0
    known: int = 0
    histogram: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> ColumnAbout:
        """Build it again from plain JSON."""
        texts = ("name", "type", "role", "why", "unit", "range")
        return cls(
            **{key: str(value[key]) for key in texts},
            examples=tuple(map(str, value["examples"])),
            missing=int(value["missing"]),
            known=int(value["known"]),
            histogram=tuple(map(int, value["histogram"])),
            notes=tuple(map(str, value["notes"])),
        )


@dataclass(frozen=True)
class TablePreview:
    """The first lines of a file as a reader takes them, for a person to check before opening it.

    Attributes
    ----------
    columns : names of the columns
    rows : the first lines, cell by cell, as they stand in the file
    roles : what each column would become: "feature", "truth", "items", "weight", "information", or
        "left out"
    guessed : what was not given and had to be guessed, by parameter
    notes : the same in words, and what else there is to say
    named : whether these columns can be named as truth and items; not so for bare matrices
    choices : what the file offers for a parameter, such as the arrays in it, by parameter
    problem : why it cannot be read yet, when what is shown is to help with that
    about : for each column its type, role and values, where the reader keeps typed columns
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    roles: tuple[str, ...] = ()
    guessed: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    named: bool = True
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problem: str = ""
    about: tuple[ColumnAbout, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TablePreview:
        """Build it again from `as_json`."""
        return cls(
            columns=tuple(map(str, value["columns"])),
            rows=tuple(tuple(map(str, row)) for row in value["rows"]),
            roles=tuple(map(str, value["roles"])),
            guessed=dict(value["guessed"]),
            notes=tuple(map(str, value["notes"])),
            named=bool(value["named"]),
            choices={str(k): tuple(map(str, v)) for k, v in value.get("choices", {}).items()},
            problem=str(value.get("problem", "")),
            about=tuple(ColumnAbout.from_json(each) for each in value.get("about", ())),
        )


def title_of(path: Path) -> str:
    """Return what a data set from this file is called.

    >>> title_of(Path("flowers.csv.gz"))
    'flowers'
    """
    return path.name.removesuffix(".gz").rsplit(".", 1)[0] or path.name


def unique_names(names: Iterable[str]) -> list[str]:
    """Give nameless columns a name, and repeated ones a number.

    >>> unique_names(["a", "", "a"])
    ['a', 'column 2', 'a (2)']
    """
    unique: dict[str, None] = {}
    repeats: dict[str, int] = {}  # a hundred thousand columns may have the same name
    for j, name in enumerate(names, 1):
        candidate = name = name or f"column {j}"
        while candidate in unique:
            repeats[name] = repeats.get(name, 1) + 1
            candidate = f"{name} ({repeats[name]})"
        unique[candidate] = None
    return list(unique)


def truth_by_name(names: Sequence[str]) -> str:
    """Return the last column when its name says that it holds the known classes, or ""."""
    return names[-1] if len(names) > 1 and names[-1].lower() in TRUTH_NAMES else ""


def require_column(file: str, names: Sequence[str], wanted: str, role: str) -> None:
    """Refuse a wanted column that the file does not have, naming those it has."""
    if wanted and wanted not in names:
        shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
        raise DataError(
            f"'{file}' has no column '{wanted}' to take as {role}. Its columns are: {shown}.",
            code="unknown-column",
        )


def used_columns(
    file: str, names: Sequence[str], *, truth: str, items: str, leave_out: Collection[str]
) -> list[str]:
    """Return the columns that are not left out; those that have a role must be among them."""
    for name in leave_out:
        require_column(file, names, name, "left out")
    used = [name for name in names if name not in leave_out]
    for wanted, role in ((truth, "truth"), (items, "items")):
        require_column(file, used, wanted, role)
    return used


def table_preview(
    columns: Sequence[FileColumn],
    *,
    truth: str = "",
    items: str = "",
    leave_out: Collection[str] = (),
    guessed: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
) -> TablePreview:
    """Return the preview of a table; `columns` are its first rows.

    >>> a = FileColumn("a", np.array([1.0, 2.5]))
    >>> table_preview([a, FileColumn("class", None, ("x", "y"))]).roles
    ('feature', 'truth')
    """
    used = [column.name for column in columns if column.name not in leave_out]
    guessed = dict(guessed or {})
    if not truth and (named := truth_by_name(used)) not in ("", items):
        truth = guessed["truth"] = named

    def role(column: FileColumn) -> str:
        if column.name in leave_out:
            return "left out"
        if column.name in (truth, items):
            return "truth" if column.name == truth else "items"
        return "left out" if column.numbers is None else "feature"

    return TablePreview(
        columns=tuple(column.name for column in columns),
        rows=tuple(zip(*(column.words() for column in columns), strict=True)),
        roles=tuple(role(column) for column in columns),
        guessed=guessed,
        notes=tuple(notes),
    )


def classes_of(words: Sequence[str]) -> tuple[Ints, tuple[str, ...]]:
    """Return the class of each item and the names of the classes; "" is not known.

    The classes come in the order of numbers when they are numbers, otherwise of the alphabet.

    >>> classes_of(["10", "9", "", "10"])
    (array([ 1,  0, -1,  1]), ('9', '10'))
    """
    names = set(words) - {""}
    numbers = {name: _number(name) for name in names}
    ordered = sorted(names, key=lambda name: (numbers[name] is None, numbers[name] or 0.0, name))
    position = {name: j for j, name in enumerate(ordered)} | {"": -1}
    return np.array([position[word] for word in words], dtype=np.int64), tuple(ordered)


def column_of(name: str, values: Sequence[Any], missing: Collection[str] = MISSING) -> FileColumn:
    """Return a column of Python values: numbers, truth values, texts, None for missing.

    A text that reads as a number is one: spreadsheets often keep numbers as text.

    >>> column_of("a", [1, "2.5", None]).numbers
    array([1. , 2.5, nan])
    """
    numbers, trouble = np.full(len(values), np.nan), ""
    texts = []
    for i, value in enumerate(values):
        if value is None or (isinstance(value, str) and value.strip().lower() in missing):
            texts.append("")
            continue
        known = isinstance(value, int | float)
        number = float(value) if known else _number(str(value).strip().replace("_", "x"))
        texts.append(_word(float(value)) if known and number is not None else str(value).strip())
        if number is not None:
            numbers[i] = number
        elif not trouble:
            trouble = f"'{value!s:.40}' of item {i + 1} is not a number"
    return FileColumn(name, None if trouble else numbers, tuple(texts), trouble)


def table_dataset(
    path: Path,
    columns: Sequence[FileColumn],
    *,
    truth: str = "",
    items: str = "",
    notes: Sequence[str] = (),
    guessed: Mapping[str, Any] | None = None,
    advice: str = "Open a file with at least one column of numbers.",
) -> Dataset:
    """Return the table that these columns make, saying what was left out and why.

    Parameters
    ----------
    truth, items : the columns of known classes and of names; neither becomes a feature
    notes : remarks that come before those about single columns
    guessed : what the reader guessed; the guess that a column is the truth is added to it
    advice : what to do when no column holds numbers
    """
    names = [column.name for column in columns]
    for wanted, role in ((truth, "truth"), (items, "items")):
        require_column(path.name, names, wanted, role)
    guessed, said = dict(guessed or {}), list(notes)
    if not truth and (named := truth_by_name(names)) not in ("", items):
        truth = guessed["truth"] = named
        said.append(f"Column '{truth}' was taken as the known classes because of its name.")
    features, left_out = _features([c for c in columns if c.name not in (truth, items)])
    said += left_out
    if not features:
        raise DataError(
            f"'{path.name}' has no column of numbers. {' '.join([*said[-3:], advice])}",
            code="no-numbers",
        )
    values = np.column_stack(list(features.values()))
    said += _about_missing(values)
    by_name = dict(zip(names, columns, strict=True))
    classes, class_names = classes_of(by_name[truth].words()) if truth else (None, ())
    return Dataset(
        title=title_of(path),
        features=values,
        columns=tuple(features),
        items=tuple(by_name[items].words()) if items else (),
        truth=classes,
        truth_names=class_names,
        truth_column=truth,
        notes=tuple(said),
        details={"guessed": guessed},
    )


def _features(columns: Sequence[FileColumn]) -> tuple[dict[str, Floats], list[str]]:
    """The columns that hold numbers, and why the others are left out."""
    features: dict[str, Floats] = {}
    notes = []
    for column in columns:
        if column.numbers is None:
            notes.append(f"Column '{column.name}' was left out: {column.trouble}.")
        elif column.missing == len(column.numbers):
            notes.append(f"Column '{column.name}' was left out: it holds no values.")
        else:
            features[column.name] = column.numbers
    return features, notes


def _about_missing(features: Floats) -> list[str]:
    by_column = np.isnan(features).sum(axis=0)
    count = int(by_column.sum())
    if not count:
        return []
    return [
        f"{count} {'cell is' if count == 1 else 'cells are'} missing, in "
        f"{int((by_column > 0).sum())} of {len(by_column)} columns."
    ]


def _word(value: float) -> str:
    if np.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() else repr(value)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None

"""Read a matrix of similarities that was computed elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from coterie.core import Context, DataError, Dataset, Field, Floats, Reader
from coterie.core.formats.files.delimited import find_format, read_columns
from coterie.core.formats.files.saved_arrays import load_array
from coterie.core.formats.files.tabular import FileColumn, classes_of, require_column, title_of

ROUNDING = 1e-9  # of the largest entry: a difference that writing numbers as text may leave


class Similarity(Reader):
    """A square matrix, as text or .npy, with the similarity of every two items.

    A first line and a first column of texts are the names of the items. The matrix is kept as it
    is; that it is not symmetric, or has negative entries, is said.
    """

    id, title = "similarity", "Similarity matrix"
    extensions = (".tab", ".sim", ".csv", ".tsv", ".txt", ".npy", ".csv.gz", ".tsv.gz", ".txt.gz")
    default_for = (".tab", ".sim")

    class Params(Reader.Params):
        """How the matrix is written."""

        delimiter: Literal["auto", "space", "tab", ",", ";"] = Field(
            "auto", description="Column separator."
        )
        decimal: Literal["auto", ".", ","] = Field(
            "auto", description="Decimal point or decimal comma."
        )
        header: Literal["auto", "yes", "no"] = Field(
            "auto", description="Whether the first line holds the names of the items."
        )
        truth: str = Field("", description="Column that holds the known class of each item.")
        items: str = Field("", description="Column that holds names; empty: the first, if texts.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the relation in the file at `path`."""
        path = Path(path)
        context.check()
        if path.suffix.lower() == ".npy":
            given: dict[str, Any] = {"relation": _array(path)}
        else:
            given = _table(path, params, context)
        matrix = given["relation"]
        context.check()
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
            size = " × ".join(map(str, matrix.shape))
            raise DataError(
                "Similarities must be a square matrix, a row and a column for each item. "
                f"'{path.name}' is {size}.",
                code="wrong-shape",
            )
        if not np.isfinite(matrix).all():
            i, j = map(int, np.argwhere(~np.isfinite(matrix))[0])
            raise DataError(
                f"The similarity of items {i + 1} and {j + 1} in '{path.name}' is missing or "
                "infinite. Correct it.",
                code="missing-values",
            )
        remarks, facts = _remarks(matrix)
        notes = (*given.pop("notes", ()), *remarks)
        details = {**given.pop("details", {}), **facts}
        return Dataset(title=title_of(path), kind="relation", notes=notes, details=details, **given)


def _array(path: Path) -> Floats:
    loaded = load_array(path)
    kind = loaded.dtype.kind
    if kind == "c":
        raise DataError(
            f"'{path.name}' holds complex numbers, which are not similarities. Save their real "
            "parts or magnitudes.",
            code="complex-numbers",
        )
    if kind not in "biuf":
        raise DataError(f"'{path.name}' must hold numbers. Got {loaded.dtype}.", code="wrong-type")
    return np.asarray(loaded, dtype=np.float64)


def _table(path: Path, params: Similarity.Params, context: Context) -> dict[str, Any]:
    form = find_format(
        path,
        delimiter=params.delimiter,
        decimal=params.decimal,
        thousands="none",
        header=params.header,
        check=context.check,
    )

    def kept(names: list[str]) -> set[str]:
        return {names[0], params.truth, params.items} - {""}

    columns = read_columns(path, form, keep=kept, check=context.check)
    if "header" in form.guessed and form.header and _lacks_a_line(columns):
        # What was taken for names is a first line of numbers that are not real.
        for column in columns:
            if _is_complex(column.name):
                raise DataError(_complex(path, column.name), code="complex-numbers")
    by_name = {column.name: column for column in columns}
    for wanted, role in ((params.truth, "truth"), (params.items, "items")):
        require_column(path.name, list(by_name), wanted, role)
    names = params.items
    if not names and columns[0].numbers is None and not _is_complex(columns[0].words()[0]):
        names = columns[0].name
    values = [column for column in columns if column.name not in (params.truth, names)]
    numbers = []
    for column in values:
        if column.numbers is None:
            raise DataError(_why(path, column), code="wrong-type")
        numbers.append(column.numbers)
    found: dict[str, Any] = {
        "relation": np.column_stack(numbers) if numbers else np.empty((0, 0)),
        "notes": tuple(form.in_words()),
        "details": {"guessed": dict(form.guessed)},
    }
    if names:
        found["items"] = tuple(by_name[names].words())
    elif form.header:
        found["items"] = tuple(column.name for column in values)
    if params.truth:
        found["truth"], found["truth_names"] = classes_of(by_name[params.truth].words())
        found["truth_column"] = params.truth
    return found


def _why(path: Path, column: FileColumn) -> str:
    cell = column.trouble.split("'")[1]
    if not _is_complex(cell):
        return f"Similarities must be numbers, but in '{path.name}' {column.trouble}."
    return _complex(path, cell)


def _lacks_a_line(columns: Sequence[FileColumn]) -> bool:
    return len(columns[0].words()) + 1 == len(columns)


def _complex(path: Path, cell: str) -> str:
    return (
        f"'{path.name}' holds complex numbers, such as '{cell}', which are not similarities. "
        "Save their real parts or magnitudes."
    )


def _is_complex(cell: str) -> bool:
    try:
        return complex(cell.replace("i", "j").strip("()")).imag != 0
    except ValueError:
        return False


def _remarks(matrix: Floats) -> tuple[list[str], dict[str, bool]]:
    """What a person should know of the matrix before using it."""
    notes = []
    largest = float(np.abs(matrix).max())
    apart = float(np.abs(matrix - matrix.T).max())
    if apart > ROUNDING * largest:
        notes.append(
            f"The matrix is not symmetric (entries differ by up to {apart:.3g}); it is kept as a "
            "directed relation. graph/symmetrise makes it symmetric."
        )
    negative = int((matrix < 0).sum())
    if negative:
        notes.append(
            f"{negative} {'entry is' if negative == 1 else 'entries are'} negative; many methods "
            "need similarities of at least 0."
        )
    off = matrix[~np.eye(len(matrix), dtype=np.bool_)]
    if off.size and not matrix.diagonal().any() and off.min() > 0:
        notes.append(
            "Every item has similarity 0 with itself and more with others: are these distances? "
            "Convert them to similarities first."
        )
    return notes, {"symmetric": apart <= ROUNDING * largest, "nonnegative": not negative}

"""Read sparse counts: a line for each item, feature and count."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np

from coterie.core import Context, DataError, Dataset, Field, Ints, Reader
from coterie.core.formats.files.delimited import Format, bounded, find_format, read_columns
from coterie.core.formats.files.tabular import classes_of, require_column, title_of, unique_names
from coterie.core.formats.files.textfiles import beside, open_text

HEADINGS = ("word", "term", "feature", "doc", "document", "title", "name", "id", "item")
# Numbers may have gaps, yet each up to the largest takes memory: beyond any table, few are used.
MOST_NUMBERED, MOST_GAPS = 1 << 22, 16
CHUNK = 1 << 16  # lines converted at once; some tens of milliseconds


class Triplets(Reader):
    """Sparse tables as lines of item, feature and value, such as the word counts of documents.

    Items and features are numbered, from 1 or from 0. Their names may come from two more files in
    the same folder: a line for each name, or for each number and its name. What is not listed is
    zero; what is listed twice is added up.
    """

    id, title = "triplets", "Sparse triplets"
    extensions = (".triplets", ".triplets.gz", ".csv", ".tsv", ".txt", ".csv.gz", ".txt.gz")
    default_for = (".triplets", ".triplets.gz")

    class Params(Reader.Params):
        """How the numbers count, and where the names are."""

        first: Literal["auto", "1", "0"] = Field(
            "auto", description="Number of the first item and of the first feature."
        )
        vocabulary: str = Field(
            "", description="File in the same folder with the names of the features; empty: none."
        )
        titles: str = Field(
            "", description="File in the same folder with the names of the items; empty: none."
        )
        truth: str = Field("", description="Column of the titles file that holds known classes.")
        items: str = Field("", description="Column of the titles file with names; empty: the last.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the sparse table in the file at `path`."""
        from scipy.sparse import coo_array, csr_array

        path = Path(path)
        form = find_format(path, decimal=".", thousands="none", check=context.check)
        rows, columns, values = _read(path, form, context)
        notes, guessed = form.in_words(), dict(form.guessed)
        first = params.first
        if first == "auto":
            first = "0" if 0 in (rows.min(), columns.min()) else "1"
            guessed["first"] = first
            notes.append(f"Guessed: items and features are numbered from {first}.")
        for name, index in (("an item", rows), ("a feature", columns)):
            index -= int(first)
            if index.min() < 0:
                raise DataError(
                    f"'{path.name}' has {name} numbered {int(index.min()) + int(first)}, which "
                    f"is below the first number, {first}. Change 'first'.",
                    code="invalid-numbering",
                )
            _require_dense_enough(path, name, int(index.max()) + 1, len(values))
        words = _names(path, params.vocabulary, int(first), "", context)
        titles = _names(path, params.titles, int(first), params.items, context)
        n = _size(path, "items", int(rows.max()) + 1, params.titles, titles)
        d = _size(path, "features", int(columns.max()) + 1, params.vocabulary, words)
        matrix: Any = csr_array(coo_array((values, (rows, columns)), shape=(n, d)))
        if repeated := len(values) - matrix.nnz:
            notes.append(f"{repeated} triplets repeat a cell; their values were added.")
        known = None
        if params.truth:
            known = _names(path, params.titles, int(first), params.truth, context)
        truth, truth_names = (None, ()) if known is None else classes_of(known)
        return Dataset(
            title=title_of(path),
            features=matrix,
            columns=tuple(unique_names(words)) if words else (),
            items=tuple(titles) if titles else (),
            truth=truth,
            truth_names=truth_names,
            truth_column=params.truth,
            notes=tuple(notes),
            details={"guessed": guessed},
        )

    def companions(self, path: str | Path, *, params: Params) -> tuple[Path, ...]:
        """Return the files of names."""
        return tuple(
            beside(Path(path), name) for name in (params.vocabulary, params.titles) if name
        )


def _read(path: Path, form: Format, context: Context) -> tuple[Ints, Ints, Any]:
    """Items, features and values, converted by numpy, which takes a tenth of Python's time."""
    blocks = []
    with open_text(path, form.encoding) as stream:
        given = bounded(path, stream)
        done = 1 if form.header and next(given, None) is not None else 0
        while lines := list(islice(given, CHUNK)):
            context.check()
            delimiter = None if form.delimiter in " \t" else form.delimiter
            try:
                filled = [line for line in lines if line.strip()]
                block = np.loadtxt(filled, delimiter=delimiter, ndmin=2) if filled else None
            except ValueError as error:
                raise DataError(
                    f"'{path.name}' must have three numbers a line: {error!s:.100} "
                    f"(lines {done + 1} to {done + len(lines)}).",
                    code="malformed-line",
                ) from None
            if block is not None:
                blocks.append(block)
            done += len(lines)
    if not blocks or any(block.shape[1] != 3 for block in blocks):
        width = blocks[0].shape[1] if blocks else 0
        raise DataError(
            f"'{path.name}' must have three numbers a line: item, feature and value. Got {width}.",
            code="malformed-line",
        )
    table = np.concatenate(blocks)
    if not np.isfinite(table).all():
        raise DataError(
            f"'{path.name}' has missing or infinite numbers. Leave those lines out.",
            code="missing-values",
        )
    index = table[:, :2].astype(np.int64)
    if (index != table[:, :2]).any():
        raise DataError(
            f"Items and features in '{path.name}' must be whole numbers.", code="wrong-type"
        )
    return index[:, 0].copy(), index[:, 1].copy(), table[:, 2]


def _require_dense_enough(path: Path, what: str, highest: int, lines: int) -> None:
    if highest > MOST_NUMBERED and highest > MOST_GAPS * lines:
        raise DataError(
            f"'{path.name}' has {what} numbered {highest:,} in only {lines:,} lines. Number them "
            "without gaps, or choose the reader for its format.",
            code="invalid-numbering",
        )


def _names(path: Path, file: str, first: int, wanted: str, context: Context) -> list[str] | None:
    """The names in a companion file, in the order of their numbers where it has numbers."""
    if not file:
        if wanted:
            raise DataError(
                f"There is no column '{wanted}' without a file of titles. Name it too.",
                code="unknown-column",
            )
        return None
    companion = beside(path, file)
    form = find_format(
        companion,
        decimal=".",
        thousands="none",
        missing="",
        headings={*HEADINGS, wanted.lower()} - {""},
        check=context.check,
    )
    columns = read_columns(companion, form, keep=lambda names: names, check=context.check)
    names = [column.name for column in columns]
    require_column(file, names, wanted, "names or classes")
    chosen = columns[names.index(wanted)] if wanted else columns[-1]
    numbers = columns[0].numbers
    words = chosen.words()
    if chosen is columns[0] or numbers is None or np.isnan(numbers).any():
        return words
    position = numbers.astype(np.int64) - first
    if sorted(position.tolist()) != list(range(len(words))):
        raise DataError(
            f"Numbers in '{file}' must run from {first} to {len(words) - 1 + first}, each once.",
            code="invalid-numbering",
        )
    ordered = [""] * len(words)
    for place, word in zip(position, words, strict=True):
        ordered[place] = word
    return ordered


def _size(path: Path, what: str, needed: int, file: str, names: list[str] | None) -> int:
    if names is None:
        return needed
    if len(names) < needed:
        raise DataError(
            f"'{path.name}' has at least {needed} {what}, but '{file}' names only {len(names)}.",
            code="items-mismatch",
        )
    return len(names)

"""Read texts: a folder of text files, or a column of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, Literal

import numpy as np

from coterie.core import Context, DataError, Dataset, Field, Reader
from coterie.core.formats.files.delimited import Format, find_format, read_columns
from coterie.core.formats.files.previewing import LOOKED_AT, preview_text_table
from coterie.core.formats.files.spreadsheets import (
    ENDINGS,
    PREVIEWED,
    is_spreadsheet,
    sheet_columns,
)
from coterie.core.formats.files.tabular import (
    FileColumn,
    TablePreview,
    classes_of,
    require_column,
    table_preview,
    title_of,
    truth_by_name,
)
from coterie.core.formats.files.textfiles import find_encoding, open_text

TEXT_NAMES = ("text", "texts", "document", "content", "body", "abstract")


class TextFiles(Reader):
    """Texts, one per item: the files of a folder, or a column of a table or spreadsheet.

    In a folder, the files are taken in the order of their names; where they are in folders of
    their own, those are the known classes.
    """

    id, title = "texts", "Texts"
    extensions = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".txt", *ENDINGS)
    default_for = ()

    class Params(Reader.Params):
        """Where the texts are, and how they are written."""

        text: str = Field(
            "", description="Column that holds the texts; empty: 'text', or the longest texts."
        )
        files: str = Field("*.txt", description="Which files of a folder, such as *.txt or *.md.")
        encoding: str = Field("auto", description="Character encoding, such as utf-8 or cp1252.")
        sheet: str = Field(
            "",
            description="Sheet of a spreadsheet, or its number from 1; empty: the first filled.",
            json_schema_extra={"advanced": True},
        )
        empty: Literal["refuse", "leave-out"] = Field(
            "refuse", description="How to treat items without a text."
        )

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the texts in the folder, or the table, at `path`."""
        path = Path(path)
        made = _folder(path, params, context) if path.is_dir() else _table(path, params, context)
        empty = [i for i, text in enumerate(made.texts) if not text.strip()]
        if not empty:
            return made
        some = f"{len(empty)} of the texts {'is' if len(empty) == 1 else 'are'} empty"
        if params.empty == "refuse" or len(empty) == made.n:
            raise DataError(
                f"'{path.name}': {some}, the first that of item {made.item_names[empty[0]]}. "
                "Remove them, or set 'empty' to leave-out.",
                code="no-texts",
            )
        taken = made.take(np.setdiff1d(np.arange(made.n), empty))
        return replace(taken, notes=(*taken.notes, f"{some} and left out."))

    def preview(self, path: str | Path, *, params: Params, context: Context) -> TablePreview | None:
        """Return the first lines of a table, and which column the texts are; not of a folder."""
        path = Path(path)
        if path.is_dir():
            return None
        table, columns = _first_rows(path, params, context)
        require_column(path.name, table.columns, params.text, "text")
        guessed = dict(table.guessed)
        chosen = params.text
        if not chosen:
            chosen = guessed["text"] = _likely(path, columns)
        roles = (
            "text" if name == chosen else role if role in ("truth", "items") else "left out"
            for name, role in zip(table.columns, table.roles, strict=True)
        )
        # A column called "text" may be the last one, and then is not the known classes.
        if guessed.get("truth") == chosen:
            del guessed["truth"]
        return replace(table, roles=tuple(roles), guessed=guessed)


def _first_rows(
    path: Path, params: TextFiles.Params, context: Context
) -> tuple[TablePreview, list[FileColumn]]:
    """The preview of the table that the texts are a column of, and its columns."""
    roles = {"truth": params.truth, "items": params.items}
    if is_spreadsheet(path):
        columns, notes, guessed = sheet_columns(
            path, sheet=params.sheet, check=context.check, missing=(), most=PREVIEWED
        )
        for role, wanted in roles.items():
            require_column(path.name, [column.name for column in columns], wanted, role)
        return table_preview(columns, **roles, guessed=guessed, notes=notes), columns
    form = find_format(
        path, encoding=params.encoding, missing="", check=context.check, most=LOOKED_AT
    )
    table = preview_text_table(path, form, **roles)
    return table, _columns_of(table, form)


def _columns_of(table: TablePreview, form: Format) -> list[FileColumn]:
    """The first rows as columns, for the same guess that is made of all of them."""
    columns = []
    for j, name in enumerate(table.columns):
        cells = [row[j] for row in table.rows if j < len(row)]
        numbers, wrong = form.notation.numbers(cells)
        columns.append(FileColumn(name, None if wrong >= 0 else numbers, tuple(cells)))
    return columns


def _folder(path: Path, params: TextFiles.Params, context: Context) -> Dataset:
    if params.truth or params.items:
        raise DataError(
            "The files of a folder have no columns. Leave 'truth' and 'items' empty: classes come "
            "from folders, names from files.",
            code="invalid-parameters",
        )
    try:
        files = sorted(file for file in path.rglob(params.files or "*") if file.is_file())
    except (ValueError, NotImplementedError) as error:
        raise DataError(
            f"'{params.files}' does not describe files: {error}.", code="invalid-parameters"
        ) from None
    if not files:
        raise DataError(
            f"The folder '{path.name}' holds no files like '{params.files}'.", code="no-texts"
        )
    texts = []
    for done, file in enumerate(files):
        context.progress(done, len(files), "reading")
        texts.append(_text(file, params.encoding, context))
    inner = [PurePath(file.relative_to(path)) for file in files]
    folders = ["/".join(place.parts[:-1]) for place in inner]
    truth, truth_names = classes_of(folders) if any(folders) else (None, ())
    return Dataset(
        title=path.name,
        kind="texts",
        texts=tuple(texts),
        items=tuple(place.as_posix() for place in inner),
        truth=truth,
        truth_names=truth_names,
        truth_column="folder" if truth is not None else "",
    )


def _text(file: Path, encoding: str, context: Context) -> str:
    if not file.stat().st_size:
        return ""
    if encoding == "auto":
        encoding = find_encoding(file, check=context.check)
    with open_text(file, encoding) as stream:
        return stream.read()


def _table(path: Path, params: TextFiles.Params, context: Context) -> Dataset:
    guessed: dict[str, Any]
    if is_spreadsheet(path):
        columns, notes, guessed = sheet_columns(
            path, sheet=params.sheet, check=context.check, missing=()
        )
    else:
        form = find_format(path, encoding=params.encoding, missing="", check=context.check)
        columns = read_columns(path, form, keep=lambda names: names, check=context.check)
        notes, guessed = form.in_words(), dict(form.guessed)
    by_name = {column.name: column for column in columns}
    names = list(by_name)
    for wanted, role in ((params.text, "text"), (params.truth, "truth"), (params.items, "items")):
        require_column(path.name, names, wanted, role)
    chosen = params.text
    if not chosen:
        chosen = guessed["text"] = _likely(path, columns)
        notes.append(f"Column '{chosen}' was taken as the texts.")
    truth = params.truth
    if not truth and (named := truth_by_name(names)) not in ("", chosen, params.items):
        truth = guessed["truth"] = named
        notes.append(f"Column '{truth}' was taken as the known classes because of its name.")
    classes, class_names = classes_of(by_name[truth].words()) if truth else (None, ())
    return Dataset(
        title=title_of(path),
        kind="texts",
        texts=tuple(by_name[chosen].words()),
        items=tuple(by_name[params.items].words()) if params.items else (),
        truth=classes,
        truth_names=class_names,
        truth_column=truth,
        notes=tuple(notes),
        details={"guessed": guessed},
    )


def _likely(path: Path, columns: Sequence[FileColumn]) -> str:
    """The column called so, otherwise the one with the longest texts."""
    named = [column.name for column in columns if column.name.lower() in TEXT_NAMES]
    if named:
        return named[0]
    texts = [column for column in columns if column.numbers is None]
    if not texts:
        raise DataError(
            f"'{path.name}' has no column of texts. Open it as a table instead.", code="no-texts"
        )
    return max(texts, key=lambda column: sum(map(len, column.words()))).name

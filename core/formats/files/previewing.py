"""The first lines of a text table as a reader is going to take them, for a person to check."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from coterie.core.formats.files.delimited import Format, peek
from coterie.core.formats.files.tabular import TablePreview, truth_by_name, used_columns

PREVIEWED = 50  # lines that a preview shows
LOOKED_AT = 1 << 20  # bytes from which a preview guesses the encoding


def preview_text_table(
    path: Path,
    form: Format,
    *,
    truth: str = "",
    items: str = "",
    leave_out: Collection[str] = (),
) -> TablePreview:
    """Return the first lines of a table whose numbers are the features, and every guess made."""
    names, rows = peek(path, form, PREVIEWED)
    used = used_columns(path.name, names, truth=truth, items=items, leave_out=leave_out)
    guessed: dict[str, str | bool] = dict(form.guessed)
    if not truth and (named := truth_by_name(used)) not in ("", items):
        truth = guessed["truth"] = named

    def role(name: str, j: int) -> str:
        if name in leave_out:
            return "left out"
        if name in (truth, items):
            return "truth" if name == truth else "items"
        cells = [row[j] for row in rows if j < len(row)]
        return "feature" if form.notation.numbers(cells)[1] < 0 else "left out"

    notes = form.in_words()
    if "encoding" in guessed and path.stat().st_size > LOOKED_AT:
        notes.append("The encoding is guessed from the first megabyte only.")
    return TablePreview(
        columns=tuple(names),
        rows=tuple(tuple(row) for row in rows),
        roles=tuple(role(name, j) for j, name in enumerate(names)),
        guessed=guessed,
        notes=tuple(notes),
    )

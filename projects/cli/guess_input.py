"""Guesses how to read a data file that is named without any options."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from coterie.core.model.recipes import Recipe, Source
from coterie.projects.recipe.guess_content import (
    LOOKED_INTO,
    Likely,
    likely_content,
    naming_column,
    otherwise,
)

if TYPE_CHECKING:
    from coterie.core.formats.files.tabular import TablePreview
    from coterie.projects.cli.session_runner import Work


def looked_at(work: Work, source: Source) -> tuple[Source, Likely | None]:
    """Return the source with the reader and settings that suit its first rows, and why.

    What a person set stays as it is. A file that cannot be looked at stays too: the sentence that
    says why comes when it is read.
    """
    session = work.session
    work.await_methods()
    usual = session.catalogue.reader_for(source.open)
    other = otherwise(source.open)
    if source.reader or source.params or usual is None:
        return source, None
    if other and isinstance(_preview(work, source, usual.name), str):
        # What the usual reader cannot read is a table, if another reader can.
        if not isinstance(_preview(work, source, other), str):
            title = session.catalogue.get(other).title
            return replace(source, reader=other), Likely(other, {}, f"Read as: {title}.")
        return source, None
    if usual.name not in LOOKED_INTO:
        return source, None
    preview = _preview(work, source, usual.name)
    if isinstance(preview, str):
        return source, None
    likely = likely_content(preview)
    can_name = likely is None and "items" in usual.params["properties"]
    if can_name and (name := naming_column(preview)):
        likely = Likely(usual.name, {"items": name}, f"Column '{name}' holds the item names.")
    if likely is None or likely.reader not in session.catalogue:
        return source, None
    return replace(source, reader=likely.reader, params=dict(likely.params)), likely


def _preview(work: Work, source: Source, reader: str) -> TablePreview | str:
    """The first rows as a reader takes them, or the sentence that says why it cannot."""
    questions = work.session.questions
    answers: list[TablePreview | str] = []

    def on_previewed(_: int, answer: TablePreview | str) -> None:
        answers.append(answer)

    questions.file_previewed.connect(on_previewed)
    questions.preview_file(Path(source.open), reader, {})
    work.until(lambda: bool(answers))
    questions.file_previewed.disconnect(on_previewed)
    return answers[0]


def recipe_for(work: Work, path: Path, title: str, *, quiet: bool = False) -> Recipe:
    """Return the default recipe for what a data file holds; says how it is read unless `quiet`."""
    from coterie.projects.recipe.defaults import default_recipe
    from coterie.projects.recipe.inputs import reader_of, with_reader

    source, likely = looked_at(work, Source(open=str(path.absolute())))
    if likely is not None and not quiet:
        typer.echo(likely.why)
    source = with_reader(source, work.session.catalogue)
    reader = reader_of(source, work.session.catalogue).name
    return default_recipe(source, title, reader, likely.kernel if likely is not None else "")

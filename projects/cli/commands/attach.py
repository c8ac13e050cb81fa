"""`coterie attach`: store data files inside a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Source
from coterie.core.wording import size_in_words

if TYPE_CHECKING:
    from coterie.projects.cli.session_runner import Work


def attach(
    context: typer.Context,
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="Project file.")],
    data: Annotated[
        str, typer.Option("--data", metavar="NAME", help="Source to attach; default: every scene.")
    ] = "",
    out: Annotated[
        bool, typer.Option("--out", help="Remove attached files from the project.")
    ] = False,
) -> None:
    """Store the data files of a project inside it.

    The project can then be opened without them. By default, a project stores only the paths of
    scenes; tables are always stored in it.
    """
    from coterie.projects.cli.session_runner import working
    from coterie.projects.recipe.toml import is_sample

    with working(context.obj) as work:
        session = work.session
        work.result_of(session.project.open_file(project.absolute()))
        if data and not isinstance(session.recipe.find(data), Source):
            raise RecipeError(
                f"'{data}' is a step and does not read a file. Choose a source.",
                code="no-data-file",
            )
        files = [source for source in session.recipe.sources if not is_sample(source)]
        chosen = [s for s in files if s.name == data or (not data and _is_scene(work, s.name))]
        if not chosen:
            raise RecipeError(
                "The project has no scenes to attach. Tables are always stored in the project.",
                code="no-data-file",
            )
        for source in chosen:
            name = Path(source.open).name
            if out:
                session.files.detach(source.name)
                typer.echo(f"{source.name}: {name} is no longer attached.")
                continue
            kept = work.result_of(session.files.attach(source.name))
            typer.echo(f"{source.name}: {name}, {size_in_words(kept)}")
        work.result_of(session.project.save(project.absolute()))
        typer.echo(f"Wrote {project} ({size_in_words(project.stat().st_size)}).")


def _is_scene(work: Work, name: str) -> bool:
    noun = work.session.fetch(name)
    return noun is not None and bool(noun.on_disk)

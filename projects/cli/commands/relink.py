"""`coterie relink`: find data files that were moved, and let the project read them there."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core.errors import Cancelled, DataError, ProjectFileError, RecipeError
from coterie.core.model.recipes import Source

if TYPE_CHECKING:
    from coterie.projects.cli.session_runner import Work


def relink(
    context: typer.Context,
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="Project file.")],
    place: Annotated[
        Path,
        typer.Argument(metavar="PLACE", help="The file, or a folder to search."),
    ],
    data: Annotated[
        str,
        typer.Option(
            "--data", metavar="NAME", help="Source to relink; default: all with missing files."
        ),
    ] = "",
) -> None:
    """Find moved or renamed data files by size and hash, and save the project.

    A file with other bytes than the project was made with is refused. Results stay as they are.
    """
    from coterie.projects.cli.session_runner import working

    if not place.exists():
        raise DataError(f"'{place}' does not exist. Check the path.", code="file-not-found")
    place = Path(os.path.normpath(place.absolute()))  # people read it, and so does the recipe
    with working(context.obj) as work:
        session = work.session
        opened = work.result_of(session.project.open_file(project.absolute()))
        if opened.header.read_only:
            raise ProjectFileError(
                f"'{project.name}' was written by a newer version of Coterie and was "
                "not changed. Update Coterie.",
                code="newer-version",
            )
        before = {source.name: source.open for source in session.recipe.sources}
        # The project's own folder was looked through on opening.
        by_itself = session.project.modified
        for name in _lost(work, data):
            _relink(work, name, place)
        told = [s for s in session.recipe.sources if s.open != before[s.name] or by_itself]
        if not told:
            typer.echo("No files are missing.")
            return
        work.result_of(session.project.save(project.absolute()))
        for source in told:
            typer.echo(f"{source.name}: {source.open}")
        typer.echo(f"Wrote {project}.")


def _lost(work: Work, named: str) -> list[str]:
    """The sources to find: the named one, else those whose files are not there."""
    from coterie.projects.recipe.toml import is_sample

    recipe = work.session.recipe
    if named:
        if not isinstance(recipe.find(named), Source):
            raise RecipeError(
                f"'{named}' is a step and does not read a file. Choose a source.",
                code="no-data-file",
            )
        return [named]
    files = [source for source in recipe.sources if not is_sample(source)]
    return [source.name for source in files if not Path(source.open).exists()]


def _relink(work: Work, name: str, place: Path) -> None:
    from coterie.projects.sources.relink import find_lost

    session = work.session
    lost = work.result_of(session.files.known_of(name))
    found = place
    if lost is not None and place.is_dir():
        found = find_lost(lost, place, lambda: _check(work), _tell)
        _tell("")
    elif lost is None and place.is_dir():
        raise DataError(
            f"'{name}' was never read, so its file cannot be recognised. Give the path "
            "of the file instead.",
            code="not-computed",
        )
    work.result_of(session.files.relink(name, found))
    if (failure := session.failure(name)) is not None:
        raise DataError(failure.message, code="file-not-readable")


def _check(work: Work) -> None:
    if work.interrupted:
        raise Cancelled("The search was cancelled. Nothing was changed.")


def _tell(said: str) -> None:
    """One line that the next one replaces, where a person looks on."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{said[:100]}")
        sys.stderr.flush()

"""`coterie compare`: methods side by side, on data or as they are in a project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.core.errors import Cancelled, DataError
from coterie.projects.cli.commands.run import names_data, read
from coterie.projects.cli.engine_option import EngineName, chosen_engine
from coterie.projects.cli.set_option import recipe_as_declared, with_changes

if TYPE_CHECKING:
    from coterie.core.model.recipes import Recipe
    from coterie.core.model.results import Clustering
    from coterie.projects.cli.session_runner import Work


def compare(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Data file, sample, recipe or project.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="PROJECT", help="Also save the project."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="STEP.PARAM=VALUE", help="Set a parameter; repeatable."),
    ] = None,
    engine: EngineName = "process",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare methods: how many groups each finds, and how far they agree.

    Of data, a sample or a recipe: the candidates of the automatic answer. Of a project: the groups
    that are in it.
    """
    from coterie.projects.cli.commands.info import is_project
    from coterie.projects.cli.compare_tables import print_candidates, print_groupings

    if is_project(Path(file), context.obj):
        if output is not None or changes:
            raise typer.BadParameter(
                "A project is not changed by comparing: leave out -o and --set."
            )
        found = _in_project(Path(file))
        said = print_groupings
    else:
        found = _of_data(file, output, changes or [], engine, context, quiet=as_json)
        said = print_candidates
    if as_json:
        typer.echo(json.dumps(found, indent=2))
        return
    said(found)
    if output is not None:
        typer.echo(f"\nWrote {output}.")


def _of_data(
    file: str,
    output: Path | None,
    changes: list[str],
    engine: str,
    context: typer.Context,
    *,
    quiet: bool,
) -> dict[str, Any]:
    """Run the automatic answer, and return its candidates."""
    from coterie.projects.candidates import with_automatic
    from coterie.projects.cli.compare_tables import candidates_json
    from coterie.projects.cli.guess_input import recipe_for
    from coterie.projects.cli.run_recipe import begin
    from coterie.projects.cli.session_runner import working

    kind, options = chosen_engine(engine, context.obj)
    recipe, _ = read(file, output)
    with working(options, kind) as work:
        session = work.session
        work.await_methods()
        if names_data(Path(file)):
            recipe = recipe_for(work, Path(file), recipe.title, quiet=quiet)
        recipe = recipe_as_declared(with_changes(recipe, changes), session.catalogue)
        recipe, automatic = with_automatic(recipe, session.catalogue)
        if output is None:
            session.project.load_recipe(recipe)
        else:
            begin(work, recipe, output, fresh=False)
        answer = _run(work, recipe, automatic)
        found = candidates_json(recipe.title, answer, lambda part: session.fetch(automatic, part))
        if output is not None:
            work.result_of(session.project.save(output))
    return found


def _run(work: Work, recipe: Recipe, automatic: str) -> Clustering:
    from rich.console import Console

    from coterie.projects.cli.progress import StepLines

    session = work.session
    work.await_engine()
    with StepLines(recipe.names, Console(stderr=True, highlight=False)) as lines:
        session.job_changed.connect(lines.at_work)
        session.run(automatic, reread=True)
        work.finish()
    for name in recipe.ancestors([automatic]):
        if (failure := session.failure(name)) is not None:
            raise DataError(f"Step '{name}': {failure.message}", code="method-failed")
    answer: Clustering | None = session.fetch(automatic)
    if work.interrupted or answer is None:
        raise Cancelled
    return answer


def _in_project(path: Path) -> dict[str, Any]:
    """Return the groups in a project beside each other."""
    from coterie.core.model.results import Clustering
    from coterie.projects.cli.commands.show import find_key, load
    from coterie.projects.cli.compare_tables import groupings_json
    from coterie.projects.store.hdf5.reading import ProjectFile

    with ProjectFile.open(path) as project:
        keys = {name: find_key(project, name) for name in project.steps}
        found: dict[str, Clustering] = {
            name: load(project, key)
            for name, key in keys.items()
            if key in project.entries and project.entries[key].type == Clustering.encoding_type
        }
        title = project.header.title
    if not found:
        raise DataError(
            f"'{path.name}' has no groups to compare. Add a clusterer to its recipe and run it.",
            code="groups-needed",
        )
    return groupings_json(title, found)

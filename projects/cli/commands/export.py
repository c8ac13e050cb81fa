"""`coterie export`: one result of a project as a file of another program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core import well_known
from coterie.core.errors import CoterieError
from coterie.projects.cli.output_files import require_other_file

if TYPE_CHECKING:
    from coterie.core.model.recipes import Recipe
    from coterie.projects.jobs.job import Failure

WHOLE_RECIPE = "recipe"


def export(
    context: typer.Context,
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="Project file.")],
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help='Step name, step.part such as groups.trace, or "recipe" for all steps.',
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Argument(metavar="OUT", help="File to write; its extension selects the format."),
    ] = None,
    other_output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="Same as OUT.")
    ] = None,
    writer: Annotated[
        str,
        typer.Option(
            metavar="ID", help=f"Writer to use, such as edges or {well_known.WRITER_CSV}."
        ),
    ] = "",
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAM=VALUE", help="Set a parameter of the writer."),
    ] = None,
) -> None:
    """Export a result as CSV, Parquet, GraphML, PNG, SVG or TOML."""
    from coterie.projects.cli.session_runner import working
    from coterie.projects.cli.set_option import parse_setting
    from coterie.projects.jobs.export import Export

    output = output or other_output
    if output is None:
        raise typer.BadParameter("Missing output file: add OUT or -o OUT.")
    require_other_file(output, project)
    params = dict(parse_setting(text) for text in setting or [])
    use = writer if "/" in writer or not writer else f"writer/{writer}"
    with working(context.obj) as work:
        session = work.session
        work.result_of(session.project.open_file(project, lock=False))
        if name == WHOLE_RECIPE and name not in session.recipe.names:
            _write_recipe(session.recipe, output)
            return
        work.await_methods()
        step, _, part = name.partition(".") if name not in session.recipe.names else (name, "", "")
        failures: list[Failure] = []
        session.exports.failed.connect(failures.append)
        session.exports.add(Export(step, output, use, part, params))
        work.finish()
    if failures:
        raise CoterieError(failures[0].message, code=failures[0].code)
    typer.echo(f"Wrote {output}.")


def _write_recipe(recipe: Recipe, output: Path) -> None:
    """Write all steps, including those without a result."""
    from coterie.projects.recipe.toml import with_relative_paths, write_recipe

    relative = with_relative_paths(recipe, output.absolute().parent)
    output.write_text(write_recipe(relative), encoding="utf-8")
    typer.echo(f"Wrote {output}.")

"""`coterie run`: run a recipe and write the project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source
from coterie.projects.cli.engine_option import EngineName, chosen_engine
from coterie.projects.cli.set_option import recipe_as_declared, with_changes
from coterie.projects.store.keeping import Keep

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions
    from coterie.projects.cli.run_recipe import RecipeRun

SUFFIX = ".coterie.h5"


def run(
    context: typer.Context,
    recipe: Annotated[str, typer.Argument(metavar="RECIPE", help="Recipe file or sample name.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="PROJECT",
            help="Project to write; default: beside the recipe.",
        ),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="STEP.PARAM=VALUE", help="Set a parameter; repeatable."),
    ] = None,
    engine: EngineName = "process",
    fresh: Annotated[bool, typer.Option("--fresh", help="Recompute everything.")] = False,
    backups: Annotated[
        int,
        typer.Option(
            "--backups", min=1, max=50, help="How many earlier versions of the project to keep."
        ),
    ] = 1,
    keep: Annotated[
        Keep,
        typer.Option(
            "--keep",
            help="Similarities, and data made on the way, that the project stores: those slow to "
            "compute, all, or none.",
        ),
    ] = "quick",
) -> None:
    """Run a recipe and write the project.

    Results that are already in the project, and still right, are not computed again.
    """
    kind, options = chosen_engine(engine, context.obj)
    chosen, target = read(recipe, output, options)
    is_data = names_data(Path(recipe))
    if not is_data:
        chosen = with_changes(chosen, changes or ())

    from coterie.projects.cli.guess_input import recipe_for
    from coterie.projects.cli.progress import StepLines
    from coterie.projects.cli.run_recipe import RecipeRun, begin
    from coterie.projects.cli.session_runner import working

    with working(options, kind) as work:
        work.session.project.versions, work.session.project.keep = backups, keep
        if is_data:
            found = recipe_for(work, Path(recipe), chosen.title)
            chosen = with_changes(found, changes or ())
        if changes:
            work.await_methods()
            chosen = recipe_as_declared(chosen, work.session.catalogue)
        begin(work, chosen, target, fresh=fresh)
        with StepLines(chosen.names) as lines:
            running = RecipeRun(work, lines)
            running.go()
            lines.at_last(f"writing {target.name}")
            written = running.save(target)
        _tell(running, target if written else None)
        if running.cancelled:
            raise typer.Exit(130)
        if running.failures:
            raise typer.Exit(1)


def read(
    name: str, output: Path | None, options: EngineOptions | None = None
) -> tuple[Recipe, Path]:
    """Return the recipe called `name` and where its project goes."""
    from coterie.projects.recipe.defaults import (
        default_recipe,
        plugin_sample_recipe,
        sample_recipe,
    )
    from coterie.projects.recipe.toml import is_plugin_sample, is_sample, read_recipe

    path = Path(name)
    if not path.exists() and is_plugin_sample(name):
        from coterie.core.engine.options import EngineOptions
        from coterie.projects.cli.session_runner import read_catalogue

        recipe = plugin_sample_recipe(name, read_catalogue(options or EngineOptions()))
        return recipe, output or Path(f"{name.rpartition(':')[2]}{SUFFIX}")
    if not path.exists() and is_sample(Source(open=name)):
        return sample_recipe(name), output or Path(f"{name}{SUFFIX}")
    if names_data(path):
        title = path.name.split(".")[0]
        recipe = default_recipe(Source(open=str(path.absolute())), title)
        return recipe, output or path.with_name(f"{title}{SUFFIX}")
    recipe = read_recipe(path)
    if not recipe.names:
        raise RecipeError(
            f"The recipe '{name}' is empty. Add the data to open under [data].", code="empty-recipe"
        )
    return recipe, output or path.with_name(f"{path.stem}{SUFFIX}")


def names_data(path: Path) -> bool:
    """Return whether a path is that of data rather than of a recipe."""
    return path.exists() and path.suffix != ".toml"


def _tell(running: RecipeRun, written: Path | None) -> None:
    trace = os.environ.get("COTERIE_TRACE")
    for failure in running.failures:
        if trace and failure.traceback:
            typer.echo(failure.traceback, err=True)
        typer.echo(f"Step '{failure.step}': {' '.join(failure.message.split())}", err=True)
    if running.cancelled:
        rest = " Run the same command again to resume." if written else ""
        typer.echo(f"Cancelled.{rest}", err=True)
    if written is None:
        typer.echo("Nothing was computed, so no project was written.", err=True)
        return
    counts = {
        "computed": len(running.computed),
        "from cache": len(running.kept),
        "failed": len(running.failures),
    }
    said = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    typer.echo(f"Wrote {written} ({said}).")

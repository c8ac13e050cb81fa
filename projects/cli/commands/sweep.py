"""`coterie sweep`: run a step with many settings, and print their scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core import well_known
from coterie.core.errors import RecipeError
from coterie.projects.cli.commands.run import read
from coterie.projects.cli.engine_option import EngineName, chosen_engine
from coterie.projects.cli.output_files import require_output
from coterie.projects.cli.progress import finished_trials
from coterie.projects.cli.set_option import recipe_as_declared, with_changes

if TYPE_CHECKING:
    from coterie.projects.cli.session_runner import Work
    from coterie.projects.jobs.sweep_plan import SweepPlan, SweepTable

WRITTEN = (".csv", ".txt", ".svg", ".png", ".pdf")


def sweep(
    context: typer.Context,
    recipe: Annotated[str, typer.Argument(metavar="RECIPE", help="Recipe file or sample name.")],
    step: Annotated[
        str,
        typer.Option(
            "--step",
            metavar="NAME",
            help="Step whose parameters vary, unless --over names steps as well.",
        ),
    ] = "",
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            metavar="PARAM=LOW:HIGH:COUNT[:log]",
            help="Range, or PARAM=VALUE,VALUE; once or twice. STEP.PARAM=… for another step.",
        ),
    ] = (),  # type: ignore[assignment]
    score: Annotated[
        str,
        typer.Option(
            metavar="SCORE[,SCORE…]",
            help="Metric, groups or cohesiveness; repeatable: the first decides which values are "
            "best.",
        ),
    ] = well_known.METRIC_NMI,
    of: Annotated[
        str,
        typer.Option(
            "--of", metavar="NAME", help="Step whose groups are scored, if there are several."
        ),
    ] = "",
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Also write the table (.csv) or a figure (.svg, .png, .pdf); repeatable.",
        ),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="STEP.PARAM=VALUE", help="Set a parameter; repeatable."),
    ] = None,
    engine: EngineName = "process",
) -> None:
    """Run a step with many parameter values and print the score of each.

    Only scores are kept. Ctrl-C ends the sweep and prints what there is.
    """
    kind, options = chosen_engine(engine, context.obj)
    chosen, _ = read(recipe, None)
    chosen = with_changes(chosen, changes or ())
    for file in output or ():
        require_output(file, what="sweeps as tables and figures", endings=WRITTEN)

    from coterie.projects.cli.session_runner import working
    from coterie.projects.jobs.sweep_figure import ENDINGS, write_sweep
    from coterie.projects.jobs.sweep_plan import scores_of

    with working(options, kind) as work:
        work.await_engine()
        work.await_methods()
        work.session.project.load_recipe(recipe_as_declared(chosen, work.session.catalogue))
        table = _run(work, _plan(work, step, over, score, of))
        title = scores_of(work.session.catalogue)[table.plan.score]
    _print(table)
    for file in (output or ()) if table.done else ():
        if file.suffix.lower() in ENDINGS:
            write_sweep(table, title, file)
        else:
            table.write_csv(file)
        typer.echo(f"Wrote {file}.")
    if table.state == "failed":
        raise RecipeError(table.message, code="method-failed")
    if table.state == "cancelled":
        typer.echo(f"Cancelled after {table.done} of {table.plan.count}.", err=True)
        raise typer.Exit(130)


def _plan(work: Work, step: str, over: list[str], score: str, of: str) -> SweepPlan:
    from coterie.projects.jobs.sweep_plan import OWN_SCORES, SweepPlan, parse_axis, targets_of

    recipe, catalogue = work.session.recipe, work.session.catalogue
    if not over:
        raise typer.BadParameter("Name a parameter to vary by --over.")
    if not step and not all("." in text.partition("=")[0] for text in over):
        raise typer.BadParameter("Name the step whose parameters vary by --step.")
    if step:
        recipe.step(step)
    axes = tuple(parse_axis(text, recipe, catalogue, step) for text in over)
    varied = {axis.step or step for axis in axes}
    step = next(one.name for one in recipe.in_order() if one.name in varied)
    axes = tuple(replace(axis, step=axis.step or step) for axis in axes)
    targets = targets_of(recipe, catalogue, step)
    if not targets:
        raise RecipeError(
            f"No groups depend on '{step}', so there is nothing to score.", code="groups-needed"
        )
    named = [
        one if "/" in one or one in OWN_SCORES else f"metric/{one}"
        for one in (word.strip() for word in score.split(","))
        if one
    ]
    if not named:
        raise typer.BadParameter("Name a score by --score.")
    below = [name for name in targets if varied <= {*recipe.ancestors([name]), name}]
    return SweepPlan(step, axes, named[0], of or (below or targets)[0], tuple(named[1:]))


def _run(work: Work, plan: SweepPlan) -> SweepTable:
    work.session.sweeps.start(plan)
    return finished_trials(work, work.session.sweeps, f"sweep of {plan.step}", plan.count)


def _print(table: SweepTable) -> None:
    best = table.best
    rows = [[*table.plan.names, *table.plan.scores, ""]]
    for place, (settings, score, remark) in zip(table.plan.places(), table.rows(), strict=True):
        if score == score or place in table.problems:
            mark = ", ".join(filter(None, ("best" if place == best else "", remark)))
            found = (score, *(float(more[place]) for more in table.more.values()))
            shown = (f"{one:.4f}" if one == one else "–" for one in found)
            rows.append([*(_short(value) for value in settings.values()), *shown, mark])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)

"""`coterie cross-validate`: train a classifier on random subsets, and print its accuracy."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core.errors import RecipeError
from coterie.projects.cli.commands.run import SUFFIX, read
from coterie.projects.cli.engine_option import EngineName, chosen_engine
from coterie.projects.cli.output_files import require_output
from coterie.projects.cli.progress import finished_trials
from coterie.projects.cli.set_option import recipe_as_declared, with_changes

if TYPE_CHECKING:
    from coterie.core.numerics.partitions.repetitions import Spread
    from coterie.projects.cli.session_runner import Work
    from coterie.projects.jobs.cross_validate_plan import CrossValidationPlan
    from coterie.projects.jobs.cross_validate_results import CrossValidationTable

ENDINGS = (".csv", ".json", ".svg", ".png", ".pdf")


def cross_validate(
    context: typer.Context,
    recipe: Annotated[
        str, typer.Argument(metavar="RECIPE", help="Recipe or project file with a scene.")
    ],
    times: Annotated[
        int, typer.Option("--times", metavar="N", help="Number of runs, each with different seeds.")
    ] = 10,
    sizes: Annotated[
        str, typer.Option(metavar="N,N,…", help="Pixels in the subset; default: as in the recipe.")
    ] = "",
    top: Annotated[
        str,
        typer.Option(metavar="all,N,…", help="Train on the top-ranked pixels of each group only."),
    ] = "",
    scene: Annotated[
        Path | None, typer.Option(metavar="SCENE", help="Test on another scene.")
    ] = None,
    truth: Annotated[
        Path | None, typer.Option(metavar="MASK", help="Known classes; default: as in the recipe.")
    ] = None,
    classes: Annotated[
        str, typer.Option(metavar="VALUES", help='Classes of the mask: "4=cloud, 1=water".')
    ] = "",
    of: Annotated[
        str, typer.Option("--of", metavar="CLASS", help="Plot the IoU of this class.")
    ] = "",
    test: Annotated[
        int, typer.Option(metavar="N", help="Number of random test pixels; 0 for all.", min=0)
    ] = 0,
    step: Annotated[
        str, typer.Option(metavar="NAME", help="Classifier step; default: the last one.")
    ] = "",
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Output file: means (.csv), all (.json) or figure (.svg, .png, .pdf).",
        ),
    ] = None,
    each: Annotated[Path | None, typer.Option(metavar="CSV", help="Also write every run.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="STEP.PARAM=VALUE", help="Set a parameter; repeatable."),
    ] = None,
    engine: EngineName = "process",
) -> None:
    """Cross-validate a classifier on random subsets and print its accuracy.

    In repetition r all seeds from the sample on are larger by r. A group stands for the known class
    that most of its pixels in the sample have; the rest of the scene judges. Nothing but numbers is
    kept. Ctrl-C ends it and prints what there is.
    """
    kind, options = chosen_engine(engine, context.obj)
    for file in output or ():
        require_output(file, what="accuracies as tables or figures", endings=ENDINGS)
    if each is not None:
        require_output(each, what="single runs as CSV", endings=(".csv",))

    from coterie.projects.cli.session_runner import working
    from coterie.projects.jobs.cross_validate_plan import parse_numbers, plan_for

    with working(options, kind) as work:
        _open(work, recipe, changes or [])
        plan = plan_for(
            work.session.recipe,
            work.session.catalogue,
            step=step,
            scene=scene,
            truth=truth,
            truth_classes=classes,
            sizes=parse_numbers(sizes, "sizes"),
            tops=parse_numbers(top, "numbers of top-ranked pixels"),
            times=times,
            at_most=test,
        )
        table = _run(work, plan)
    if table.state == "failed":
        raise RecipeError(table.message, code="method-failed")
    measure = _measure(table, of)
    if table.found:  # before a word is printed: whoever reads it may close the pipe
        _write(table, measure, output or [], each)
    if as_json:
        typer.echo(_json(table, measure))
    else:
        _print(table, of)
        for file in (*(output or ()), *([each] if each else [])) if table.found else ():
            typer.echo(f"Wrote {file}.")
    if table.state == "cancelled":
        typer.echo(f"Cancelled after {table.done} of {plan.count}.", err=True)
        raise typer.Exit(130)


def _open(work: Work, name: str, changes: list[str]) -> None:
    session = work.session
    if name.endswith(SUFFIX):
        work.result_of(session.project.open_file(Path(name), lock=False))
        if changes:
            changed = with_changes(session.recipe, changes)
            work.await_methods()
            session.edits.replace(recipe_as_declared(changed, session.catalogue), "as asked")
    else:
        chosen, _ = read(name, None)
        work.await_engine()
        work.await_methods()
        changed = with_changes(chosen, changes)
        session.project.load_recipe(recipe_as_declared(changed, session.catalogue))
    work.await_methods()


def _run(work: Work, plan: CrossValidationPlan) -> CrossValidationTable:
    runs = work.session.cross_validations
    runs.start(plan)
    return finished_trials(work, runs, "repetitions", plan.count)


def _measure(table: CrossValidationTable, of: str) -> str:
    from coterie.core.formats.maps.error_maps import class_called

    if not of or not table.found:
        return "overall"
    return f"iou {table.classes[class_called(of, table.classes)]}"


def _print(table: CrossValidationTable, of: str) -> None:
    from coterie.projects.cli.console import print_rows
    from coterie.projects.jobs.cross_validate_figure import top_in_words
    from coterie.projects.jobs.cross_validate_results import KAPPA, OVERALL, measure_in_words
    from coterie.projects.jobs.cross_validate_verdict import verdict

    plan = table.plan
    judged = f"{plan.at_most:,} random pixels" if plan.at_most else "all known pixels"
    typer.echo(
        f"{plan.scene.name}: tested on {judged} outside the subset. Mean ± sd [95% interval]."
    )
    head = ["pixels", "trained on", "n", "overall", "kappa"]
    shown = [OVERALL, KAPPA]
    if of and table.found:
        shown.append(_measure(table, of))
        head.append(measure_in_words(shown[-1]))
    several = len(plan.tops) > 1 and 0 in plan.tops
    rows = []
    for size, top in table.cells():
        spreads = [table.spread(measure, size, top) for measure in shown]
        row = [str(plan.sizes[size]), top_in_words(plan.tops[top]), str(spreads[0].n)]
        row += [_shown(spread) for spread in spreads]
        if several:
            more = table.difference(OVERALL, size, top)
            known = more is not None and isfinite(more.low)
            row.append(f"{more.low:+.4f} to {more.high:+.4f}" if more and known else "")
            row.append(f"{more.p:.2g}" if more and isfinite(more.p) else "")
        rows.append(row)
    print_rows([*head, *(["difference from all, 95%", "p"] if several else [])], rows)
    if said := verdict(table, shown[-1]):
        typer.echo(f"\n{measure_in_words(shown[-1])}: {said}")
    if len(rows) == 1 and table.found:
        _print_classes(table)
    for said in dict.fromkeys(table.problems.values()):
        typer.echo(f"Failed: {said}", err=True)


def _print_classes(table: CrossValidationTable) -> None:
    """Of a single row there is room for every class."""
    from coterie.projects.cli.console import print_rows

    typer.echo("")
    kinds = ("producers", "users", "iou")
    print_rows(
        ["class", "producer's", "user's", "IoU"],
        [
            [name, *(_shown(table.spread(f"{kind} {name}", 0, 0)) for kind in kinds)]
            for name in table.classes
        ],
    )


def _shown(spread: Spread) -> str:
    if not spread.n:
        return "–"
    if not isfinite(spread.deviation):
        return f"{spread.mean:.4f}"
    return f"{spread.mean:.4f} ± {spread.deviation:.4f} [{spread.low:.4f}, {spread.high:.4f}]"


def _write(table: CrossValidationTable, measure: str, files: list[Path], each: Path | None) -> None:
    from coterie.projects.jobs.cross_validate_figure import write_curve

    for file in files:
        match file.suffix.lower():
            case ".csv":
                table.write_means(file)
            case ".json":
                file.write_text(f"{_json(table, measure)}\n", encoding="utf-8")
            case _:
                write_curve(table, measure, file)
    if each is not None:
        table.write_each(each)


def _json(table: CrossValidationTable, measure: str) -> str:
    from coterie.projects.jobs.cross_validate_verdict import verdict

    found = {**table.as_json(), "verdict": {"measure": measure, "said": verdict(table, measure)}}
    return json.dumps(found, indent=1, ensure_ascii=False)

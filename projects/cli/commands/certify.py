"""`coterie certify`: test a result against its definition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.core.errors import DataError
from coterie.projects.cli.output_files import require_other_file

if TYPE_CHECKING:
    from coterie.core.model.dataset import Dataset
    from coterie.core.numerics.certificates.dominant_sets import SetCertificate
    from coterie.projects.certificates import CertifiedStep
    from coterie.projects.store.hdf5.reading import ProjectFile

FAILED = 1


def certify(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="PROJECT", help="Project file.")],
    step: Annotated[str, typer.Argument(metavar="STEP", help="Step whose result to certify.")],
    items: Annotated[
        str,
        typer.Option(
            metavar="1,2,…",
            help="Certify these items, counted from 1, on a step that gives similarities.",
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write the JSON to a file."),
    ] = None,
) -> None:
    """Say by the definition whether groups are dominant sets, or labels consistent.

    Groups of a hierarchy, of several affinities and of a hypergraph are tested by theirs.
    """
    from coterie.projects.cli.whole_project import project_for

    with project_for(file, step, context.obj, inputs=not items) as project:
        found, data = _certified(project, step, items)
    text = json.dumps(found.as_json(), indent=2)
    if output is not None:
        require_other_file(output, file)
        output.write_text(f"{text}\n", encoding="utf-8")
    if as_json:
        typer.echo(text)
    else:
        _print(found, data)
    if not found.holds:
        raise typer.Exit(FAILED)


def _certified(project: ProjectFile, step: str, items: str) -> tuple[CertifiedStep, Dataset | None]:
    from coterie.core.model.affinity import Affinity
    from coterie.projects.certificates import certify_items, certify_step
    from coterie.projects.cli.commands.show import find_key, load

    key = find_key(project, step)
    result = load(project, key)
    if items:
        if not isinstance(result, Affinity):
            raise DataError(
                f"'{step}' does not give similarities. Name a kernel or graph step with --items.",
                code="wrong-type",
            )
        return certify_items(result, _positions(items, result.n)), result.dataset
    about = project.provenance(key)
    missing = [given for given in about.get("inputs", ()) if given not in project.entries]
    if missing:
        raise DataError(
            f"The similarities that '{step}' was computed from are not in the project. "
            "Run its recipe again, save, and certify then.",
            code="unknown-result",
        )
    inputs = [load(project, given) for given in about.get("inputs", ())]
    found = certify_step(str(about.get("component", "")), about.get("params", {}), result, inputs)
    return found, result.dataset


def _positions(items: str, n: int) -> list[int]:
    try:
        numbers = [int(one) for one in items.split(",") if one.strip()]
    except ValueError:
        raise typer.BadParameter("Items are numbers counted from 1, separated by commas.") from None
    wrong = next((number for number in numbers if not 1 <= number <= n), None)
    if wrong is not None:
        raise DataError(
            f"There is no item {wrong}. Items are counted from 1 to {n}.", code="unknown-item"
        )
    return [number - 1 for number in numbers]


def _print(found: CertifiedStep, data: Dataset | None) -> None:
    from coterie.projects.cli.console import print_rows

    typer.echo(found.remark)
    if found.sets:
        typer.echo("")
        rows = [_row(number, one) for number, one in enumerate(found.sets, 1)]
        print_rows(
            ("set", "items", "cohesiveness", "least share", "largest margin", "by", "verdict"), rows
        )
        for number, one in enumerate(found.sets, 1):
            _print_movers(number, one, data)
    if found.labelling is not None:
        labels = found.labelling
        typer.echo(
            f"{labels.checked} free items. The largest gain by another class is "
            f"{labels.largest:.3g} of the payoff: {labels.verdict}."
        )
        if len(labels.items):
            typer.echo(f"Would change their class: {_names(labels.items, data)}.")


def _row(number: int, one: SetCertificate) -> tuple[str, ...]:
    return (
        str(number),
        str(len(one.members)),
        f"{one.cohesiveness:.4g}",
        f"{one.least:.3g}",
        f"{one.largest:.3g}",
        one.how,
        one.verdict,
    )


def _print_movers(number: int, one: SetCertificate, data: Dataset | None) -> None:
    if one.definite is False:
        typer.echo(f"Set {number}: a part of it would do as well without the others.")
    if len(one.leaving):
        typer.echo(f"Set {number}: would leave: {_names(one.leaving, data)}.")
    if len(one.joining):
        typer.echo(f"Set {number}: would join: {_names(one.joining, data)}.")
    if len(one.astray):
        typer.echo(f"Set {number}: not in the group it is part of: {_names(one.astray, data)}.")
    if len(one.beaten_by):
        better = ", ".join(str(other + 1) for other in one.beaten_by.tolist())
        typer.echo(f"Set {number}: another set is better: {better}.")


def _names(items: Any, data: Dataset | None) -> str:
    from coterie.core.numerics.certificates.dominant_sets import MOST_NAMED

    shown = [
        data.items[item] if data is not None and data.items else str(item + 1)
        for item in items[:MOST_NAMED].tolist()
    ]
    more = f" and {len(items) - MOST_NAMED} more" if len(items) > MOST_NAMED else ""
    return f"{', '.join(shown)}{more}"

"""Gives the rows of a table the groups of a project, for `coterie classify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from coterie.core.errors import Cancelled, CoterieError, DataError, no_file
from coterie.projects.cli.engine_option import EngineName, chosen_engine
from coterie.projects.cli.output_files import require_output

if TYPE_CHECKING:
    from coterie.projects.jobs.job import Failure
    from coterie.projects.jobs.label_table import LabelRequest


def label_rows(context: Any, project: Path, request: LabelRequest, engine: EngineName) -> None:
    """Write the groups of the rows of a table, and say how many rows are in each."""
    from coterie.projects.cli.session_runner import working

    if not request.path.exists():
        raise no_file(str(request.path))
    _require_target(request.target, project, request.path)
    kind, options = chosen_engine(engine, context.obj)
    with working(options, kind) as work:
        work.result_of(work.session.project.open_file(project, lock=False))
        work.await_methods()
        failures: list[Failure] = []
        notes: list[str] = []
        work.session.labels.failed.connect(failures.append)
        work.session.labels.written.connect(lambda path, said: notes.extend(said))
        work.session.labels.add(request)
        work.finish()
    if failures:
        raise CoterieError(failures[0].message, code=failures[0].code)
    if work.interrupted:
        raise Cancelled
    typer.echo(f"Wrote {request.target}.")
    for note in notes:
        typer.echo(f"  {note}")


def _require_target(output: Path, *inputs: Path) -> None:
    require_output(output, *inputs)
    for one in inputs:
        if one.is_dir() and output.absolute().parent.samefile(one):
            raise DataError(
                f"'{output}' would be one of the tables in '{one}'. Choose a place outside that "
                "folder.",
                code="output-is-input",
            )

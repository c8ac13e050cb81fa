"""`coterie validate`: check a project file and say where it is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def validate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Project file.")],
) -> None:
    """Check every part of a project file and list problems; exit code 1 if there are any."""
    from coterie.core.wording import counted
    from coterie.projects.store.hdf5.reading import ProjectFile
    from coterie.projects.store.hdf5.validation import validate as find_faults

    findings = find_faults(file)
    for finding in findings:
        typer.echo(" ".join(f"{file}: {finding}".split()), err=True)
    if findings:
        raise typer.Exit(1)
    with ProjectFile.open(file) as project:
        count = counted(len(project.entries), "artefact")
    typer.echo(f"{file} is valid: {count}, nothing missing or damaged.")

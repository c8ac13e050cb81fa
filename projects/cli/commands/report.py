"""`coterie report`: a project as one self-contained page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coterie.core.errors import ProjectFileError


def report(
    context: typer.Context,
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="Project file.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="HTML file to write.")
    ] = None,
) -> None:
    """Write a self-contained HTML report: recipe, figures, tables and versions."""
    from coterie.projects.cli.session_runner import working
    from coterie.projects.report.contents import contents
    from coterie.projects.report.html import page
    from coterie.projects.report.snapshot import take

    name = project.name.removesuffix(".h5").removesuffix(".coterie")
    target = output or project.with_name(f"{name}.html")
    if target.exists() and target.samefile(project):
        raise ProjectFileError(
            f"'{target}' is the project file. Choose another name.", code="output-is-input"
        )
    if target.suffix.lower() not in (".html", ".htm"):
        raise ProjectFileError(
            f"Reports are written as HTML. Choose a name ending in .html, not '{target.name}'.",
            code="wrong-extension",
        )
    with working(context.obj) as work:
        session = work.session
        work.result_of(session.project.open_file(project, lock=False))
        work.await_methods()
        text = page(contents(take(session, session.fetch)), session.project.title)
    target.write_text(text, encoding="utf-8")
    typer.echo(f"Wrote {target}.")

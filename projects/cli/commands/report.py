"""`coterie report`: a project as one self-contained page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coterie.projects.cli.output_files import require_output


def report(
    context: typer.Context,
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="Project file.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="OUT", help="File to write: .html or .md."),
    ] = None,
) -> None:
    """Write a report: findings, figures, tables and how it was made, as HTML or Markdown."""
    from coterie.projects.cli.session_runner import working
    from coterie.projects.report.contents import contents
    from coterie.projects.report.html import page
    from coterie.projects.report.markdown import write_markdown
    from coterie.projects.report.snapshot import take

    name = project.name.removesuffix(".h5").removesuffix(".coterie")
    target = output or project.with_name(f"{name}.html")
    require_output(
        target, project, what="reports as HTML or Markdown", endings=(".html", ".htm", ".md")
    )
    with working(context.obj) as work:
        session = work.session
        work.result_of(session.project.open_file(project, lock=False))
        work.await_methods()
        blocks = contents(take(session, session.fetch))
        if target.suffix.lower() == ".md":
            write_markdown(blocks, target)
        else:
            target.write_text(page(blocks, session.project.title), encoding="utf-8")
    typer.echo(f"Wrote {target}.")

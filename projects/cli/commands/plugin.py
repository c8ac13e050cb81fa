"""`coterie plugin`: start a plugin, and check one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from coterie.core.testing import Finding

plugin = typer.Typer(name="plugin", help="Create or check a plugin.")


@plugin.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the plugin.")],
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="Kind of method, such as kernel or clusterer.")
    ] = "kernel",
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to create it; default: here, or your plugin folder for a single file.",
        ),
    ] = None,
    single_file: Annotated[
        bool,
        typer.Option(
            "--single-file", help="Create one file for the plugin folder instead of a package."
        ),
    ] = False,
) -> None:
    """Create a plugin: a package with one method, tests and what is needed to publish it."""
    from coterie.core.api.kinds import KINDS
    from coterie.core.errors import ParameterError
    from coterie.core.io.folders import plugin_folders
    from coterie.projects.cli.plugin_template.names import is_taken, names_from
    from coterie.projects.cli.plugin_template.writing import write_file, write_package

    if kind not in KINDS:
        raise typer.BadParameter(
            f"Unknown kind '{kind}'. The kinds are {', '.join(KINDS)}.", param_hint="--kind"
        )
    names = names_from(name)
    if single_file:
        file = write_file(name, kind, into or plugin_folders()[0])
        typer.echo(f"Created {file}. It provides {kind}/local:{names.id} after the next start.")
        typer.echo(f"Edit it, then: coterie plugin check {_quoted(file)}")
        return
    if is_taken(names.module):
        raise ParameterError(
            f"A module '{names.module}' is already installed and would be shadowed. "
            "Choose another name.",
            code="invalid-name",
        )
    folder = write_package(name, kind, into or Path())
    method = folder / "src" / names.module / "methods.py"
    typer.echo(f"Created the package {folder}, which provides {kind}/{names.prefix}:{names.id}.")
    typer.echo(f"Edit {method}, then: coterie plugin check {_quoted(folder)}")
    typer.echo(f"To install it: pip install -e {_quoted(folder)}")


@plugin.command("check")
def check(
    target: Annotated[
        str,
        typer.Argument(
            metavar="PLUGIN",
            help="Python file, package folder, installed distribution or module.",
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=1.0, help="Time limit for one check.")
    ] = 60.0,
) -> None:
    """Check that a plugin follows the contract of its methods; exit code 1 if not.

    It runs in a process of its own: whatever it does there is a verdict.
    """
    from coterie.core.testing.processes import check_plugin

    if as_json:
        verdict = check_plugin(target, patience=timeout)
        typer.echo(json.dumps(verdict.as_json(), indent=2))
    else:
        verdict = check_plugin(target, patience=timeout, heard=_Teller().tell)
        typer.echo("")
        typer.echo(verdict.lines()[-1])
    if not verdict.passed:
        raise typer.Exit(1)


class _Teller:
    """Prints findings as they come, under the name of what they are about."""

    def __init__(self) -> None:
        self._heading = ""

    def tell(self, finding: Finding) -> None:
        if finding.component != self._heading:
            if self._heading:
                typer.echo("")
            self._heading = finding.component
            typer.echo(finding.component)
        typer.echo(f"  {finding.line()}")


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))

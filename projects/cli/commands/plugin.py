"""`coterie plugin`: start a plugin, and check one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from coterie.core.testing import Finding

plugin = typer.Typer(name="plugin", help="Start a plugin, or check one.")


@plugin.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is to be called.")],
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="What it offers, such as kernel or clusterer.")
    ] = "kernel",
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to put it; else here, a single file into your plugin folder.",
        ),
    ] = None,
    single_file: Annotated[
        bool, typer.Option("--single-file", help="One file for the plugin folder, no package.")
    ] = False,
) -> None:
    """Start a plugin: a package with one method, its tests and all it takes to publish it."""
    from coterie.core.api.kinds import KINDS
    from coterie.core.errors import ParameterError
    from coterie.core.io.folders import plugin_folders
    from coterie.projects.cli.plugin_template.names import is_taken, names_from
    from coterie.projects.cli.plugin_template.writing import write_file, write_package

    if kind not in KINDS:
        raise typer.BadParameter(
            f"there is no kind '{kind}'. The kinds are {', '.join(KINDS)}.", param_hint="--kind"
        )
    names = names_from(name)
    if single_file:
        file = write_file(name, kind, into or plugin_folders()[0])
        typer.echo(f"{file} is a plugin: {kind}/local:{names.id} after the next start.")
        typer.echo(f"Edit it, then: coterie plugin check {_quoted(file)}")
        return
    if is_taken(names.module):
        raise ParameterError(
            f"A module '{names.module}' is installed already and would be hidden. "
            "Choose another name."
        )
    folder = write_package(name, kind, into or Path())
    method = folder / "src" / names.module / "methods.py"
    typer.echo(f"{folder} is a package with {kind}/{names.prefix}:{names.id}.")
    typer.echo(f"Edit {method}, then: coterie plugin check {_quoted(folder)}")
    typer.echo(f"To have it in the menus: pip install -e {_quoted(folder)}")


@plugin.command("check")
def check(
    target: Annotated[
        str,
        typer.Argument(
            metavar="PLUGIN",
            help="A Python file, the folder of a package, an installed distribution, or a module.",
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=1.0, help="How long one check may take.")
    ] = 60.0,
) -> None:
    """Check that a plugin keeps the promises that every method makes; exit code 1 if it does not.

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

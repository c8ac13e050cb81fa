"""`coterie methods`: the catalogue, broken plugins included."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.projects.cli.session_runner import read_catalogue

if TYPE_CHECKING:
    from coterie.core.catalogue.descriptors import Catalogue, Descriptor

FIELDS = ("kind", "id", "title", "summary", "version", "origin", "params", "needs", "gives")


def methods(
    context: typer.Context,
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="Kind to list, such as kernel or clusterer.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List all methods and broken plugins."""
    from coterie.core.api.kinds import KINDS

    if kind and kind not in KINDS:
        raise typer.BadParameter(
            f"Unknown kind '{kind}'. The kinds are {', '.join(KINDS)}.", param_hint="--kind"
        )
    catalogue = read_catalogue(context.obj)
    chosen = [method for method in catalogue if kind in ("", method.kind)]
    if as_json:
        typer.echo(json.dumps(catalogue_json(catalogue, chosen), indent=2))
        return
    _print(catalogue, chosen)


def catalogue_json(catalogue: Catalogue, chosen: list[Descriptor]) -> dict[str, Any]:
    """Return the list in its stable form, which programs may rely on."""
    return {
        "methods": [
            {name: value for name, value in method.as_json().items() if name in FIELDS}
            for method in chosen
        ],
        "broken": [{"name": plugin.name, "error": plugin.error} for plugin in catalogue.broken],
        "recipes": [template.as_json() for template in catalogue.templates],
    }


def _print(catalogue: Catalogue, chosen: list[Descriptor]) -> None:
    from rich.table import Table
    from rich.text import Text

    from coterie.projects.cli.console import wide_console

    console = wide_console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("method", "title", "summary"):
        table.add_column(name, no_wrap=name == "method", overflow="fold")
    for method in chosen:
        table.add_row(*(Text(text) for text in (method.name, method.title, method.summary)))
    if chosen:
        console.print(table)
    else:
        console.print("No methods found.")
    for template in catalogue.templates:
        where = "on data" if template.on == "data" else "on the selection"
        said = f"Recipe {where}: {template.id}: {template.title}. {template.summary}"
        console.print(Text(said), soft_wrap=True)
    for plugin in catalogue.broken:
        error = " ".join(plugin.error.split())
        console.print(Text(f"Broken: {plugin.name}: {error}", style="red"), soft_wrap=True)

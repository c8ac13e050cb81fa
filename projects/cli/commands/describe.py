"""`coterie describe`: one method with its parameters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.core import well_known
from coterie.core.errors import UnknownComponentError
from coterie.projects.cli.session_runner import read_catalogue

if TYPE_CHECKING:
    from coterie.core.catalogue.descriptors import Catalogue, Descriptor

# What a person compares against: pydantic's words in the schema, and the signs for them.
LIMITS = {"exclusiveMinimum": ">", "minimum": "≥", "exclusiveMaximum": "<", "maximum": "≤"}


def describe(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(metavar="KIND/ID", help=f"Method, such as {well_known.KERNEL_GAUSSIAN}."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Describe a method: what it does, its parameters and its origin."""
    method = find(read_catalogue(context.obj), name)
    if as_json:
        typer.echo(json.dumps(method.as_json(), indent=2))
        return
    typer.echo(f"{method.title} ({method.name})\n{method.summary}")
    if method.description and method.description != method.summary:
        typer.echo(f"\n{method.description.removeprefix(method.summary).strip()}")
    typer.echo(f"\nWorks on  {', '.join(method.needs) or 'nothing'}\nGives     {method.gives}")
    if method.extensions:
        typer.echo(f"Files     {', '.join(method.extensions)}")
    typer.echo(f"From      {method.origin}, version {method.version}")
    if method.reference:
        typer.echo(f"See       {method.reference}")
    _print_parameters(method)


def find(catalogue: Catalogue, name: str) -> Descriptor:
    """Return the method called kind/id, or the only one with that id."""
    if "/" not in name:
        same = [method for method in catalogue if method.id == name]
        if len(same) == 1:
            return same[0]
        if same:
            names = " or ".join(method.name for method in same)
            raise UnknownComponentError(
                f"Several methods have the id '{name}': choose {names}.", code="ambiguous-method"
            )
    return catalogue.get(name)


def _print_parameters(method: Descriptor) -> None:
    from coterie.projects.cli.console import print_rows

    properties: dict[str, Any] = method.params.get("properties", {})
    if not properties:
        typer.echo("\nNo parameters.")
        return
    typer.echo("")
    rows = [
        [name, _default(method, name), _allowed(schema), str(schema.get("description", ""))]
        for name, schema in properties.items()
    ]
    print_rows(("parameter", "default", "allowed", "meaning"), rows)


def _default(method: Descriptor, name: str) -> str:
    value = method.defaults.get(name)
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _allowed(schema: dict[str, Any]) -> str:
    """Return in short what a parameter takes, from its JSON Schema."""
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if "anyOf" in schema:
        return " | ".join(_allowed(choice) for choice in schema["anyOf"])
    words = {"number": "number", "integer": "whole number", "boolean": "true | false"}
    said = words.get(schema.get("type", ""), {"string": "text"}.get(schema.get("type", ""), ""))
    said = said or str(schema.get("type", "any"))
    limits = [f"{sign} {schema[limit]}" for limit, sign in LIMITS.items() if limit in schema]
    unit = [f"[{schema['unit']}]"] if "unit" in schema else []
    return " ".join([said, *limits, *unit])

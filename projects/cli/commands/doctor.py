"""`coterie doctor`: what a bug report needs to say about this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

IN_BYTES = ("memory", "memory for methods", "bytes", "free")


def doctor(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print versions, screen, plugins and folders, for bug reports."""
    from coterie.projects.cli.doctor import diagnose

    found = diagnose(context.obj)
    if as_json:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    for name, section in found.items():
        typer.echo(f"{name}")
        for line in lines(section):
            typer.echo(f"  {line}")


def lines(section: dict[str, Any]) -> Iterator[str]:
    """Return the entries of a section, a line each; those of a list or table are indented."""
    for name, value in section.items():
        if isinstance(value, dict):
            yield f"{name}:" if value else f"{name}: none"
            yield from (f"  {line}" for line in lines(value))
        elif isinstance(value, list):
            yield f"{name}: {', '.join(map(str, value)) or 'none'}"
        else:
            yield f"{name}: {_shown(name, value)}"


def _shown(name: str, value: Any) -> str:
    from coterie.core.wording import size_in_words

    if value is None:
        return "not found"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return size_in_words(value) if name in IN_BYTES else str(value)

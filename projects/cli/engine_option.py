"""`--engine`: where a command runs its methods."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core.errors import ParameterError

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions
    from coterie.projects.jobs.scheduler import EngineKind

CLUSTER = "tcp://"
INSTEAD = "leave out --engine"

EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help="process, inprocess (for debugging), or a Dask scheduler: tcp://HOST:PORT.",
    ),
]


def chosen_engine(name: str, options: EngineOptions) -> tuple[EngineKind | None, EngineOptions]:
    """Return the kind of engine that was asked for, None for the usual one, and how it is started.

    A cluster is looked for at once: that it is not there is to be known before an hour's work.
    """
    if name == "process":
        return None, options
    if name == "inprocess":
        return "inprocess", options
    if not name.startswith(CLUSTER):
        raise typer.BadParameter(
            f"The engine must be process, inprocess or tcp://HOST:PORT. Got '{name}'.",
            param_hint="--engine",
        )
    from coterie.core.engine.dask.connect import ask, parse_address

    try:
        address = parse_address(name)
    except ParameterError as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from None
    for remark in ask(address, INSTEAD).remarks:
        typer.echo(remark, err=True)
    return None, replace(options, cluster=address)

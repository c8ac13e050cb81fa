"""`coterie sample`: list or write the built-in samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core.errors import Cancelled, DataError
from coterie.core.formats.samples import SAMPLES

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions
    from coterie.core.model.dataset import Dataset


def sample(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Sample to write; omit to list all.")
    ] = "",
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="Output file: .csv, or .tif for a scene; default: standard output.",
        ),
    ] = "-",
) -> None:
    """List the samples, or write one as CSV or, for a scene, as GeoTIFF."""
    if not name:
        _list(context.obj)
        return
    data = _made(name, context.obj)
    from pathlib import Path

    from coterie.core.formats.files.tables import table_of
    from coterie.projects.cli.tables import save_csv
    from coterie.projects.formatting import summary_in_words
    from coterie.projects.sources.write_scene import ENDINGS, save_scene

    written = [output]
    if output.lower().endswith(ENDINGS):
        written = [str(path) for path in save_scene(data, Path(output))]
    else:
        save_csv(table_of(data), output)
    if output != "-":
        typer.echo(f"Wrote {' and '.join(written)}: {summary_in_words(data)}.")


def _list(options: EngineOptions) -> None:
    from coterie.projects.cli.console import print_rows
    from coterie.projects.cli.session_runner import read_catalogue

    rows = [[s.name, str(s.size), s.title, s.summary] for s in SAMPLES.values()]
    rows += [[s.id, "", s.title, s.summary] for s in read_catalogue(options).samples()]
    print_rows(("sample", "items", "title", "summary"), rows)


def _made(name: str, options: EngineOptions) -> Dataset:
    """The data of a sample; those of a plugin are made in the engine."""
    from coterie.projects.recipe.toml import is_plugin_sample

    if name in SAMPLES:
        return SAMPLES[name].make()
    if not is_plugin_sample(name):
        raise DataError(
            f"Unknown sample '{name}'. The samples are {', '.join(SAMPLES)}.", code="unknown-sample"
        )
    from coterie.core.model.recipes import Recipe, Source
    from coterie.projects.cli.session_runner import working

    with working(options) as work:
        session = work.session
        work.await_methods()
        source = Source(open=name, reader=session.catalogue.get(f"reader/{name}").name)
        session.project.load_recipe(Recipe(sources=(source,)))
        session.run()
        work.finish()
        if (failure := session.failure(source.name)) is not None:
            raise DataError(failure.message, code=failure.code or "method-failed")
        made: Dataset | None = session.fetch(source.name)
        if made is None:
            raise Cancelled
        return made

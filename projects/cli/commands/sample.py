"""`coterie sample`: list or write the built-in samples."""

from __future__ import annotations

from typing import Annotated

import typer

from coterie.core.errors import DataError
from coterie.core.formats.samples import SAMPLES


def sample(
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
    """List the built-in samples, or write one as CSV or, for a scene, as GeoTIFF."""
    if not name:
        from coterie.projects.cli.console import print_rows

        rows = [[s.name, str(s.size), s.title, s.summary] for s in SAMPLES.values()]
        print_rows(("sample", "items", "title", "summary"), rows)
        return
    if name not in SAMPLES:
        raise DataError(
            f"Unknown sample '{name}'. The samples are {', '.join(SAMPLES)}.", code="unknown-sample"
        )
    from pathlib import Path

    from coterie.core.formats.files.tables import table_of
    from coterie.projects.cli.tables import save_csv
    from coterie.projects.formatting import summary_in_words
    from coterie.projects.sources.write_scene import ENDINGS, save_scene

    data = SAMPLES[name].make()
    written = [output]
    if output.lower().endswith(ENDINGS):
        written = [str(path) for path in save_scene(data, Path(output))]
    else:
        save_csv(table_of(data), output)
    if output != "-":
        typer.echo(f"Wrote {' and '.join(written)}: {summary_in_words(data)}.")

"""`coterie sample`: list or write the built-in samples."""

from __future__ import annotations

from typing import Annotated

import typer

from coterie.core.errors import DataError
from coterie.core.samples import SAMPLES


def sample(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Which one; left out, all are listed.")
    ] = "",
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT.csv", help="Else the standard output.")
    ] = "-",
) -> None:
    """List the built-in samples, or write one as CSV."""
    if not name:
        from coterie.projects.commands.screen import print_rows

        rows = [[s.name, str(s.size), s.title, s.summary] for s in SAMPLES.values()]
        print_rows(("sample", "items", "title", "summary"), rows)
        return
    if name not in SAMPLES:
        raise DataError(f"There is no sample '{name}'. The samples are {', '.join(SAMPLES)}.")
    from coterie.core.tables import table_of
    from coterie.projects.commands.summaries import in_words
    from coterie.projects.commands.tables import save_csv

    data = SAMPLES[name].make()
    save_csv(table_of(data), output)
    if output != "-":
        typer.echo(f"Wrote {output}: {in_words(data)}.")

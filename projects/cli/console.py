"""Printing tables: to the width of a terminal, and unbroken into files and pipes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coterie.projects.cli.terminal import harmless, own_stream

if TYPE_CHECKING:
    from rich.console import Console

    from coterie.core.formats.files.tables import Table

UNBROKEN = 200
MOST_ROWS, MOST_COLUMNS = 20, 8


def wide_console() -> Console:
    """Return a console that breaks no line unless a person's terminal is narrow."""
    from rich.console import Console

    console = Console(highlight=False, file=own_stream())
    return console if console.is_terminal else Console(highlight=False, width=UNBROKEN)


def print_table(table: Table) -> None:
    """Print the first rows and columns of a table, and how many more there are."""
    rows = [
        [shown(column[i]) for column in table.columns[:MOST_COLUMNS]]
        for i in range(min(len(table), MOST_ROWS))
    ]
    print_rows(table.names[:MOST_COLUMNS], rows)
    more = []
    if len(table) > MOST_ROWS:
        more.append(f"{len(table) - MOST_ROWS:,} more rows")
    if len(table.names) > MOST_COLUMNS:
        more.append(f"{len(table.names) - MOST_COLUMNS:,} more columns")
    if more:
        wide_console().print(f"… and {' and '.join(more)}; --csv writes all.", style="dim")


def print_rows(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of text in columns."""
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(box=None, pad_edge=False, header_style="bold")
    for j, name in enumerate(names):
        numeric = bool(rows) and all(_is_number(row[j]) for row in rows)
        table.add_column(
            Text(harmless(name)), justify="right" if numeric else "left", overflow="fold"
        )
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))
    wide_console().print(table)


def shown(value: Any) -> str:
    """Return a value as a person reads it: four digits, nothing for what is missing."""
    if value is None or value != value:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True

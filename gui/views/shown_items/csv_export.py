"""What a view shows as a table for other programs: a heading, and rows."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Rows = Iterable[Sequence[Any]]


def write_csv(path: Path, rows: Rows) -> None:
    """Write rows, the first of which is the heading; numbers in full, what is missing empty."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([_cell(value) for value in row] for row in rows)


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return repr(value) if np.isfinite(value) else ""
    return value

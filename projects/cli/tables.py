"""Results as files of numbers: CSV and numpy's own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.engine.check_output import main_array
from coterie.core.errors import DataError
from coterie.core.formats.files.tables import Table, write_csv
from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Model


def numbers_of(noun: Any) -> Array:
    """Return the one array that stands for a result, missing values included."""
    match noun:
        case Dataset() if noun.features is not None:
            return _dense(noun.features)
        case Dataset() if noun.relation is not None:
            return _dense(noun.relation)
        case Dataset() | Model():
            raise DataError(
                f"A {noun.encoding_type} has no single numeric array. Use --csv instead.",
                code="not-exportable",
            )
    return main_array(noun)


def save_csv(table: Table, target: str) -> None:
    """Write a table to a file, or to the standard output when that is called "-"."""
    if target == "-":
        write_csv(table, sys.stdout)
        return
    with Path(target).open("w", encoding="utf-8", newline="") as stream:
        write_csv(table, stream)


def _dense(matrix: Any) -> Array:
    return np.asarray(matrix.toarray() if is_sparse(matrix) else matrix)

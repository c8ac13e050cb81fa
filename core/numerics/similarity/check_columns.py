"""New items against those that a model was fitted to."""

from __future__ import annotations

from coterie.core.errors import DataError
from coterie.core.model.dataset import Dataset


def require_columns(data: Dataset, columns: int) -> None:
    """Raise a clear error when new items have another number of columns than the fitted ones."""
    if data.d != columns:
        raise DataError(
            f"The model was fitted to {columns} columns. Got {data.d} in '{data.title}'; "
            "choose data with the same columns.",
            code="columns-mismatch",
        )

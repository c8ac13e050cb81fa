"""What items must be like for an ensemble of fits, in sentences."""

from __future__ import annotations

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.similarity.distances import require_squares

LEAST_VARIANCE = 1e-280  # a regularisation of a share of it, and the square of that, are numbers
_ITEMS_PER_COLUMN = 5  # with fewer, a covariance is mostly guessed
_MOST_NAMED = 5  # constant columns; pictures may have hundreds, at their borders
_MANY_REPEATED = 0.1  # of the items; a few do no harm
_ITEMS_PER_COMPONENT = 5  # of the most components; with fewer, many collapse


def require_items(data: Dataset, most: int) -> Floats:
    """Return the features, if they are finite, differ, and are more items than components."""
    X = data.dense_features()
    n = data.n
    if n < 3:
        raise DataError(
            f"Learning similarities needs at least 3 items. Got {n} in '{data.title}'; "
            "open a larger table.",
            code="too-few-items",
        )
    if n <= most:
        raise DataError(
            f"{n} items cannot fill {most} components. "
            f"Set 'max_components' to {_few_components(n)}, and to {n - 1} at most.",
            code="too-few-items",
        )
    require_squares(X - X.mean(axis=0))
    if not np.ptp(X, axis=0).any():
        raise DataError(
            f"All {n} items of '{data.title}' are identical, so there is nothing to learn. "
            "Choose columns in which they differ.",
            code="identical-items",
        )
    if not X.var(axis=0).mean() > LEAST_VARIANCE:
        raise DataError(
            f"The items of '{data.title}' differ by {np.ptp(X, axis=0).max():.3g} at most, too "
            "little to square. Scale the columns first, for instance to [0, 1].",
            code="values-out-of-range",
        )
    return X


def require_more_items_than_columns(data: Dataset) -> None:
    """Refuse data in which no full covariance can be estimated."""
    if data.d >= data.n:
        raise DataError(
            f"Covariances of {data.d} columns cannot be learned from {data.n} items: with no more "
            "items than columns every component is flat in some direction. Reduce the columns "
            f"first, with the transform 'svd' or 'pca' to about {_few_columns(data.n)}, or set "
            "'covariance' to diagonal.",
            offer=(well_known.TRANSFORM_SVD, well_known.TRANSFORM_PCA),
            code="too-few-items",
        )


def _few_components(n: int) -> int:
    return max(2, n // _ITEMS_PER_COMPONENT)


def _few_columns(n: int) -> int:
    return max(2, min(20, n // _ITEMS_PER_COLUMN))


def remarks(data: Dataset, X: Floats, *, full: bool) -> tuple[str, ...]:
    """Say what about the items makes the result less trustworthy than it looks."""
    said = []
    constant = np.flatnonzero(np.ptp(X, axis=0) == 0.0)
    if len(constant):
        names = [f"'{data.columns[j]}'" for j in constant[:_MOST_NAMED]]
        more = f" and {len(constant) - len(names)} more" if len(constant) > len(names) else ""
        said.append(
            "Columns that are the same for all items and carry no information: "
            f"{', '.join(names)}{more}."
        )
    repeated = data.n - len(np.unique(X, axis=0))
    if repeated >= _MANY_REPEATED * data.n:
        said.append(
            f"{repeated} of {data.n} items repeat another, value by value: components gather on "
            "such items, and collapse where they are all alike."
        )
    if full and data.n < _ITEMS_PER_COLUMN * data.d:
        said.append(
            f"{data.n} items are few for {data.d} columns: covariances are poorly known. "
            "Reduce the columns first, with the transform 'svd' or 'pca' to about "
            f"{_few_columns(data.n)}."
        )
    return tuple(said)

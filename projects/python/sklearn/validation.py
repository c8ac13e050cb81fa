"""Arrays and frames checked as scikit-learn's estimators do, then as Coterie's nouns."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import (
    _check_feature_names,
    _check_n_features,
    check_non_negative,
    validate_data,
)

from coterie.core.model.dataset import Dataset
from coterie.frames import is_frame
from coterie.inputs import as_dataset


def checked(
    estimator: Any,
    X: Any,
    *,
    fitting: bool,
    nan: bool = False,
    texts: bool = False,
    positive: bool = False,
    least: int = 1,
) -> Dataset:
    """Return data as a dataset; its width and names must be those that were fitted.

    Parameters
    ----------
    nan : whether missing values may pass
    texts : whether X is a list of texts
    positive : whether negative values are refused
    least : items that there must be
    """
    if texts:
        return as_dataset([str(text) for text in np.asarray(X, dtype=object).ravel().tolist()])
    if is_frame(X) and not _all_numbers(X):
        # Categories and dates keep their types, which an array would lose.
        _check_feature_names(estimator, X, reset=fitting)
        _check_n_features(estimator, X, reset=fitting)
        return as_dataset(X)
    values = validate_data(
        estimator,
        X,
        reset=fitting,
        accept_sparse="csr",
        dtype=np.float64,
        ensure_all_finite="allow-nan" if nan else True,
        ensure_min_samples=least if fitting else 1,
    )
    if positive:
        check_non_negative(values, type(estimator).__name__)
    names = getattr(estimator, "feature_names_in_", ())
    return as_dataset(values, columns=[str(name) for name in names])


def _all_numbers(frame: Any) -> bool:
    kinds = getattr(frame, "dtypes", None)
    if kinds is None:  # Arrow
        import pyarrow as pa

        number = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)
        return all(any(check(kind) for check in number) for kind in frame.schema.types)
    return all(
        kind.is_numeric() if hasattr(kind, "is_numeric") else getattr(kind, "kind", "O") in "biuf"
        for kind in kinds
    )

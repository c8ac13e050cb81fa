"""Converts arrays, sparse matrices, data frames and texts to Coterie's nouns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity, affinity_of
from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.embedding_items import items_of
from coterie.core.model.result_types import type_of_noun
from coterie.core.model.results import Clustering, Embedding, Ranking
from coterie.core.numerics.features.typed_columns import encoded
from coterie.frames import column_names, columns_of, frame_items, is_frame, library_of
from coterie.results import Result, wrapped

UNTITLED = "the data"
_MOST_GROUPS = 1000  # numbered up to here they stay as they are, however few the items


def dataset(
    data: Any,
    *,
    truth: Any = None,
    columns: Sequence[str] = (),
    items: Sequence[str] = (),
    title: str = "",
) -> Result:
    """Return data as a dataset: features with names, types and known classes.

    Parameters
    ----------
    data : an array or sparse matrix of items × features, a data frame of pandas, polars or Arrow,
        or a list of texts
    truth : the known class of each item, as numbers or texts; for a data frame also the name of
        the column that has them
    columns, items : names, where `data` has none

    Examples
    --------
    >>> dataset([[1.0, 2.0], [3.0, 4.0]], columns=["a", "b"], truth=["x", "y"])
    Dataset: 2 items × 2 columns, 2 known classes
    """
    noun = as_dataset(data, truth=truth, columns=columns, items=items, title=title)
    return Result(noun)


def affinity(similarities: Any, *, data: Any = None) -> Result:
    """Say that a square array, or sparse matrix, holds similarities: large where items are alike.

    Parameters
    ----------
    data : the items that they relate, if their features are known

    Examples
    --------
    >>> affinity([[1.0, 0.5], [0.5, 1.0]]).symmetric
    True
    """
    return Result(as_affinity(similarities, data))


def as_dataset(
    data: Any,
    *,
    truth: Any = None,
    columns: Sequence[str] = (),
    items: Sequence[str] = (),
    title: str = "",
) -> Dataset:
    """Return any data as a dataset, or raise one sentence."""
    data = wrapped(data)
    if isinstance(data, Embedding):
        data = items_of(data)
    if isinstance(items, str):
        raise DataError(
            f"Give a name for each item, such as frame[{items[:40]!r}], not one text.",
            code="wrong-type",
        )
    if isinstance(data, Dataset) and truth is None and not (columns or items):
        return data
    named: dict[str, Any] = {"title": title or UNTITLED, "items": tuple(map(str, items))}
    column = ""
    if isinstance(truth, str):
        if not is_frame(data):
            raise DataError(
                "Known classes can be named by a column only if the data are a data frame. "
                "Give one class for each item.",
                code="wrong-type",
            )
        column, truth = truth, None
    if is_frame(data):
        made = _of_frame(data, column, named)
    elif _is_texts(data):
        made = Dataset(kind="texts", texts=tuple(data), **named)
    else:
        made = Dataset(features=_matrix(data), columns=column_names(list(columns)), **named)
    return made if truth is None else _with_truth(made, truth)


def _of_frame(frame: Any, truth: str, named: dict[str, Any]) -> Dataset:
    table = list(columns_of(frame))
    names = [column.name for column in table]
    if truth and truth not in names:
        raise DataError(
            f"There is no column '{truth:.80}'. There are: {', '.join(names):.300}.",
            code="unknown-column",
        )
    labels = next((column for column in table if column.name == truth), None)
    table = [column for column in table if column is not labels]
    features, called = encoded(table)
    if features is None:
        raise DataError(
            "No column of the data frame holds numbers or categories. "
            f"It has: {', '.join(names) or 'no columns'}.",
            code="no-numbers",
        )
    named["items"] = named["items"] or frame_items(frame)
    made = Dataset(features=features, columns=called, table=tuple(table), **named)
    if labels is None:
        return made
    return _with_truth(made, [word or None for word in labels.words()], truth)


def _with_truth(data: Dataset, truth: Any, column: str = "") -> Dataset:
    from dataclasses import replace

    codes, names = _classes(truth)
    return replace(data, truth=codes, truth_names=names, truth_column=column or "truth")


def _classes(labels: Any) -> tuple[Array, tuple[str, ...]]:
    """Class numbers from 0, −1 for missing ones, and the names of the classes."""
    values = _list(labels)
    missing = [_is_missing(value) for value in values]
    known = {value for value, gone in zip(values, missing, strict=True) if not gone}
    try:
        ordered = sorted(known)
    except TypeError:
        ordered = sorted(known, key=str)
    position = {value: code for code, value in enumerate(ordered)}
    codes = [-1 if gone else position[v] for v, gone in zip(values, missing, strict=True)]
    return np.array(codes, dtype=np.int64), tuple(str(value) for value in ordered)


def _is_missing(value: Any) -> bool:
    # pandas.NA answers no comparison, and pandas need not be there.
    return value is None or type(value).__name__ == "NAType" or value != value or value == -1


def _list(labels: Any) -> list[Any]:
    if hasattr(labels, "to_pylist"):
        return list(labels.to_pylist())
    if hasattr(labels, "to_list"):
        return list(labels.to_list())
    array = np.asarray(labels)
    if array.ndim != 1:
        raise DataError(
            f"There must be one class for each item. Got an array of shape {array.shape}.",
            code="wrong-shape",
        )
    return list(array.tolist())


def as_affinity(similarities: Any, data: Any = None) -> Affinity:
    """Return a square matrix as similarities, or raise one sentence."""
    from dataclasses import replace

    given = wrapped(similarities)
    if isinstance(given, Affinity):
        return given
    if isinstance(given, Dataset):
        raise DataError(
            "Similarities must be a square matrix. Got a dataset; name a kernel or a graph that "
            'compares its items: kernel="gaussian".',
            code="wrong-type",
        )
    matrix = _matrix(given)
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"Similarities must be a square matrix, a row and a column for each item. "
            f"Got shape {matrix.shape}.",
            code="wrong-shape",
        )
    made = affinity_of(matrix)
    made.require_finite()
    made = replace(made, title="similarities")
    names = frame_items(given)
    about = as_dataset(data) if data is not None else None
    if about is None:
        about = Dataset(kind="relation", relation=made.stored, items=names, title="similarities")
    return replace(made, dataset=about)


def as_clustering(labels: Any) -> Clustering:
    """Return labels, as numbers or texts, as groups; −1 and missing ones are in none."""
    given = wrapped(labels)
    if isinstance(given, Clustering):
        return given
    array = given if isinstance(given, np.ndarray) else None
    # Larger numbers are identifiers of classes: a group for each number up to them fills memory.
    few = max(len(array), _MOST_GROUPS) if array is not None and array.ndim == 1 else 0
    if array is not None and few and array.dtype.kind == "i" and array.max(initial=0) < few:
        return Clustering(labels=array)
    codes, names = _classes(given)
    whole = all(name.lstrip("-").isdigit() for name in names)
    return Clustering(labels=codes, names=() if whole else names)


def as_ranking(scores: Any) -> Ranking:
    """Return scores as a ranking, the highest first."""
    given = wrapped(scores)
    return given if isinstance(given, Ranking) else Ranking(scores=_numbers(given, 1))


def as_embedding(coordinates: Any) -> Embedding:
    """Return coordinates as an embedding."""
    given = wrapped(coordinates)
    return given if isinstance(given, Embedding) else Embedding(coordinates=_numbers(given, 2))


def noun_of(value: Any) -> Any:
    """Return the noun that a value is or wraps; None when it is neither."""
    inner = wrapped(value)
    return inner if type_of_noun(inner) is not None else None


def _is_texts(data: Any) -> bool:
    return isinstance(data, list | tuple) and bool(data) and all(isinstance(x, str) for x in data)


def _matrix(data: Any) -> Any:
    if is_sparse(data):
        if data.dtype.kind not in "biuf":
            raise _wrong_type(data.dtype)
        return data
    if is_frame(data):
        data = data.to_numpy() if hasattr(data, "to_numpy") else np.column_stack(data.columns)
    return _numbers(data, 2)


def _numbers(data: Any, dimensions: int) -> Any:
    if isinstance(data, str | bytes):
        raise DataError(
            f"Data must be numbers, not a text. Got {data!r:.80}. "
            "Open a file with coterie.read first.",
            code="wrong-type",
        )
    if data is None or isinstance(data, dict | set):
        raise _wrong_type(type(data).__name__)
    if library_of(data) == "pyarrow":
        data = data.to_pylist()
    try:
        array = np.asarray(data)
        if array.dtype.kind == "O":
            array = array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise _wrong_type(f"{type(data).__name__} ({error!s:.120})") from None
    if array.dtype.kind == "c":
        raise DataError("Data must be real numbers. Got complex ones.", code="complex-numbers")
    if array.dtype.kind not in "biuf":
        raise _wrong_type(array.dtype)
    if array.ndim != dimensions:
        wanted = "items × features" if dimensions == 2 else "one number for each item"
        advice = " For a single feature, use X.reshape(-1, 1)." if array.ndim == 1 else ""
        raise DataError(
            f"An array must be {wanted}. Got shape {array.shape}.{advice}", code="wrong-shape"
        )
    return array


def _wrong_type(got: Any) -> DataError:
    return DataError(
        f"Data must be numbers: an array, a sparse matrix or a data frame. Got {got}.",
        code="wrong-type",
    )

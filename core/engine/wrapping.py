"""Turns what a component returned into the noun of its kind, or says why that is not possible."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core.affinity import Affinity
from coterie.core.arrays import Array, is_sparse
from coterie.core.components import Output
from coterie.core.dataset import Dataset
from coterie.core.descriptors import Descriptor
from coterie.core.encoding import NOUNS
from coterie.core.errors import CoterieError, PluginError
from coterie.core.results import Clustering, Embedding, Ranking, Score


def as_output(returned: Any, descriptor: Descriptor, dataset: Dataset | None) -> Output:
    """Return an `Output` whose main result has the right type and size and knows its dataset."""
    output = returned if isinstance(returned, Output) else Output(returned)
    main = _wrapped(output.main, descriptor, dataset)
    expected = NOUNS[descriptor.gives]
    if not isinstance(main, expected):
        raise PluginError(
            f"{descriptor.name} must return a result of type {expected.__name__}, "
            f"but returned {type(output.main).__name__}. Tell its author ({descriptor.origin})."
        )
    main = _about(main, dataset, descriptor)
    if dataset is not None and descriptor.kind not in ("transform", "reader", "classifier"):
        _check_size(main, dataset.n, descriptor)
    parts = {}
    for name, part in output.parts.items():
        if not isinstance(part, tuple(NOUNS.values())):
            raise PluginError(
                f"{descriptor.name} published a part '{name}' of type {type(part).__name__}, "
                "which cannot be kept."
            )
        parts[name] = _about(part, main if isinstance(main, Dataset) else dataset, descriptor)
    return Output(main, parts)


def main_array(noun: Any) -> Array:
    """Return the one array that stands for a noun: labels, scores, coordinates, the matrix."""
    match noun:
        case Dataset():
            return noun.dense_features() if noun.features is not None else np.empty((noun.n, 0))
        case Affinity():
            return noun.to_dense()
        case Score():
            return np.asarray(noun.value)
    for name in ("labels", "scores", "coordinates", "classes", "objective", "eigenvalues"):
        if hasattr(noun, name):
            return np.asarray(getattr(noun, name))
    return np.empty(0)


def _wrapped(value: Any, descriptor: Descriptor, dataset: Dataset | None) -> Any:
    """Wrap a bare array or number in the noun of the kind."""
    bare = isinstance(value, np.ndarray) or is_sparse(value)
    if descriptor.gives == "metric" and isinstance(value, int | float | np.floating | np.integer):
        return Score(value=float(value))
    if not bare:
        return value
    try:
        match descriptor.gives:
            case "dataset" if dataset is not None:
                return dataset.with_features(value)
            case "affinity":
                return _affinity(value)
            case "clustering":
                return Clustering(labels=np.asarray(value))
            case "ranking":
                return Ranking(scores=np.asarray(value, dtype=np.float64))
            case "embedding":
                return Embedding(coordinates=np.asarray(value, dtype=np.float64))
    except (CoterieError, TypeError, ValueError, IndexError) as error:
        raise PluginError(
            f"{descriptor.name} returned an array that does not fit: {error}"
        ) from error
    return value


def _affinity(value: Any) -> Affinity:
    if is_sparse(value):
        difference: Any = abs(value - value.T)
        symmetric = bool(difference.nnz == 0 or difference.max() == 0)
        return Affinity(
            sparse=value.tocsr(),
            symmetric=symmetric,
            nonnegative=bool(value.nnz == 0 or value.data.min() >= 0),
        )
    values = np.asarray(value, dtype=np.float64)
    return Affinity(
        values=values,
        symmetric=bool(np.array_equal(values, values.T)),
        nonnegative=bool(values.min(initial=0.0) >= 0),
    )


def _about(noun: Any, dataset: Dataset | None, descriptor: Descriptor) -> Any:
    """Fill in what a component need not say: what the result is about, and a title."""
    changes: dict[str, Any] = {}
    if not isinstance(noun, Dataset):
        changes["dataset"] = dataset
    if not noun.title:
        changes["title"] = descriptor.title
    return replace(noun, **changes) if changes else noun


def _check_size(noun: Any, n: int, descriptor: Descriptor) -> None:
    array = main_array(noun) if not isinstance(noun, Affinity) else noun.stored
    if isinstance(noun, Score):
        return
    if array.ndim == 0 or array.shape[0] != n:
        raise PluginError(
            f"{descriptor.name} returned a result for {array.shape[:1]} items instead of {n}. "
            f"Tell its author ({descriptor.origin})."
        )
    if isinstance(noun, Clustering) and noun.labels.min(initial=0) < -1:
        raise PluginError(f"{descriptor.name} returned labels below −1, which mean nothing.")
    if isinstance(noun, Ranking | Embedding) and np.isnan(array).any():
        raise PluginError(
            f"{descriptor.name} returned numbers that are not a number. "
            f"Tell its author ({descriptor.origin})."
        )

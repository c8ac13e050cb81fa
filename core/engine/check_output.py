"""Turns what a component returned into the noun of its kind, or says why that is not possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core.api.components import Output
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.errors import CoterieError, PluginError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import NOUNS
from coterie.core.model.results import Clustering, Embedding, Model, Ranking, Score

_NOUNS = tuple(NOUNS.values())
# Items whose similarities are looked at to see whether what is said of them all is true.
_SAMPLE = 256


def as_output(
    returned: Any,
    descriptor: Descriptor,
    dataset: Dataset | None,
    inputs: Sequence[Any] = (),
) -> Output:
    """Return an `Output` whose main result has the right type and size and knows its dataset.

    The model of a classifier also knows how many groups it has learnt, and their names.
    """
    output = returned if isinstance(returned, Output) else Output(returned)
    try:
        main = _about(_wrapped(output.main, descriptor, dataset), dataset, descriptor)
        expected = NOUNS[descriptor.gives]
        if not isinstance(main, expected):
            raise PluginError(
                f"it must return a result of type {expected.__name__}, "
                f"but returned {type(output.main).__name__}",
                code="invalid-result",
            )
        if dataset is not None and descriptor.kind not in ("transform", "reader", "classifier"):
            _check_size(main, dataset.n)
        _check_numbers(main)
        if descriptor.kind == "classifier":
            main = _with_groups(main, inputs)
        return Output(main, _parts(output.parts, main, dataset, descriptor))
    except (CoterieError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise broken_promise(descriptor, error) from error


def broken_promise(descriptor: Descriptor, error: BaseException) -> PluginError:
    """Return what is said of a component whose result cannot be taken."""
    return PluginError(
        f"{descriptor.name} broke its promise: {str(error).rstrip('.')}. "
        f"Tell its author ({descriptor.origin}).",
        code="invalid-result",
    )


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
    match descriptor.gives:
        case "dataset" if dataset is not None:
            return dataset.with_features(value)
        case "dataset":
            return Dataset(features=value)
        case "affinity":
            return _affinity(value)
        case "clustering":
            return Clustering(labels=value)
        case "ranking":
            return Ranking(scores=value)
        case "embedding":
            return Embedding(coordinates=value)
    return value


def _affinity(value: Any) -> Affinity:
    """Wrap bare similarities, saying what is true of them."""
    if is_sparse(value):
        rows = value.tocsr()
        difference: Any = abs(rows - rows.T)
        symmetric = bool(difference.nnz == 0 or difference.max() == 0)
        nonnegative = bool(rows.nnz == 0 or rows.data.min() >= 0)
        return Affinity(sparse=rows, symmetric=symmetric, nonnegative=nonnegative)
    return Affinity(
        values=value,
        symmetric=value.ndim == 2 and bool(np.array_equal(value, value.T)),
        nonnegative=bool(value.min(initial=0) >= 0),
    )


def _about(noun: Any, dataset: Dataset | None, descriptor: Descriptor) -> Any:
    """Fill in what a component need not say: what the result is about, and a title."""
    if not isinstance(noun, _NOUNS):
        return noun
    changes: dict[str, Any] = {}
    if not isinstance(noun, Dataset):
        changes["dataset"] = dataset
    if not noun.title:
        changes["title"] = descriptor.title
    return replace(noun, **changes) if changes else noun


def _with_groups(model: Model, inputs: Sequence[Any]) -> Model:
    """Say what a map needs for its legend, unless the author has."""
    groups = next((noun for noun in inputs if isinstance(noun, Clustering)), None)
    if groups is None:
        return model
    told = {"k": groups.k, "names": list(groups.names)}
    return replace(model, settings={**told, **model.settings})


def _parts(
    parts: Mapping[Any, Any], main: Any, dataset: Dataset | None, descriptor: Descriptor
) -> dict[str, Any]:
    about = main if isinstance(main, Dataset) else dataset
    published = {}
    for name, part in parts.items():
        if not isinstance(name, str) or not isinstance(part, _NOUNS):
            raise PluginError(
                f"it published a part {name!r:.80} of type {type(part).__name__}, "
                "which cannot be kept",
                code="invalid-result",
            )
        published[name] = _about(part, about, descriptor)
    return published


def _check_size(noun: Any, n: int) -> None:
    if isinstance(noun, Score):
        return
    array = noun.stored if isinstance(noun, Affinity) else main_array(noun)
    if array.ndim == 0 or array.shape[0] != n:
        raise PluginError(
            f"it returned a result for {array.shape[:1]} items instead of {n}",
            code="invalid-result",
        )


def _check_numbers(noun: Any) -> None:
    """Refuse what nobody can go on with, and promises that a sample shows to be untrue."""
    if isinstance(noun, Affinity):
        noun.require_finite()
        _check_promises(noun)
    elif isinstance(noun, Ranking | Embedding) and np.isnan(main_array(noun)).any():
        raise PluginError("it returned numbers that are not a number", code="invalid-result")


def _check_promises(affinity: Affinity) -> None:
    few = np.unique(np.linspace(0, affinity.n - 1, min(affinity.n, _SAMPLE)).astype(np.int64))
    sample = replace(affinity, dataset=None).submatrix(few).to_dense()
    if sample.size == 0:
        return
    # Blocks of a product may be rounded differently on either side of the diagonal.
    slack = 1e-6 * max(abs(float(sample.max())), abs(float(sample.min())))
    if affinity.symmetric and np.abs(sample - sample.T).max() > slack:
        raise PluginError(
            "it returned similarities that it calls symmetric, but they are not",
            code="invalid-result",
        )
    if affinity.nonnegative and sample.min() < -slack:
        raise PluginError(
            "it returned negative similarities that it calls non-negative", code="invalid-result"
        )

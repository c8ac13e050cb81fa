"""Turns what a component returned into the noun of its kind, or says why that is not possible."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core.api.components import Output
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.errors import CoterieError, PluginError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, plain_values
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import encode
from coterie.core.model.result_types import RESULT_TYPES, type_of_noun
from coterie.core.model.results import Clustering, Model

# Items whose similarities are looked at to see whether what is said of them all is true.
_SAMPLE = 256
LARGEST_DETAILS = 16_000_000  # characters of JSON


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
        expected = RESULT_TYPES[descriptor.gives]
        main = _about(expected.wrap(output.main, dataset), dataset, descriptor)
        if not isinstance(main, expected.noun):
            raise PluginError(
                f"it must return a result of type {expected.noun.__name__} "
                f"({_bare(expected.name)}an Output with it), "
                f"but returned {type(output.main).__name__}",
                code="invalid-result",
            )
        if expected.per_item:
            _check_entries(main, dataset)
        _refuse_nan("", main)
        _refuse_bulk("the result", main)
        if descriptor.kind == "classifier":
            main = _with_groups(main, inputs)
        return Output(main, _parts(output.parts, main, dataset, descriptor))
    except (CoterieError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise broken_promise(descriptor, error) from error


def _bare(encoding_type: str) -> str:
    """What may be returned in place of a noun, in words."""
    words = {
        "dataset": "or an array of items × features, or ",
        "affinity": "or a square array or sparse matrix, or ",
        "clustering": "or a whole number for each item, −1 for none, or ",
        "ranking": "or a number for each item, or ",
        "embedding": "or an array of items × coordinates, or ",
        "metric": "or a number, or ",
    }
    return words.get(encoding_type, "or ")


def broken_promise(descriptor: Descriptor, error: BaseException) -> PluginError:
    """Return what is said of a component whose result cannot be taken."""
    return PluginError(
        f"{descriptor.name} broke its promise: {str(error).rstrip('.')}. "
        f"Report it to its author ({descriptor.origin}).",
        code="invalid-result",
    )


def main_array(noun: Any) -> Array:
    """Return the one array that stands for a noun: labels, scores, coordinates, the matrix."""
    known = type_of_noun(noun)
    return np.empty(0) if known is None else np.asarray(known.main_array(noun))


def _about(noun: Any, dataset: Dataset | None, descriptor: Descriptor) -> Any:
    """Fill in what a component need not say: what the result is about, and a title."""
    if type_of_noun(noun) is None:
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
    settings = {"k": groups.k, "names": list(groups.names)}
    return replace(model, settings={**settings, **model.settings})


def _parts(
    parts: Mapping[Any, Any], main: Any, dataset: Dataset | None, descriptor: Descriptor
) -> dict[str, Any]:
    about = main if isinstance(main, Dataset) else dataset
    published = {}
    for name, part in parts.items():
        if not isinstance(name, str) or type_of_noun(part) is None:
            raise PluginError(
                f"it published a part {name!r:.80} of type {type(part).__name__}, "
                "which cannot be stored",
                code="invalid-result",
            )
        _refuse_nan(f"part '{name}', ", part)
        _refuse_bulk(f"part '{name}'", part)
        published[name] = _about(part, about, descriptor)
    return published


def _check_entries(noun: Any, dataset: Dataset | None) -> None:
    """Refuse what nobody can go on with, and promises that a sample shows to be untrue."""
    affinity = isinstance(noun, Affinity)
    array = noun.stored if affinity else main_array(noun)
    if dataset is not None and array.shape[:1] != (dataset.n,):
        raise PluginError(
            f"it returned {noun.encoding_type} of shape {array.shape}, which is for "
            f"{array.shape[0] if array.ndim else 0} items. Expected one entry for each of the "
            f"{dataset.n} items of the input, in their order",
            code="invalid-result",
        )
    if affinity:
        noun.require_finite()
        _check_promises(noun)


def _refuse_nan(where: str, noun: Any) -> None:
    """Refuse arrays with entries that are not a number, but for those where that means missing."""
    known = type_of_noun(noun)
    assert known is not None
    if isinstance(noun, Affinity):
        return  # looked at by itself
    for name, array in encode(noun).arrays.items():
        if array.dtype.kind not in "fc" or name.partition("/")[0] in known.may_miss:
            continue
        count = int(np.isnan(array).sum())
        if count:
            place = tuple(int(at) for at in np.argwhere(np.isnan(array))[0])
            raise PluginError(
                f"it returned values that are not a number (NaN): {count:,} of {array.size:,} in "
                f"{where}'{name}' of the {known.name}, the first at {place}. Expected finite "
                "numbers there; leave the field out (None) where nothing is known",
                code="invalid-result",
            )


def _refuse_bulk(what: str, noun: Any) -> None:
    """Refuse details that would make every look at the result slow: they are text, read whole."""
    try:
        size = len(json.dumps(dict(noun.details), default=plain_values))
    except (TypeError, ValueError):
        return  # said with its name when it is encoded
    if size > LARGEST_DETAILS:
        raise PluginError(
            f"the details of {what} take {size / 1e6:,.0f} MB as text. Expected at most "
            f"{LARGEST_DETAILS / 1e6:.0f} MB: publish arrays as a part, such as "
            'Output(result, {"model": Model(arrays=…)})',
            code="invalid-result",
        )


def _check_promises(affinity: Affinity) -> None:
    few = np.unique(np.linspace(0, affinity.n - 1, min(affinity.n, _SAMPLE)).astype(np.int64))
    sample = replace(affinity, dataset=None).submatrix(few).to_dense()
    if sample.size == 0:
        return
    # Blocks of a product may be rounded differently on either side of the diagonal.
    slack = 1e-6 * max(abs(float(sample.max())), abs(float(sample.min())))
    # A compressed factor's error was measured on other items than these.
    slack = max(slack, 4 * (affinity.error or 0.0))
    if affinity.symmetric and np.abs(sample - sample.T).max() > slack:
        raise PluginError(
            "it returned similarities that it calls symmetric, but they are not",
            code="invalid-result",
        )
    if affinity.nonnegative and sample.min() < -slack:
        raise PluginError(
            "it returned negative similarities that it calls non-negative", code="invalid-result"
        )

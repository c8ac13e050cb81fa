"""Makes the class of an estimator from what the catalogue knows of its method."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Mapping
from functools import cache
from typing import Any

from coterie.core.api.components import Component
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.errors import UnknownComponentError
from coterie.registry import component, describe
from coterie.sklearn import estimators as bases
from coterie.sklearn.names import KINDS, NOT_ESTIMATORS, class_name, class_names
from coterie.sklearn.traits import TEXTS, TRAITS

_OWN = {
    "kernel": 'how items are compared, as "gaussian" or ("gaussian", {"sigma": 1.0}); None: as '
    "`graph` says, or standardised and with the ten nearest",
    "graph": "a graph made of the features, or of the kernel's similarities; None for none",
    "affinity": '"features", or "precomputed" when X is a square matrix of similarities',
    "random_state": "seed of the random numbers; None for a different one each time",
    "outlier_label": 'the class of items that belong to none; "most_frequent": the commonest one',
}


@cache
def estimator(use: str) -> Any:
    """Return the estimator class of a method, such as "clusterer/ncut".

    >>> estimator("clusterer/kmeans")(k=3)
    KmeansClusterer(k=3)
    """
    descriptor = describe(use)
    if descriptor.kind not in KINDS or use in NOT_ESTIMATORS:
        why = NOT_ESTIMATORS.get(use, f"A {descriptor.kind} learns nothing from data.")
        raise UnknownComponentError(f"{use} has no estimator. {why}")
    base = _base(descriptor)
    own = _own_parameters(descriptor)
    # No two estimators share a list: None stands for it.
    unshared = tuple(n for n, v in descriptor.defaults.items() if isinstance(v, list | dict))
    defaults = {n: None if n in unshared else v for n, v in descriptor.defaults.items()}
    made = {
        "__module__": "coterie.sklearn",
        "__qualname__": class_name(use),
        "__doc__": _docstring(descriptor, base, own),
        "__init__": _constructor({**defaults, **own}),
        "_use": use,
        "_params": tuple(defaults),
        "_unshared": unshared,
        "_on_similarities": "affinity" in _first(descriptor)
        and "dataset" not in _first(descriptor),
        "_takes_texts": use in TEXTS,
        **TRAITS.get(use, {}),
    }
    if descriptor.kind == "ranker":
        made["_needs"] = descriptor.needs
    if descriptor.kind == "clusterer":
        made["_uses_labels"] = len(descriptor.needs) > 1
    return type(class_name(use), (base,), made)


def estimators(kind: str = "", *, plugins: bool = True) -> list[Any]:
    """Return the classes of all estimators, or of those of one kind."""
    uses = class_names(plugins=plugins).values()
    return [estimator(use) for use in uses if kind in ("", use.partition("/")[0])]


def _first(descriptor: Descriptor) -> tuple[str, ...]:
    """The types that it accepts as the input that X is made to."""
    needs = descriptor.inputs
    chosen = needs[1] if needs[0].accepts == ("embedding",) else needs[0]
    return chosen.accepts


def _base(descriptor: Descriptor) -> type[Any]:
    made = component(descriptor.name)
    learns = made.apply is not Component.apply
    match descriptor.kind:
        case "clusterer":
            return bases.PredictingClusterer if learns else bases.ClustererEstimator
        case "embedder":
            return bases.TransformEstimator if learns else bases.EmbedderEstimator
        case "transform":
            return bases.TransformEstimator if learns else bases.EmbedderEstimator
        case "kernel":
            return bases.KernelEstimator
        case "ranker":
            return bases.RankerEstimator
    probable = TRAITS.get(descriptor.name, {}).get("_probable", False)
    return bases.ProbabilisticClassifier if probable else bases.ClassifierEstimator


def _own_parameters(descriptor: Descriptor) -> dict[str, Any]:
    own: dict[str, Any] = {}
    if descriptor.kind != "kernel" and "affinity" in _first(descriptor):
        own |= bases.CHOOSES_SIMILARITY
    if descriptor.kind == "classifier":
        own |= bases.OUTLIERS
    return {**own, **bases.RANDOM}


def _constructor(defaults: Mapping[str, Any]) -> Any:
    """An `__init__` that keeps its arguments as they are, as scikit-learn asks for."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    parameters += [inspect.Parameter(n, keyword, default=v) for n, v in defaults.items()]
    signature = inspect.Signature(parameters)

    def __init__(self: Any, **given: Any) -> None:  # noqa: N807
        bound = signature.bind(self, **given)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if name != "self":
                setattr(self, name, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


def _docstring(descriptor: Descriptor, base: type[Any], own: Mapping[str, Any]) -> str:
    """A numpydoc docstring: summary, parameters, what is found, reference."""
    lines = [descriptor.summary, ""]
    rest = descriptor.description.removeprefix(descriptor.summary).strip()
    lines += [rest, ""] if rest else []
    lines += ["Parameters", "----------"]
    for name, schema in descriptor.params.get("properties", {}).items():
        about = schema.get("description") or schema.get("title") or name
        lines += _parameter(name, descriptor.defaults.get(name), about)
    for name, default in own.items():
        lines += _parameter(name, default, _OWN[name])
    attributes = inspect.getdoc(base) or ""
    if "Attributes" in attributes:
        lines += ["", "Attributes", "----------"]
        lines += attributes.partition("----------\n")[2].splitlines()
    lines += ["result_ : the whole result, as `coterie.run` returns it"]
    if descriptor.reference:
        lines += ["", "References", "----------", *textwrap.wrap(descriptor.reference, 96)]
    return "\n".join(lines)


def _parameter(name: str, default: Any, about: str) -> list[str]:
    indent = "    "
    wrapped = textwrap.wrap(about, 92, initial_indent=indent, subsequent_indent=indent)
    return [f"{name} : default {default!r}", *wrapped]

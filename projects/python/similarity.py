"""How items are compared when a method needs similarities and gets features."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from coterie.core import well_known
from coterie.core.errors import DataError, ParameterError
from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Source, Step
from coterie.projects.recipe.defaults import default_recipe

Run = Callable[[str, tuple[Any, ...], Mapping[str, Any]], Any]
"""Runs a method on nouns and returns the noun it gives."""

Choice = str | tuple[str, Mapping[str, Any]] | None
_STEP = "similarity"


def compare(data: Dataset, kernel: Choice, graph: Choice, run: Run) -> Affinity:
    """Return the similarities of items: by a kernel, by a graph, or by one after the other.

    Without either, the features are standardised and each item is compared with its nearest, as
    in the recipe that the window begins with.
    """
    if kernel is None and graph is None:
        return _by_default(data, run)
    found: Any = data
    for kind, choice in (("kernel", kernel), ("graph", graph)):
        if choice is not None:
            use, params = chosen(kind, choice)
            found = run(use, (found,), params)
    if not isinstance(found, Affinity):
        raise DataError("The kernel gave no similarities.", code="invalid-result")
    return found


def chosen(kind: str, choice: Any) -> tuple[str, Mapping[str, Any]]:
    """Return the method and the parameters that "gaussian" or ("gaussian", {"sigma": 1}) name.

    >>> chosen("kernel", ("gaussian", {"sigma": 1.0}))
    ('kernel/gaussian', {'sigma': 1.0})
    """
    use, params = choice if isinstance(choice, tuple) and len(choice) == 2 else (choice, {})
    if not isinstance(use, str) or not isinstance(params, Mapping):
        raise ParameterError(
            f'A {kind} is named by a text, or by a text and its parameters: ("gaussian", '
            f'{{"sigma": 1.0}}). Got {choice!r:.80}.',
            code="invalid-parameters",
        )
    return (use if "/" in use else f"{kind}/{use}"), params


def _by_default(data: Dataset, run: Run) -> Affinity:
    if data.kind == "relation":
        found: Any = run(well_known.KERNEL_PRECOMPUTED, (data,), {})
        assert isinstance(found, Affinity)
        return found
    if data.features is not None:
        data.clean_features()  # only a recipe fills in what is missing: a person sees it there
    reader = well_known.READER_TEXTS if data.kind == "texts" else ""
    nouns: dict[str, Any] = {"data": data}
    for step in default_recipe(Source(), "", reader).leading_to(_STEP).in_order():
        step = fitting(step, data)
        nouns[step.name] = run(step.use, tuple(nouns[of] for of in step.of), step.params)
    similarities = nouns[_STEP]
    assert isinstance(similarities, Affinity)
    return similarities


def fitting(step: Step, data: Dataset) -> Step:
    """Return a step of the default recipe with as many neighbours as there are other items."""
    if step.use == well_known.GRAPH_KNN and data.n <= 10:
        return replace(step, params={**step.params, "neighbours": max(1, data.n - 1)})
    return step

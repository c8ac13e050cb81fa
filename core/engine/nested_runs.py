"""Lets a component run other components: under keys of their own, so nothing is computed twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from coterie.core.api.components import Output
from coterie.core.api.context import Context
from coterie.core.api.parameters import parse_params
from coterie.core.api.proposers import Proposer
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.check_output import as_output
from coterie.core.engine.weighed_items import refuse_weights
from coterie.core.errors import RecipeError
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.core.model.dataset import Dataset
from coterie.core.model.embedding_items import as_needed
from coterie.core.model.encoding import Noun

Publish = Callable[[str, list[str], Mapping[str, Any], int], str]
"""Runs a component on artefacts of the workspace and returns the key of its result."""


class DirectRuns:
    """Runs components in this process and publishes nothing: for scripts and tests.

    Parameters
    ----------
    registry : gives the methods; called when the first is run
    """

    def __init__(self, registry: Callable[[], Registry]) -> None:
        self._registry = registry

    def proposers(self) -> tuple[Proposer, ...]:
        """Return the clusterers that declare themselves candidates."""
        methods = self._registry().catalogue.of_kind("clusterer")
        return tuple(method.proposer for method in methods if method.proposes)

    def __call__(
        self, use: str, inputs: tuple[Noun, ...], params: Mapping[str, Any], context: Context
    ) -> Output:
        """Return the result of a component on these inputs."""
        registry = self._registry()
        component = registry.component(use)
        descriptor = registry.catalogue.get(use)
        if refusal := descriptor.refusal([noun.encoding_type for noun in inputs]):
            raise RecipeError(refusal, code="input-mismatch")
        refuse_weights(component, inputs)
        parsed = parse_params(component.Params, params, use)
        returned = component().compute(
            *as_needed(inputs, descriptor.accepted), params=parsed, context=context
        )
        return as_output(returned, descriptor, _dataset_of(inputs), inputs)


@cache
def built_in_registry() -> Registry:
    """Return the built-in methods, loaded into this process."""
    return Registry.load(safe_mode=True)


def built_in_runs() -> DirectRuns:
    """Return what runs the built-in methods in this process.

    >>> from coterie.core import Dataset
    >>> context = Context(runs=built_in_runs())
    >>> found = context.run("transform/minmax", Dataset(kind="table", features=[[1.0], [3.0]]))
    >>> found.main.features.tolist()
    [[0.0], [1.0]]
    """
    return DirectRuns(built_in_registry)


class NestedRuns:
    """Runs components for one that is running in an engine.

    Where all inputs are artefacts of the workspace (what the running component was given, and what
    it got from here), the result becomes one too, under the key that a step of a recipe would
    have. Other inputs have no key: their results are returned and not kept.
    """

    def __init__(self, direct: DirectRuns, workspace: Workspace, publish: Publish) -> None:
        self._direct, self._workspace, self._publish = direct, workspace, publish
        self._known: dict[int, tuple[Noun, str]] = {}
        """By identity. The noun is kept, so no other one can get its identity."""

    def proposers(self) -> tuple[Proposer, ...]:
        """Return the clusterers that declare themselves candidates."""
        return self._direct.proposers()

    def know(self, noun: Noun, key: str) -> None:
        """Remember under which key a noun is in the workspace."""
        self._known[id(noun)] = (noun, key)

    def __call__(
        self, use: str, inputs: tuple[Noun, ...], params: Mapping[str, Any], context: Context
    ) -> Output:
        """Return the result of a component on these inputs, from the workspace if it is there."""
        keys = [self._known[id(noun)][1] for noun in inputs if id(noun) in self._known]
        if len(keys) < len(inputs):
            return self._direct(use, inputs, params, context)
        key = self._publish(use, keys, params, context.seed)
        artefact = self._workspace.read(key)
        parts = {
            name: self._loaded(part) for name, part in artefact.provenance.get("parts", {}).items()
        }
        return Output(self._loaded(key, artefact), parts)

    def _loaded(self, key: str, artefact: Artefact | None = None) -> Noun:
        noun: Noun = self._workspace.load(key)
        self.know(noun, key)
        link = (artefact or self._workspace.read(key)).dataset
        dataset = getattr(noun, "dataset", None)
        if dataset is not None and link:
            self.know(dataset, link)
        return noun


def _dataset_of(inputs: tuple[Noun, ...]) -> Dataset | None:
    first = inputs[0] if inputs else None
    return first if isinstance(first, Dataset) else getattr(first, "dataset", None)

"""Compares the cost of a step with the available memory before it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.core import well_known
from coterie.core.api.components import Component, Cost
from coterie.core.api.parameters import Params
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.errors import CostError, PluginError
from coterie.core.model.affinity import Affinity
from coterie.core.wording import size_in_words


def cost_of(
    descriptor: Descriptor, component: Component, inputs: Sequence[Any], params: Params
) -> Cost:
    """Return what a component estimates, or say that it does not estimate a cost."""
    cost = component.estimate(*inputs, params=params)
    if not isinstance(cost, Cost):
        raise PluginError(
            f"{descriptor.name} must estimate a Cost. Got {cost!r:.80}. "
            f"Report it to its author ({descriptor.origin}).",
            code="invalid-result",
        )
    alternatives = tuple(str(alternative) for alternative in cost.alternatives)
    return Cost(int(cost.bytes), float(cost.seconds), alternatives)


def require_memory(
    descriptor: Descriptor,
    component: Component,
    inputs: Sequence[Any],
    params: Params,
    memory: int,
) -> None:
    """Refuse what would not fit, with what could be done instead."""
    cost = cost_of(descriptor, component, inputs, params)
    if cost.bytes > memory:
        instead = ", or ".join((*cost.alternatives, "use a subset of the items"))
        raise CostError(
            f"{descriptor.title} needs about {size_in_words(cost.bytes)} of memory; "
            f"only {size_in_words(memory)} is available. Instead, {instead}.",
            offer=_smaller(descriptor, inputs),
        )


def _smaller(descriptor: Descriptor, inputs: Sequence[Any]) -> tuple[str, ...]:
    """What makes a step smaller: a sparse graph where there is a full one, fewer items always."""
    full = any(isinstance(noun, Affinity) and noun.sparse is None for noun in inputs)
    sparse = descriptor.kind == "kernel" or full
    return (*((well_known.GRAPH_KNN,) if sparse else ()), well_known.TRANSFORM_SAMPLE)

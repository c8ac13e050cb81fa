"""Refuses data with weights where a method would not heed them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coterie.core.api.components import Clusterer, Component, Ranker
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import Dataset
from coterie.core.well_known import CLUSTERER_MIXED_MIXTURE

CLUSTERERS = f"k-means, k-prototypes or {CLUSTERER_MIXED_MIXTURE}"
RANKERS = "PageRank, personalised PageRank, the stationary distribution or hitting time"


def refuse_weights(component: type[Component], inputs: Iterable[Any]) -> None:
    """Raise where a clusterer or ranker is given items with weights, and would treat all alike."""
    if not issubclass(component, Clusterer | Ranker) or component.weighs_items:
        return
    others = RANKERS if issubclass(component, Ranker) else CLUSTERERS
    for noun in inputs:
        data = noun.dataset if isinstance(noun, Affinity) else noun
        table = data.table if isinstance(data, Dataset) else ()
        for column in table:
            if column.role == "weight":
                raise DataError(
                    f"'{component.title}' would treat all items alike, but column "
                    f"'{column.name:.80}' gives them weights. Choose {others}, or give "
                    "the column another role.",
                    code="weights-not-heeded",
                )

"""Runs other methods for the automatic answer, and knows by which steps each result came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from coterie.core import well_known
from coterie.core.api.context import Context
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Model

NARROW: Final = 10  # columns that are used as they are; more are brought to main directions
NEIGHBOURS: Final = 10

STANDARDISE: Final = well_known.TRANSFORM_STANDARDISE
PCA: Final = well_known.TRANSFORM_PCA
SVD: Final = well_known.TRANSFORM_SVD
SAMPLE: Final = well_known.TRANSFORM_SAMPLE


@dataclass(frozen=True)
class ChainStep:
    """A step of a recipe; `of` are the names of its inputs, empty for the data themselves."""

    name: str
    use: str
    of: tuple[str, ...]
    params: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "use": self.use, "of": list(self.of), "params": {**self.params}}


_NAMES = {
    STANDARDISE: "scaled",
    PCA: "main",
    SVD: "main",
    SAMPLE: "subset",
    well_known.GRAPH_LOCAL_GAUSSIAN: "walk",
    well_known.GRAPH_KNN: "neighbours",
}


class Chain:
    """Runs other methods, and knows by which steps each result came about."""

    def __init__(self, data: Dataset, context: Context) -> None:
        self._context = context
        self._steps: dict[int, tuple[Any, tuple[ChainStep, ...]]] = {id(data): (data, ())}
        self._data = data
        self.models: list[Model] = []
        """Of the transforms that prepared the data."""

    def run(self, use: str, source: Any, params: Mapping[str, Any]) -> Any:
        """Run a method on an earlier result."""
        output = self._context.run(use, source, params=params)
        before = self._steps[id(source)][1]
        name = _NAMES.get(use, "groups")
        of = before[-1].name if before else ""
        step = ChainStep(name, use, (of,), params)
        self._steps[id(output.main)] = (output.main, (*before, step))
        if use in (STANDARDISE, PCA, SVD) and isinstance(model := output.parts["model"], Model):
            self.models.append(model)
        return output.main

    def steps_to(self, noun: Any) -> list[dict[str, Any]]:
        """Return the steps that lead from the data to a result."""
        return [step.as_json() for step in self._steps[id(noun)][1]]

    def prepared(self) -> Dataset:
        """Return the data with columns of equal weight, and not too many of them."""
        data: Any = self._data
        main: Dataset
        if hasattr(data.clean_features(), "tocsr"):
            columns = min(20, data.d - 1, data.n - 1)
            main = self.run(SVD, data, {"components": columns})
            return main
        main = self.run(STANDARDISE, data, {})
        if main.d > NARROW:
            main = self.run(PCA, main, {"energy": 0.9, "at_most": 20})
        return main

    def realised(self, main: Dataset, family: str, setting: int) -> Clustering:
        """Return the groups of a candidate by the method that a person would use."""
        neighbours = {"neighbours": min(NEIGHBOURS, main.n - 1)}
        graph: Any
        groups: Clustering
        match family:
            case "density":
                asked = {"min_size": setting, "min_samples": 5, "rest": "nearest"}
                groups = self.run(well_known.CLUSTERER_HDBSCAN, main, asked)
            case "linkage":
                groups = self.run(well_known.CLUSTERER_GENIE, main, {"k": setting})
            case "cuts":
                graph = self.run(well_known.GRAPH_LOCAL_GAUSSIAN, main, neighbours)
                groups = self.run(well_known.CLUSTERER_ISOPERIMETRIC, graph, {"k": setting})
            case "spectrum":
                graph = self.run(well_known.GRAPH_KNN, main, neighbours)
                groups = self.run(well_known.CLUSTERER_NJW, graph, {"k": setting})
            case "means":
                groups = self.run(well_known.CLUSTERER_KMEANS, main, {"k": setting})
            case _:
                asked = {"k": setting, "restarts": 1}
                groups = self.run(well_known.CLUSTERER_GAUSSIAN_MIXTURE, main, asked)
        return groups

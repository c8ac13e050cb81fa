"""Runs other methods for the automatic answer, and knows by which steps each result came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from coterie.core import well_known
from coterie.core.api.context import Context
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Model
from coterie.core.numerics.mixed.columns import has_categories

NARROW: Final = 10  # columns that are used as they are; more are brought to main directions
RESTARTS: Final = 3  # of methods on numbers and categories
FACTORS: Final = 10  # directions that numbers and categories are brought to together
NEIGHBOURS: Final = 10

STANDARDISE: Final = well_known.TRANSFORM_STANDARDISE
PCA: Final = well_known.TRANSFORM_PCA
SVD: Final = well_known.TRANSFORM_SVD
FAMD: Final = well_known.TRANSFORM_FAMD
SAMPLE: Final = well_known.TRANSFORM_SAMPLE
PREPARING: Final = (STANDARDISE, PCA, SVD, FAMD)


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
    FAMD: "main",
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
        self._columns: dict[int, Dataset] = {}
        self.mixed = has_categories(data)
        """Whether there are categories among the columns."""
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
        if use in PREPARING and isinstance(model := output.parts["model"], Model):
            self.models.append(model)
        return output.main

    def steps_to(self, noun: Any) -> list[dict[str, Any]]:
        """Return the steps that lead from the data to a result."""
        return [step.as_json() for step in self._steps[id(noun)][1]]

    def steps_on_all(self, noun: Any, scale: float) -> list[dict[str, Any]]:
        """Return the steps to a result on a sample as they would be on all items.

        Parameters
        ----------
        scale : how many times as many items there are; the smallest size of a group grows with it
        """
        steps, instead = [], {}
        for step in self._steps[id(noun)][1]:
            if step.use == SAMPLE:
                instead[step.name] = step.of[0]
                continue
            params = dict(step.params)
            if "min_size" in params:
                params["min_size"] = round(params["min_size"] * scale)
            of = tuple(instead.get(name, name) for name in step.of)
            steps.append(ChainStep(step.name, step.use, of, params).as_json())
        return steps

    def sample(self, main: Dataset, size: int) -> Dataset:
        """Return some of the prepared items; the same ones of the data themselves are kept too."""
        some: Dataset = self.run(SAMPLE, main, {"size": size})
        if self.mixed:
            self._columns[id(some)] = self.run(SAMPLE, self._data, {"size": size})
        return some

    def columns_of(self, items: Dataset) -> Dataset:
        """Return the items with their columns as they were read."""
        return self._columns.get(id(items), self._data)

    def prepared(self) -> Dataset:
        """Return the data with columns of equal weight, and not too many of them."""
        data: Any = self._data
        main: Dataset
        if self.mixed:
            main = self.run(FAMD, data, {"components": self._shared_directions()})
            return main
        if hasattr(data.clean_features(), "tocsr"):
            columns = min(20, data.d - 1, data.n - 1)
            main = self.run(SVD, data, {"components": columns})
            return main
        main = self.run(STANDARDISE, data, {})
        if main.d > NARROW:
            main = self.run(PCA, main, {"energy": 0.9, "at_most": 20})
        return main

    def _shared_directions(self) -> int:
        """How many directions more than one column goes along.

        A direction of one column alone has a variance of 1, and every category makes such: taken
        for groups, they would only say the category again. Columns without any relation reach
        (1 + √(d / n))² by chance.
        """
        data = self._data
        spectrum: Any = self._context.run(FAMD, data, params={"components": 1}).parts["spectrum"]
        chance = (1 + np.sqrt(len(spectrum.eigenvalues) / data.n)) ** 2
        shared = int((spectrum.eigenvalues > chance).sum())
        return int(np.clip(shared, min(2, len(spectrum.eigenvalues)), FACTORS))

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
            case "means" if self.mixed:
                columns, asked = self.columns_of(main), {"k": setting, "restarts": RESTARTS}
                groups = self.run(well_known.CLUSTERER_K_PROTOTYPES, columns, asked)
            case "mixtures" if self.mixed:
                columns, asked = self.columns_of(main), {"k": setting, "restarts": RESTARTS}
                groups = self.run(well_known.CLUSTERER_MIXED_MIXTURE, columns, asked)
            case "means":
                groups = self.run(well_known.CLUSTERER_KMEANS, main, {"k": setting})
            case _:
                asked = {"k": setting, "restarts": 1}
                groups = self.run(well_known.CLUSTERER_GAUSSIAN_MIXTURE, main, asked)
        return groups

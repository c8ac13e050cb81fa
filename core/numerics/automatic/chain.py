"""Runs other methods for the automatic answer, and knows by which steps each result came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from coterie.core import well_known
from coterie.core.api.context import Context
from coterie.core.api.proposers import Proposer
from coterie.core.errors import Cancelled, CoterieError, DataError, in_words
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.embedding_items import items_of
from coterie.core.model.results import Clustering, Model
from coterie.core.numerics.automatic.families import MEANS_STARTS, MIXTURE_STARTS
from coterie.core.numerics.mixed.columns import has_categories
from coterie.core.wording import counted

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
NEAREST: Final = well_known.GRAPH_KNN
WALKED: Final = well_known.GRAPH_LOCAL_GAUSSIAN
COORDINATES: Final = 10  # that items known by their similarities are placed by
KERNELS: Final = {
    "texts": well_known.KERNEL_BAG_OF_WORDS,
    "relation": well_known.KERNEL_PRECOMPUTED,
}
"""What compares items that have no features, by the kind of the data."""
COMMUNITIES: Final = Proposer(
    well_known.CLUSTERER_LEIDEN,
    "Leiden communities",
    "affinity",
    tuple({"resolution": value} for value in (0.2, 0.4, 0.7, 1.0, 1.5, 2.5)),
)
"""What is asked as well where the items are a graph."""


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
    WALKED: "walk",
    NEAREST: "neighbours",
    **dict.fromkeys(KERNELS.values(), "given"),
    well_known.GRAPH_SYMMETRISE: "mutual",
    well_known.GRAPH_NORMALISE_KERNEL: "comparable",
    well_known.EMBEDDER_JOINT: "main",
}


class MethodChain:
    """Runs other methods, and knows by which steps each result came about."""

    def __init__(
        self, source: Dataset | Affinity, context: Context, graph: Affinity | None = None
    ) -> None:
        self._context = context
        self._steps: dict[int, tuple[Any, tuple[ChainStep, ...]]] = {id(source): (source, ())}
        self._source: Any = source
        self._columns: dict[int, Dataset] = {}
        self._places: dict[int, Any] = {}
        self._graphs: dict[tuple[int, str], tuple[Dataset, Affinity]] = {}
        self._axes, self.sparse = 0, False
        self.related = is_related(source)
        """Whether the items are known by how similar they are, and not by features."""
        self.graph = graph
        """The similarities of such items, as a graph."""
        self.mixed = isinstance(source, Dataset) and has_categories(source)
        """Whether there are categories among the columns."""
        asked = (*((COMMUNITIES,) if self.related or graph else ()), *context.proposers())
        self.asked: dict[str, Proposer] = {one.use: one for one in asked}
        """Further methods, by their names, that propose groups."""
        self.models: list[Model] = []
        """Of the transforms that prepared the data."""

    def run(self, use: str, source: Any, params: Mapping[str, Any]) -> Any:
        """Run a method on an earlier result."""
        source = self._places.get(id(source), source)
        output = self._context.run(use, source, params=params)
        self._steps[id(output.main)] = (output.main, self._steps_with(source, use, params))
        if use in PREPARING and isinstance(model := output.parts["model"], Model):
            self.models.append(model)
        return output.main

    def _steps_with(self, source: Any, use: str, params: Mapping[str, Any]) -> Any:
        """The steps to a result, and one more."""
        before = self._steps[id(self._places.get(id(source), source))][1]
        of = before[-1].name if before else ""
        return (*before, ChainStep(_NAMES.get(use, "groups"), use, (of,), params))

    def steps_to(self, noun: Any) -> list[dict[str, Any]]:
        """Return the steps that lead from the data to a result."""
        return [step.as_json() for step in self._steps[id(noun)][1]]

    def of_part(self, items: Dataset, part: Ints) -> MethodChain:
        """Return what runs methods on some of the items, with the graph among these."""
        graph = None if self.graph is None else self.graph.submatrix(part)
        return MethodChain(items, self._context, graph)

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

    @property
    def said(self) -> list[str]:
        """What the families of methods looked at, where that is not the columns."""
        if self.related:
            looked = "the graph of similarities" if self.graph is not None else "their neighbours"
            return [
                f"The items are known by their similarities: cuts, spectra and communities used "
                f"{looked}; density, linkage, means and mixtures used {self._axes} coordinates of "
                "it (joint embedding)."
            ]
        if self.mixed:
            return [
                "Density, linkage, cuts and spectra used the "
                f"{counted(self._axes, 'direction')} that several columns share; k-prototypes and "
                "latent classes used the columns themselves."
            ]
        if self.sparse:
            return [
                f"For counts and other sparse columns, all methods used {self._axes} main "
                "directions, without subtracting the mean."
            ]
        return []

    def near(self, items: Dataset, use: str) -> Affinity:
        """Return the graph of some items that methods walk on: the given one, or of neighbours."""
        if self.graph is not None:
            return self.graph
        known = id(items), use
        if known not in self._graphs:
            neighbours = {"neighbours": min(NEIGHBOURS, items.n - 1)}
            self._graphs[known] = (items, self.run(use, items, neighbours))
        return self._graphs[known][1]

    def proposal(self, items: Dataset, use: str, number: int) -> Clustering:
        """Return the groups that another method proposes for some items.

        A method of a plugin may fail in any way: then it is left out, and named.
        """
        proposer = self.asked[use]
        source: Any = items if proposer.takes == "dataset" else self.near(items, NEAREST)
        try:
            groups: Clustering = self.run(use, source, proposer.settings[number])
        except (Cancelled, CoterieError):
            raise
        except Exception as error:
            raise DataError(in_words(error), code="plugin") from error
        return groups

    def with_links(
        self, steps: Sequence[Mapping[str, Any]], main: Dataset, links: Mapping[str, Any]
    ) -> list[Mapping[str, Any]]:
        """Return steps to groups, and the one that makes these keep to links."""
        prepared = [step.as_json() for step in self._steps[id(self._places.get(id(main), main))][1]]
        known = [step["name"] for step in steps]
        more = [step for step in prepared if step["name"] not in known]
        of = [known[-1], prepared[-1]["name"] if prepared else ""]
        step = {"name": "linked", "use": well_known.CLUSTERER_LINKED, "of": of, "params": links}
        return [*steps, *more, step]

    def sample(self, main: Dataset, size: int) -> Dataset:
        """Return some of the prepared items; the same ones of the data themselves are kept too."""
        if self.related:
            return self._some_places(main, size)
        some: Dataset = self.run(SAMPLE, main, {"size": size})
        if self.mixed:
            self._columns[id(some)] = self.run(SAMPLE, self._source, {"size": size})
        return some

    def _some_places(self, main: Dataset, size: int) -> Dataset:
        """Return some items at their coordinates, which the transform does not take."""
        chosen = np.sort(self._context.rng.permutation(main.n)[:size])
        some: Dataset = replace(
            main.take(chosen), details={**main.details, "positions": chosen.tolist()}
        )
        before = self._steps[id(self._places[id(main)])][1]
        step = ChainStep(_NAMES[SAMPLE], SAMPLE, (before[-1].name,), {"size": size})
        self._steps[id(some)] = (some, (*before, step))
        return some

    def columns_of(self, items: Dataset) -> Dataset:
        """Return the items with their columns as they were read."""
        found: Dataset = self._columns.get(id(items), self._source)
        return found

    def prepared(self) -> Dataset:
        """Return the data with columns of equal weight, and not too many of them."""
        data: Any = self._source
        main: Dataset
        if self.related:
            main = self._placed()
            return main
        if self.mixed:
            main = self.run(FAMD, data, {"components": self._shared_directions()})
            self._axes = main.d
            return main
        if hasattr(data.clean_features(), "tocsr"):
            columns = max(1, min(20, data.d - 1, data.n - 1))
            main = self.run(SVD, data, {"components": columns})
            self.sparse, self._axes = True, columns
            return main
        main = self.run(STANDARDISE, data, {})
        if main.d > NARROW:
            main = self.run(PCA, main, {"energy": 0.9, "at_most": 20})
        return main

    def _placed(self) -> Dataset:
        """Return the items at coordinates in which similar ones are near each other."""
        similar, source = self._source, self._source
        if isinstance(source, Dataset):
            similar = self.run(KERNELS[source.kind], source, {})
            if source.kind == "texts":  # long ones share words with all
                similar = self.run(well_known.GRAPH_NORMALISE_KERNEL, similar, {})
        if not similar.symmetric:
            similar = self.run(well_known.GRAPH_SYMMETRISE, similar, {})
        if similar.form != "sparse":
            nearest = {"neighbours": min(NEIGHBOURS, similar.n - 1), "weights": "affinity"}
            similar = self.run(NEAREST, similar, nearest)
        self.graph = similar
        axes = {"components": min(COORDINATES, similar.n - 1)}
        places = self.run(well_known.EMBEDDER_JOINT, similar, axes)
        main: Dataset = items_of(places)
        self._places[id(main)], self._axes = places, main.d
        return main

    def _shared_directions(self) -> int:
        """How many directions more than one column goes along.

        A direction of one column alone has a variance of 1, and every category makes such: taken
        for groups, they would only say the category again. Columns without any relation reach
        (1 + √(d / n))² by chance.
        """
        data = self._source
        spectrum: Any = self._context.run(FAMD, data, params={"components": 1}).parts["spectrum"]
        chance = (1 + np.sqrt(len(spectrum.eigenvalues) / data.n)) ** 2
        shared = int((spectrum.eigenvalues > chance).sum())
        return int(np.clip(shared, min(2, len(spectrum.eigenvalues)), FACTORS))

    def realised(self, main: Dataset, family: str, setting: int) -> Clustering:
        """Return the groups of a candidate by the method that a person would use."""
        if family in self.asked:
            return self.proposal(main, family, setting)
        groups: Clustering = self.run(*self._last_step(main, family, setting))
        return groups

    def claimed(self, main: Dataset, family: str, setting: int, labels: Ints) -> Clustering:
        """Return groups as if a method had been run for them that starts as the candidate did."""
        use, source, params = self._last_step(main, family, setting)
        groups = Clustering(labels=labels)
        self._steps[id(groups)] = (groups, self._steps_with(source, use, params))
        return groups

    def starts_alike(self, family: str) -> bool:
        """Whether the method of a family gives exactly the groups that it proposed."""
        alone = family in ("means", "mixtures") and not self.mixed
        return family in ("density", "linkage", "cuts") or alone

    def _last_step(self, main: Dataset, family: str, setting: int) -> tuple[str, Any, Any]:
        """The method of a family, what it is run on, and its parameters."""
        k = {"k": setting}
        match family:
            case "density":
                asked = {"min_size": setting, "min_samples": 5, "rest": "nearest"}
                return well_known.CLUSTERER_HDBSCAN, main, asked
            case "linkage":
                return well_known.CLUSTERER_GENIE, main, k
            case "cuts":
                return well_known.CLUSTERER_ISOPERIMETRIC, self.near(main, WALKED), k
            case "spectrum":
                return well_known.CLUSTERER_NJW, self.near(main, NEAREST), k
            case "means" if self.mixed:
                asked = {**k, "restarts": RESTARTS}
                return well_known.CLUSTERER_K_PROTOTYPES, self.columns_of(main), asked
            case "mixtures" if self.mixed:
                asked = {**k, "restarts": RESTARTS}
                return well_known.CLUSTERER_MIXED_MIXTURE, self.columns_of(main), asked
            case "means":
                return well_known.CLUSTERER_KMEANS, main, {**k, "restarts": MEANS_STARTS}
            case _:
                asked = {**k, "restarts": MIXTURE_STARTS}
                return well_known.CLUSTERER_GAUSSIAN_MIXTURE, main, asked


def is_related(source: Dataset | Affinity) -> bool:
    """Whether items are known by how similar they are, and not by features."""
    return isinstance(source, Affinity) or (source.features is None and source.kind in KERNELS)

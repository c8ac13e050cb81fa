"""The types of results, each declared once: what it is called, said, drawn and kept as.

A new type is a noun (`core/model/results.py`) and an entry here; whatever must know all types
looks them up: the stores, the engine's checks, files, figures, reports, command line and window.
`docs/contributing.md` has the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

import numpy as np

from coterie.core.model import result_words as words
from coterie.core.model.affinity import Affinity, affinity_of
from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.figures import Figure
from coterie.core.model.results import (
    Clustering,
    Embedding,
    Labelling,
    Model,
    Ranking,
    Score,
    Spectrum,
    Trace,
)
from coterie.core.model.upgrades import UPGRADES
from coterie.core.wording import counted

Wrap = Callable[[Any, Dataset | None], Any]
# Where artefacts are in a project file and in the project tree, with the heading there.
SECTIONS = {"data": "Data", "graphs": "Graphs", "results": "Results"}


@dataclass(frozen=True)
class Lazy:
    """A function that is imported when it is called: "module:function" below `coterie.core`."""

    place: str

    def load(self) -> Callable[..., Any]:
        """Import it."""
        module, _, name = self.place.partition(":")
        found: Callable[..., Any] = getattr(import_module(f"coterie.core.{module}"), name)
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.load()(*args, **kwargs)


def _as_it_is(value: Any, _dataset: Dataset | None) -> Any:
    return value


@dataclass(frozen=True, kw_only=True)
class ResultType:
    """All that differs from type to type.

    Attributes
    ----------
    noun : the dataclass; its fields say how it is encoded, its `encoding_type` names the type
    title : what a form calls an input of this type
    icon : name of its icon; the drawings are in `gui/toolkit/styling/icons.py`
    section : one of `SECTIONS`
    main_parts : the part whose shape is the artefact's, the first that there is
    size : how large a result is, for a column: "4 groups"
    summary : a result in half a line: "4 groups of 10, 8, 5 and 2 items"
    table : a result as a `Table`, for CSV files and the screen
    figure : draws a result under a title; None where there is nothing to draw
    caption : below its figure in a report; empty where the report has no figure of it
    per_item : whether it has a finite entry for each item of its dataset
    headline : whether it is what an analysis is for: listed first in a report, always printed
    main_array : the array that stands for it, in previews and NumPy files
    may_miss : its arrays that may have entries that are not a number, where a value is missing
    wrap : makes the noun of what a component may return bare, given its dataset; else returns it
    """

    noun: type[Any]
    title: str
    icon: str
    section: Literal["data", "graphs", "results"]
    main_parts: tuple[str, ...]
    size: Callable[[Any], str]
    summary: Callable[[Any], str]
    table: Callable[[Any], Any]
    figure: Callable[[Any, str], Any] | None
    caption: str
    main_array: Callable[[Any], Array]
    per_item: bool = False
    headline: bool = False
    may_miss: tuple[str, ...] = ()
    wrap: Wrap = field(default=_as_it_is)

    @property
    def name(self) -> str:
        """The encoding type, such as "clustering"."""
        name: str = self.noun.encoding_type
        return name


RESULT_TYPES: dict[str, ResultType] = {}


def declare(declared: ResultType) -> None:
    """Add a type; one that cannot read what its earlier versions wrote is refused."""
    name, version = declared.name, declared.noun.encoding_version
    if name in RESULT_TYPES:
        raise ValueError(f"There are two result types '{name}'.")
    for older in range(1, version):
        if (name, older) not in UPGRADES:
            raise ValueError(f"Version {version} of '{name}' has no upgrade from {older}.")
    RESULT_TYPES[name] = declared


def type_of_noun(noun: Any) -> ResultType | None:
    """Return the type of a result; None for anything else."""
    found = RESULT_TYPES.get(getattr(noun, "encoding_type", ""))
    return found if found is not None and isinstance(noun, found.noun) else None


def _is_bare(value: Any) -> bool:
    return isinstance(value, np.ndarray) or is_sparse(value)


def _wrapping(noun: type[Any], name: str) -> Wrap:
    """Return a function that wraps a bare array as the field `name` of a noun."""
    return lambda value, dataset: noun(**{name: value}) if _is_bare(value) else value


def _dataset_wrap(value: Any, dataset: Dataset | None) -> Any:
    if not _is_bare(value):
        return value
    return Dataset(features=value) if dataset is None else dataset.with_features(value)


def _affinity_wrap(value: Any, _dataset: Dataset | None) -> Any:
    return affinity_of(value) if _is_bare(value) else value


def _score_wrap(value: Any, _dataset: Dataset | None) -> Any:
    number = isinstance(value, int | float | np.floating | np.integer)
    return Score(value=float(value)) if number else value


def _features(data: Dataset) -> Array:
    return data.dense_features() if data.features is not None else np.empty((data.n, 0))


def _embedding_summary(embedding: Embedding) -> str:
    items, axes = embedding.coordinates.shape
    return f"{counted(items, 'item')} in {counted(axes, 'dimension')}"


def _labelling_size(labelling: Labelling) -> str:
    height, width = labelling.classes.shape[-2:]
    return f"{height} × {width}"


for _declared in (
    ResultType(
        noun=Dataset,
        title="Data",
        icon="data",
        section="data",
        main_parts=("features", "relation", "thumbnails", "texts", "truth", "items"),
        size=words.dataset_size,
        summary=words.dataset_summary,
        table=Lazy("formats.files.tables:dataset_table"),
        figure=Lazy("numerics.drawing.figures:draw_dataset"),
        caption="The items, coloured by known class where there are any.",
        main_array=_features,
        may_miss=("features", "table"),
        wrap=_dataset_wrap,
    ),
    ResultType(
        noun=Affinity,
        title="Similarities",
        icon="affinity",
        section="graphs",
        main_parts=("values", "factor"),
        size=lambda affinity: f"{affinity.n} × {affinity.n}",
        summary=words.affinity_summary,
        table=Lazy("formats.files.tables:affinity_table"),
        figure=Lazy("numerics.drawing.figures:draw_affinity"),
        caption="",
        main_array=Affinity.to_dense,
        per_item=True,
        wrap=_affinity_wrap,
    ),
    ResultType(
        noun=Clustering,
        title="Groups",
        icon="clustering",
        section="results",
        main_parts=("labels",),
        size=lambda clustering: counted(clustering.k, "group"),
        summary=words.clustering_summary,
        table=Lazy("formats.files.tables:clustering_table"),
        figure=Lazy("numerics.drawing.figures:draw_clustering"),
        caption="The items, each in the colour of its group.",
        main_array=lambda clustering: clustering.labels,
        per_item=True,
        headline=True,
        wrap=_wrapping(Clustering, "labels"),
    ),
    ResultType(
        noun=Ranking,
        title="Ranking",
        icon="ranking",
        section="results",
        main_parts=("scores",),
        size=lambda ranking: f"{len(ranking.scores)} ranks",
        summary=words.ranking_summary,
        table=Lazy("formats.files.tables:ranking_table"),
        figure=Lazy("numerics.drawing.figures:draw_ranking"),
        caption="The items with the highest scores.",
        main_array=lambda ranking: ranking.scores,
        per_item=True,
        wrap=_wrapping(Ranking, "scores"),
    ),
    ResultType(
        noun=Embedding,
        title="Embedding",
        icon="embedding",
        section="results",
        main_parts=("coordinates",),
        size=lambda embedding: " × ".join(map(str, embedding.coordinates.shape)),
        summary=_embedding_summary,
        table=Lazy("formats.files.tables:embedding_table"),
        figure=Lazy("numerics.drawing.figures:draw_embedding"),
        caption="Where the embedding puts the items.",
        main_array=lambda embedding: embedding.coordinates,
        per_item=True,
        wrap=_wrapping(Embedding, "coordinates"),
    ),
    ResultType(
        noun=Spectrum,
        title="Spectrum",
        icon="trace",
        section="results",
        main_parts=("eigenvalues",),
        size=lambda spectrum: f"{len(spectrum.eigenvalues)} values",
        summary=lambda spectrum: counted(len(spectrum.eigenvalues), "eigenvalue"),
        table=Lazy("formats.files.tables:spectrum_table"),
        figure=Lazy("numerics.drawing.figures:draw_spectrum"),
        caption="The eigenvalues.",
        main_array=lambda spectrum: spectrum.eigenvalues,
    ),
    ResultType(
        noun=Labelling,
        title="Map",
        icon="clustering",
        section="results",
        main_parts=("classes",),
        size=_labelling_size,
        summary=lambda labelling: f"a map of {_labelling_size(labelling)} pixels",
        table=Lazy("formats.files.tables:labelling_table"),
        figure=Lazy("numerics.drawing.figures:draw_labelling"),
        caption="",
        main_array=lambda labelling: labelling.classes,
    ),
    ResultType(
        noun=Model,
        title="Model",
        icon="model",
        section="results",
        main_parts=(),
        size=lambda model: counted(len(model.arrays), "array"),
        summary=lambda model: f"a model of {counted(len(model.arrays), 'array')}",
        table=Lazy("formats.files.tables:model_table"),
        figure=None,
        caption="",
        main_array=lambda model: np.empty(0),
    ),
    ResultType(
        noun=Score,
        title="Score",
        icon="metric",
        section="results",
        main_parts=("table",),
        size=lambda score: f"{score.value:.4g}",
        summary=lambda score: f"{score.value:.4g}",
        table=Lazy("formats.files.tables:score_table"),
        figure=Lazy("numerics.drawing.figures:draw_score"),
        caption="",
        main_array=lambda score: np.asarray(score.value),
        headline=True,
        wrap=_score_wrap,
    ),
    ResultType(
        noun=Trace,
        title="History",
        icon="trace",
        section="results",
        main_parts=("iterations",),
        size=words.trace_size,
        summary=words.trace_summary,
        table=Lazy("formats.files.tables:trace_table"),
        figure=Lazy("numerics.drawing.figures:draw_trace"),
        caption="How it converged.",
        main_array=lambda trace: trace.value(trace.first_name),
        may_miss=("values",),
    ),
    ResultType(
        noun=Figure,
        title="Figure",
        icon="figure",
        section="results",
        main_parts=("values",),
        size=lambda figure: figure.form,
        summary=words.figure_summary,
        table=Lazy("formats.files.tables:figure_table"),
        figure=Lazy("numerics.drawing.figure_data:draw_figure"),
        caption="",
        main_array=lambda figure: figure.values,
        may_miss=("values",),
    ),
):
    declare(_declared)

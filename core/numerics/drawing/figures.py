"""The figure that shows a result best: a function for each type of result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.files.tables import item_name
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.result_types import type_of_noun
from coterie.core.model.results import (
    Clustering,
    Embedding,
    Labelling,
    Ranking,
    Score,
    Spectrum,
    Trace,
)
from coterie.core.numerics.drawing.plots import bars, class_map, curve, matrix, scatter
from coterie.core.numerics.features.picture_grid import grid_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SHOWN = 800  # rows of a matrix: a page has no more pixels
FIRST = 30  # items of a ranking


def figure_of(noun: Any, *, title: str = "", axes: tuple[int, int] = (1, 2)) -> Figure:
    """Return the figure of a result.

    Parameters
    ----------
    axes : which coordinates of an embedding are across and up, from 1
    """
    title = title or getattr(noun, "title", "") or type(noun).__name__
    if isinstance(noun, Embedding):
        return draw_embedding(noun, title, axes)
    kind = type_of_noun(noun)
    if kind is None or kind.figure is None:
        raise DataError(
            f"There is no figure of a {getattr(noun, 'encoding_type', type(noun).__name__)}. "
            "Write it as CSV, or choose another result.",
            code="not-exportable",
        )
    figure: Figure = kind.figure(noun, title)
    return figure


def draw_embedding(embedding: Embedding, title: str, axes: tuple[int, int] = (1, 2)) -> Figure:
    """Points where two of the coordinates put them, coloured by known class."""
    labels, names = _known(embedding.dataset, len(embedding.coordinates))
    points, called = _two(embedding.coordinates, embedding.axis_names, axes)
    return scatter(points, labels, title=title, axes=called, names=names)


def draw_dataset(data: Dataset, title: str) -> Figure:
    """Points by two columns or the two main directions, coloured by known class."""
    labels, names = _known(data, data.n)
    points, called = _plane(data)
    return scatter(points, labels, title=title, axes=called, names=names)


def draw_clustering(groups: Clustering, title: str) -> Figure:
    """Points coloured by group; a map where the items are the pixels of a picture."""
    data = groups.dataset
    if data is None:
        raise DataError(
            "The data of these groups are not known, so there is nothing to draw.",
            code="not-exportable",
        )
    try:
        grid = grid_of(data)
    except DataError:
        grid = (1, 1)
    if min(grid) > 1:
        return _map(
            groups.labels.reshape(grid), groups.names, title, clutter=-1, colours=groups.colours
        )
    points, called = _plane(data)
    return scatter(
        points,
        groups.labels,
        title=title,
        axes=called,
        names=groups.names,
        colours=groups.colours,
    )


def draw_affinity(affinity: Affinity, title: str) -> Figure:
    """The matrix, or evenly spread rows and columns of it, known classes side by side."""
    order = np.arange(affinity.n)
    by = ""
    if affinity.dataset is not None and affinity.dataset.truth is not None:
        order = np.argsort(affinity.dataset.truth, kind="stable")
        by = ", by known class"
    if affinity.n > MOST_SHOWN:
        order = order[np.linspace(0, affinity.n - 1, MOST_SHOWN).astype(np.int64)]
        by += f", {MOST_SHOWN} of {affinity.n:,}"
    values = np.asarray(affinity.rows(order), dtype=np.float64)[:, order]
    return matrix(values, title=title, axes=(f"items{by}", "items"))


def draw_ranking(ranking: Ranking, title: str) -> Figure:
    """Bars for the items with the highest scores."""
    assert ranking.order is not None
    first = ranking.order[:FIRST]
    names = [item_name(ranking.dataset, int(item)) for item in first]
    return bars(names, ranking.scores[first], title=title, axis="score")


def draw_spectrum(spectrum: Spectrum, title: str) -> Figure:
    """The eigenvalues in their order."""
    values = np.real(spectrum.eigenvalues)
    numbers = np.arange(1, len(values) + 1)
    return curve(numbers, values, title=title, axes=("number", "eigenvalue"), dots=True)


def draw_trace(trace: Trace, title: str) -> Figure:
    """The first value over the iterations."""
    name = trace.first_name
    axes = ("iteration", name.replace("_", " "))
    return curve(trace.iterations, trace.value(name), title=title, axes=axes)


def draw_score(score: Score, title: str) -> Figure:
    """The table of a score, or its value as a bar."""
    if score.table is None or score.table.ndim != 2:
        return bars([score.title or "value"], np.array([score.value]), title=title, axis="value")
    table = np.asarray(score.table, dtype=np.float64)
    return matrix(table, title=title, rows=score.rows, columns=score.columns)


def draw_labelling(labelling: Labelling, title: str) -> Figure:
    """A map of the classes."""
    return _map(np.asarray(labelling.classes), labelling.names, title, clutter=labelling.nodata)


def _known(dataset: Dataset | None, n: int) -> tuple[Ints, tuple[str, ...]]:
    """The known classes, or one class of all."""
    if dataset is None or dataset.truth is None:
        return np.zeros(n, dtype=np.int64), ("items",)
    return dataset.truth, dataset.truth_names


def _two(
    coordinates: Floats, names: tuple[str, ...], axes: tuple[int, int]
) -> tuple[Floats, tuple[str, str]]:
    """Two of the coordinates; nothing but zeros beside a single one."""
    count = coordinates.shape[1]
    if count == 1:
        return np.column_stack([coordinates[:, 0], np.zeros(len(coordinates))]), (names[0], "")
    across, up = (axis - 1 for axis in axes)
    if not (0 <= across < count and 0 <= up < count):
        raise DataError(
            f"There are {count} axes. Got {axes[0]} and {axes[1]}; choose among them.",
            code="invalid-axes",
        )
    return coordinates[:, [across, up]], (names[across], names[up])


def _plane(data: Dataset) -> tuple[Floats, tuple[str, str]]:
    """Two coordinates of the items: their two columns, or the two main directions of more."""
    from coterie.core.numerics.features.directions import leading_directions

    X = data.dense_features()
    if data.d <= 2:
        return _two(X, data.columns, (1, 2))
    scaled = X / (np.abs(X).max() or 1.0)
    centred = scaled - scaled.mean(axis=0)
    directions, _ = leading_directions(centred)
    points = centred @ directions[:2].T
    return _two(points, ("main direction", "second direction"), (1, 2))


def _map(
    classes: Array,
    names: tuple[str, ...],
    title: str,
    *,
    clutter: int,
    colours: tuple[str, ...] = (),
) -> Figure:
    """Pixels in the colours of their classes, thinned to what a page can show."""
    labels = np.where(classes == clutter, -1, classes).astype(np.int64)
    known, counts = np.unique(labels, return_counts=True)
    step = max(1, -(-max(labels.shape) // MOST_SHOWN))
    by_group = dict(zip(known.tolist(), counts.tolist(), strict=True))
    return class_map(
        labels[::step, ::step], title=title, counts=by_group, names=names, colours=colours
    )

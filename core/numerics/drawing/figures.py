"""The figure that shows a result best."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.files.tables import item_names
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import (
    Clustering,
    Embedding,
    Labelling,
    Ranking,
    Score,
    Spectrum,
    Trace,
)
from coterie.core.numerics.drawing.plots import bars, curve, matrix, picture, scatter
from coterie.core.numerics.drawing.shapes import Drawing, as_rgb, colour_of
from coterie.core.numerics.features.picture_grid import grid_of

MOST_SHOWN = 800  # rows of a matrix: a page has no more pixels
FIRST = 30  # items of a ranking


def figure_of(noun: Any, *, title: str = "", axes: tuple[int, int] = (1, 2)) -> Drawing:
    """Return the figure of a result.

    Points for coordinates, groups and data, coloured by group or known class; a map for groups of
    pixels; a matrix for similarities; bars for the first of a ranking; a curve for a history or a
    spectrum.

    Parameters
    ----------
    axes : which coordinates of an embedding lie across and up, from 1
    """
    title = title or getattr(noun, "title", "") or type(noun).__name__
    match noun:
        case Embedding():
            labels, names = _known(noun.dataset, len(noun.coordinates))
            points, called = _two(noun.coordinates, noun.axis_names, axes)
            return scatter(points, labels, title=title, axes=called, names=names)
        case Clustering():
            return _groups(noun, title)
        case Dataset():
            labels, names = _known(noun, noun.n)
            points, called = _plane(noun)
            return scatter(points, labels, title=title, axes=called, names=names)
        case Affinity():
            return matrix(_similarities(noun), title=title, axes=("items", "items"))
        case Ranking():
            assert noun.order is not None
            first = noun.order[:FIRST]
            names = item_names(noun.dataset, len(noun.scores))
            return bars([names[i] for i in first], noun.scores[first], title=title, axis="score")
        case Spectrum():
            values = np.real(noun.eigenvalues)
            count = np.arange(1, len(values) + 1)
            return curve(count, values, title=title, axes=("number", "eigenvalue"), dots=True)
        case Trace():
            return curve(
                noun.iterations, noun.objective, title=title, axes=("iteration", "objective")
            )
        case Score() if noun.table is not None and noun.table.ndim == 2:
            return matrix(
                np.asarray(noun.table, dtype=np.float64), title=title, axes=("groups", "classes")
            )
        case Score():
            return bars([noun.title or "value"], np.array([noun.value]), title=title, axis="value")
        case Labelling():
            return _map(np.asarray(noun.classes), noun.names, title, clutter=noun.nodata)
    raise DataError(
        f"There is no figure of a {getattr(noun, 'encoding_type', type(noun).__name__)}. "
        "Write it as CSV, or choose another result.",
        code="not-exportable",
    )


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


def _groups(groups: Clustering, title: str) -> Drawing:
    data = groups.dataset
    if data is None:
        raise DataError(
            "These groups are of no known data, so that there is nothing to draw.",
            code="not-exportable",
        )
    try:
        grid = grid_of(data)
    except DataError:
        points, called = _plane(data)
        return scatter(points, groups.labels, title=title, axes=called, names=groups.names)
    if min(grid) < 2:
        points, called = _plane(data)
        return scatter(points, groups.labels, title=title, axes=called, names=groups.names)
    return _map(groups.labels.reshape(grid), groups.names, title, clutter=-1)


def _map(classes: Array, names: tuple[str, ...], title: str, *, clutter: int) -> Drawing:
    """Pixels in the colours of their classes, thinned to what a page can show."""
    labels = np.where(classes == clutter, -1, classes).astype(np.int64)
    known, counts = np.unique(labels, return_counts=True)
    step = max(1, -(-max(labels.shape) // MOST_SHOWN))
    thin = labels[::step, ::step]
    colours = np.array([as_rgb(colour_of(int(g))) for g in known], dtype=np.uint8)
    pixels = colours[np.searchsorted(known, thin)]
    by_group = dict(zip(known.tolist(), counts.tolist(), strict=True))
    return picture(pixels, title=title, counts=by_group, names=names)


def _similarities(affinity: Affinity) -> Floats:
    """The matrix, or evenly spread rows and columns of it, known classes side by side."""
    order = np.arange(affinity.n)
    truth = None if affinity.dataset is None else affinity.dataset.truth
    if truth is not None:
        order = np.argsort(truth, kind="stable")
    if affinity.n > MOST_SHOWN:
        order = order[np.linspace(0, affinity.n - 1, MOST_SHOWN).astype(np.int64)]
    return np.asarray(affinity.rows(order), dtype=np.float64)[:, order]

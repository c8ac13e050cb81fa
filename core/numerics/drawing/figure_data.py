"""Figures as data, drawn by matplotlib: one function for each form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.model.arrays import Ints
from coterie.core.model.figures import Figure
from coterie.core.model.group_names import group_name
from coterie.core.numerics.drawing import plots
from coterie.core.numerics.drawing.page import HEIGHT, QUIET, distinct_names, page, printable
from coterie.core.numerics.drawing.palette import group_colour
from coterie.core.numerics.drawing.tree_shape import branches, groups_of_branches, leaf_places

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

MOST_NAMES = 60  # beside the rows of one page
MOST_ROWS = 40  # of a table
SAME = "#7b8794"  # of branches that join several groups


def draw_figure(figure: Figure, title: str) -> Drawing:
    """Draw a figure of any form on a page."""
    draw: Any = globals()[f"_{figure.form}"]
    drawing: Drawing = draw(figure, title)
    return drawing


def _scatter(figure: Figure, title: str) -> Drawing:
    count = figure.values.shape[1]
    if count > 2:
        return _pairs(figure, title)
    axes = figure.axes or figure.columns or ("", "")
    return plots.scatter(
        np.asarray(figure.values, np.float64),
        _groups(figure),
        title=title,
        axes=(axes[0], axes[1]),
        names=_names(figure),
        colours=figure.group_colours,
    )


def _pairs(figure: Figure, title: str) -> Drawing:
    """Each pair of axes in a plot of its own, below the diagonal."""
    values, colours = np.asarray(figure.values, np.float64), _colours(figure)
    a = values.shape[1]
    names = figure.columns or tuple(f"axis {j + 1}" for j in range(a))
    with page(title, height=HEIGHT * 1.35) as (sheet, plot):
        plot.set_axis_off()
        for row in range(1, a):
            for column in range(row):
                room = (column / (a - 1), 1 - row / (a - 1), 0.92 / (a - 1), 0.9 / (a - 1))
                inside = plot.inset_axes(room)
                inside.scatter(
                    values[:, column], values[:, row], c=colours, s=4, linewidths=0, alpha=0.8,
                    rasterized=len(values) > plots.MOST_VECTOR_POINTS,
                )  # fmt: skip
                inside.tick_params(labelsize=6)
                if column == 0:
                    inside.set_ylabel(printable(names[row], 18), fontsize=8)
                if row == a - 1:
                    inside.set_xlabel(printable(names[column], 18), fontsize=8)
        _legend(sheet, figure)
    return sheet


def _lines(figure: Figure, title: str) -> Drawing:
    values = np.asarray(figure.values, np.float64)
    at = np.arange(values.shape[1]) if figure.places is None else figure.places
    with page(title, _axes(figure)) as (sheet, plot):
        from matplotlib.collections import LineCollection

        for line, colour in zip(values, _colours(figure), strict=True):
            known = np.isfinite(line)
            segments = [np.column_stack([at[known], line[known]])]
            plot.add_collection(
                LineCollection(segments, colors=[colour], linewidths=1.0, alpha=_fade(len(values)))
            )
        plot.autoscale()
        if figure.columns:
            turned = 30 if sum(map(len, figure.columns)) > 80 else 0
            labels = distinct_names(figure.columns, 18)
            plot.set_xticks(at, labels, rotation=turned, ha="right" if turned else "center")
        _legend(sheet, figure)
    return sheet


def _bars(figure: Figure, title: str) -> Drawing:
    """Bars from the top down; with names while there is room for them."""
    values, count = np.asarray(figure.values, np.float64), figure.marks
    if 0 < count <= MOST_NAMES and figure.rows and figure.groups is None:
        return plots.bars(figure.rows, values, title=title, axis=_axes(figure)[0])
    with page(title, _axes(figure), height=HEIGHT * 1.2) as (sheet, plot):
        places = np.arange(count)
        plot.barh(places, np.nan_to_num(values), height=1.0, color=_colours(figure), linewidth=0)
        plot.set_ylim(max(count, 1) - 0.5, -0.5)
        plot.set_yticks([])
        plot.axvline(0, color=QUIET, lw=0.8)
        _legend(sheet, figure)
    return sheet


def _matrix(figure: Figure, title: str) -> Drawing:
    values = np.asarray(figure.values, np.float64)
    drawing = plots.matrix(
        values, title=title, axes=_axes(figure), rows=figure.rows, columns=figure.columns
    )
    if max(values.shape) > plots.MOST_CELLS:
        _name_cells(drawing.axes[0], figure)
    return drawing


def _tree(figure: Figure, title: str) -> Drawing:
    across, up, nodes = branches(figure)
    group = groups_of_branches(figure)[nodes]
    with page(title, _axes(figure)) as (sheet, plot):
        from matplotlib.collections import LineCollection

        colours = [SAME if one < 0 else _colour(one, figure) for one in group.tolist()]
        segments = list(np.stack([across, up], axis=-1))
        plot.add_collection(LineCollection(segments, colors=colours, linewidths=1.1))
        plot.autoscale()
        if figure.cut is not None:
            plot.axhline(figure.cut, color=QUIET, lw=1.0, ls="--")
        plot.set_xticks([])
        if figure.rows and figure.marks <= MOST_NAMES:
            names = distinct_names(figure.rows, 18)
            plot.set_xticks(leaf_places(figure)[: figure.marks], names, rotation=90, fontsize=7)
        plot.grid(visible=False, axis="x")
        _legend(sheet, figure)
    return sheet


def _table(figure: Figure, title: str) -> Drawing:
    wide = len(figure.columns)
    rows = [
        [printable(cell, 28) for cell in figure.cells[j * wide : (j + 1) * wide]]
        if figure.cells
        else [f"{value:.4g}" if np.isfinite(value) else "–" for value in figure.values[j]]
        for j in range(min(figure.marks, MOST_ROWS))
    ]
    left = figure.marks - len(rows)
    called = title if not left else f"{title} (the first {len(rows)} of {figure.marks:,} rows)"
    with page(called, height=120 + 24 * max(3, len(rows))) as (sheet, plot):
        plot.set_axis_off()
        if rows:
            heads = distinct_names(figure.columns, 18) or None
            sides = [printable(name, 24) for name in figure.rows[: len(rows)]] or None
            drawn: Any = plot.table(rows, colLabels=heads, rowLabels=sides, loc="upper center")
            drawn.auto_set_font_size(False)
            drawn.set_fontsize(8)
            for cell in drawn.get_celld().values():
                cell.set_linewidth(0.3)
    return sheet


def _image(figure: Figure, title: str) -> Drawing:
    if figure.values.ndim == 2:
        return plots.matrix(np.asarray(figure.values, np.float64), title=title, axes=_axes(figure))
    with page(title) as (sheet, plot):
        plot.imshow(figure.values, interpolation="none")
        plot.set_axis_off()
    return sheet


def _name_cells(plot: Any, figure: Figure) -> None:
    """Write the names beside the rows and columns of a matrix, where they fit."""
    rows, columns = figure.values.shape
    for axis, names, count, turned in (
        (plot.yaxis, figure.rows, rows, 0),
        (plot.xaxis, figure.columns, columns, 60),
    ):
        if names and count <= MOST_NAMES:
            size = 8 if count <= 30 else 6
            labels = distinct_names(names, 22)
            axis.set_ticks(range(count), labels, rotation=turned, fontsize=size,
                           ha="right" if turned else None)  # fmt: skip
    plot.set_aspect("auto")


def _axes(figure: Figure) -> tuple[str, str]:
    return (figure.axes[0], figure.axes[1]) if figure.axes else ("", "")


def _groups(figure: Figure) -> Ints:
    return np.zeros(figure.marks, np.int64) if figure.groups is None else figure.groups


def _names(figure: Figure) -> tuple[str, ...]:
    return figure.group_names if figure.groups is not None else ("items",)


def _colour(group: int, figure: Figure) -> str:
    return group_colour(group, figure.group_colours, dark=False)


def _colours(figure: Figure) -> list[str]:
    return [_colour(group, figure) for group in _groups(figure).tolist()]


def _fade(count: int) -> float:
    return float(np.clip(60.0 / max(count, 1), 0.12, 0.9))


def _legend(sheet: Any, figure: Figure) -> None:
    if figure.groups is None or not figure.marks:
        return
    groups = np.unique(figure.groups)
    known: list[int] = groups[groups >= 0].tolist()
    called = [group_name(group, figure.group_names) for group in known]
    if len(known) < len(groups):
        known, called = [*known, -1], [*called, "in no group"]
    plots.legend(sheet, called, [_colour(group, figure) for group in known])

"""Kinds of figures: points, curves, bars, matrices and maps, with axes and legends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.group_names import group_name
from coterie.core.numerics.drawing.page import QUIET, UNITS, page, printable, styled
from coterie.core.numerics.drawing.palette import group_colour, rgb, shades

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_IN_LEGEND = 24
MOST_POINTS = 20_000  # of a scatter: more hide each other
MOST_VECTOR_POINTS = 3000  # more are pixels in SVG and PDF too, or viewers would be slow
MOST_CELLS = 12  # a side, of a matrix whose numbers are written into it
WIDE = 8  # columns, from which on there is room for three digits only
MOST_DOTS = 200  # of a curve
LARGEST = 1e300  # matplotlib adds room around it
FRAME = "#d1495b"
DOT = 26.0  # square points, of up to 500 items


def scatter(
    points: Floats,
    labels: Ints,
    *,
    title: str,
    axes: tuple[str, str],
    names: Sequence[str] = (),
    colours: Sequence[str] = (),
) -> Figure:
    """Return points (n, 2) coloured by group; items in no group are grey and underneath."""
    groups, counts = np.unique(labels, return_counts=True)
    if len(points) > MOST_POINTS:
        title = f"{title} ({MOST_POINTS:,} of {len(points):,} items)"
        shown = np.linspace(0, len(points) - 1, MOST_POINTS).astype(np.int64)
        points, labels = points[shown], labels[shown]
    few = len(points) <= 500
    with page(title, axes) as (figure, plot):
        for group in groups.tolist():
            across, up = _drawable(points[labels == group]).T
            plot.scatter(
                across,
                up,
                s=DOT if few else max(2.5, DOT * 500 / len(points)),
                c=group_colour(group, colours, dark=False),
                alpha=0.85,
                linewidths=0.4 if few else 0.0,
                edgecolors="white",
                rasterized=len(points) > MOST_VECTOR_POINTS,
            )
        if not axes[1]:  # nothing is up
            plot.set_yticks([])
        sizes = dict(zip(groups.tolist(), counts.tolist(), strict=True))
        _legend_of_groups(figure, sizes, names, colours)
    return figure


def curve(x: Array, y: Array, *, title: str, axes: tuple[str, str], dots: bool = False) -> Figure:
    """Return one quantity over another, if asked with a dot at each value."""
    up = _drawable(y)
    known = np.isfinite(up)
    mark = "o" if dots and len(y) <= MOST_DOTS else ""
    with page(title, axes) as (figure, plot):
        plot.plot(x[known], up[known], color=group_colour(0, dark=False), lw=2, marker=mark, ms=5)
        plot.locator_params(axis="x", integer=True)
    return figure


def bars(names: Sequence[str], values: Floats, *, title: str, axis: str) -> Figure:
    """Return a horizontal bar for each value, the first on top, its name before it."""
    rows = max(3, len(values))
    with page(title, (axis, ""), height=110 + 22 * rows) as (figure, plot):
        places = np.arange(len(values))
        drawn = plot.barh(
            places, np.nan_to_num(_drawable(values)), height=0.72, color=group_colour(0, dark=False)
        )
        plot.bar_label(drawn, [f"{value:.4g}" for value in values], padding=4, color=QUIET)
        plot.set_yticks(places, [printable(name, 40) for name in names])
        plot.set_ylim(rows - 0.4, -0.6)
        plot.margins(x=0.09)
        plot.grid(visible=False, axis="y")
        plot.spines["left"].set_visible(False)
        plot.axvline(0, color=QUIET, lw=0.8)
    return figure


def matrix(
    values: Floats,
    *,
    title: str,
    axes: tuple[str, str] = ("", ""),
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    framed: tuple[int, int] | None = None,
) -> Figure:
    """Return a matrix, light for its least and dark for its largest value.

    Of one with values of both signs, white stands for zero. A small one has its numbers written
    into it; the names of rows and columns stand beside it, of many only some. One cell may have a
    frame.
    """
    values = _drawable(values)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    signed = low < 0 < high
    if signed:
        low, high = min(low, -high), max(-low, high)
    with page(title, axes) as (figure, plot):
        from matplotlib.colors import ListedColormap

        colours = ListedColormap(shades(256, signed=signed, dark=False) / 255)
        image = plot.imshow(values, cmap=colours, vmin=low, vmax=high, interpolation="none")
        plot.grid(visible=False)
        figure.colorbar(image, ax=plot, shrink=0.8, pad=0.02)
        if max(values.shape) <= MOST_CELLS:
            _label_cells(plot, values)
        _name_cells(plot, values.shape, rows, columns)
        if framed is not None:
            from matplotlib.patches import Rectangle

            corner = (framed[1] - 0.5, framed[0] - 0.5)
            plot.add_patch(Rectangle(corner, 1, 1, fill=False, ec=FRAME, lw=2.5, clip_on=False))
    return figure


def class_map(
    codes: Ints,
    *,
    title: str,
    counts: Mapping[int, int],
    names: Sequence[str] = (),
    colours: Sequence[str] = (),
) -> Figure:
    """Return pixels in the colours of their groups; `counts` are those of the legend."""
    known = sorted(counts)
    shades = np.stack([rgb(group_colour(group, colours, dark=False)) for group in known])
    with page(title) as (figure, plot):
        plot.imshow(shades[np.searchsorted(known, codes)], interpolation="none")
        plot.set_axis_off()
        _legend_of_groups(figure, counts, names, colours, mark="s")
    return figure


@dataclass(frozen=True, eq=False)
class MeanCurve:
    """One line: means over a number, each with its standard deviation and 95% interval."""

    name: str
    across: Floats
    mean: Floats
    deviation: Floats
    low: Floats
    high: Floats

    @property
    def known(self) -> Ints:
        """Which places have a mean."""
        return np.flatnonzero(np.isfinite(self.mean))


def means(lines: Sequence[MeanCurve], *, title: str, axes: tuple[str, str]) -> Figure:
    """Return lines of means with bars of one standard deviation and bands of the intervals.

    What is not a number is left out: a single measurement has a dot and neither bar nor band.
    """
    with page(title, axes) as (figure, plot):
        shown = [line for line in lines if len(line.known)]
        colours = [group_colour(number, dark=False) for number in range(len(shown))]
        for line, colour in zip(shown, colours, strict=True):
            at = line.known
            plot.fill_between(line.across[at], line.low[at], line.high[at], color=colour,
                              alpha=0.18, lw=0)  # fmt: skip
            plot.errorbar(line.across[at], line.mean[at], line.deviation[at], color=colour, lw=2,
                          elinewidth=1.2, capsize=4, marker="o", ms=6)  # fmt: skip
        legend(figure, [line.name for line in shown], colours,
                "bar: one standard deviation\nband: 95% interval of the mean")  # fmt: skip
    return figure


def legend_pixels(names: Sequence[str], colours: Array) -> Array:
    """Return a legend alone, as (height, width, 3) bytes on white."""
    with styled():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(12, 1 + 0.25 * len(names)), dpi=UNITS)
        canvas = FigureCanvasAgg(figure)
        shades = [f"#{bytes(colour).hex()}" for colour in colours]
        legend(figure, names, shades, mark="s", place="upper left")
        canvas.draw()  # type: ignore[no-untyped-call]
        box = figure.legends[0].get_window_extent()
        page = np.asarray(canvas.buffer_rgba())[..., :3]  # type: ignore[no-untyped-call]
        return page[: int(np.ceil(page.shape[0] - box.y0)), : int(np.ceil(box.x1))].copy()


def _drawable(values: Array) -> Floats:
    """Return values as numbers whose differences are finite, what is infinite left out."""
    finite = np.where(np.isfinite(values), values, np.nan)
    return np.clip(np.asarray(finite, dtype=np.float64), -LARGEST, LARGEST)


def _label_cells(plot: Axes, values: Floats) -> None:
    """Write the values into the cells."""
    digits = 4 if values.shape[1] < WIDE else 3
    lightness = plot.get_images()[0].to_rgba(values)[..., :3] @ np.array([0.3, 0.59, 0.11])
    for (row, column), value in np.ndenumerate(values):
        dark = lightness[row, column] < 0.5
        words = f"{value:.{digits}g}" if np.isfinite(value) else "–"
        plot.text(column, row, words, ha="center", va="center", color="white" if dark else "black")


def _name_cells(
    plot: Axes, shape: tuple[int, ...], rows: Sequence[str], columns: Sequence[str]
) -> None:
    """Write the names of rows and columns beside them; of many, evenly some."""
    for axis, count, names in ((plot.xaxis, shape[1], columns), (plot.yaxis, shape[0], rows)):
        if len(names) == count:
            every = range(0, count, -(-count // MOST_CELLS))
            axis.set_ticks(list(every), [printable(names[at], 18) for at in every])
        elif max(shape) <= MOST_CELLS:
            axis.set_ticks(range(count))
    if sum(map(len, columns[:: -(-len(columns) // MOST_CELLS) or 1])) > 60:
        plot.tick_params(axis="x", labelrotation=30)


def _legend_of_groups(
    figure: Figure,
    counts: Mapping[int, int],
    names: Sequence[str],
    colours: Sequence[str],
    mark: str = "o",
) -> None:
    """A colour, the name and the number of items of each group; those in none come last."""
    groups = sorted(counts, key=lambda group: (group < 0, group))
    called = []
    for group in groups:
        name = group_name(group, names)
        name = "in no group" if group < 0 else printable(name, 28)
        called.append(f"{name} ({counts[group]:,})")
    shades = [group_colour(group, colours, dark=False) for group in groups]
    legend(figure, called, shades, mark=mark)


def legend(
    figure: Figure,
    names: Sequence[str],
    colours: Sequence[str],
    note: str = "",
    mark: str = "o",
    place: Literal["outside right upper", "upper left"] = "outside right upper",
) -> None:
    """Say which colour is which, for as many as there is room for."""
    from matplotlib.lines import Line2D

    shown = [printable(name, 40) for name in names[:MOST_IN_LEGEND]]
    handles = [Line2D([], [], ls="", marker=mark, ms=7, color=colour) for colour in colours]
    handles = handles[: len(shown)]
    for words in (f"… {len(names) - len(shown)} more" if len(names) > len(shown) else "", note):
        if words:
            shown.append(words)
            handles.append(Line2D([], [], ls=""))
    # One whose label begins with "_" would be left out.
    made = figure.legend(handles, [" "] * len(handles), loc=place)
    for text, words in zip(made.get_texts(), shown, strict=True):
        text.set_text(words)
        if words == note:
            text.set_color(QUIET)

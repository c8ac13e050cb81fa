"""A printable page of a map: title, legend, scale bar and north arrow, as PNG or PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.maps.map_file import MapFile
from coterie.core.formats.maps.scale import scale_for
from coterie.core.formats.rasters.areas import row_areas
from coterie.core.formats.rasters.maps import MapGrid
from coterie.core.model.arrays import Array, Floats
from coterie.core.numerics.drawing.page import INK, QUIET, printable, styled, write_figure

LONGEST = 2400  # pixels of the map that are printed, along its longer side
INCHES = (11.69, 8.27)  # A4
MOST_LISTED = 24  # classes in the legend


def write_page(path: Path, made: MapFile, title: str) -> None:
    """Write a map on an A4 page, wide or high as the map is."""
    if path.suffix.lower() not in (".png", ".pdf", ".svg"):
        raise DataError(
            f"A page is written as .pdf, .png or .svg. Got '{path.name}'.", code="wrong-extension"
        )
    grid = made.grid
    picture, step, counts = _picture(made)
    with styled():
        from matplotlib.figure import Figure

        wide, high = INCHES if grid.width >= grid.height else INCHES[::-1]
        figure = Figure(figsize=(wide, high))
        plot = figure.add_axes((0.05, 0.1, 0.66, 0.8))
        plot.imshow(picture, interpolation="nearest", extent=(0, grid.width, grid.height, 0))
        plot.set_xticks([])
        plot.set_yticks([])
        plot.grid(visible=False)
        for spine in plot.spines.values():
            spine.set_visible(True)
        figure.text(0.05, 0.94, printable(title), fontsize=17, fontweight="bold", color=INK)
        _legend(figure, grid, counts)
        _scale(figure, plot, grid, wide)
        _north(figure, grid)
        said = f"{grid.height:,} × {grid.width:,} pixels"
        said += f" · {_system(grid.crs)}" if grid.crs else ""
        said += f" · one of {step} × {step} pixels shown" if step > 1 else ""
        figure.text(0.05, 0.04, said, fontsize=8, color=QUIET)
        write_figure(figure, path)


def _picture(made: MapFile) -> tuple[Array, int, Floats]:
    """The colours of the printed pixels, how far apart they are, and the pixels of each class."""
    grid = made.grid
    step = max(1, -(-max(grid.height, grid.width) // LONGEST))
    counts = np.zeros(len(grid.names))
    rows = []
    for top in range(0, grid.height, 256):
        codes = made.read(top, min(top + 256, grid.height)).astype(np.int64)
        counts += np.bincount(codes.reshape(-1), minlength=len(counts))[: len(counts)]
        rows.append(codes[(-top) % step :: step, ::step])
    codes = np.concatenate(rows)
    table = np.vstack([grid.colours, np.full((1, 3), 255, dtype=np.uint8)])
    return table[np.where(codes < len(grid.names), codes, len(grid.names))], step, counts


def _legend(figure: Any, grid: MapGrid, counts: Floats) -> None:
    """Each class that there is: its colour, name, share, and area where that is known."""
    from matplotlib.patches import Rectangle

    side = row_areas(grid.height, grid.width, grid.crs, grid.transform)
    shown = [value for value in range(len(grid.names)) if counts[value]]
    total = max(counts.sum(), 1)
    top, line = 0.87, 0.028
    for place, value in enumerate(shown[:MOST_LISTED]):
        y = top - line * place
        colour = f"#{bytes(grid.colours[value]).hex()}"
        box = Rectangle((0.735, y), 0.018, 0.018, transform=figure.transFigure, fc=colour, ec=INK)
        box.set_linewidth(0.4)
        figure.add_artist(box)
        figure.text(0.762, y + 0.003, printable(grid.names[value], 22), fontsize=10)
        amounts = [f"{counts[value] / total:.1%}"]
        if side is not None:
            amounts.append(_hectares(counts[value] * float(side.mean())))
        for x, amount in zip((0.895, 0.965), amounts, strict=False):
            figure.text(x, y + 0.003, amount, fontsize=9, ha="right", color=QUIET)
    if len(shown) > MOST_LISTED:
        y = top - line * MOST_LISTED
        figure.text(0.762, y, f"and {len(shown) - MOST_LISTED} more", fontsize=9, color=QUIET)


def _hectares(square_metres: float) -> str:
    """Return an area in a unit that people read.

    >>> _hectares(25_000.0), _hectares(3.2e8)
    ('2.5 ha', '320 km²')
    """
    if square_metres >= 1e8:
        return f"{square_metres / 1e6:,.0f} km²"
    hectares = square_metres / 1e4
    return f"{hectares:,.0f} ha" if hectares >= 100 else f"{hectares:.1f} ha"


def _scale(figure: Any, plot: Any, grid: MapGrid, wide: float) -> None:
    """A bar as long as a round distance."""
    plot.apply_aspect()
    shown = plot.get_position()
    inches = shown.width * wide
    length, text = scale_for(grid.width / inches, _metres(grid), longest=1.8)
    if not length:
        return
    left, y = 0.735, 0.12
    right = left + length / wide
    for x, to in (((left, right), y), ((left, left), y + 0.01), ((right, right), y + 0.01)):
        figure.add_artist(_line(figure, x, (y, to)))
    figure.text(left, y + 0.018, text, fontsize=10)


def _line(figure: Any, x: tuple[float, float], y: tuple[float, float]) -> Any:
    from matplotlib.lines import Line2D

    return Line2D(x, y, transform=figure.transFigure, color=INK, linewidth=1.6)


def _north(figure: Any, grid: MapGrid) -> None:
    """An arrow, where rows run from north to south as they mostly do."""
    a, b, _, d, e, _ = grid.transform
    if not grid.crs or not abs(a * e - b * d) > 0:
        return
    way = np.linalg.solve(np.array([[a, b], [d, e]]), [0.0, 1.0])
    way = way / np.hypot(*way)
    middle = np.array([0.93, 0.13])
    reach = 0.03 * np.array([way[0], -way[1]])
    style = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.6, "mutation_scale": 16}
    plot = figure.axes[0]
    plot.annotate(
        "", xy=tuple(middle + reach), xytext=tuple(middle - reach), xycoords="figure fraction",
        textcoords="figure fraction", arrowprops=style, annotation_clip=False,
    )  # fmt: skip
    at = middle + 1.6 * reach
    figure.text(at[0], at[1], "N", fontsize=11, fontweight="bold", ha="center", va="center")


def _metres(grid: MapGrid) -> float:
    """The side of a pixel on the ground; 0 when it is not known."""
    side = row_areas(grid.height, grid.width, grid.crs, grid.transform)
    return 0.0 if side is None else float(np.sqrt(side[len(side) // 2]))


def _system(crs: str) -> str:
    from rasterio.crs import CRS

    code = CRS.from_user_input(crs).to_epsg()
    return f"EPSG:{code}" if code else crs.split('"')[1] if '"' in crs else "own system"

"""Write a result as a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coterie.core import Affinity, Context, Cost, Dataset, Field, Writer
from coterie.core.numerics.drawing.figures import figure_of
from coterie.core.numerics.drawing.page import write_figure


class FigureWriter(Writer):
    """A picture of a result for a page: points, a map, a matrix, bars or a curve.

    Coordinates, groups and data become points in the colours of their groups or known classes,
    groups of pixels a map, similarities a matrix, a ranking bars of its first items, a history or a
    spectrum a curve. PNG, SVG or PDF by the file's ending. Needs matplotlib (coterie[figures]).
    """

    id, title = "figure", "Figure (PNG, SVG, PDF)"
    extensions = (".png", ".svg", ".pdf")

    class Params(Writer.Params):
        """What the figure shows, and its size."""

        title: str = Field("", description="Title above the figure; empty: the result's own title.")
        across: int = Field(
            1, ge=1, description="Coordinate of an embedding on the horizontal axis.", le=10_000
        )
        up: int = Field(
            2, ge=1, description="Coordinate of an embedding on the vertical axis.", le=10_000
        )
        scale: float = Field(
            2.0,
            ge=0.5,
            le=8,
            description="Resolution of a PNG: pixels per unit. A figure is 860 units wide.",
            json_schema_extra={"slider": [1.0, 4.0]},
        )

    def compute(self, artefact: Any, path: Path, *, params: Params, context: Context) -> None:
        """Draw `artefact` and write it to `path`."""
        context.check()
        figure = figure_of(artefact, title=params.title, axes=(params.across, params.up))
        context.check()
        write_figure(figure, path, params.scale)

    def estimate(self, artefact: Any, path: Path, *, params: Params) -> Cost:
        """matplotlib and a page; of a matrix the rows that are shown, of data their directions."""
        page = int(860 * 540 * params.scale**2)
        rows = 8 * 800 * artefact.n if isinstance(artefact, Affinity) else 0
        data = artefact if isinstance(artefact, Dataset) else getattr(artefact, "dataset", None)
        table = 0 if data is None else 24 * data.n * data.d
        return Cost(bytes=(80 << 20) + 16 * page + 2 * rows + table, seconds=1e-6 * page)

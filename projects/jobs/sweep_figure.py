"""A sweep as a figure: a line over one parameter, a map over two, such as a map of stability."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.numerics.drawing.page import write_figure
from coterie.core.numerics.drawing.plots import curve, matrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from coterie.projects.jobs.sweep_plan import SweepTable

ENDINGS = (".svg", ".png", ".pdf")


def figure_of(table: SweepTable, title: str) -> Figure:
    """Return the scores as a figure; `title` is what they are called.

    Of two parameters rows and columns are their values, and the best cell has a frame.
    """
    plan, best = table.plan, table.best
    names = [[value_in_words(value) for value in axis.values] for axis in plan.axes]
    if len(plan.axes) == 2:
        return matrix(
            table.scores,
            title=title,
            axes=(plan.names[1], plan.names[0]),
            rows=names[0],
            columns=names[1],
            framed=(best[0], best[1]) if best is not None else None,
        )
    values = plan.axes[0].values
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        across = np.array(values, dtype=np.float64)
        order = np.argsort(across)
        return curve(
            across[order], table.scores[order], title=title, axes=(plan.names[0], title), dots=True
        )
    row = np.asarray(table.scores)[None]
    return matrix(row, title=title, axes=(plan.names[0], ""), rows=[""], columns=names[0])


def write_sweep(table: SweepTable, title: str, path: Path) -> None:
    """Write the figure as SVG, PNG or PDF, by the ending."""
    if path.suffix.lower() not in ENDINGS:
        raise DataError(
            f"Figures can be saved as {', '.join(ENDINGS)}. Got '{path.name}'.",
            code="wrong-extension",
        )
    write_figure(figure_of(table, title), path)


def value_in_words(value: Any) -> str:
    """Return a value as it stands beside a row.

    >>> value_in_words(0.25), value_in_words("auto"), value_in_words(3)
    ('0.25', 'auto', '3')
    """
    return f"{value:.3g}" if isinstance(value, float) else str(value)

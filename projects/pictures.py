"""The pictures that a run without a window leaves: points coloured by group, and a curve."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.drawing import plots
from coterie.core.numerics.drawing.svg import as_svg


def scatter(points: Floats, labels: Ints, *, title: str, axes: Sequence[str]) -> str:
    """Return points (n, 2) coloured by group as SVG text."""
    return as_svg(plots.scatter(points, labels, title=title, axes=axes))


def curve(x_values: Array, y_values: Array, *, title: str, axes: Sequence[str]) -> str:
    """Return one quantity over another as SVG text."""
    return as_svg(plots.curve(x_values, y_values, title=title, axes=axes))

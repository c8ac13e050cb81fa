"""Which class draws which form of figure."""

from __future__ import annotations

from typing import Any

from coterie.core.model.figures import Figure
from coterie.gui.toolkit.styling.theme import Colours
from coterie.gui.views.figures.blocks import Bars, Image, Matrix
from coterie.gui.views.figures.forms import DrawnFigure
from coterie.gui.views.figures.points import Lines, Scatter
from coterie.gui.views.figures.tree import Tree

DRAWN: dict[str, type[DrawnFigure]] = {
    "scatter": Scatter,
    "lines": Lines,
    "bars": Bars,
    "matrix": Matrix,
    "tree": Tree,
    "image": Image,
}


def drawn_figure(figure: Figure, plot: Any, colours: Colours) -> DrawnFigure:
    """Draw a figure on a plot; a table is drawn by `figures.table`."""
    return DRAWN[figure.form](figure, plot, colours)

"""The legend of a map, below the layers, where it does not cover the scene."""

from __future__ import annotations

from math import ceil

from PySide6.QtWidgets import QVBoxLayout, QWidget

from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.shown_items.colouring import Colouring
from coterie.gui.views.shown_items.legend import Legend


class LegendPanel(QWidget):
    """Explains the colours of the topmost layer that has a meaning; as high as that takes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = plotting.canvas("Legend of the map")
        self.canvas.ci.layout.setContentsMargins(0, 0, 4, 0)
        self.legend = Legend(fills=True)
        self.canvas.ci.addItem(self.legend, 0, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the theme again."""
        self.canvas.setBackground(theme.current().window)
        self.legend.update()

    def explain(self, colouring: Colouring | None) -> None:
        """Explain these colours, or nothing."""
        self.setVisible(colouring is not None)
        if colouring is not None:
            self.legend.show_colouring(colouring)
            self.canvas.setFixedHeight(ceil(self.legend.height_needed))

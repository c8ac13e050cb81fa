"""Pictures of widgets that are not plots: tables and lists."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from coterie.gui.toolkit.plots.plotting import PictureError


def write_widget(widget: QWidget, path: Path) -> None:
    """Write a widget as it is seen, PNG or SVG by the ending."""
    ending = path.suffix.lower()
    if ending == ".png":
        widget.grab().save(str(path))
    elif ending == ".svg":
        generator = QSvgGenerator()
        generator.setFileName(str(path))
        generator.setTitle(widget.accessibleName())
        generator.setSize(widget.size())
        generator.setViewBox(widget.rect())
        painter = QPainter(generator)
        widget.render(painter, QPoint(0, 0))
        painter.end()
    else:
        raise PictureError(
            f"Pictures can be saved as .png or .svg. Got '{path.name}'.", code="wrong-extension"
        )

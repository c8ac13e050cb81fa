"""Pictures of widgets that are not plots: tables and lists."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from coterie.gui.toolkit.plots.picture_file import PictureError, write_png, write_svg


def write_widget(widget: QWidget, path: Path) -> None:
    """Write a widget as it is seen, PNG or SVG by the ending."""

    def paint(generator: QSvgGenerator) -> None:
        painter = QPainter(generator)
        widget.render(painter, QPoint(0, 0))
        painter.end()

    ending = path.suffix.lower()
    if ending == ".png":
        write_png(widget.grab().toImage(), path)
    elif ending == ".svg":
        write_svg(paint, widget.size(), widget.accessibleName(), path)
    else:
        raise PictureError(
            f"Pictures can be saved as .png or .svg. Got '{path.name}'.", code="wrong-extension"
        )

"""Writes a picture to a file; an error of the system is raised, which Qt would keep to itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRect, QSize
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgGenerator

from coterie.core.errors import CoterieError


class PictureError(CoterieError, ValueError):
    """A picture cannot be written in this format."""


def write_png(image: QImage, path: Path) -> None:
    """Write an image."""
    kept = _memory()
    image.save(kept, "PNG")  # type: ignore[call-overload]  # as bytes, the stubs say
    path.write_bytes(kept.data().data())


def write_svg(paint: Callable[[QSvgGenerator], None], size: QSize, title: str, path: Path) -> None:
    """Write what `paint` draws on an area of this size."""
    kept = _memory()
    generator = QSvgGenerator()
    generator.setOutputDevice(kept)
    generator.setTitle(title)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    paint(generator)
    path.write_bytes(kept.data().data())


def _memory() -> QBuffer:
    # Into memory first: Qt says nothing when a disk is full or a folder cannot be written to.
    kept = QBuffer()
    kept.open(QIODevice.OpenModeFlag.WriteOnly)
    return kept

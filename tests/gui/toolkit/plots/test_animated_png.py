"""Animated PNG, read back by another library."""

import io

import pytest
from PySide6.QtGui import QColor, QImage

from coterie.gui.toolkit.plots.animated_png import animated_png

Image = pytest.importorskip("PIL.Image")


def test_other_programs_read_the_pictures_and_how_long_each_is_shown() -> None:
    pictures = []
    for shade in (0, 80, 160):
        picture = QImage(40, 30, QImage.Format.Format_RGB32)
        picture.fill(QColor(shade, 10, 200))
        pictures.append(picture)
    read = Image.open(io.BytesIO(animated_png(pictures, 50, last=900)))
    assert (read.n_frames, read.size) == (3, (40, 30))
    for number, shade, shown in ((0, 0, 50), (1, 80, 50), (2, 160, 900)):
        read.seek(number)
        assert read.convert("RGB").getpixel((5, 5)) == (shade, 10, 200)
        assert read.info["duration"] == shown

"""Pictures of few colours, and moving ones."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageSequence
from PySide6.QtGui import QColor, QImage, QPainter

# The scripts of the documentation are not a package.
sys.path.append(str(Path(__file__).resolve().parents[3] / "docs" / "making"))

from animated import apng, in_one_palette, png


def striped(at: int) -> QImage:
    """White, with a red bar that moves."""
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.fillRect(at, 5, 4, 10, QColor("#d03020"))
    painter.end()
    return image


def test_a_picture_of_few_colours_is_kept_exactly() -> None:
    again = QImage.fromData(png(striped(7)))
    assert again.convertToFormat(QImage.Format.Format_RGB32) == striped(7)


def test_many_colours_become_near_ones() -> None:
    image = QImage(64, 64, QImage.Format.Format_RGB32)
    for x in range(64):
        for y in range(64):
            image.setPixelColor(x, y, QColor(4 * x, 4 * y, 128))
    [found] = in_one_palette([image])
    colours = found.getcolors()
    assert colours is not None
    assert 128 < len(colours) <= 256
    shown = np.asarray(found.convert("RGB")).astype(int)
    wanted = np.stack(np.meshgrid(np.arange(64) * 4, np.arange(64) * 4), axis=2)
    assert np.abs(shown[..., :2] - wanted).mean() < 20


def test_every_picture_of_an_animation_comes_out_again() -> None:
    pictures = [striped(at) for at in (2, 8, 20)]
    data = apng(pictures, 100)
    found = Image.open(io.BytesIO(data))
    frames = [frame.copy() for frame in ImageSequence.Iterator(found)]
    assert [frame.info["duration"] for frame in frames] == [100, 100, 2000]
    for at, frame in zip((2, 8, 20), frames, strict=True):
        red = np.asarray(frame.convert("RGB"))[..., 1] < 128
        assert np.flatnonzero(red.any(axis=0)).tolist() == [at, at + 1, at + 2, at + 3]
    assert not QImage.fromData(data).isNull()  # readers that know no animation show the first

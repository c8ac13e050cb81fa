"""Pictures in few colours can be read back, and moving ones show every picture."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtGui import QColor, QImage, QPainter

# The scripts of the documentation are not a package.
sys.path.append(str(Path(__file__).resolve().parents[3] / "docs" / "making"))

from animated import SIGNATURE, apng, in_one_palette, png


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
    palette, [frame] = in_one_palette([image])
    assert 128 < len(palette) <= 256
    shown = palette[frame].astype(int)
    wanted = np.stack(np.meshgrid(np.arange(64) * 4, np.arange(64) * 4), axis=2)
    assert np.abs(shown[..., :2] - wanted).mean() < 20


def test_every_picture_of_an_animation_comes_out_again() -> None:
    pictures = [striped(at) for at in (2, 8, 8, 20)]
    data = apng(pictures, 100)
    assert data.startswith(SIGNATURE)
    for shown, picture in zip(play(data), pictures, strict=True):
        _, [wanted] = in_one_palette([picture])
        assert np.array_equal(shown == shown[0, 0], wanted == wanted[0, 0])
    assert not QImage.fromData(data).isNull()  # readers that know no animation show the first


def play(data: bytes) -> list[Any]:
    """Read an animation by the rules of the format, independently of its writer."""
    canvas, place, at = np.zeros((0, 0), dtype=np.uint8), [0, 0, 0, 0], 8
    shown: list[Any] = []
    numbers: list[int] = []
    while at < len(data):
        [length] = struct.unpack_from(">I", data, at)
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        [check] = struct.unpack_from(">I", data, at + 8 + length)
        assert check == zlib.crc32(kind + content)
        at += 12 + length
        if kind == b"IHDR":
            width, height = struct.unpack(">II", content[:8])
            canvas = np.zeros((height, width), dtype=np.uint8)
        if kind == b"fcTL":
            number, *place = struct.unpack(">IIIII", content[:20])
            numbers.append(number)
        if kind == b"fdAT":
            numbers.append(struct.unpack(">I", content[:4])[0])
            content = content[4:]
        if kind in (b"IDAT", b"fdAT"):
            columns, rows, x, y = place
            lines = np.frombuffer(zlib.decompress(content), np.uint8).reshape(rows, columns + 1)
            canvas[y : y + rows, x : x + columns] = lines[:, 1:]
            shown.append(canvas.copy())
    assert numbers == list(range(len(numbers)))
    return shown

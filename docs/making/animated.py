"""Small pictures for pages: PNG in 256 colours, and animated PNG, which Qt does not write.

Qt's own pictures of few colours use a fixed palette, in which pale colours become other ones; here
the palette is taken from the pictures. An animated PNG is a PNG with the later pictures in chunks
of their own; each is stored as the rectangle in which it differs from the one before.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_COLOURS = 256
# Levels of red, green and blue that are told apart when colours are counted: finely for what is
# frequent, coarsely so that nothing is without a colour near it.
LEVELS, COARSE_LEVELS = 32, 5
Bytes = NDArray[np.uint8]


def png(picture: QImage) -> bytes:
    """Return a picture as PNG in at most 256 colours."""
    colours, [frame] = in_one_palette([picture])
    packed = zlib.compress(_rows(frame), 9)
    return b"".join([*_beginning(frame, colours), _chunk(b"IDAT", packed), _chunk(b"IEND", b"")])


def apng(pictures: Sequence[QImage], milliseconds: int, last: int = 2000) -> bytes:
    """Return pictures of one size as an animated PNG that runs for ever.

    Parameters
    ----------
    milliseconds : how long each is shown
    last : how long the last is shown
    """
    colours, frames = in_one_palette(pictures)
    parts = _beginning(frames[0], colours)
    parts.append(_chunk(b"acTL", struct.pack(">II", len(frames), 0)))
    number = 0
    for at, frame in enumerate(frames):
        x, y, changed = _changed(frames[at - 1] if at else None, frame)
        shown = last if at == len(frames) - 1 else milliseconds
        rows, columns = changed.shape
        control = struct.pack(">IIIIIHHBB", number, columns, rows, x, y, shown, 1000, 0, 0)
        parts.append(_chunk(b"fcTL", control))
        number += 1
        packed = zlib.compress(_rows(changed), 9)
        if at == 0:
            parts.append(_chunk(b"IDAT", packed))
        else:
            parts.append(_chunk(b"fdAT", struct.pack(">I", number) + packed))
            number += 1
    return b"".join([*parts, _chunk(b"IEND", b"")])


def in_one_palette(pictures: Sequence[QImage]) -> tuple[Bytes, list[Bytes]]:
    """Return a palette (colours × 3), and the pictures as numbers in it.

    Colours are counted in cells of the colour cube; each cell gives its most frequent colour, so
    that flat areas keep theirs exactly.
    """
    pixels = [_pixels(picture) for picture in pictures]
    found, counts = np.unique(
        np.concatenate([np.unique(_as_number(one)) for one in pixels]), return_counts=True
    )
    for one in pixels:
        values, amount = np.unique(_as_number(one), return_counts=True)
        counts[np.searchsorted(found, values)] += amount
    fine = _frequent(found, counts, LEVELS)[: MOST_COLOURS - COARSE_LEVELS**3]
    coarse = _frequent(found, counts, COARSE_LEVELS)
    palette = _as_colours(np.unique(np.concatenate([fine, coarse])))
    nearest = _nearest(_as_colours(found), palette)
    frames = [nearest[np.searchsorted(found, _as_number(one))] for one in pixels]
    return palette, frames


def _frequent(
    colours: NDArray[np.int64], counts: NDArray[np.int64], levels: int
) -> NDArray[np.int64]:
    """Return the most frequent colour of each cell, cells with the most pixels first."""
    by_count = np.argsort(-counts, kind="stable")
    cells, first = np.unique(_cell(colours[by_count], levels), return_index=True)
    total = np.bincount(_cell(colours, levels), weights=counts)[cells]
    return colours[by_count][first[np.argsort(-total, kind="stable")]]


def _nearest(colours: Bytes, palette: Bytes) -> Bytes:
    """Return the number of the palette's colour nearest to each colour."""
    known = palette.astype(np.float32)
    numbers = np.empty(len(colours), dtype=np.uint8)
    for start in range(0, len(colours), 4096):
        some = colours[start : start + 4096].astype(np.float32)
        distance = (known**2).sum(axis=1) - 2 * some @ known.T
        numbers[start : start + 4096] = distance.argmin(axis=1)
    return numbers


def _pixels(picture: QImage) -> Bytes:
    image: Any = picture.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(image.constBits(), dtype=np.uint8)
    lines = lines.reshape(image.height(), image.bytesPerLine())[:, : 3 * image.width()]
    return lines.reshape(image.height(), image.width(), 3).copy()


def _as_number(pixels: Bytes) -> NDArray[np.int64]:
    wide = pixels.astype(np.int64)
    return wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]


def _as_colours(numbers: NDArray[np.int64]) -> Bytes:
    return np.stack([numbers >> 16, numbers >> 8 & 255, numbers & 255], axis=1).astype(np.uint8)


def _cell(numbers: NDArray[np.int64], levels: int) -> NDArray[np.int64]:
    red, green, blue = (_as_colours(numbers).astype(np.int64) * levels // 256).T
    cells: NDArray[np.int64] = (red * levels + green) * levels + blue
    return cells


def _changed(before: Bytes | None, frame: Bytes) -> tuple[int, int, Bytes]:
    """Return where a picture begins to differ from the one before, and what is there."""
    if before is None:
        return 0, 0, frame
    differs = before != frame
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return 0, 0, frame[:1, :1]
    top, left = int(rows[0]), int(columns[0])
    return left, top, frame[top : rows[-1] + 1, left : columns[-1] + 1]


def _beginning(frame: Bytes, colours: Bytes) -> list[bytes]:
    height, width = frame.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return [SIGNATURE, _chunk(b"IHDR", header), _chunk(b"PLTE", colours.tobytes())]


def _rows(picture: Bytes) -> bytes:
    """Put the number of its filter, none, before each row."""
    return np.pad(picture, ((0, 0), (1, 0))).tobytes()


def _chunk(kind: bytes, content: bytes) -> bytes:
    checked = kind + content
    return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

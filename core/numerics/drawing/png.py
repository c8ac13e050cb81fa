"""Drawings as PNG: shapes become pixels with soft edges, and pixels become bytes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.core.numerics.drawing.letters import BASELINE, strokes_of, width_of
from coterie.core.numerics.drawing.shapes import (
    Area,
    Box,
    Dots,
    Drawing,
    Path,
    Picture,
    Text,
    as_rgb,
)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOUR = 2  # PNG's number for red, green and blue
_UNITS = 8.4  # of the letters' grid in one font size


def png_bytes(pixels: Array) -> bytes:
    """Return (height, width, 3) bytes of colour as a PNG file."""
    height, width = pixels.shape[:2]
    rows = np.ascontiguousarray(pixels, dtype=np.uint8).reshape(height, -1)
    # Each row is preceded by how it is filtered: here not at all.
    lines = np.hstack([np.zeros((height, 1), dtype=np.uint8), rows]).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOUR, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 6)), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(content)) + kind + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts
    )  # fmt: skip


def as_png(drawing: Drawing, scale: float = 2.0, check: Callable[[], None] | None = None) -> bytes:
    """Return the drawing as a PNG file of `scale` pixels for each unit; memory: a few pages."""
    return png_bytes(as_pixels(drawing, scale, check))


def as_pixels(
    drawing: Drawing, scale: float = 2.0, check: Callable[[], None] | None = None
) -> Array:
    """Return the drawing as (height, width, 3) bytes."""
    shape = (max(1, round(drawing.height * scale)), max(1, round(drawing.width * scale)), 3)
    page = np.full(shape, 255.0, dtype=np.float32)
    for shape_ in drawing.shapes:
        if check is not None:
            check()
        match shape_:
            case Text():
                _write(page, shape_, scale)
            case Path():
                width = max(1.0, shape_.width * scale)
                _lines(page, [shape_.places * scale], width, shape_.colour)
            case Dots():
                _dots(page, shape_, scale)
            case Area():
                _area(page, shape_, scale)
            case Box():
                rows, columns = _extent(shape_, scale)
                page[rows, columns] = as_rgb(shape_.colour)
            case Picture():
                _picture(page, shape_, scale)
    return np.rint(page).astype(np.uint8)


def _extent(shape: Box | Picture, scale: float) -> tuple[slice, slice]:
    top, left = max(0, round(shape.y * scale)), max(0, round(shape.x * scale))
    bottom, right = round((shape.y + shape.height) * scale), round((shape.x + shape.width) * scale)
    return slice(top, max(top, bottom)), slice(left, max(left, right))


def _picture(page: Floats, picture: Picture, scale: float) -> None:
    rows, columns = _extent(picture, scale)
    place = page[rows, columns]
    height, width = place.shape[:2]
    down = np.arange(height) * picture.pixels.shape[0] // max(1, height)
    across = np.arange(width) * picture.pixels.shape[1] // max(1, width)
    place[:] = picture.pixels[down][:, across]


def _write(page: Floats, text: Text, scale: float) -> None:
    unit = text.size / _UNITS
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width_of(text.words)
    strokes = []
    for stroke in strokes_of(text.words):
        places = (stroke - [shift, BASELINE]) * unit
        if text.turned:
            places = np.column_stack([places[:, 1], -places[:, 0]])
        strokes.append((places + np.array([text.x, text.y])) * scale)
    thick = (0.16 if text.bold else 0.1) * text.size * scale
    _lines(page, strokes, max(1.0, thick), text.colour)


def _lines(page: Floats, lines: Sequence[Floats], width: float, colour: str) -> None:
    """Draw lines of one colour; where they meet or cross they are no darker."""
    lines = [line for line in lines if len(line)]
    if not lines:
        return
    places = np.concatenate(lines)
    reach = width / 2 + 1
    limits = np.array(page.shape[1::-1])
    low = np.clip(np.floor(places.min(axis=0) - reach), 0, limits).astype(int)
    high = np.clip(np.ceil(places.max(axis=0) + reach), 0, limits).astype(int)
    cover = np.zeros((high[1] - low[1], high[0] - low[0]), dtype=np.float32)
    for line in lines:
        for start, end in zip(line, line[1:] if len(line) > 1 else line, strict=False):
            _segment(cover, start - low, end - low, width)
    _blend(page[low[1] : high[1], low[0] : high[0]], cover, colour)


def _segment(cover: Floats, start: Floats, end: Floats, width: float) -> None:
    """Cover the pixels by how far they are from one straight piece."""
    reach = width / 2 + 1
    x0, y0 = np.maximum(np.floor(np.minimum(start, end) - reach), 0).astype(int)
    x1, y1 = np.maximum(np.ceil(np.maximum(start, end) + reach), 0).astype(int)
    place = cover[y0:y1, x0:x1]
    if not place.size:
        return
    rows, columns = np.ogrid[: place.shape[0], : place.shape[1]]
    dx, dy = columns + 0.5 + x0 - start[0], rows + 0.5 + y0 - start[1]
    along = end - start
    length = float(along @ along)
    share = np.clip((dx * along[0] + dy * along[1]) / length, 0, 1) if length else 0.0
    apart = np.hypot(dx - share * along[0], dy - share * along[1])
    np.maximum(place, np.clip(width / 2 + 0.5 - apart, 0, 1), out=place)


def _dots(page: Floats, dots: Dots, scale: float) -> None:
    """All dots of a colour at once, one pixel of the dot after the other."""
    places, radius = np.asarray(dots.places) * scale, dots.radius * scale
    cover = np.zeros(page.shape[:2], dtype=np.float32)
    corner = np.floor(places).astype(np.int64)
    reach = int(np.ceil(radius + 1))
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            pixel = corner + np.array([across, down])
            apart = np.hypot(*(pixel + 0.5 - places).T)
            inside = ((pixel >= 0) & (pixel < page.shape[1::-1])).all(axis=1)
            inside &= apart < radius + 0.5
            share = np.clip(radius + 0.5 - apart[inside], 0, 1).astype(np.float32)
            np.maximum.at(cover, (pixel[inside, 1], pixel[inside, 0]), share)
    _blend(page, cover * dots.opacity, dots.colour)


def _area(page: Floats, area: Area, scale: float) -> None:
    """Fill what an odd number of edges lies to the left of, row by row."""
    places = np.asarray(area.places, dtype=np.float64) * scale
    height, width = page.shape[:2]
    inside = np.zeros((height, width), dtype=np.bool_)
    middles = np.arange(height) + 0.5
    for (x0, y0), (x1, y1) in zip(places, np.roll(places, -1, axis=0), strict=True):
        rows = np.flatnonzero((y0 <= middles) != (y1 <= middles))
        crossing = x0 + (middles[rows] - y0) / (y1 - y0) * (x1 - x0) if len(rows) else rows
        inside[rows] ^= np.arange(width) + 0.5 > np.asarray(crossing)[:, None]
    _blend(page, inside * np.float32(area.opacity), area.colour)


def _blend(page: Floats, cover: Floats, colour: str) -> None:
    page += cover[..., None] * (np.array(as_rgb(colour), dtype=np.float32) - page)

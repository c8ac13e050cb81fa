"""Drawings as SVG text."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape

from coterie.core.numerics.drawing.png import png_bytes
from coterie.core.numerics.drawing.shapes import (
    Area,
    Box,
    Dots,
    Drawing,
    Path,
    Picture,
    Shape,
    Text,
)

# Characters that XML cannot hold, not even escaped.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_svg(drawing: Drawing) -> str:
    """Return the drawing as a page of SVG."""
    size = f'width="{drawing.width}" height="{drawing.height}"'
    box = f'viewBox="0 0 {drawing.width} {drawing.height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-family="sans-serif">'
    page = f'<rect {size} fill="white"/>'  # some viewers know no "100%"
    return "\n".join([head, page, *map(_element, drawing.shapes), "</svg>\n"])


def _element(shape: Shape) -> str:
    match shape:
        case Text():
            return _text(shape)
        case Path():
            places = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.places)
            return (
                f'<polyline points="{places}" fill="none" stroke="{shape.colour}" '
                f'stroke-width="{shape.width:g}"/>'
            )
        case Dots():
            dots = "\n".join(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{shape.radius:.1f}"/>'
                for x, y in shape.places
            )
            return f'<g fill="{shape.colour}" fill-opacity="{shape.opacity:g}">\n{dots}\n</g>'
        case Area():
            places = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.places)
            opacity = f'fill-opacity="{shape.opacity:g}"'
            return f'<polygon points="{places}" fill="{shape.colour}" {opacity}/>'
        case Box():
            return f'<rect {_place(shape)} fill="{shape.colour}"/>'
        case Picture():
            content = b64encode(png_bytes(shape.pixels)).decode()
            return (
                f'<image {_place(shape)} preserveAspectRatio="none" '
                f'style="image-rendering: pixelated" href="data:image/png;base64,{content}"/>'
            )


def _place(shape: Box | Picture) -> str:
    return (
        f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
    )


def _text(text: Text) -> str:
    words = escape(_UNPRINTABLE.sub("\ufffd", text.words))
    bold = ' font-weight="bold"' if text.bold else ""
    turned = f' transform="rotate(-90 {text.x:.1f} {text.y:.1f})"' if text.turned else ""
    return (
        f'<text x="{text.x:.1f}" y="{text.y:.1f}" font-size="{text.size:g}" '
        f'text-anchor="{text.anchor}" fill="{text.colour}"{bold}{turned}>{words}</text>'
    )

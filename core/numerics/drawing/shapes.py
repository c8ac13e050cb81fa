"""What a figure is made of: a few shapes, in the order in which they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from coterie.core.model.arrays import Array, Floats

CLUTTER = "#b8b8b8"
# Okabe and Ito's colours, which colour-blind people tell apart, in an order of good contrast.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5a4fcf", "#7f5f3f")


@dataclass(frozen=True)
class Text:
    """Words that start, end or have their middle at x, standing on y; `turned` runs upwards."""

    x: float
    y: float
    words: str
    size: float = 12.0
    anchor: Literal["start", "middle", "end"] = "start"
    colour: str = "#222222"
    bold: bool = False
    turned: bool = False


@dataclass(frozen=True)
class Path:
    """A line through (n, 2) places."""

    places: Floats
    colour: str
    width: float = 1.0


@dataclass(frozen=True)
class Dots:
    """Round dots of one colour at (n, 2) places."""

    places: Floats
    radius: float
    colour: str
    opacity: float = 0.8


@dataclass(frozen=True)
class Area:
    """A filled polygon with its corners at (n, 2) places."""

    places: Floats
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True)
class Picture:
    """Pixels, (rows, columns, 3) bytes, stretched over a rectangle without being smoothed."""

    x: float
    y: float
    width: float
    height: float
    pixels: Array


Shape: TypeAlias = Text | Path | Dots | Area | Box | Picture


@dataclass(frozen=True)
class Drawing:
    """Shapes on a white page."""

    width: int
    height: int
    shapes: Sequence[Shape]


def colour_of(group: int) -> str:
    """Return the colour of a group; items of no group are grey."""
    return CLUTTER if group < 0 else COLOURS[group % len(COLOURS)]


def as_rgb(colour: str) -> tuple[int, int, int]:
    """Return the three bytes of a colour.

    >>> as_rgb("#0072b2")
    (0, 114, 178)
    """
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue

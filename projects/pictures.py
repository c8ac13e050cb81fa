"""Pictures as SVG text, drawn without a window: points coloured by group, and a curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from coterie.core.arrays import Array, Floats, Ints

WIDTH, HEIGHT = 860, 540
LEFT, RIGHT, TOP, BOTTOM = 70, 160, 50, 55
CLUTTER = "#b8b8b8"
# Okabe and Ito's colours, which colour-blind people tell apart, in an order of good contrast.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5a4fcf", "#7f5f3f")
MOST_IN_LEGEND = 8
TICKS = 5


def scatter(points: Floats, labels: Ints, *, title: str, axes: Sequence[str]) -> str:
    """Return a picture of points (n, 2) coloured by group; items of no group are grey.

    >>> scatter(np.eye(2), np.array([0, -1]), title="two", axes=("x", "y")).count("<circle")
    4
    """
    x = _Scale.of(points[:, 0], LEFT, WIDTH - RIGHT)
    y = _Scale.of(points[:, 1], HEIGHT - BOTTOM, TOP)
    radius = 4.0 if len(points) <= 500 else max(1.2, 4.0 * (500 / len(points)) ** 0.5)
    drawn = list(_frame(title, axes, x, y))
    for group in np.unique(labels):  # clutter is −1 and so lies underneath
        colour = _colour(int(group))
        drawn.append(f'<g fill="{colour}" fill-opacity="0.8">')
        for px, py in points[labels == group]:
            drawn.append(f'<circle cx="{x(px):.1f}" cy="{y(py):.1f}" r="{radius:.1f}"/>')
        drawn.append("</g>")
    return _svg([*drawn, *_legend(labels)])


def curve(x_values: Array, y_values: Array, *, title: str, axes: Sequence[str]) -> str:
    """Return a picture of one quantity over another."""
    finite = np.isfinite(y_values)
    across, up = np.asarray(x_values)[finite], np.asarray(y_values)[finite]
    x, y = _Scale.of(across, LEFT, WIDTH - RIGHT), _Scale.of(up, HEIGHT - BOTTOM, TOP)
    path = " ".join(f"{x(px):.1f},{y(py):.1f}" for px, py in zip(across, up, strict=True))
    line = f'<polyline points="{path}" fill="none" stroke="{COLOURS[0]}" stroke-width="2"/>'
    return _svg([*_frame(title, axes, x, y), line])


class _Scale:
    """Takes values to places on the picture, with a little room at both ends."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        room = 0.04 * (high - low) or 0.5
        self.low, self.high = low - room, high + room
        self.start, self.end = start, end

    @classmethod
    def of(cls, values: Array, start: float, end: float) -> _Scale:
        if not len(values):
            return cls(0.0, 1.0, start, end)
        return cls(float(values.min()), float(values.max()), start, end)

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> Iterator[float]:
        """Round values, a few of them, within the scale."""
        rough = (self.high - self.low) / TICKS
        unit = 10.0 ** np.floor(np.log10(rough))
        step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
        for number in range(int(np.ceil(self.low / step)), int(self.high // step) + 1):
            yield number * step


def _colour(group: int) -> str:
    return CLUTTER if group < 0 else COLOURS[group % len(COLOURS)]


def _frame(title: str, axes: Sequence[str], x: _Scale, y: _Scale) -> Iterator[str]:
    middle, bottom = (LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM
    yield f'<text x="{LEFT}" y="30" font-size="18" font-weight="bold">{escape(title)}</text>'
    yield '<g stroke="#e6e6e6">'
    for tick in x.ticks():
        yield f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP}" y2="{bottom}"/>'
    for tick in y.ticks():
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
    yield '</g><g fill="#555">'
    for tick in x.ticks():
        yield f'<text x="{x(tick):.1f}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>'
    for tick in y.ticks():
        yield f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'
    yield f'<text x="{middle}" y="{HEIGHT - 14}" text-anchor="middle">{escape(axes[0])}</text>'
    turned = f'transform="rotate(-90 18 {HEIGHT / 2})"'
    yield f'<text x="18" y="{HEIGHT / 2}" text-anchor="middle" {turned}>{escape(axes[1])}</text>'
    yield "</g>"


def _legend(labels: Ints) -> Iterator[str]:
    groups = [int(group) for group in np.unique(labels)]
    for row, group in enumerate(groups[:MOST_IN_LEGEND]):
        count = int(np.count_nonzero(labels == group))
        name = "in no group" if group < 0 else f"group {group}"
        y = TOP + 16 + 18 * row
        yield f'<circle cx="{WIDTH - RIGHT + 20}" cy="{y - 4}" r="5" fill="{_colour(group)}"/>'
        yield f'<text x="{WIDTH - RIGHT + 32}" y="{y}">{name} ({count})</text>'
    if len(groups) > MOST_IN_LEGEND:
        y = TOP + 16 + 18 * MOST_IN_LEGEND
        yield f'<text x="{WIDTH - RIGHT + 32}" y="{y}">… {len(groups) - MOST_IN_LEGEND} more</text>'


def _svg(drawn: Sequence[str]) -> str:
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    font = 'font-family="sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>'
    page = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'  # some viewers know no "100%"
    return "\n".join([head, page, *drawn, "</svg>\n"])

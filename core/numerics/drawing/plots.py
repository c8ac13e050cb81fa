"""Kinds of figures: points, curves, bars and matrices, with axes and legends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.drawing.shapes import (
    COLOURS,
    Box,
    Dots,
    Drawing,
    Path,
    Picture,
    Shape,
    Text,
    colour_of,
)

WIDTH, HEIGHT = 860, 540
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 50, 55
MOST_IN_LEGEND = 20
MOST_POINTS = 20_000  # of a scatter: more hide each other, and make a page that no viewer shows
MOST_BENDS = 4000  # of a curve: more than a page can show
TICKS = 5
GREY = "#555555"


def scatter(
    points: Floats,
    labels: Ints,
    *,
    title: str,
    axes: Sequence[str],
    names: Sequence[str] = (),
) -> Drawing:
    """Return points (n, 2) coloured by group; items of no group are grey and lie underneath.

    >>> drawing = scatter(np.eye(2), np.array([0, -1]), title="two", axes=("x", "y"))
    >>> sum(len(shape.places) for shape in drawing.shapes if isinstance(shape, Dots))
    4
    """
    counts = {int(g): int(np.count_nonzero(labels == g)) for g in np.unique(labels)}
    if len(points) > MOST_POINTS:
        title = f"{title} ({MOST_POINTS:,} of {len(points):,} items)"
        shown = np.linspace(0, len(points) - 1, MOST_POINTS).astype(np.int64)
        points, labels = points[shown], labels[shown]
    x = Scale.of(points[:, 0], LEFT, WIDTH - RIGHT)
    y = Scale.of(points[:, 1], HEIGHT - BOTTOM, TOP)
    radius = 4.0 if len(points) <= 500 else max(1.2, 4.0 * (500 / len(points)) ** 0.5)
    drawn = list(frame(title, axes, x, y))
    for group in counts:
        places = points[labels == group]
        drawn.append(Dots(np.column_stack([x(places[:, 0]), y(places[:, 1])]), radius,
                          colour_of(group)))  # fmt: skip
    return Drawing(WIDTH, HEIGHT, [*drawn, *_legend(counts, names)])


def curve(
    x_values: Array, y_values: Array, *, title: str, axes: Sequence[str], dots: bool = False
) -> Drawing:
    """Return one quantity over another, at will with a dot at each value."""
    finite = np.isfinite(y_values)
    across = np.asarray(x_values, dtype=np.float64)[finite]
    up = np.asarray(y_values, dtype=np.float64)[finite]
    x, y = Scale.of(across, LEFT, WIDTH - RIGHT), Scale.of(up, HEIGHT - BOTTOM, TOP)
    kept = _bends(up)
    places = np.column_stack([x(across[kept]), y(up[kept])])
    drawn = [*frame(title, axes, x, y), Path(places, COLOURS[0], 2.0)]
    if dots and len(places) <= 200:
        drawn.append(Dots(places, 3.5, COLOURS[0], 1.0))
    return Drawing(WIDTH, HEIGHT, drawn)


def bars(names: Sequence[str], values: Floats, *, title: str, axis: str) -> Drawing:
    """Return a level bar for each value, the first on top, its name before it."""
    left = 230
    rows = max(1, len(values))
    height = TOP + BOTTOM + 22 * rows
    low, high = min(0.0, float(values.min(initial=0))), max(0.0, float(values.max(initial=0)))
    x = Scale(low, high, left, WIDTH - 60, room=0.0)
    drawn: list[Shape] = [Text(20, 30, title, 18, bold=True)]
    for tick in x.ticks():
        ends = np.array([[x(tick), TOP], [x(tick), height - BOTTOM]], dtype=np.float64)
        drawn.append(Path(ends, "#e6e6e6"))
        drawn.append(Text(float(x(tick)), height - BOTTOM + 18, f"{tick:g}", 12, "middle", GREY))
    for row, (name, value) in enumerate(zip(names, values.tolist(), strict=True)):
        y = TOP + 22 * row
        start, end = sorted((float(x(0.0)), float(x(value))))
        drawn.append(Box(start, y + 3, end - start, 16, COLOURS[0]))
        shown = name if len(name) <= 28 else f"{name[:27]}…"
        drawn.append(Text(left - 8, y + 15, shown, 12, "end"))
    drawn.append(Text((left + WIDTH - 60) / 2, height - 14, axis, 12, "middle", GREY))
    return Drawing(WIDTH, height, drawn)


def matrix(values: Floats, *, title: str, axes: Sequence[str]) -> Drawing:
    """Return a matrix as pixels, light for its least and dark for its largest value."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    shades = np.clip((np.nan_to_num(values, nan=low) - low) / ((high - low) or 1.0), 0, 1)
    drawing = picture(ramp(shades), title=title, axes=axes)
    scale = Picture(WIDTH - RIGHT + 20, TOP, 18, 200, ramp(np.linspace(1, 0, 100)[:, None]))
    marks = [
        Text(WIDTH - RIGHT + 44, TOP + 10, f"{high:.4g}", 12, colour=GREY),
        Text(WIDTH - RIGHT + 44, TOP + 200, f"{low:.4g}", 12, colour=GREY),
    ]
    return Drawing(drawing.width, drawing.height, [*drawing.shapes, scale, *marks])


def picture(
    pixels: Array,
    *,
    title: str,
    axes: Sequence[str] = ("", ""),
    counts: dict[int, int] | None = None,
    names: Sequence[str] = (),
) -> Drawing:
    """Return (rows, columns, 3) bytes as large as there is room for, at will with a legend."""
    rows, columns = pixels.shape[:2]
    unit = min((WIDTH - LEFT - RIGHT) / max(1, columns), (HEIGHT - TOP - BOTTOM) / max(1, rows))
    drawn: list[Shape] = [
        Text(LEFT, 30, title, 18, bold=True),
        Picture(LEFT, TOP, unit * columns, unit * rows, pixels),
        Text(LEFT + unit * columns / 2, TOP + unit * rows + 24, axes[0], 12, "middle", GREY),
        Text(LEFT - 24, TOP + unit * rows / 2, axes[1], 12, "middle", GREY, turned=True),
    ]
    return Drawing(WIDTH, HEIGHT, [*drawn, *_legend(counts or {}, names)])


def ramp(shades: Floats) -> Array:
    """Return values from 0 to 1 as colours from white over blue to nearly black."""
    stops = np.array([[255, 255, 255], [120, 180, 220], [0, 90, 160], [8, 20, 50]])
    at = np.linspace(0, 1, len(stops))
    colours = [np.interp(shades, at, stops[:, channel]) for channel in range(3)]
    return np.asarray(np.rint(np.stack(colours, axis=-1)), dtype=np.uint8)


class Scale:
    """Takes values to places on the page, with a little room at both ends."""

    def __init__(
        self, low: float, high: float, start: float, end: float, room: float = 0.04
    ) -> None:
        margin = room * (high - low) or (0.0 if high > low else 0.5)
        self.low, self.high = low - margin, high + margin
        self.start, self.end = start, end

    @classmethod
    def of(cls, values: Array, start: float, end: float) -> Scale:
        """Return a scale with room for all values."""
        if not len(values):
            return cls(0.0, 1.0, start, end)
        return cls(float(values.min()), float(values.max()), start, end)

    def __call__(self, values: Array | float) -> Floats:
        share = (np.asarray(values) - self.low) / (self.high - self.low)
        return np.asarray(self.start + share * (self.end - self.start))

    def ticks(self) -> Iterator[float]:
        """Round values, a few of them, within the scale."""
        rough = (self.high - self.low) / TICKS
        unit = 10.0 ** np.floor(np.log10(rough))
        step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
        for number in range(int(np.ceil(self.low / step)), int(self.high // step) + 1):
            yield float(number * step)


def _bends(values: Floats) -> Ints:
    """Which values a curve goes through: all, or the least and the largest of each stretch."""
    if len(values) <= MOST_BENDS:
        return np.arange(len(values))
    kept = {0, len(values) - 1}
    for part in np.array_split(np.arange(len(values)), MOST_BENDS // 2):
        kept |= {int(part[np.argmin(values[part])]), int(part[np.argmax(values[part])])}
    return np.array(sorted(kept))


def frame(title: str, axes: Sequence[str], x: Scale, y: Scale) -> Iterator[Shape]:
    """Yield title, grid and axes of a figure."""
    bottom = HEIGHT - BOTTOM
    yield Text(LEFT, 30, title, 18, bold=True)
    for tick in x.ticks():
        at = float(x(tick))
        yield Path(np.array([[at, TOP], [at, bottom]]), "#e6e6e6")
        yield Text(at, bottom + 18, f"{tick:g}", 12, "middle", GREY)
    for tick in y.ticks():
        at = float(y(tick))
        yield Path(np.array([[LEFT, at], [WIDTH - RIGHT, at]]), "#e6e6e6")
        yield Text(LEFT - 8, at + 4, f"{tick:g}", 12, "end", GREY)
    yield Text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, axes[0], 12, "middle", GREY)
    yield Text(18, HEIGHT / 2, axes[1], 12, "middle", GREY, turned=True)


def _legend(counts: dict[int, int], names: Sequence[str]) -> Iterator[Shape]:
    left = WIDTH - RIGHT
    for row, (group, count) in enumerate(list(counts.items())[:MOST_IN_LEGEND]):
        name = names[group] if 0 <= group < len(names) else f"group {group}"
        name = "in no group" if group < 0 else name
        room = 16 - len(str(count))  # letters, as many as the margin holds
        name = name if len(name) <= room else f"{name[: room - 1]}…"
        y = TOP + 16 + 18 * row
        yield Dots(np.array([[left + 20.0, y - 4.0]]), 5.0, colour_of(group), 1.0)
        yield Text(left + 32, y, f"{name} ({count})")
    if len(counts) > MOST_IN_LEGEND:
        y = TOP + 16 + 18 * MOST_IN_LEGEND
        yield Text(left + 32, y, f"… {len(counts) - MOST_IN_LEGEND} more")

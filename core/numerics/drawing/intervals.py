"""Curves of means: a dot and a bar for each mean, and a band that says how sure it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.drawing.plots import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Scale,
    frame,
)
from coterie.core.numerics.drawing.shapes import Area, Dots, Drawing, Path, Shape, Text, colour_of


@dataclass(frozen=True, eq=False)
class Means:
    """One line: means over a number, each with its standard deviation and 95 % interval."""

    name: str
    across: Floats
    mean: Floats
    deviation: Floats
    low: Floats
    high: Floats

    @property
    def known(self) -> Ints:
        """Which places have a mean."""
        return np.flatnonzero(np.isfinite(self.mean))


def means(lines: Sequence[Means], *, title: str, axes: Sequence[str]) -> Drawing:
    """Return lines of means with bars of one standard deviation and bands of the intervals.

    What is not a number is left out: a single measurement has a dot and neither bar nor band.

    >>> one = Means("all", np.array([1.0, 2.0]), *(np.array([v, v]) for v in (3, 1, 2, 4)))
    >>> kinds = [type(shape).__name__ for shape in means([one], title="", axes=("x", "y")).shapes]
    >>> kinds.count("Area"), kinds.count("Dots") - 1
    (1, 1)
    """
    shown = [line for line in lines if len(line.known)]
    across = np.concatenate([line.across[line.known] for line in shown]) if shown else np.empty(0)
    ends = [np.concatenate(_ends(line)) for line in shown]
    up = np.concatenate(ends) if ends else np.empty(0)
    x = Scale.of(across, LEFT, WIDTH - RIGHT)
    y = Scale.of(up[np.isfinite(up)], HEIGHT - BOTTOM, TOP)
    drawn: list[Shape] = list(frame(title, axes, x, y))
    for number, line in enumerate(shown):
        drawn += _band(line, x, y, colour_of(number))
    for number, line in enumerate(shown):
        drawn += _line(line, x, y, colour_of(number))
        at = TOP + 16 + 18 * number
        drawn.append(Dots(np.array([[WIDTH - RIGHT + 20.0, at - 4.0]]), 5.0, colour_of(number), 1))
        drawn.append(Text(WIDTH - RIGHT + 32, at, line.name))
    note = TOP + 30 + 18 * len(shown)
    for row, words in enumerate(("bar: one sd each way", "band: 95 % of mean")):
        drawn.append(Text(WIDTH - RIGHT + 14, note + 16 * row, words, 11, colour="#555555"))
    return Drawing(WIDTH, HEIGHT, drawn)


def _ends(line: Means) -> tuple[Floats, ...]:
    at = line.known
    mean, deviation = line.mean[at], np.nan_to_num(line.deviation[at])
    return mean - deviation, mean + deviation, line.low[at], line.high[at]


def _band(line: Means, x: Scale, y: Scale, colour: str) -> Iterator[Shape]:
    at = np.flatnonzero(np.isfinite(line.low) & np.isfinite(line.high))
    if len(at) > 1:
        there = np.column_stack([x(line.across[at]), y(line.high[at])])
        back = np.column_stack([x(line.across[at]), y(line.low[at])])[::-1]
        yield Area(np.vstack([there, back]), colour, 0.18)


def _line(line: Means, x: Scale, y: Scale, colour: str) -> Iterator[Shape]:
    at = line.known
    places = np.column_stack([x(line.across[at]), y(line.mean[at])])
    if len(places) > 1:
        yield Path(places, colour, 2.0)
    for number in at.tolist():
        deviation = line.deviation[number]
        if not np.isfinite(deviation):
            continue
        middle = float(x(line.across[number]))
        low, high = (float(y(line.mean[number] + sign * deviation)) for sign in (-1, 1))
        yield Path(np.array([[middle, low], [middle, high]]), colour, 1.4)
        for end in (low, high):
            yield Path(np.array([[middle - 4, end], [middle + 4, end]]), colour, 1.4)
    yield Dots(places, 4.0, colour, 1.0)

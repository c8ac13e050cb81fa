"""The vertical scale of a box plot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Array, Floats

TICKS = 5
ROOM = 0.04  # at both ends, of the whole


class AxisScale:
    """Takes values to places on the screen, with a little room at both ends."""

    def __init__(self, values: Array, start: float, end: float) -> None:
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
        margin = ROOM * (high - low) or 0.5
        self.low, self.high = low - margin, high + margin
        self.start, self.end = start, end

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

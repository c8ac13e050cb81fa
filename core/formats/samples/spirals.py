"""Two spirals wound into each other, each densest halfway."""

from __future__ import annotations

import numpy as np

from coterie.core.formats.samples.curves import along, polar, two_shapes
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset

TURN = 2 * np.pi  # angle from the first to the last point
START, GROWTH = 0.12, 0.065  # radius at the start, and what it gains with each radian
THICKNESS = 0.006


def make(seed: int, n: int) -> Dataset:
    """Return n points, half of them on each spiral."""
    rng = np.random.default_rng(seed)
    shapes = [_spiral(rng, n // 2, 0.0), _spiral(rng, n - n // 2, np.pi)]
    return two_shapes("Two spirals", "spiral", ("first", "second"), shapes, rng)


def _spiral(rng: np.random.Generator, n: int, rotation: float) -> Floats:
    # Evenly along the curve means evenly in the square of the radius, not in the angle.
    first, last = START**2, (START + GROWTH * TURN) ** 2
    middle = (START + GROWTH * TURN / 2) ** 2
    squared = along(rng, n, (first, last), peak=(middle, 0.004), peak_share=0.3)
    radius = np.sqrt(squared)
    angle = (radius - START) / GROWTH + rotation
    return polar(angle, radius + rng.normal(0.0, THICKNESS, n))

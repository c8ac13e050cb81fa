"""A disc inside another, both evenly filled."""

from __future__ import annotations

import numpy as np

from coterie.core.formats.samples.curves import polar, two_shapes
from coterie.core.model.dataset import Dataset

INNER, OUTER = 5.0, 15.0  # radii
THICKNESS = 0.5


def make(seed: int, n: int) -> Dataset:
    """Return n points, half of them on each circle."""
    rng = np.random.default_rng(seed)
    shapes = []
    for radius, count in ((INNER, n // 2), (OUTER, n - n // 2)):
        angle = rng.uniform(-np.pi, np.pi, count)
        shapes.append(polar(angle, radius + rng.normal(0.0, THICKNESS, count), (0.0, 0.0)))
    return two_shapes("Two circles", "circle", ("inner", "outer"), shapes, rng)

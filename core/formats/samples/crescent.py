"""Two crescents, one hanging into the other."""

from __future__ import annotations

import numpy as np

from coterie.core.formats.samples.curves import polar, two_shapes
from coterie.core.model.dataset import Dataset

THICKNESS = 0.06


def make(seed: int, n: int) -> Dataset:
    """Return n points, half of them on each crescent."""
    rng = np.random.default_rng(seed)
    upper, lower = n // 2, n - n // 2
    shapes = [
        polar(rng.uniform(0, np.pi, upper), np.ones(upper), (0.0, 0.0)),
        polar(rng.uniform(np.pi, 2 * np.pi, lower), np.ones(lower), (1.0, 0.4)),
    ]
    shapes = [shape + rng.normal(0.0, THICKNESS, shape.shape) for shape in shapes]
    return two_shapes("Two crescents", "crescent", ("upper", "lower"), shapes, rng)

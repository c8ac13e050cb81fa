"""A small ring inside a large one that is densest at its right."""

from __future__ import annotations

import numpy as np

from coterie.core.formats.samples.curves import along, polar, two_shapes
from coterie.core.model.dataset import Dataset

INNER, OUTER = 0.07, 0.4  # radii
THICKNESS = 0.008


def make(seed: int, n: int) -> Dataset:
    """Return n points, half of them on each ring."""
    rng = np.random.default_rng(seed)
    shapes = []
    for radius, count, peak_share in ((INNER, n // 2, 0.1), (OUTER, n - n // 2, 0.3)):
        angle = along(rng, count, (-np.pi, np.pi), peak=(0.0, 0.25), peak_share=peak_share)
        shapes.append(polar(angle, radius + rng.normal(0.0, THICKNESS, count)))
    return two_shapes("Two rings", "ring", ("inner", "outer"), shapes, rng)

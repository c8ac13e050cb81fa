"""Two arches, one under the other, each densest at its top."""

from __future__ import annotations

import numpy as np

from coterie.core.formats.samples.curves import along, two_shapes
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset

PILLAR = 0.5  # height of the straight part on either side
THICKNESS = 0.008


def make(seed: int, n: int) -> Dataset:
    """Return n points, half of them on each arch."""
    rng = np.random.default_rng(seed)
    shapes = [
        _arch(rng, n // 2, radius=0.25, peak_share=0.45),
        _arch(rng, n - n // 2, radius=0.65, peak_share=0.32),
    ]
    return two_shapes("Two arcs", "arc", ("inner", "outer"), shapes, rng)


def _arch(rng: np.random.Generator, n: int, radius: float, peak_share: float) -> Floats:
    """Points along a half circle on two pillars; the position is measured from the top."""
    half_length = radius * np.pi / 2 + PILLAR
    position = along(rng, n, (-half_length, half_length), peak=(0.0, 0.06), peak_share=peak_share)
    distance = radius + rng.normal(0.0, THICKNESS, n)
    angle = np.clip(position / radius, -np.pi / 2, np.pi / 2)
    below = np.maximum(np.abs(position) - radius * np.pi / 2, 0.0)
    return np.column_stack(
        [0.7 + distance * np.sin(angle), PILLAR + distance * np.cos(angle) - below]
    )

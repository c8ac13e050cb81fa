"""A ball inside the bow of a moon that is densest at its middle."""

from __future__ import annotations

import numpy as np

from coterie.core.formats.samples.curves import along, polar, two_shapes
from coterie.core.model.dataset import Dataset

BALL = 0.1  # radius
BOW = 0.4  # radius
THICKNESS = 0.012


def make(seed: int, n: int) -> Dataset:
    """Return n points, half of them in the ball."""
    rng = np.random.default_rng(seed)
    in_ball, in_bow = n // 2, n - n // 2
    # The square root spreads the points evenly over the disc.
    ball = polar(rng.uniform(0, 2 * np.pi, in_ball), BALL * np.sqrt(rng.random(in_ball)))
    angle = along(rng, in_bow, (-2.6, 2.6), peak=(0.0, 0.2), peak_share=0.2)
    bow = polar(angle - np.pi / 2, BOW + rng.normal(0.0, THICKNESS, in_bow))
    return two_shapes("Ball and moon", "shape", ("ball", "moon"), [ball, bow], rng)

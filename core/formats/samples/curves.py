"""Points along a curve, denser in one place: what the shape samples are made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset


def along(
    rng: np.random.Generator,
    n: int,
    ends: tuple[float, float],
    peak: tuple[float, float],
    peak_share: float,
) -> Floats:
    """Return n positions between `ends`, spread evenly but for a peak.

    Parameters
    ----------
    ends : first and last position along the curve
    peak : where the peak is, and its half width; beyond that it adds nothing
    peak_share : share of the points that belong to the peak
    """
    in_peak = round(peak_share * n)
    # One point in each of equal pieces: without that, chance leaves gaps that cut the shape.
    pieces = np.arange(n - in_peak) + rng.random(n - in_peak)
    even = ends[0] + (ends[1] - ends[0]) * pieces / max(1, n - in_peak)
    middle, half_width = peak
    peaked = rng.triangular(middle - half_width, middle, middle + half_width, in_peak)
    return np.concatenate([even, peaked])


def two_shapes(
    title: str,
    column: str,
    names: Sequence[str],
    shapes: Sequence[Floats],
    rng: np.random.Generator,
) -> Dataset:
    """Return the points of all shapes as one dataset, in random order, the shape as truth."""
    features = np.concatenate(shapes)
    truth = np.repeat(np.arange(len(shapes)), [len(shape) for shape in shapes])
    order = rng.permutation(len(features))
    return Dataset(
        title=title,
        features=features[order],
        columns=("x", "y"),
        truth=truth[order].astype(np.int64),
        truth_names=tuple(names),
        truth_column=column,
    )


def polar(angle: Floats, radius: Floats, centre: tuple[float, float] = (0.5, 0.5)) -> Floats:
    """Return points at `angle` (radians, from the right, anticlockwise) and `radius`."""
    return np.column_stack([centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle)])

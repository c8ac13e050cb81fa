"""Items that an embedding of a graph pushes far out because hardly anything is similar to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats

FAR = 4.0  # times the median distance from the middle
NEAR_THE_FARTHEST = 0.1  # of the largest distance; nearly all items may be in one point
LOW = 0.25  # the share of items whose degrees count as low
MOST_LISTED = 20


def far_out(
    coordinates: Floats,
    degrees: Floats,
    names: Sequence[str] = (),
    *,
    far: float = FAR,
    low: float = LOW,
) -> list[dict[str, Any]]:
    """Return the items of low degree that are far from the centre, farthest first.

    In the joint embedding ‖z_i‖² is the share of time that a walk from i which begins again at i
    spends there, times Vol / d_i. That share grows with the restart probability, up to 1: the
    what has a low degree is farther out.

    Parameters
    ----------
    coordinates : (n, m)
    degrees : (n,)
    names : of the items; their numbers from 1 where there are none
    far : times the median distance from which an item is far
    low : share of the items whose degrees are low

    Returns
    -------
    At most 20 times {"item", "position", "distance", "degree"}

    Examples
    --------
    >>> Z = np.array([[0.0], [0.1], [0.0], [-0.1], [9.0]])
    >>> far_out(Z, np.array([5.0, 5.0, 5.0, 5.0, 1.0]))
    [{'item': '5', 'position': 4, 'distance': 9.0, 'degree': 1.0}]
    """
    # The median, as outliers would pull the mean.
    distances = np.linalg.norm(coordinates - np.median(coordinates, axis=0), axis=1)
    least = max(far * float(np.median(distances)), NEAR_THE_FARTHEST * float(distances.max()))
    chosen = (distances > least) & (degrees <= np.quantile(degrees, low))
    order = np.flatnonzero(chosen)
    order = order[np.argsort(-distances[order], kind="stable")][:MOST_LISTED]
    return [
        {
            "item": names[i] if names else str(i + 1),
            "position": i,
            "distance": float(distances[i]),
            "degree": float(degrees[i]),
        }
        for i in order.tolist()
    ]

"""Items that an embedding of a graph pushes far out because hardly anything is similar to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.core.arrays import Floats

FAR = 4.0  # times the median distance from the middle
LOW = 0.25  # times the median degree
MOST_LISTED = 20


def far_out(
    coordinates: Floats,
    degrees: Floats,
    names: Sequence[str] = (),
    *,
    far: float = FAR,
    low: float = LOW,
) -> list[dict[str, Any]]:
    """Return the items of low degree that lie far from the middle, farthest first.

    In the joint embedding ‖z_i‖² is the share of time that a walk from i which begins again at i
    spends there, times Vol / d_i: the larger the restart probability, the more only the degree
    counts, and the farther out lies what has little.

    Parameters
    ----------
    coordinates : (n, m)
    degrees : (n,)
    names : of the items; positions where there are none
    far, low : what counts as far and as low, against the median

    Returns
    -------
    At most 20 times {"item", "position", "distance", "degree"}

    Examples
    --------
    >>> Z = np.array([[0.0], [0.1], [0.0], [-0.1], [9.0]])
    >>> far_out(Z, np.array([5.0, 5.0, 5.0, 5.0, 1.0]))
    [{'item': '4', 'position': 4, 'distance': 9.0, 'degree': 1.0}]
    """
    # The median, as outliers would pull the mean.
    distances = np.linalg.norm(coordinates - np.median(coordinates, axis=0), axis=1)
    chosen = (distances > far * np.median(distances)) & (degrees < low * np.median(degrees))
    order = np.flatnonzero(chosen)
    order = order[np.argsort(-distances[order], kind="stable")][:MOST_LISTED]
    return [
        {
            "item": names[i] if names else str(i),
            "position": i,
            "distance": float(distances[i]),
            "degree": float(degrees[i]),
        }
        for i in order.tolist()
    ]

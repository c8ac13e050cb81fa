"""Small pictures of the same places, coloured by each grouping."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.core.model.arrays import Array, Ints
from coterie.core.model.results import Clustering
from coterie.core.numerics.drawing.palette import Bytes, group_colour, rgb
from coterie.gui.views.embedding.limits import limits_of

SIZE = (132, 88)  # points of the screen
MOST_POINTS = 4000
_RADIUS = 1.7  # points of the screen
_MARGIN = 5.0


def matched(groups: Ints, others: Ints) -> Ints:
    """Return for each group of the first the place of its colour: that of its partner.

    Groups without a partner get places after all of the others.

    >>> matched(np.array([0, 0, 1, 1, 2]), np.array([1, 1, 0, 0, 0])).tolist()
    [1, 0, 2]
    """
    from scipy.optimize import linear_sum_assignment

    k, most = int(groups.max(initial=-1)) + 1, int(others.max(initial=-1)) + 1
    places = np.full(k, -1)
    if k and most:
        both = (groups >= 0) & (others >= 0)
        cells = np.bincount(groups[both] * most + others[both], minlength=k * most)
        counts = cells.reshape(k, most)
        own, partner = linear_sum_assignment(counts, maximize=True)
        shared = counts[own, partner] > 0
        places[own[shared]] = partner[shared]
    free = places < 0
    places[free] = most + np.arange(int(free.sum()))
    return places


def draw(
    places: Array,
    groups: Clustering,
    shades: Sequence[str],
    ground: str,
    *,
    ratio: float,
    size: tuple[int, int] = SIZE,
) -> Bytes:
    """Return a (height, width, 4) picture of points.

    Parameters
    ----------
    places : (n, 2)
    shades : of each group, then of no group
    ratio : pixels for each point of the screen
    size : width and height in points of the screen
    """
    width, height = (round(side * ratio) for side in size)
    image = np.empty((height, width, 4), dtype=np.uint8)
    image[...] = (*rgb(ground), 255)
    step = max(1, -(-len(places) // MOST_POINTS))
    x, y, labels = places[::step, 0], places[::step, 1], groups.labels[::step]
    known = np.isfinite(x) & np.isfinite(y)
    x, y, labels = x[known], y[known], labels[known]
    x0, y0, x1, y1 = limits_of(x, y)
    margin = _MARGIN * ratio
    column = margin + (x - x0) / max(x1 - x0, 1e-300) * (width - 2 * margin)
    row = height - margin - (y - y0) / max(y1 - y0, 1e-300) * (height - 2 * margin)
    reach = int(np.ceil(_RADIUS * ratio))
    down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    inside = np.hypot(down, across) <= _RADIUS * ratio
    down, across = down[inside], across[inside]
    columns = np.round(column).astype(np.int64)[:, None] + across
    rows = np.round(row).astype(np.int64)[:, None] + down
    seen = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    colours = np.array([(*rgb(shade), 255) for shade in shades], dtype=np.uint8)
    codes = np.where(labels < 0, len(shades) - 1, labels)
    every = np.broadcast_to(codes[:, None], seen.shape)
    image[rows[seen], columns[seen]] = colours[every[seen]]
    return image


def shades_of(groups: Clustering, chosen: Clustering | None, *, dark: bool) -> list[str]:
    """Return the colour of each group, that of its partner in the chosen grouping, then grey."""
    if chosen is None or chosen is groups:
        own = [group_colour(g, groups.colours, dark=dark) for g in range(groups.k)]
    else:
        places = matched(groups.labels, chosen.labels)
        own = [group_colour(int(place), chosen.colours, dark=dark) for place in places]
    return [*own, group_colour(-1, dark=dark)]

"""How high and wide small pictures are whose pixels stand, row by row, in the rows of a table."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats

FEWEST_PIXELS = 64  # fewer columns are rather measurements than a picture
MOST_PIXELS = 128 * 128
OBLONG = 3  # times that one side may be as long as the other
# Pixels above each other are closer than those beside that place, by at least this factor.
CLEARLY = 0.9
# Numbers that are looked at: a guess is made while a person waits for a dialog.
ENOUGH = 20_000
FEWEST_LOOKED_AT = 2
SHORTEST = 8  # a narrower strip is not a picture


def picture_sizes(pixels: int) -> list[tuple[int, int]]:
    """Return the (height, width) of pictures with so many pixels, those nearest a square first.

    >>> picture_sizes(64)
    [(8, 8)]
    >>> picture_sizes(560)[:2]
    [(28, 20), (20, 28)]
    """
    if not FEWEST_PIXELS <= pixels <= MOST_PIXELS:
        return []
    heights = (h for h in range(SHORTEST, pixels // SHORTEST + 1) if pixels % h == 0)
    sizes = [(h, pixels // h) for h in heights if max(h * h, pixels) <= OBLONG * min(h * h, pixels)]
    # Of two that are as oblong, the upright one first: faces and letters are higher than wide.
    return sorted(sizes, key=lambda size: (abs(size[0] - size[1]), -size[0]))


def likely_size(rows: Floats) -> tuple[int, int] | None:
    """Return the size of the pictures in these rows, or None unless one is clearly the right one.

    A pixel is like the one below it, which stands one width further on in the row, and less like
    any other from half to twice as far on. Where no width stands out in this way, the rows
    may as well hold measurements, curves, or something that comes back again and again.

    Parameters
    ----------
    rows : (m, pixels) some of the items; not finite values make it undecided

    Examples
    --------
    >>> down, across = np.mgrid[:8, :12]
    >>> wave = np.sin(down[None] / 3.0 + np.arange(9)[:, None, None]) * np.cos(across / 2.0)
    >>> likely_size(wave.reshape(9, -1))
    (8, 12)
    >>> likely_size(np.sin(np.arange(960.0)).reshape(10, 96)) is None
    True
    """
    sizes = picture_sizes(rows.shape[1])
    if not sizes or not len(rows) or not np.isfinite(rows).all():
        return None
    rows = rows[: max(FEWEST_LOOKED_AT, ENOUGH // rows.shape[1])]
    furthest = min(2 * max(width for _, width in sizes), rows.shape[1] - 1)
    steps = np.array([np.inf, *(_step(rows, distance) for distance in range(1, furthest + 1))])
    for height, width in sizes:
        others = np.r_[steps[width // 2 : width], steps[width + 1 : 2 * width + 1]]
        if steps[width] < CLEARLY * others.min():
            return height, width
    return None


def _step(rows: Floats, distance: int) -> float:
    """How much values differ that stand so far apart."""
    return float(np.abs(rows[:, distance:] - rows[:, :-distance]).mean())

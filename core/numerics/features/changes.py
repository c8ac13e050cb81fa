"""What changed between two dates of the same pixels: differences, ratios and change vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.core.model.arrays import Floats

DIFFERENCE, RATIO, VECTOR = "difference", "log-ratio", "vector"


def change_between(
    before: Floats, after: Floats, what: str, named: Sequence[str]
) -> tuple[Floats, tuple[str, ...]]:
    """Return the change of n pixels as columns, and their names.

    Parameters
    ----------
    before, after : (n, d) bands of the two dates, in the same order
    what : "difference", after − before; "log-ratio", log(after / before), 0 where either is not
        positive; "vector", the length of the difference and its direction, a unit vector, which is
        zero where nothing changed
    named : (d,) names of the differences

    Malila (1980). Change vector analysis: an approach for detecting forest changes with Landsat.

    Examples
    --------
    >>> before, after = np.array([[1.0, 1.0]]), np.array([[4.0, 5.0]])
    >>> change_between(before, after, "vector", ("a", "b"))[0].tolist()
    [[5.0, 0.6, 0.8]]
    """
    if what == RATIO:
        sound = (before > 0) & (after > 0)
        with np.errstate(all="ignore"):
            ratio = np.log(after) - np.log(before)
        return np.where(sound, ratio, 0.0), tuple(f"log ratio {name}" for name in named)
    difference = after - before
    if what == DIFFERENCE:
        return difference, tuple(named)
    # Band by band: a scene worked through in windows must give what the whole gives.
    squares = np.zeros(len(difference))
    for column in difference.T:
        squares += column * column
    length = np.sqrt(squares)
    way = difference / np.where(length > 0, length, 1.0)[:, None]
    names = ("change", *(f"direction {name}" for name in named))
    return np.column_stack([length, way]), names

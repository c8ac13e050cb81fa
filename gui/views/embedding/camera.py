"""A cloud of points in three dimensions seen from a side: turning it, and what is near or far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from coterie.core.model.arrays import Array, Floats

# From the front, a little from above and from the side, so no axis hides behind another.
_START = (np.radians(-32.0), np.radians(22.0))
_NEAREST, _FARTHEST = 1.25, 0.7  # of the usual size of a point
_FAINTEST = 0.45  # opacity of the farthest


def _about_upright(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def _about_across(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


@dataclass(frozen=True, eq=False)
class Side:
    """The side from which a cloud is seen: a rotation, whose rows are right, up and towards us.

    >>> bool(np.allclose(Side().rotation @ Side().rotation.T, np.eye(3)))
    True
    """

    rotation: Floats = field(
        default_factory=lambda: _about_across(_START[1]) @ _about_upright(_START[0])
    )

    def turned(self, across: float, up: float) -> Side:
        """Return the side after a turn by so many radians, as if the cloud was dragged.

        >>> front = Side(np.eye(3))
        >>> quarter = front.turned(np.pi / 2, 0.0)
        >>> np.round(quarter.rotation @ [0.0, 0.0, 1.0], 6).tolist()
        [1.0, 0.0, 0.0]
        """
        turned = _about_across(-up) @ _about_upright(across) @ self.rotation
        # Thousands of small turns add up to something that is not a rotation.
        left, _, right = np.linalg.svd(turned)
        return Side(left @ right)


@dataclass(frozen=True, eq=False)
class Seen:
    """Where each point is seen, and how near it is: −1 at the back, 1 at the front of the cloud."""

    x: Array
    y: Array
    depth: Array

    @property
    def radius(self) -> float:
        """How far the farthest point is from the middle, however the cloud is turned."""
        away = np.sqrt(self.x**2 + self.y**2 + 3.0 * self.depth**2)
        return float(np.max(away, initial=0.0, where=np.isfinite(away))) or 1.0

    @property
    def nearness(self) -> Array:
        """How near each point is, from −1 to 1 of what is possible in this cloud."""
        return np.asarray(self.depth * (np.sqrt(3.0) / self.radius))

    @property
    def scales(self) -> Array:
        """The size of each point, of the usual one: what is near is larger."""
        share = (np.nan_to_num(self.depth) + 1) / 2
        return np.asarray(_FARTHEST + share * (_NEAREST - _FARTHEST))

    @property
    def opacities(self) -> Array:
        """The opacity of each point: what is far is fainter."""
        share = (np.nan_to_num(self.depth) + 1) / 2
        return np.asarray(_FAINTEST + share * (1 - _FAINTEST))


def in_a_cube(axes: Sequence[Array], *, equal: bool) -> Floats:
    """Return the coordinates as (n, 3) around the origin, within −1 and 1.

    With `equal`, all three keep one scale; otherwise each fills the cube. A point without a value
    on one of them has no place at all.
    """
    places = np.stack([np.asarray(axis, dtype=np.float64) for axis in axes], axis=1)
    known = np.isfinite(places).all(axis=1)
    places[~known] = np.nan
    if not known.any():
        return places
    low, high = places[known].min(axis=0), places[known].max(axis=0)
    half = (high - low) / 2
    half = np.full(3, half.max()) if equal else half
    half[half == 0] = 1.0
    return np.asarray((places - (low + high) / 2) / half)


def seen_from(places: Floats, side: Side) -> Seen:
    """Return how points of `in_a_cube` look from a side, without perspective."""
    x, y, depth = side.rotation @ places.T
    return Seen(x, y, depth / np.sqrt(3.0))

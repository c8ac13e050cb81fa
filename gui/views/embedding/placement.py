"""Where the points of a scatter are seen: in two dimensions or three, as they are or spread out."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.gui.views.embedding.axes import Axis
from coterie.gui.views.embedding.camera import Seen, Side, in_a_cube, seen_from
from coterie.gui.views.embedding.limits import is_collapsed, limits_of, spread_out


class Placement(ABC):
    """The places of all points; a scatter's state says which axes they are along."""

    @property
    @abstractmethod
    def x(self) -> Axis | None:
        """What runs along x."""

    @property
    @abstractmethod
    def y(self) -> Axis | None:
        """What runs along y."""

    @property
    @abstractmethod
    def z(self) -> Axis | None:
        """What runs along z."""

    @property
    @abstractmethod
    def axes(self) -> tuple[Axis, ...]:
        """All axes that can be chosen."""

    @property
    @abstractmethod
    def equal_scales(self) -> bool:
        """Whether all axes have the same scale."""

    @property
    @abstractmethod
    def moves(self) -> bool:
        """Whether the points are where a run that is watched puts them."""

    def __init__(self) -> None:
        self.solid = False  # whether a third axis is shown, as far as there are three
        self.whole = False  # whether far outliers are in view too
        self._side = Side()
        self._cube: tuple[tuple[Axis, ...], bool, Floats] | None = None
        self._seen: Seen | None = None
        self._spread: bool | None = None
        self._spread_points: tuple[Axis, Axis, bool, tuple[Array, Array]] | None = None

    # Three dimensions

    @property
    def can_be_solid(self) -> bool:
        """Whether there are three axes to show."""
        return len(self.axes) > 2

    @property
    def is_solid(self) -> bool:
        """Whether points are shown in three dimensions."""
        return self.solid and self.can_be_solid

    @property
    def side(self) -> Side:
        """The side from which points are seen in three dimensions."""
        return self._side

    def turn(self, across: float, up: float) -> None:
        """Turn the points by so many radians."""
        self._side, self._seen = self._side.turned(across, up), None

    def turn_back(self) -> None:
        """See the points from the first side again."""
        self._side, self._seen = Side(), None

    @property
    def seen(self) -> Seen | None:
        """Where points are seen and how near they are; None in two dimensions."""
        if not self.is_solid:
            return None
        axes = tuple(axis for axis in (self.x, self.y, self.z) if axis is not None)
        equal = self.equal_scales
        if self._cube is None or self._cube[:2] != (axes, equal):
            self._cube = axes, equal, in_a_cube([axis.values for axis in axes], equal=equal)
            self._seen = None
        if self._seen is None:
            self._seen = seen_from(self._cube[2], self._side)
        return self._seen

    # Points

    @property
    def points(self) -> tuple[Array, Array]:
        """Where all items are seen; an item without a value has no place (NaN)."""
        if self.x is None or self.y is None:
            return np.empty(0), np.empty(0)
        if (seen := self.seen) is not None:
            return seen.x, seen.y
        return self._flat_points(self.x, self.y)

    @property
    def is_spread(self) -> bool:
        """Whether crowds are drawn as discs: as chosen, else where one would see specks."""
        if self.x is None or self.y is None or self.is_solid:
            return False
        self._flat_points(self.x, self.y)
        return self._spread_points is not None and self._spread_points[2]

    def choose_spread(self, spread: bool) -> None:
        """Choose whether crowds are drawn as discs."""
        self._spread, self._spread_points = spread, None

    def _flat_points(self, x: Axis, y: Axis) -> tuple[Array, Array]:
        """The places in two dimensions, worked out once for each pair of axes."""
        known = self._spread_points
        if known is None or known[0] is not x or known[1] is not y:
            points = x.values, y.values
            wanted = is_collapsed(*points) if self._spread is None else self._spread
            if wanted and not self.moves:
                points = spread_out(*points, equal=self.equal_scales)
            known = self._spread_points = x, y, wanted, points
        return known[3]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The box (x0, y0, x1, y1) to show: of all points but far outliers, however turned."""
        if (seen := self.seen) is not None:
            # Few clouds have something at the corners of their cube.
            reach = 1.02 * seen.radius
            return -reach, -reach, reach, reach
        return limits_of(*self.points, whole=self.whole)

    @property
    def outside(self) -> int:
        """How many items are too far from the others to be in view."""
        if self.is_solid:
            return 0
        x, y = self.points
        x0, y0, x1, y1 = self.extent
        inside = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
        return int((np.isfinite(x) & np.isfinite(y) & ~inside).sum())

    @property
    def unplaced(self) -> int:
        """How many items have no place, as a coordinate is missing."""
        x, y = self.points
        return int((~(np.isfinite(x) & np.isfinite(y))).sum())

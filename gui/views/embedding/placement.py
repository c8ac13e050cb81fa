"""Where the points of a scatter are seen: in two dimensions or three, as they are or spread out."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.gui.views.embedding.axes import Axis
from coterie.gui.views.embedding.camera import Seen, Side, in_a_cube, seen_from
from coterie.gui.views.embedding.crowd import Crowd
from coterie.gui.views.embedding.dense import Key, Made, same
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

    @property
    @abstractmethod
    def dense(self) -> bool:
        """Whether there are too many points to draw them one by one."""

    @property
    @abstractmethod
    def made_of(self) -> Key:
        """The results, and the moment of a run, that the axes are of."""

    def __init__(self) -> None:
        self.solid = False  # whether a third axis is shown, as far as there are three
        self.whole = False  # whether far outliers are in view too
        self._side = Side()
        self._cube: tuple[tuple[Axis, ...], bool, Floats] | None = None
        self._seen: Seen | None = None
        self._spread: bool | None = None
        self._spread_points: tuple[Axis, Axis, bool, tuple[Array, Array]] | None = None
        self._crowd: tuple[Key, Crowd] | None = None
        self._dense_cube: tuple[Key, Floats] | None = None  # of the thread that sorts the points

    # Very many points: where they are is worked out on a thread

    @property
    def crowd(self) -> Crowd | None:
        """Very many points as they are placed now; None until they are sorted."""
        known = self._crowd
        if known is None or self.x is None:
            return None
        return known[1] if same(known[0], self.made_crowd().of) else None

    def take_crowd(self, of: Key, crowd: Crowd) -> None:
        """Take points that were sorted."""
        self._crowd = of, crowd

    def made_crowd(self) -> Made[Crowd]:
        """Return how the points as they are to be placed now are sorted."""
        x, y, z = self.x, self.y, self.z
        assert x is not None
        assert y is not None
        equal = self.equal_scales
        axes = tuple(axis for axis in (x, y, z) if axis is not None)
        if self.is_solid:
            cube = (*self.made_of, *(axis.key for axis in axes), equal)
            side = self._side
            return Made((*cube, side), lambda: self._crowd_of_cloud(cube, axes, equal, side))
        spread = False if self.moves else self._spread
        of = (*self.made_of, x.key, y.key, equal, spread)
        return Made(of, lambda: Crowd.of(x.values, y.values, spread=spread, equal=equal))

    def _crowd_of_cloud(self, of: Key, axes: tuple[Axis, ...], equal: bool, side: Side) -> Crowd:
        if self._dense_cube is None or self._dense_cube[0] != of:
            self._dense_cube = of, in_a_cube([axis.values for axis in axes], equal=equal)
        seen = seen_from(self._dense_cube[1], side)
        return Crowd(seen.x, seen.y, radius=seen.radius)

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
        """Where points are seen and how near they are; None in two dimensions, or when dense."""
        if not self.is_solid or self.dense:
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
        if self.dense:
            found = self.crowd
            return (self.x.values, self.y.values) if found is None else (found.x, found.y)
        if (seen := self.seen) is not None:
            return seen.x, seen.y
        return self._flat_points(self.x, self.y)

    @property
    def is_spread(self) -> bool:
        """Whether crowds are drawn as discs: as chosen, else where one would see specks."""
        if self.x is None or self.y is None or self.is_solid:
            return False
        if self.dense:
            return self.crowd is not None and self.crowd.spread
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
        if self.dense:
            return _extent_of(self.crowd, whole=self.whole)
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
        if self.dense:
            return 0 if self.crowd is None or self.whole else len(self.crowd.far)
        x, y = self.points
        x0, y0, x1, y1 = self.extent
        inside = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
        return int((np.isfinite(x) & np.isfinite(y) & ~inside).sum())

    @property
    def unplaced(self) -> int:
        """How many items have no place, as a coordinate is missing."""
        if self.dense:
            return 0 if self.crowd is None else self.crowd.unplaced
        x, y = self.points
        return int((~(np.isfinite(x) & np.isfinite(y))).sum())


def _extent_of(crowd: Crowd | None, *, whole: bool) -> tuple[float, float, float, float]:
    if crowd is None:
        return 0.0, 0.0, 1.0, 1.0
    if crowd.radius is None:
        return crowd.whole if whole else crowd.near
    reach = 1.02 * crowd.radius
    return -reach, -reach, reach, reach

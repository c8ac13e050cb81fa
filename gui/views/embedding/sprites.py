"""Many points in three dimensions as one picture: small lit balls, the near ones before the far.

To paint 20,000 stamps one by one takes more than a frame while a cloud is turned. Here all of them
are written into the picture at once: where several fall on a pixel, the nearest is written last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Ints
from coterie.core.numerics.drawing.palette import Bytes, rgb
from coterie.gui.views.embedding.limits import Box

_LEVELS = 16  # of haze
_HAZE = (0.62, 0.0)  # how much of the ground's colour the farthest and the nearest take on
_DIMMED = (0.88, 0.7)  # the same, of what is not selected while something is
_LIGHT, _RIM = 1.08, 0.7  # brightness where a ball is lit, and at its edge
_LARGER = 3.0  # pixels by which a selected ball is wider


@dataclass(frozen=True, eq=False)
class PointCloud:
    """Points as they are seen from a side.

    Attributes
    ----------
    x, y : (n,) where they are seen
    depth : (n,) −1 at the back, 1 at the front
    codes : (n,) which of the `colours` each has
    ground : the colour that what is far fades into
    outline : the colour around what is selected
    """

    x: Array
    y: Array
    depth: Array
    codes: Array
    selected: Array
    colours: tuple[str, ...]
    ground: str
    outline: str

    def picture(self, box: Box, size: tuple[int, int], diameter: float, ratio: float) -> Bytes:
        """Return a (height, width, 4) picture of the points in `box` = (x0, y0, x1, y1).

        Parameters
        ----------
        size : width and height of the picture in pixels. Row 0 is at y0
        diameter : of a point in pixels of the screen, of which each is `ratio` of the picture's
        """
        image = np.zeros(size[0] * size[1], dtype=np.uint32)
        some = self.selected.any()
        plain = _shades(
            self.colours, self.ground, Ball.of(diameter * ratio), _DIMMED if some else _HAZE
        )
        self._write(image, ~self.selected, Ball.of(diameter * ratio), plain, box, size)
        if some:
            ball = Ball.of((diameter + _LARGER) * ratio)
            clear = _shades(self.colours, self.ground, ball, (0.0, 0.0))
            clear[..., ball.away > 1 - 1.6 * ratio / ball.radius] = _packed(self.outline)
            self._write(image, self.selected, ball, clear, box, size)
        return image.view(np.uint8).reshape(size[1], size[0], 4)

    def _write(
        self, image: Array, which: Array, ball: Ball, shades: Array, box: Box, size: tuple[int, int]
    ) -> None:
        """Write the stamps of some points, the far ones first."""
        (width, height), (x0, y0, x1, y1), x, y = size, box, self.x, self.y
        inside = np.flatnonzero(which & (x >= x0) & (x < x1) & (y >= y0) & (y < y1))
        order = inside[np.argsort(self.depth[inside], kind="stable")]
        column = ((x[order] - x0) * (width / (x1 - x0))).astype(np.int64)
        row = ((y[order] - y0) * (height / (y1 - y0))).astype(np.int64)
        level = ((self.depth[order] + 1) * (_LEVELS / 2)).astype(np.int64).clip(0, _LEVELS - 1)
        # One cut off by the edge is left out, rather than to ask of each pixel where it is.
        reach = int(ball.radius)
        whole = (
            (column >= reach) & (column < width - reach) & (row >= reach) & (row < height - reach)
        )
        order, column, row, level = order[whole], column[whole], row[whole], level[whole]
        places = (row * width + column)[:, None] + (ball.across - ball.down * width)
        image[places.ravel()] = shades[self.codes[order], level].ravel()


@dataclass(frozen=True, eq=False)
class Ball:
    """A stamp: which pixels around the middle it covers, and how bright each of them is."""

    radius: float
    across: Ints
    down: Ints
    away: Array
    light: Array

    @classmethod
    def of(cls, diameter: float) -> Ball:
        """Return the ball of so many pixels across.

        >>> len(Ball.of(1.0).light), len(Ball.of(3.0).light)
        (1, 9)
        """
        radius = max(diameter / 2, 0.5)
        reach = int(radius)
        down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        away = np.hypot(across, down) / radius
        inside = away < 1.0
        # From the upper left, as everything in a window is lit.
        shaded = np.hypot(across / radius + 0.3, down / radius + 0.3).clip(0.0, 1.3) / 1.3
        light = _LIGHT - (_LIGHT - _RIM) * shaded**2
        return cls(radius, across[inside], down[inside], away[inside], light[inside])


def _shades(colours: Sequence[str], ground: str, ball: Ball, haze: tuple[float, float]) -> Array:
    """(colours, levels, pixels of a ball) as four bytes in one number."""
    pure = np.stack([rgb(colour) for colour in colours]).astype(float)[:, None, None, :]
    far = np.linspace(*haze, _LEVELS)[None, :, None, None]
    lit = np.clip(pure * ball.light[None, None, :, None], 0, 255)
    mixed = (1 - far) * lit + far * np.asarray(rgb(ground), dtype=float)
    found = np.full((*mixed.shape[:3], 4), 255, dtype=np.uint8)
    found[..., :3] = np.round(mixed)
    return np.asarray(found.view(np.uint32)[..., 0])


def _packed(colour: str) -> int:
    return int(np.array([*rgb(colour), 255], dtype=np.uint8).view(np.uint32)[0])

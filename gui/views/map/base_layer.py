"""The base layer of a map: a scene or a picture, read tile by tile on a thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coterie.core.api.context import Context, Control, NullListener
from coterie.core.formats.rasters.overviews import OverviewLevel, planned_levels
from coterie.core.formats.rasters.scene import NO_TRANSFORM, Scene, scene_of
from coterie.core.formats.rasters.tie_points import TiePoints
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array, Floats, is_sparse
from coterie.core.model.dataset import SCENE, Dataset
from coterie.gui.views.map.sketch import Sketch
from coterie.projects.sources import rasters
from coterie.projects.sources.rasters import OpenScene

TILE = 256
QUANTILES = np.linspace(0.0, 100.0, 401)
_LOOKED_AT = 1 << 16  # valid pixels whose values decide the stretch


@dataclass(frozen=True, eq=False)
class Ground:
    """The pixels under a map; nothing is read to make it.

    Attributes
    ----------
    picture : (height, width, bands) in memory, or None
    scene : on disk, or None
    """

    title: str
    height: int
    width: int
    bands: tuple[str, ...]
    wavelengths: tuple[float, ...] = ()
    crs: str = ""
    transform: tuple[float, ...] = NO_TRANSFORM
    picture: Array | None = None
    scene: Scene | None = None

    @property
    def n(self) -> int:
        """Number of pixels."""
        return self.height * self.width

    @property
    def placed(self) -> bool:
        """Whether its position on the earth is known."""
        return bool(self.crs) and self.transform != NO_TRANSFORM

    @property
    def ties(self) -> TiePoints | None:
        """Pixels whose place is known, where the ground has no coordinates of its own."""
        return self.scene.ties if self.scene is not None and not self.placed else None

    def position(self, column: float, row: float) -> tuple[float, float] | None:
        """Return the position of a point on the earth, None when that is not known."""
        if self.placed:
            return self.to_map(column, row)
        return self.ties.place(column, row) if self.ties is not None else None

    def values_in_words(
        self, values: Sequence[float] | Array | None, drawn: Sequence[int] = ()
    ) -> str:
        """Return the value of each band at a pixel, those that are drawn first."""
        if values is None:
            return "no data"
        order = dict.fromkeys((*drawn, *range(len(self.bands))))
        return "  ".join(f"{self.bands[band]} {float(values[band]):.4g}" for band in order)

    def north(self) -> tuple[float, float] | None:
        """Return the way north in columns and rows at the middle, None when it is not known."""
        column, row = self.width / 2, self.height / 2
        here, right, below = (
            self.position(column + i, row + j) for i, j in ((0, 0), (1, 0), (0, 1))
        )
        if here is None or right is None or below is None:
            return None
        steps = np.array([right, below]).T - np.array(here)[:, None]
        if abs(np.linalg.det(steps)) <= 0:
            return None
        way = np.linalg.solve(steps, [0.0, 1.0])
        return float(way[0]), float(way[1])

    def to_map(self, column: float, row: float) -> tuple[float, float]:
        """Return the coordinates of a point given in columns and rows."""
        a, b, c, d, e, f = self.transform
        return a * column + b * row + c, d * column + e * row + f

    def to_pixels(self, corners: Array) -> Floats:
        """Return (m, 2) columns and rows of points given in coordinates."""
        a, b, c, d, e, f = self.transform
        moved = np.asarray(corners, dtype=np.float64) - (c, f)
        return np.asarray(np.linalg.solve(np.array([[a, b], [d, e]]), moved.T).T)


def coordinates(place: tuple[float, float], degrees: bool) -> str:
    """Return coordinates in words.

    >>> coordinates((-8.25, 50.5), degrees=True)
    '50.50000° N, 8.25000° W'
    """
    x, y = place
    if not degrees:
        return f"x {x:,.1f}  y {y:,.1f}"
    # A swath over the date line counts on beyond 180.
    x = (x + 180) % 360 - 180
    east, north = ("E" if x >= 0 else "W"), ("N" if y >= 0 else "S")
    return f"{abs(y):.5f}° {north}, {abs(x):.5f}° {east}"


def ground_of(data: Dataset | None) -> Ground | None:
    """Return the base layer of the items of a dataset, None when they are not pixels.

    >>> data = Dataset(features=np.zeros((6, 1)), details={"height": 2, "width": 3})
    >>> ground_of(data).picture.shape
    (2, 3, 1)
    """
    if data is None:
        return None
    if isinstance(data.details.get(SCENE), Mapping):
        scene = scene_of(data)
        return Ground(
            title=data.title or scene.name,
            height=scene.height,
            width=scene.width,
            bands=scene.band_names,
            wavelengths=scene.wavelengths,
            crs=scene.crs,
            transform=scene.transform,
            scene=scene,
        )
    height, width = (data.details.get(side) for side in ("height", "width"))
    features: Any = data.features
    if not isinstance(height, int) or not isinstance(width, int) or data.kind != "table":
        return None
    if features is None or is_sparse(features) or not data.d or height * width != data.n:
        return None
    waves = tuple(float(wave) for wave in data.details.get("wavelengths", ()))
    transform = tuple(float(v) for v in data.details.get("transform", NO_TRANSFORM))
    return Ground(
        title=data.title,
        height=height,
        width=width,
        bands=data.columns,
        wavelengths=waves if len(waves) == data.d else (),
        crs=str(data.details.get("crs", "")),
        transform=transform if len(transform) == 6 else NO_TRANSFORM,
        picture=features.reshape(height, width, data.d),
    )


@dataclass(frozen=True, eq=False)
class PreparedOverviews:
    """What had to be found out once before a ground can be looked at.

    Attributes
    ----------
    levels : its sizes, each half the one before
    metres : length of a pixel's side on the ground, 0 when not known
    system : name of the coordinate system, short
    degrees : whether coordinates are longitude and latitude
    sketch : what is shown of the coarsest level while the copies are being made, else None
    """

    levels: tuple[OverviewLevel, ...]
    metres: float = 0.0
    system: str = ""
    degrees: bool = False
    sketch: Sketch | None = None
    _quantiles: dict[int, Floats] = field(default_factory=dict)
    _bare: set[int] = field(default_factory=set)

    def lacks_data(self, bands: Sequence[int]) -> bool:
        """Return whether one of these bands was looked at and held no valid pixel."""
        return not self._bare.isdisjoint(bands)

    def level_for(self, pixels: float) -> OverviewLevel:
        """Return the coarsest level with cells of at most `pixels` pixels."""
        fine = [level for level in self.levels if 2**level.number <= max(1.0, pixels)]
        if self.sketch is not None and self.sketch.level.number < fine[-1].number:
            return self.sketch.level
        return fine[-1]

    def limits(
        self, ground: Ground, bands: Sequence[int], low: float, high: float
    ) -> tuple[tuple[float, float], ...]:
        """Return for each band the values at two percentiles of its valid pixels; for a thread.

        A band is looked at once, at its smallest size, when it is first asked for.
        """
        if self.sketch is not None and self.sketch.has(bands):
            return self.sketch.limits(bands, low, high)
        missing = [band for band in dict.fromkeys(bands) if band not in self._quantiles]
        if missing:
            values, valid = _small(ground, self.levels, missing)
            if not valid.any():
                self._bare.update(missing)
            self._quantiles.update(zip(missing, _quantiles(values, valid), strict=True))
        found = []
        for band in bands:
            at = np.interp([low, high], QUANTILES, self._quantiles[band])
            first, last = float(at[0]), float(at[1])
            found.append((first, last if last > first else first + 1.0))
        return tuple(found)


class _Telling(NullListener):
    """Passes progress on to a function."""

    def __init__(self, tell: Callable[[float, str], None]) -> None:
        self._tell = tell

    def progress(self, done: float, total: float, message: str) -> None:
        self._tell(done / total if total else 0.0, message)


def prepare(
    ground: Ground,
    control: Control,
    tell: Callable[[float, str], None],
    bands: Sequence[int] = (),
    show: Callable[[PreparedOverviews], None] = lambda _: None,
) -> PreparedOverviews:
    """Make the smaller copies of a scene, unless they are there; to be called on a thread.

    Parameters
    ----------
    bands : drawn at once in a coarse picture, before the copies are made
    show : called when that picture begins
    """
    if ground.scene is not None:
        context = Context(listener=_Telling(tell), control=control)
        planned, _, made_before = planned_levels(ground.scene)
        if bands and not made_before:
            sketch = Sketch(planned, bands)
            with OpenScene(ground.scene) as opened:
                show(PreparedOverviews(planned, *_place(ground), sketch=sketch))
                size = ground.height, ground.width
                sketch.fill(opened, size, ground.scene.block, context.check)
        made = rasters.make_overviews(ground.scene, context)
        return PreparedOverviews(made, *_place(ground, made))
    sizes, levels = (ground.height, ground.width), [OverviewLevel(0, ground.height, ground.width)]
    while max(sizes) > 4 * TILE:
        sizes = (sizes[0] + 1) // 2, (sizes[1] + 1) // 2
        levels.append(OverviewLevel(len(levels), *sizes))
    return PreparedOverviews(tuple(levels), *_place(ground))


def _small(
    ground: Ground, levels: Sequence[OverviewLevel], bands: Sequence[int]
) -> tuple[Floats, Array]:
    """Some values of these bands from all over the ground, a row for each, and validity."""
    last = levels[-1]
    whole = Window(0, 0, last.height, last.width)
    if ground.scene is None:
        values, valid = read_tile(ground, None, last, whole, bands)
    elif last.file is None:
        shape = min(last.height, 2 * TILE), min(last.width, 2 * TILE)
        with OpenScene(ground.scene) as opened:
            values, valid = opened.read(whole, shape, bands)
    else:
        with OpenScene(ground.scene, levels) as opened:
            values, valid = opened.read_window(last.number, whole, bands)
    step = max(1, valid.size // _LOOKED_AT)
    return values.reshape(len(values), -1)[:, ::step], valid.reshape(-1)[::step]


def read_tile(
    ground: Ground,
    opened: OpenScene | None,
    level: OverviewLevel,
    window: Window,
    bands: Sequence[int],
    sketch: Sketch | None = None,
) -> tuple[Floats, Array]:
    """Return (bands, height, width) values and validity of a window of a level.

    While there is a sketch, the level may not exist yet: it is taken from that, or from the scene.
    """
    if opened is not None:
        if sketch is not None:
            if sketch.level.number == level.number and sketch.has(bands):
                return sketch.read(window, bands)
            wide = level.in_scene(window, ground.height, ground.width)
            return opened.read(wide, window.shape, bands)
        return opened.read_window(level.number, window, bands)
    assert ground.picture is not None
    rows, columns = (slice(None, None, 2**level.number),) * 2
    piece = ground.picture[rows, columns][window.slices][:, :, list(bands)]
    values = np.moveaxis(piece, -1, 0)
    return values, _finite(values)


def read_pixel(ground: Ground, row: int, column: int) -> Floats | None:
    """Return the value of all bands at a pixel, None when it holds no data."""
    values, valid = read_box(ground, Window(row, column, row + 1, column + 1))
    return values[:, 0, 0] if valid[0, 0] else None


def read_box(
    ground: Ground, window: Window, shape: tuple[int, int] | None = None
) -> tuple[Floats, Array]:
    """Return all bands of a window, in a smaller shape if one is given, and validity."""
    if ground.picture is not None:
        values = np.moveaxis(ground.picture[window.slices], -1, 0)
        if shape is not None and shape != window.shape:
            at = [np.arange(new) * old // new for new, old in zip(shape, window.shape, strict=True)]
            values = values[:, at[0][:, None], at[1]]
        return values, _finite(values)
    assert ground.scene is not None
    with OpenScene(ground.scene) as opened:
        return opened.read(window, shape)


def _finite(values: Array) -> Array:
    """Whether all bands of each pixel hold data."""
    return np.asarray(np.isfinite(values).all(axis=0))


def _quantiles(values: Array, valid: Array) -> Floats:
    if not valid.any():
        return np.tile(QUANTILES / 100, (len(values), 1))
    return np.stack([np.percentile(band[valid], QUANTILES) for band in values])


def _place(ground: Ground, levels: Sequence[OverviewLevel] = ()) -> tuple[float, str, bool]:
    """Length of a pixel in metres, name of the coordinate system, whether it is in degrees."""
    column, row = ground.width / 2, ground.height / 2
    here, beside = ground.position(column, row), ground.position(column + 1, row)
    if here is None or beside is None:
        return 0.0, "", False
    return rasters.measure(
        ground.scene,
        levels,
        ground.ties.crs if ground.ties is not None else ground.crs,
        here,
        beside,
        (ground.height, ground.width),
        ground.transform if ground.ties is None else None,
    )

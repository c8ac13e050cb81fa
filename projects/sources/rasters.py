"""Scenes, maps and regions as the window reads them: in a confined process, if wanted.

GDAL, PROJ and SQLite parse files that may come from anybody. After `keep_apart`, this
process loads none of them: a confined process reads for it, which sees the files of one scene and
nothing else. Otherwise the same code (`raster_service.py`) runs here.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import numpy as np

from coterie.core.api.context import Context
from coterie.core.errors import CoterieError, DataError
from coterie.core.formats.maps.finish import Finish, write_extras
from coterie.core.formats.maps.finish import finish_map as write_finished
from coterie.core.formats.products.archives import is_archive
from coterie.core.formats.products.vrt import is_vrt
from coterie.core.formats.rasters.maps import MapGrid, ReadRows, write_map_at
from coterie.core.formats.rasters.overviews import (
    OverviewLevel,
    overviews_folder,
    overviews_of,
    planned_levels,
)
from coterie.core.formats.rasters.polygons import Polygon
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import Window
from coterie.core.io.confined.process import ConfinedProcess
from coterie.core.io.folders import cache_folder
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.projects.confined_services import RASTERS
from coterie.projects.sources.raster_processes import are_apart, reader
from coterie.projects.sources.write_scene import write_bands as write_here

_PATIENCE = 120.0  # seconds without a word
_ROWS = 1024


class OpenScene:
    """A scene, and its smaller copies if any are named. Use it in a `with` statement."""

    def __init__(self, scene: Scene, levels: Sequence[OverviewLevel] = ()) -> None:
        self._scene = scene
        self._levels = tuple(levels)
        self._fields = scene.as_json()
        self._listed = [
            [level.number, level.height, level.width, str(level.file) if level.file else None]
            for level in levels
        ]
        self._exit = contextlib.ExitStack()

    def __enter__(self) -> Self:
        process = reader(self._scene.name, *files_of(self._scene, self._levels))
        self._reader = self._exit.enter_context(process)
        return self

    def __exit__(self, *error: object) -> None:
        with self._exit, contextlib.suppress(CoterieError, OSError):
            self._reader.call("release", patience=_PATIENCE)

    def read(
        self, window: Window, shape: tuple[int, int] | None = None, bands: Sequence[int] = ()
    ) -> tuple[Floats, Array]:
        """Return values and validity, as `SceneReader.read` does."""
        return self._read(0, window, shape or window.shape, bands)

    def read_window(
        self, level: int, window: Window, bands: Sequence[int] = ()
    ) -> tuple[Floats, Array]:
        """Return values and validity, as `Overviews.read_window` does."""
        return self._read(level, window, window.shape, bands)

    def _read(
        self, level: int, window: Window, shape: tuple[int, int], bands: Sequence[int]
    ) -> tuple[Floats, Array]:
        found = self._reader.call(
            "read",
            patience=_PATIENCE,
            scene=self._fields,
            levels=self._listed,
            level=level,
            window=_corners(window),
            shape=list(shape),
            bands=[int(band) for band in bands],
        ).arrays
        count = len(bands) or len(self._scene.bands)
        values = _checked(found, "values", (count, *shape), "f", self._scene.name)
        return values, _checked(found, "valid", shape, "b", self._scene.name)


def make_overviews(scene: Scene, context: Context) -> tuple[OverviewLevel, ...]:
    """Return the sizes of a scene, after making the smaller copies that are not there yet."""
    if not are_apart():
        return overviews_of(scene, context).levels
    levels, _, made = planned_levels(scene)
    if not made:
        folder = overviews_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        read, write = files_of(scene)
        # A process of its own: others are answered while it works, and it can be ended.
        process = ConfinedProcess(RASTERS, scene.name, read=read, write=[*write, folder])
        try:
            process.call(
                "make_overviews",
                patience=_PATIENCE,
                report=lambda done, text: context.progress(done, 1.0, text),
                check=context.check,
                scene=scene.as_json(),
                folder=str(folder),
            )
        finally:
            process.close()
    return levels


def read_map(path: Path, grid: tuple[int, int], window: Window, shape: tuple[int, int]) -> Ints:
    """Return the numbers of a map of this size in a window, in that shape."""
    with reader(path.name, _beside(path)) as process:
        found = process.call(
            "read_map",
            patience=_PATIENCE,
            path=str(path),
            grid=list(grid),
            window=_corners(window),
            shape=list(shape),
        ).arrays
    numbers: Ints = _checked(found, "numbers", shape, "i", path.name)
    return numbers


def write_map(target: Path, grid: MapGrid, read: ReadRows, check: Callable[[], None]) -> Ints:
    """Write a map, as `write_map_at` does."""
    if not are_apart():
        return write_map_at(target, grid, read, check)
    fields = {
        **{name: getattr(grid, name) for name in ("height", "width", "nodata", "crs")},
        "names": list(grid.names),
        "transform": list(grid.transform),
        "dtype": str(np.dtype(grid.dtype)),
        "ties": None if grid.ties is None else asdict(grid.ties),
    }
    with _handed_over((grid.height, grid.width), grid.dtype) as (numbers, file):
        for top in range(0, grid.height, _ROWS):
            check()
            bottom = min(top + _ROWS, grid.height)
            numbers[top:bottom] = read(top, bottom)
        numbers.flush()
        with reader(target.name, [file], [target.parent]) as process:
            found = process.call(
                "write_map",
                patience=10 * _PATIENCE,
                target=str(target),
                numbers=str(file),
                grid=fields,
                arrays={"colours": np.asarray(grid.colours)},
            ).arrays
    counts: Ints = _checked(found, "counts", (grid.height, len(grid.names)), "i", target.name)
    return counts


def finish_map(
    source: Path,
    target: Path,
    how: Finish,
    extras: Mapping[str, Path],
    scene: Scene | None = None,
) -> list[str]:
    """Write a finished copy of a map, and extras as `write_extras` names them; return remarks."""
    if not are_apart():
        said = write_finished(source, target, how)
        places: dict[str, Any] = dict(extras)
        return said + write_extras(target, **places, title=source.stem, scene=scene)
    read, write = files_of(scene) if scene is not None else ([], [])
    with tempfile.TemporaryDirectory(prefix="finishing-", dir=cache_folder()) as own:
        # A process of its own, as for overviews.
        process = ConfinedProcess(
            RASTERS,
            source.name,
            read=[*_beside(source), *read],
            write=[target.parent, *write, Path(own)],
        )
        try:
            said = process.call(
                "finish_map",
                patience=30 * _PATIENCE,
                source=str(source),
                target=str(target),
                how=asdict(how),
                extras={name: str(path) for name, path in extras.items()},
                title=source.stem,
                scene=None if scene is None else scene.as_json(),
                fonts=own,
            ).value
        finally:
            process.close()
    return [str(remark)[:500] for remark in said] if isinstance(said, list) else []


def most_uncertain(path: Path, count: int) -> list[tuple[int, int]]:
    """Return the most uncertain places, as `uncertainty.most_uncertain` does."""
    with reader(path.name, _beside(path)) as process:
        found = process.call("most_uncertain", patience=_PATIENCE, path=str(path), count=count)
    try:
        return [(int(row), int(column)) for row, column in found.value]
    except (TypeError, ValueError, OverflowError):
        raise _nonsense(path.name) from None


def write_bands(target: Path, bands: Array, **fields: Any) -> None:
    """Write bands as a GeoTIFF, as `write_scene.write_bands` does."""
    if not are_apart():
        write_here(target, bands, **fields)
        return
    with _handed_over(bands.shape, bands.dtype) as (numbers, file):
        numbers[...] = bands
        numbers.flush()
        with reader(target.name, [file], [target.parent]) as process:
            process.call(
                "write_bands",
                patience=10 * _PATIENCE,
                target=str(target),
                bands=str(file),
                **fields,
            )


def measure(
    scene: Scene | None,
    levels: Sequence[OverviewLevel],
    crs: str,
    here: tuple[float, float],
    beside: tuple[float, float],
    size: tuple[int, int],
    transform: tuple[float, ...] | None,
) -> tuple[float, str, bool]:
    """Return the metres between two places, the name of their system, whether it is in degrees."""
    # The process that will read the scene: starting one for each question takes long.
    read, write = files_of(scene, levels) if scene is not None else ([], [])
    about = scene.name if scene is not None else "the picture"
    with reader(about, read, write) as process:
        found = process.call(
            "measure",
            patience=_PATIENCE,
            crs=crs,
            here=list(here),
            beside=list(beside),
            size=list(size),
            transform=None if transform is None else list(transform),
        ).value
    try:
        metres, name, degrees = found
        return float(metres), str(name)[:100], bool(degrees)
    except (TypeError, ValueError, ArithmeticError):
        raise _nonsense(about) from None


def is_geographic(crs: str) -> bool:
    """Whether the coordinates of a system are degrees."""
    with reader("the regions") as process:
        return bool(process.call("is_geographic", patience=_PATIENCE, crs=crs).value)


def reprojected(corners: Floats, system: str, crs: str) -> Floats:
    """Return corners of one coordinate system in another, as `geopackage.reprojected` does."""
    with reader("the regions") as process:
        found = process.call(
            "reproject", patience=_PATIENCE, arrays={"corners": corners}, system=system, crs=crs
        ).arrays
    moved: Floats = _checked(found, "corners", corners.shape, "f", "the regions")
    return moved


def read_regions(path: Path, crs: str) -> list[Polygon]:
    """Return the polygons of a GeoPackage in the coordinate system `crs`."""
    with reader(path.name, _beside(path)) as process:
        found = process.call("read_regions", patience=_PATIENCE, path=str(path), crs=crs)
    polygons, rings = [], iter(range(len(found.arrays)))
    try:
        for name, count in found.value:
            own = [np.array(found.arrays[str(next(rings))], dtype=np.float64) for _ in range(count)]
            if not own or any(ring.ndim != 2 or ring.shape[1] != 2 for ring in own):
                raise ValueError("no ring")
            polygons.append(Polygon(str(name), tuple(own)))
    except (TypeError, ValueError, KeyError, StopIteration):
        raise _nonsense(path.name) from None
    return polygons


def write_regions(path: Path, polygons: Sequence[Polygon], crs: str) -> None:
    """Write polygons, each of one ring, as a GeoPackage."""
    rings = {f"r{at}": polygon.rings[0] for at, polygon in enumerate(polygons)}
    names = [polygon.name for polygon in polygons]
    with reader(path.name, (), [path.parent]) as process:
        process.call(
            "write_regions", patience=_PATIENCE, arrays=rings, path=str(path), names=names, crs=crs
        )


# What may be read


def files_of(scene: Scene, levels: Sequence[OverviewLevel] = ()) -> tuple[list[Path], list[Path]]:
    """Return the files and folders that reading a scene needs, and those that it may fill."""
    path = Path(scene.path)
    homes = {level.file.parent for level in levels if level.file is not None}
    write: list[Path] = []
    if is_archive(path):  # it is unpacked into the cache
        read = [path]
        write = [cache_folder() / "archives"]
        write[0].mkdir(mode=0o700, parents=True, exist_ok=True)
    elif is_vrt(path):  # it may refer to any file beside it
        read = [path.parent]
    elif path.suffix.lower() == ".npz":  # so are its arrays
        read = [path]
        write = [cache_folder() / "cubes"]
        write[0].mkdir(mode=0o700, parents=True, exist_ok=True)
    else:
        named = dict.fromkeys(path / band.file if band.file else path for band in scene.bands)
        read = [file for place in named for file in _beside(place)]
    if scene.validity is not None:
        more_read, more_write = files_of(scene.validity.scene)
        read, write = read + more_read, write + more_write
    return [*read, *homes], write


def _beside(path: Path) -> list[Path]:
    """Return a file, and those beside it that may belong to it: headers, world files, masks."""
    try:
        found = [one for one in path.parent.iterdir() if one.name.startswith(f"{path.stem}.")]
    except OSError:
        found = []
    return sorted({path, *found})


# What is handed over


@contextlib.contextmanager
def _handed_over(shape: tuple[int, ...], dtype: Any) -> Iterator[tuple[Any, Path]]:
    """A file of numbers for another process to read; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="handed-over-", dir=cache_folder()) as folder:
        file = Path(folder) / "numbers.npy"
        yield np.lib.format.open_memmap(file, mode="w+", dtype=np.dtype(dtype), shape=shape), file


def _corners(window: Window) -> list[int]:
    return [int(side) for side in (window.top, window.left, window.bottom, window.right)]


def _checked(arrays: Any, name: str, shape: tuple[int, ...], kind: str, about: str) -> Any:
    """Return an array of an answer: a hostile file may have had a hand in it."""
    found = arrays.get(name)
    if found is None or found.shape != tuple(shape) or found.dtype.kind != kind:
        raise _nonsense(about)
    return found if found.flags.writeable else found.copy()


def _nonsense(about: str) -> DataError:
    return DataError(
        f"'{about}' could not be read: its contents are inconsistent. It may be damaged; "
        "download or export it again.",
        code="file-damaged",
    )

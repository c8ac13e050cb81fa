"""Reading a scene window by window: values in their unit, and which pixels are valid."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from coterie.core.errors import FIND_FILE, DataError, no_file
from coterie.core.formats.rasters.confined import (
    OFFLINE,
    require_confined,
    require_own_overviews,
    skip_network_drivers,
)
from coterie.core.formats.rasters.decimated import read_decimated
from coterie.core.formats.rasters.scene import Band, Scene, Validity
from coterie.core.formats.rasters.self_contained import require_self_contained
from coterie.core.model.arrays import Array, Floats

# Formats whose files hold their own pixels. GDAL knows others that only point to files elsewhere,
# or on the network, whatever their name ends in: a scene must not lead there.
DRIVERS = ("GTiff", "ENVI", "netCDF", "JP2OpenJPEG", "ESAT", "HFA", "PNG", "BMP", "JPEG")
CACHE_MEGABYTES = 64
MOST_PIXELS = 1 << 22  # in one block


@dataclass(frozen=True)
class Window:
    """A rectangle of pixels: rows and columns from … to, the last one left out."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.bottom - self.top, self.right - self.left

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns as slices."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def grown(self, by: int, height: int, width: int) -> Window:
        """Return the window with `by` more pixels on each side, as far as there are any."""
        return Window(
            max(0, self.top - by),
            max(0, self.left - by),
            min(height, self.bottom + by),
            min(width, self.right + by),
        )


def windows_over(height: int, width: int, side: tuple[int, int]) -> list[Window]:
    """Return the windows of at most that height and width that cover a grid, row by row.

    >>> [w.shape for w in windows_over(3, 5, (2, 4))]
    [(2, 4), (2, 1), (1, 4), (1, 1)]
    """
    high, wide = max(1, side[0]), max(1, side[1])
    return [
        Window(top, left, min(top + high, height), min(left + wide, width))
        for top in range(0, height, high)
        for left in range(0, width, wide)
    ]


def tile_side(scene: Scene, most: int = 512) -> tuple[int, int]:
    """Return a height and width near `most` made of whole blocks, so none is read twice.

    Strips as wide as the scene are read whole, fewer rows at a time. A file that is one huge block
    is read in parts all the same: memory is dearer than time.
    """
    high, wide = scene.block
    if high * wide > MOST_PIXELS:
        return most, most
    if wide >= scene.width and wide > most:
        rows = max(1, most * most // wide)
        return max(high, rows // high * high) if high <= rows else high, scene.width
    return max(high, most // high * high), max(wide, most // wide * wide)


@contextlib.contextmanager
def bounded_gdal() -> Iterator[None]:
    """Keep GDAL off the network, its cache small and its warnings of pictures to itself."""
    skip_network_drivers()
    import rasterio
    from rasterio.errors import NotGeoreferencedWarning

    # One file a scene is made of may be opened without looking through its folder.
    with warnings.catch_warnings(), rasterio.Env(GDAL_CACHEMAX=CACHE_MEGABYTES, **OFFLINE):
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        yield


class SceneReader:
    """An open scene. Use it in a `with` statement, and in one thread only.

    Parameters
    ----------
    threads : of GDAL, which unpack the blocks of a window at the same time

    Examples
    --------
    >>> import tempfile
    >>> from coterie.core.formats.rasters.numpy_scenes import scene_of_cube
    >>> path = Path(tempfile.mkdtemp()) / "cube.npy"
    >>> np.save(path, np.arange(16.0).reshape(2, 4, 2))
    >>> with SceneReader(scene_of_cube(path)) as reader:
    ...     values, valid = reader.read(Window(0, 1, 2, 2))
    >>> values[:, :, 0].tolist(), valid.all().item()
    ([[2.0, 10.0], [3.0, 11.0]], True)
    """

    single = 1 << 30  # reading is cheap: no window is worth taking apart

    def __init__(self, scene: Scene, threads: int = 1) -> None:
        self.scene = scene
        self._threads = threads
        self._stack = contextlib.ExitStack()
        self._sources: dict[tuple[str, str], Any] = {}
        self._cube: Array | None = None
        self._mask: SceneReader | None = None
        # Whole numbers of 16 bits are exact in float32, and so is half the memory.
        exact = np.dtype(scene.dtype)
        small = (exact.kind == "f" and exact.itemsize <= 4) or exact.itemsize <= 2
        self.dtype = np.dtype(np.float32 if small else np.float64)

    @property
    def columns(self) -> tuple[str, ...]:
        """What the values are called: the bands."""
        return self.scene.band_names

    def __enter__(self) -> Self:
        path = Path(self.scene.path)
        if not path.is_absolute():
            raise DataError(
                f"The path of the scene '{self.scene.name}' is not known. Allow the project to "
                "read it, or choose it again.",
                code="file-not-found",
            )
        if not path.exists():
            raise DataError(
                f"The scene '{self.scene.path}' is missing. Was it moved or renamed? Locate it.",
                offer=(FIND_FILE,),
                code="file-not-found",
            )
        if self.scene.form == "gdal":
            self._stack.enter_context(bounded_gdal())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._sources.clear()
        self._cube = self._mask = None
        self._stack.close()

    def read(
        self, window: Window, shape: tuple[int, int] | None = None, bands: Sequence[int] = ()
    ) -> tuple[Floats, Array]:
        """Return (bands, height, width) values and (height, width) whether each pixel is valid.

        Parameters
        ----------
        shape : smaller height and width to read it in, nearest pixels; for pictures
        bands : positions of the bands to read; all when empty

        A pixel is valid when all its bands hold finite data.
        """
        chosen = [self.scene.bands[i] for i in bands] if bands else list(self.scene.bands)
        numbers = self._numbers(chosen, window, shape or window.shape)
        valid = np.ones(numbers[0].shape, dtype=np.bool_)
        values = np.empty((len(chosen), *numbers[0].shape), dtype=self.dtype)
        for band, stored, value in zip(chosen, numbers, values, strict=True):
            if band.nodata is not None:
                # In the stored type: -99999.9 is not the same number in float32 and float64.
                valid &= stored != np.asarray(band.nodata).astype(stored.dtype)
            value[...] = stored
            if band.scale != 1:
                value *= band.scale
            if band.offset:
                value += band.offset
        if np.dtype(self.scene.dtype).kind == "f":
            valid &= np.isfinite(values).all(axis=0)
        if self.scene.validity is not None:
            valid &= self._kept(self.scene.validity, window, shape)
        return values, valid

    def _kept(self, validity: Validity, window: Window, shape: tuple[int, int] | None) -> Array:
        """Where the second raster leaves pixels in; what it does not know, it leaves out too."""
        if self._mask is None:
            self._mask = self._stack.enter_context(SceneReader(validity.scene))
        values, known = self._mask.read(window, shape)
        return known & ~np.isin(values[0], validity.invalid)

    def _numbers(
        self, bands: Sequence[Band], window: Window, shape: tuple[int, int]
    ) -> Sequence[Array]:
        if self.scene.form != "gdal":
            return self._from_cube(bands, window, shape)
        from rasterio.errors import RasterioError

        try:
            return self._from_files(bands, window, shape)
        except (RasterioError, OSError) as error:
            raise DataError(
                f"'{self.scene.name}' cannot be read near row {window.top}, column {window.left}: "
                f"the file is incomplete or damaged{_why(error)}. Download it again.",
                code="file-damaged",
            ) from None

    def _from_files(
        self, bands: Sequence[Band], window: Window, shape: tuple[int, int]
    ) -> Sequence[Array]:
        corner, size = (window.top, window.left), window.shape
        place = gdal_window(window.left, window.top, size[1], size[0])
        smaller = shape != size and shape[0] <= size[0] and shape[1] <= size[1]
        found: list[Array | None] = [None] * len(bands)
        # All bands of one file at once: interleaved files are unpacked a single time.
        for key in dict.fromkeys((band.file, band.part) for band in bands):
            at = [i for i, band in enumerate(bands) if (band.file, band.part) == key]
            source = self._source(bands[at[0]])
            numbers = [bands[i].index for i in at]
            if smaller:
                read = read_decimated(source, numbers, corner, size, shape)
            else:
                read = source.read(numbers, window=place, out_shape=shape)
            for i, plane in zip(at, read, strict=True):
                found[i] = plane
        return [plane for plane in found if plane is not None]

    def _source(self, band: Band) -> Any:
        """The open file of a band, brought to the grid of the scene."""
        key = (band.file, band.part)
        if key not in self._sources:
            source = self._stack.enter_context(
                open_raster(Path(self.scene.path), band.file, band.part, self._threads)
            )
            if not _on_same_grid(source, self.scene):
                source = self._stack.enter_context(self._on_grid(source, band))
            self._sources[key] = source
        return self._sources[key]

    def _on_grid(self, source: Any, band: Band) -> Any:
        from rasterio.crs import CRS
        from rasterio.enums import Resampling
        from rasterio.transform import Affine
        from rasterio.vrt import WarpedVRT

        if source.crs is None or not self.scene.crs:
            raise DataError(
                f"Band '{band.name}' of '{self.scene.name}' has {source.height} × {source.width} "
                f"pixels, the scene {self.scene.height} × {self.scene.width}, and without a "
                "coordinate system they cannot be aligned. Choose bands of one size.",
                code="grid-mismatch",
            )
        return WarpedVRT(
            source,
            crs=CRS.from_wkt(self.scene.crs),
            transform=Affine(*self.scene.transform),
            height=self.scene.height,
            width=self.scene.width,
            resampling=Resampling[self.scene.resampling],
            src_nodata=band.nodata,
            nodata=band.nodata,
        )

    def _from_cube(
        self, bands: Sequence[Band], window: Window, shape: tuple[int, int]
    ) -> Sequence[Array]:
        from coterie.core.formats.rasters.numpy_scenes import open_cube

        if self._cube is None:
            self._cube = open_cube(self.scene)
        rows, columns = window.slices
        piece: Any
        if self.scene.form == "bands-last":
            piece = self._cube[rows, columns]
            planes = [piece[:, :, band.index - 1] for band in bands]
        else:
            planes = [self._cube[band.index - 1, rows, columns] for band in bands]
        if shape == window.shape:
            return planes
        at = [np.arange(new) * old // new for new, old in zip(shape, window.shape, strict=True)]
        return [plane[np.ix_(*at)] for plane in planes]


def _on_same_grid(source: Any, scene: Scene) -> bool:
    """Whether an open file has the pixels of a scene; without coordinates, as many of them."""
    if source.shape != (scene.height, scene.width):
        return False
    if source.crs is None or not scene.crs:
        return True
    a, b, c, d, e, f = scene.transform
    pixel = max(abs(a), abs(b), abs(d), abs(e)) or 1.0
    # Half a pixel, as some products name the centre of a pixel where others name its corner.
    return bool(max(abs(source.transform.c - c), abs(source.transform.f - f)) <= 0.51 * pixel)


@contextlib.contextmanager
def open_raster(path: Path, file: str = "", part: str = "", threads: int = 1) -> Iterator[Any]:
    """Open one file of a scene by rasterio, or say in one sentence why it cannot be read.

    Nothing but that file and what belongs to its format is read; see `confined`.
    """
    skip_network_drivers()
    import rasterio
    from rasterio.errors import NotGeoreferencedWarning, RasterioError
    from rasterio.io import DatasetReader

    from coterie.core.formats.products.archives import place_of
    from coterie.core.formats.products.vrt import is_vrt

    place = place_of(path, file)
    # As a path, never a text that GDAL would take for an address on the network.
    name = f'NETCDF:"{place.absolute()}":{part}' if part else str(place.absolute())
    require_confined(place)
    require_self_contained(place)
    virtual = is_vrt(place) and place.is_file()
    if virtual:
        _require_plain_files(place)
    try:
        several = {"GDAL_NUM_THREADS": threads} if threads > 1 else {}
        with warnings.catch_warnings(), rasterio.Env(**several, **OFFLINE):
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            # Not rasterio.open, which takes a single driver.
            source = DatasetReader(name, driver=["VRT"] if virtual else list(DRIVERS))
    except (RasterioError, OSError) as error:
        if not place.exists():
            raise no_file(place) from None
        if not place.is_dir() and not place.stat().st_size:
            raise DataError(
                f"'{place.name}' is empty. Download or copy it again.", code="file-damaged"
            ) from None
        raise DataError(
            f"'{place.name}' cannot be read as a raster{_why(error)}. It may be incomplete, "
            "damaged, or in an unknown format; download it again, or convert it to GeoTIFF.",
            code="file-damaged",
        ) from None
    with source:
        require_own_overviews(place, source)
        yield source


def _require_plain_files(place: Path) -> None:
    """Refuse a virtual raster unless it is made of rasters beside it that hold their own pixels."""
    from coterie.core.formats.products.vrt import files_of

    for file in files_of(place):
        with open_raster(file):
            pass


def _why(error: BaseException) -> str:
    cause = error.__cause__ or error.__context__ or error
    said = " ".join(str(cause).split())[:120].rstrip(".")
    # What GDAL says of what it does not know says no more than the sentence around it.
    return "" if not said or "not recognized" in said else f" ({said})"


def gdal_window(left: int, top: int, width: int, height: int) -> Any:
    """Return a window as rasterio takes it; how its class is made hides its arguments from mypy."""
    import rasterio.windows

    make: Any = rasterio.windows.Window
    return make(left, top, width, height)

"""Class maps as files: a GeoTIFF with colours and names, its style, a quick look, and areas."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.rasters.areas import row_areas
from coterie.core.formats.rasters.tie_points import TiePoints
from coterie.core.formats.rasters.windows import bounded_gdal
from coterie.core.io.atomic_write import writing_place
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.drawing.plots import legend_pixels

BLOCK = 256
LARGEST_LOOK = 1200  # pixels on the longer side of a quick look
SMALLEST_LOOK = 400  # below, each pixel of the map is drawn as several
NAMESPACE = "COTERIE"

ReadRows = Callable[[int, int], Array]


@dataclass(frozen=True, eq=False)
class MapGrid:
    """Size, place and classes of a map.

    Attributes
    ----------
    crs : WKT, empty when not known
    transform : as of a scene
    names, colours : of the classes, by their numbers from 0
    nodata : the number that stands for no data
    ties : pixels whose place is known, of a scene without a coordinate system
    """

    height: int
    width: int
    names: tuple[str, ...]
    colours: Array
    nodata: int
    dtype: Any
    crs: str = ""
    transform: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    ties: TiePoints | None = None


def write_map(path: Path, grid: MapGrid, read: ReadRows, check: Callable[[], None]) -> Ints:
    """Write a map as a tiled, compressed GeoTIFF; return the pixels of each class by row.

    Parameters
    ----------
    read : `read(top, bottom)` gives these rows of the map
    check : called for every strip of rows

    Returns
    -------
    (height, classes) counts; no-data pixels are in none.

    The file has a colour table and a no-data value. Beside it a `.qml` style for QGIS and a
    `.aux.xml` with the names of the classes are written.
    """
    import rasterio
    from rasterio.errors import RasterioError
    from rasterio.windows import Window

    counts = np.zeros((grid.height, len(grid.names)), dtype=np.int64)
    profile = {**_profile(grid), "dtype": str(grid.dtype), "nodata": grid.nodata}
    try:
        with bounded_gdal(), rasterio.open(path, "w", **profile) as target:
            target.write_colormap(1, _colour_table(grid))
            target.update_tags(ns=NAMESPACE, classes=json.dumps(list(grid.names)))
            target.update_tags(1, **{f"class_{i}": name for i, name in enumerate(grid.names)})
            for top in range(0, grid.height, BLOCK):
                check()
                rows = read(top, min(top + BLOCK, grid.height))
                window = Window(0, top, grid.width, len(rows))
                target.write(np.asarray(rows, dtype=grid.dtype), 1, window=window)
                for i, row in enumerate(rows):
                    found = np.bincount(row, minlength=len(grid.names))
                    counts[top + i] = found[: len(grid.names)]
    except RasterioError as error:
        raise DataError(
            f"'{path.name}' cannot be written ({error!s:.120}). Check the free space.",
            code="file-not-writable",
        ) from None
    write_names(path, grid)
    write_style(path, grid)
    return counts


def write_band_at(
    target: Path, grid: MapGrid, read: ReadRows, check: Callable[[], None], nodata: int, named: str
) -> None:
    """Write a band of bytes on the grid of a map: a GeoTIFF that takes its place when it is whole.

    Parameters
    ----------
    read : `read(top, bottom)` gives these rows
    named : what the band is called
    """
    import rasterio
    from rasterio.windows import Window

    beside = writing_place(target)
    profile = {**_profile(grid), "dtype": "uint8", "nodata": nodata}
    try:
        with bounded_gdal(), rasterio.open(beside, "w", **profile) as out:
            out.set_band_description(1, named)
            for top in range(0, grid.height, BLOCK):
                check()
                rows = np.asarray(read(top, min(top + BLOCK, grid.height)), dtype=np.uint8)
                out.write(rows, 1, window=Window(0, top, grid.width, len(rows)))
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _profile(grid: MapGrid) -> dict[str, Any]:
    return {
        "driver": "GTiff",
        "height": grid.height,
        "width": grid.width,
        "count": 1,
        "compress": "deflate",
        "tiled": True,
        "blockxsize": BLOCK,
        "blockysize": BLOCK,
        "BIGTIFF": "IF_SAFER",
        **_place(grid),
    }


def _place(grid: MapGrid) -> dict[str, Any]:
    """The location of the map for rasterio: a coordinate system and corner, or tie points."""
    from rasterio.control import GroundControlPoint
    from rasterio.crs import CRS
    from rasterio.transform import Affine

    if grid.ties is not None and not grid.crs:
        points = [GroundControlPoint(row, column, x, y) for column, row, x, y in grid.ties.points]
        return {"crs": CRS.from_user_input(grid.ties.crs), "gcps": points}
    place: dict[str, Any] = {}
    if grid.crs:
        place["crs"] = CRS.from_user_input(grid.crs)
    if grid.transform != (1.0, 0.0, 0.0, 0.0, 1.0, 0.0):
        place["transform"] = Affine(*grid.transform)
    return place


def write_map_at(
    target: Path, grid: MapGrid, read: ReadRows, check: Callable[[], None] = lambda: None
) -> Ints:
    """Write a map beside its place, which it takes when all of it is there; else as `write_map`."""
    beside = writing_place(target)
    made = {
        beside.with_suffix(".qml"): target.with_suffix(".qml"),
        beside.with_name(f"{beside.name}.aux.xml"): target.with_name(f"{target.name}.aux.xml"),
        beside: target,
    }
    try:
        counts = write_map(beside, grid, read, check)
        for file, place in made.items():
            file.replace(place)
    finally:
        for file in made:
            file.unlink(missing_ok=True)
    return counts


def write_names(path: Path, grid: MapGrid) -> None:
    """Write the names of the classes where GDAL and QGIS look for them: `map.tif.aux.xml`."""
    from xml.sax.saxutils import escape  # brings the network along: every engine would wait for it

    listed = "\n".join(f"      <Category>{escape(name)}</Category>" for name in grid.names)
    _write_text(
        path.with_name(f"{path.name}.aux.xml"),
        "<PAMDataset>\n"
        '  <PAMRasterBand band="1">\n'
        f"    <CategoryNames>\n{listed}\n    </CategoryNames>\n"
        "  </PAMRasterBand>\n"
        "</PAMDataset>\n",
    )


def write_style(path: Path, grid: MapGrid) -> None:
    """Write the colours and names as a style that QGIS loads with the map: `map.qml`."""
    from xml.sax.saxutils import quoteattr

    entries = "\n".join(
        f'        <paletteEntry value="{value}" color="#{red:02x}{green:02x}{blue:02x}" '
        f'alpha="255" label={quoteattr(name)}/>'
        for value, (name, (red, green, blue)) in enumerate(
            zip(grid.names, grid.colours.tolist(), strict=True)
        )
    )
    _write_text(
        path.with_suffix(".qml"),
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
        '<qgis version="3.0" styleCategories="AllStyleCategories">\n'
        "  <pipe>\n"
        '    <rasterrenderer type="paletted" band="1" opacity="1" alphaBand="-1" nodataColor="">\n'
        f"      <rasterTransparency/>\n      <colorPalette>\n{entries}\n      </colorPalette>\n"
        "    </rasterrenderer>\n"
        '    <brightnesscontrast brightness="0" contrast="0" gamma="1"/>\n'
        '    <huesaturation saturation="0" colorizeOn="0"/>\n'
        '    <rasterresampler maxOversampling="2"/>\n'
        "  </pipe>\n"
        "  <blendMode>0</blendMode>\n"
        "</qgis>\n",
    )


def write_areas(path: Path, grid: MapGrid, counts: Ints) -> None:
    """Write how many pixels, which share and which area each class has, as CSV.

    `counts` are those by row and class that `write_map` returns. Classes without pixels are listed
    too, the unclassified only when there are some.
    """
    areas = row_areas(grid.height, grid.width, grid.crs, grid.transform)
    pixels = counts.sum(axis=0)
    ground: Floats | None = None if areas is None else areas @ counts
    total = int(pixels.sum())
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["value", "class", "pixels", "share", "area_m2", "area_ha"])
        for value, name in enumerate(grid.names):
            if value == len(grid.names) - 1 and not pixels[value]:
                continue
            area = ["", ""] if ground is None else [ground[value], ground[value] / 1e4]
            share = pixels[value] / total if total else 0.0
            writer.writerow([value, name, int(pixels[value]), share, *area])


def write_look(path: Path, grid: MapGrid, read: ReadRows, shown: Sequence[int]) -> None:
    """Write a small picture of the map as PNG, with a legend where matplotlib is installed.

    `shown` are the classes in it.
    """
    step = max(1, -(-max(grid.height, grid.width) // LARGEST_LOOK))
    rows = [read(top, top + 1)[0, ::step] for top in range(0, grid.height, step)]
    codes = np.stack(rows).astype(np.int64)
    table = np.vstack([grid.colours, np.full((1, 3), 255, dtype=np.uint8)])
    picture = table[np.where(codes < len(grid.names), codes, len(grid.names))]
    times = max(1, SMALLEST_LOOK // max(codes.shape))
    picture = picture.repeat(times, 0).repeat(times, 1)
    try:
        legend = legend_pixels([grid.names[value] for value in shown], grid.colours[list(shown)])
    except DataError:  # the picture says much without
        legend = np.empty((0, 0, 3), dtype=np.uint8)
    height = max(picture.shape[0], legend.shape[0])
    both = np.full((height, picture.shape[1] + legend.shape[1], 3), 255, dtype=np.uint8)
    both[: picture.shape[0], : picture.shape[1]] = picture
    both[: legend.shape[0], picture.shape[1] :] = legend
    _write_png(path, both)


def _write_png(path: Path, picture: Array) -> None:
    import rasterio

    high, wide, _ = picture.shape
    # Files beside a picture without coordinates would only be clutter.
    with bounded_gdal(), rasterio.Env(GDAL_PAM_ENABLED="NO"):
        profile = {"driver": "PNG", "height": high, "width": wide, "count": 3, "dtype": "uint8"}
        with rasterio.open(path, "w", **profile) as target:
            target.write(np.moveaxis(picture, -1, 0))


def _colour_table(grid: MapGrid) -> dict[int, tuple[int, int, int, int]]:
    table = {
        i: (int(red), int(green), int(blue), 255)
        for i, (red, green, blue) in enumerate(grid.colours.tolist())
    }
    return {**table, grid.nodata: (0, 0, 0, 0)}


def _write_text(path: Path, text: str) -> None:
    temporary = writing_place(path, path.name)
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)

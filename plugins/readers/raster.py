"""Open a scene: a raster whose pixels stay on disk."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from coterie.core import (
    Context,
    Cost,
    CoterieError,
    Dataset,
    Field,
    ParameterError,
    Reader,
)
from coterie.core.formats.files.tabular import TablePreview
from coterie.core.formats.products.archives import is_archive, place_of
from coterie.core.formats.products.band_files import names_of, stacked
from coterie.core.formats.products.masks import left_out, mask_scene, quality_files
from coterie.core.formats.products.quality import quality_of
from coterie.core.formats.products.sentinel2 import is_sentinel2, scene_of_sentinel2
from coterie.core.formats.rasters.formats import files_beside, scene_of, scene_of_file
from coterie.core.formats.rasters.numpy_scenes import arrays_of, scene_of_cube
from coterie.core.formats.rasters.scene import Band, Scene, raster_dataset
from coterie.core.formats.rasters.scene import scene_of as scene_of_dataset
from coterie.core.formats.rasters.truth import TRUTH, Truth, find_truth, parse_classes, values_in

MASK_ENDINGS = (".tif", ".tiff", ".jp2", ".img")
MOST_LOOKED_AT = 30  # files beside a scene; a folder may hold thousands


class Raster(Reader):
    """A scene of several bands, whose pixels stay on disk and are read window by window.

    GeoTIFF and COG, ENVI, NetCDF, JPEG 2000, virtual rasters of files beside them, Envisat N1
    (MERIS level 1b as radiance by the factors of the product), cubes that numpy saved, Sentinel-2
    SAFE folders (reflectance by the offset and quantification of their metadata), Landsat folders
    (reflectance or radiance by the MTL file) and folders of band files, one for each band or date;
    also in archives (.zip, .tar.gz). The file is never altered. A mask beside it, or a quality
    layer of the product, may hold the class of each pixel.
    """

    id, title = "raster", "Scene"
    extensions = (
        ".tif",
        ".tiff",
        ".jp2",
        ".nc",
        ".n1",
        ".img",
        ".hdr",
        ".dat",
        ".vrt",
        ".safe",
        ".zip",
        ".tar",
        ".tar.gz",
        ".tgz",
        "mtd_msil1c.xml",
        "mtd_msil2a.xml",
        "_mtl.txt",
        "_mtl.xml",
        ".npy",
        ".npz",
    )
    default_for = tuple(ending for ending in extensions if ending not in (".npy", ".npz"))
    reads_windows = True

    class Params(Reader.Params):
        """Which bands, on which grid, and what is known of the pixels."""

        bands: str = Field(
            "",
            description="Names or numbers of the bands, separated by commas; empty for the usual "
            "ones. 'all', 'thermal' and 'panchromatic' add bands of a product.",
        )
        stack: str = Field(
            "",
            description="Other files beside the scene that hold further bands, such as 'b3.tif, "
            "b4.tif' or '*_B?.tif'.",
        )
        grid: Literal["finest", "10", "20", "60"] = Field(
            "finest",
            description="Pixel size in metres to which Sentinel-2 bands are resampled.",
            json_schema_extra={"unit": "m"},
        )
        resampling: Literal["nearest", "bilinear", "average"] = Field(
            "nearest",
            description="How bands of another resolution are resampled to the grid.",
            json_schema_extra={"advanced": True},
        )
        mask: str = Field(
            "",
            title="Mask",
            description="File beside the scene or in the product, or array in its .npz, with the "
            "class of pixels; BQA, QA_PIXEL, SCL and fmask are read by what their bits mean.",
        )
        exclude: str = Field(
            "",
            description="Classes of the mask whose pixels are left out, such as "
            "'cloud, cloud shadow'.",
        )
        mask_classes: str = Field(
            "",
            description='Meaning of the values of the mask, such as "4 = cloud, 1 = water"; '
            "empty: every value is a class.",
        )
        nodata: float | None = Field(
            None, description="No-data value, if the file does not give one."
        )
        array: str = Field(
            "",
            description="Array of an .npz that holds the scene; empty for the largest.",
            json_schema_extra={"advanced": True},
        )
        axes: Literal["auto", "bands-last", "bands-first"] = Field(
            "auto",
            description="Order of the axes of a NumPy cube.",
            json_schema_extra={"advanced": True},
        )
        truth: str = Field(
            "",
            description="Not used: a scene's known classes are in its mask.",
            json_schema_extra={"hidden": True},
        )
        items: str = Field(
            "",
            description="Not used: pixels have no names.",
            json_schema_extra={"hidden": True},
        )

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the description of the scene; no pixel of it is read."""
        path = Path(path)
        context.check()
        if params.truth or params.items:
            raise ParameterError(
                "A scene has no columns. Name the file of known classes as 'mask' instead.",
                code="invalid-parameters",
            )
        if params.exclude and not params.mask:
            raise ParameterError(
                "'exclude' names classes of a mask. Name the file of the mask as 'mask'.",
                code="invalid-parameters",
            )
        scene = _scene(path, params).choose(params.bands)
        scene = replace(scene, resampling=params.resampling)
        notes, details, fields = list(scene.notes), {}, {}
        if scene.ties is not None:
            notes.append("The scene is located by tie points, not by a coordinate system.")
        elif not scene.crs:
            notes.append("The scene has no coordinate system, so its map will have none either.")
        if params.mask:
            context.check()
            mask = mask_scene(path, params.mask)
            truth = find_truth(scene, mask, parse_classes(params.mask_classes), context.check)
            if params.exclude:
                scene = _without(scene, truth, params.exclude, context)
                notes.append(f"Pixels left out by the mask: {params.exclude}.")
            details[TRUTH] = truth.as_json()
            fields = {"truth_names": truth.names, "truth_column": "class"}
        return raster_dataset(
            scene, title=scene.name.split(".")[0], notes=notes, details=details, **fields
        )

    def estimate(self, *args: Any, **kwargs: Any) -> Cost:
        """Only headers are read, and a window at a time."""
        return Cost(bytes=64 << 20, seconds=0.5)

    def preview(self, path: str | Path, *, params: Params, context: Context) -> TablePreview:
        """Show the bands of the scene, one in each row; no pixel of it is read."""
        data = self.compute(path, params=params, context=context)
        scene = scene_of_dataset(data)
        rows = tuple(
            (
                band.name,
                f"{band.wavelength:g} nm" if band.wavelength else "not known",
                _values(band),
                "none" if band.nodata is None else f"{band.nodata:g}",
            )
            for band in scene.bands
        )
        size = f"{scene.height:,} × {scene.width:,} pixels of {scene.dtype}{_place(scene)}."
        known = f"Known classes: {', '.join(data.truth_names)}." if data.truth_names else ""
        return TablePreview(
            columns=("Band", "Wavelength", "Value", "No data"),
            rows=rows,
            notes=tuple(note for note in (size, known, *data.notes) if note),
            named=False,
            choices={name: found for name, found in _choices(Path(path), scene).items() if found},
        )

    def companions(self, path: Path, *, params: Params) -> tuple[Path, ...]:
        """Return the mask, and the files of a product that was opened by its metadata or header."""
        if is_archive(path):
            return ()
        inside = path.suffix.lower() == ".npz" or path.is_dir() or not params.mask
        masks = () if inside else tuple(_files(mask_scene(path, params.mask)))
        if not path.is_file() or path.suffix.lower() in (".npy", ".npz"):
            return masks
        others = names_of(path.parent, params.stack) if params.stack else []
        return (*masks, *files_beside(path), *(path.with_name(name) for name in others))


def _files(scene: Scene) -> tuple[Path, ...]:
    path = Path(scene.path)
    return tuple(place_of(path, file) for file in sorted({band.file for band in scene.bands}))


def _without(scene: Scene, truth: Truth, names: str, context: Context) -> Scene:
    """The scene without some classes; and without what a quality layer calls no data."""
    others: tuple[int, ...] = ()
    if quality_of(truth.scene.bands[0].file or truth.scene.name) is not None:
        found = values_in(truth.scene, context.check)
        others = tuple(value for value in found if value not in truth.values)
    return left_out(scene, truth, names, others)


def _place(scene: Scene) -> str:
    """The grid that all bands are brought to, in words."""
    if not scene.crs:
        return ""
    from rasterio.crs import CRS

    system = CRS.from_wkt(scene.crs)
    unit = "°" if system.is_geographic else f" {system.linear_units}"
    unit = unit.replace(" metre", " m")
    a, b, _, d, e, _ = scene.transform
    wide, high = math.hypot(a, d), math.hypot(b, e)
    side = f"{wide:.6g}" if math.isclose(wide, high) else f"{wide:.6g} × {high:.6g}"
    code = system.to_epsg()
    return f" on a grid of {side}{unit}" + (f", EPSG:{code}" if code else "")


def _choices(path: Path, scene: Scene) -> dict[str, tuple[str, ...]]:
    """The arrays of an .npz; of other scenes the rasters beside them that could be their mask."""
    arrays = arrays_of(path)
    masks = arrays or quality_files(path) or _masks_beside(path, scene)
    return {"array": arrays, "mask": masks}


def _masks_beside(path: Path, scene: Scene) -> tuple[str, ...]:
    """Names of files with one band of as many pixels, those called like the scene first."""
    try:
        files = list(path.parent.iterdir())
    except OSError:  # a folder may let its files be read and not be listed
        files = []
    others = [f for f in files if f.suffix.lower() in MASK_ENDINGS and f.name != path.name]
    others.sort(key=lambda other: (not other.stem.startswith(path.stem), other.name))
    found = []
    for other in others[:MOST_LOOKED_AT]:
        try:
            mask = scene_of(other)  # described only
        except (CoterieError, OSError):
            continue  # whatever it is, it is not a mask
        if len(mask.bands) == 1 and (mask.height, mask.width) == (scene.height, scene.width):
            found.append(other.name)
    return tuple(found)


def _values(band: Band) -> str:
    """How the numbers of the file become values."""
    scaled = "as stored" if band.scale == 1 else f"× {band.scale:g}"
    return (
        f"{scaled} {'+' if band.offset > 0 else '−'} {abs(band.offset):g}"
        if band.offset
        else scaled
    )


def _scene(path: Path, params: Raster.Params) -> Scene:
    if path.suffix.lower() in (".npy", ".npz") and path.is_file():
        scene = scene_of_cube(path, params.array, params.axes)
        if params.nodata is not None:
            bands = tuple(replace(band, nodata=params.nodata) for band in scene.bands)
            scene = replace(scene, bands=bands)
        return scene
    if params.grid != "finest" and is_sentinel2(path):
        return scene_of_sentinel2(path, int(params.grid))
    if params.stack:
        return _stacked(path, params)
    return scene_of(path, params.nodata)


def _stacked(path: Path, params: Raster.Params) -> Scene:
    """The bands of a file and of others beside it, or of the named files of a folder."""
    folder = path if path.is_dir() else path.parent
    others = names_of(folder, params.stack)
    names = others if path.is_dir() else list(dict.fromkeys((path.name, *others)))
    scene = stacked(folder, names, scene_of_file)
    if params.nodata is None:
        return scene
    return replace(scene, bands=tuple(replace(band, nodata=params.nodata) for band in scene.bands))

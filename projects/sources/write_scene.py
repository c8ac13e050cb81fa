"""Pixels of one picture as a GeoTIFF, with a second one of what is known of each."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.features.picture_grid import as_bands, grid_of

ENDINGS = (".tif", ".tiff")
NO_TRUTH = 255


def write_bands(
    path: Path,
    bands: Array,
    *,
    names: Sequence[str],
    tags: Sequence[Mapping[str, str]],
    nodata: int | None,
    crs: str,
    transform: Sequence[float],
) -> None:
    """Write (bands, height, width) numbers as a GeoTIFF, with a name and tags for each band.

    Parameters
    ----------
    crs, transform : its place on Earth; empty when not known
    """
    import rasterio
    from rasterio.errors import NotGeoreferencedWarning
    from rasterio.transform import Affine

    place: dict[str, Any] = {}
    if crs:
        place["crs"] = crs
    if transform:
        place["transform"] = Affine(*transform)
    count, height, width = bands.shape
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)  # a photograph has no position
        with rasterio.open(
            path,
            "w",
            driver="GTiff",
            count=count,
            height=height,
            width=width,
            dtype=bands.dtype,
            nodata=nodata,
            compress="deflate",
            **place,
        ) as target:
            target.write(bands)
            for number, name in enumerate(names, 1):
                target.set_band_description(number, name)
            for number, values in enumerate(tags, 1):
                target.update_tags(number, **values)


def save_scene(data: Dataset, path: Path, write: Callable[..., None] = write_bands) -> list[Path]:
    """Write the bands of a picture, and beside them its known classes; return what was written.

    The place on Earth comes from the details "crs" and "transform", where there are any. The
    classes go to `name-truth.tif`, 255 where unknown, with their names as tags of the band. `write`
    does what `write_bands` does, perhaps in another process.
    """
    grid = grid_of(data)
    bands = as_bands(data.dense_features(), grid).astype(np.float32)
    waves = data.details.get("wavelengths", ())
    tags = [{"wavelength": f"{wave:g}", "wavelength_units": "nm"} for wave in waves]
    place = {
        "crs": str(data.details.get("crs") or ""),
        "transform": tuple(data.details.get("transform") or ()),
    }
    write(path, bands, names=list(data.columns), tags=tags, nodata=None, **place)
    if data.truth is None:
        return [path]
    if len(data.truth_names) >= NO_TRUTH:
        raise DataError(
            f"A map can hold {NO_TRUTH - 1} classes. '{data.title}' has "
            f"{len(data.truth_names)}; write it as CSV.",
            code="too-many-classes",
        )
    truth = np.where(data.truth < 0, NO_TRUTH, data.truth).astype(np.uint8).reshape(1, *grid)
    meanings = {f"class_{number}": name for number, name in enumerate(data.truth_names)}
    beside = path.with_name(f"{path.stem}-truth{path.suffix}")
    named = [data.truth_column or "truth"]
    write(beside, truth, names=named, tags=[meanings], nodata=NO_TRUTH, **place)
    return [path, beside]

"""Small pictures as rows of pixels, and the thumbnails that are shown of them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.arrays import Array, Floats
from coterie.core.errors import DataError

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif")
LARGEST_THUMBNAIL = 64


def read_picture(path: Path, size: tuple[int, int] | None = None) -> Array:
    """Return a picture as height × width × 3 bytes, averaged down to `size` if that is given.

    Greys have three equal colours; what is more than red, green and blue is left out.
    """
    import rasterio
    from rasterio.enums import Resampling
    from rasterio.errors import NotGeoreferencedWarning, RasterioError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)  # a picture lies nowhere
            with rasterio.open(path) as source:
                bands = [1, 2, 3] if source.count >= 3 else [1, 1, 1]
                height, width = size or source.shape
                colours = _colour_table(source) if source.count < 3 else None
                # The numbers of colours in a table have no mean.
                how = Resampling.average if colours is None else Resampling.nearest
                values: Any = source.read(bands, out_shape=(3, height, width), resampling=how)
                if colours is not None:
                    values = colours[values[0]].transpose(2, 0, 1)
    except (RasterioError, OSError) as error:
        raise DataError(
            f"'{path.name}' cannot be read as a picture ({error!s:.100}). Save it as PNG."
        ) from None
    return as_bytes(np.moveaxis(values, 0, -1))


def picture_size(path: Path) -> tuple[int, int]:
    """Return height and width of a picture without reading it."""
    import rasterio
    from rasterio.errors import NotGeoreferencedWarning, RasterioError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            with rasterio.open(path) as source:
                return int(source.height), int(source.width)
    except (RasterioError, OSError) as error:
        raise DataError(
            f"'{path.name}' cannot be read as a picture ({error!s:.100}). Save it as PNG."
        ) from None


def as_bytes(values: Array) -> Array:
    """Return brightness as bytes: bytes as they are, 0 to 1 stretched, all else by its range.

    >>> as_bytes(np.array([0.0, 0.5, 1.0])).tolist(), as_bytes(np.array([-1.0, 3.0])).tolist()
    ([0, 128, 255], [0, 255])
    """
    if values.dtype == np.uint8:
        return values
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low >= 0 and high <= 255:
        low, high = 0.0, 255.0
    stretched = (values.astype(np.float64) - low) * (255 / max(high - low, 1e-300))
    return np.asarray(np.rint(stretched), dtype=np.uint8)


def thumbnails_of(pixels: Floats, shape: tuple[int, ...]) -> Array:
    """Return n rows of pixels as small pictures: bytes, at most 64 pixels high and wide.

    Parameters
    ----------
    pixels : (n, height · width) or (n, height · width · 3), row by row
    shape : (height, width) or (height, width, 3)
    """
    step = max(1, -(-max(shape[:2]) // LARGEST_THUMBNAIL))
    small = np.asarray(pixels).reshape(-1, *shape)[:, ::step, ::step]
    return np.ascontiguousarray(as_bytes(small))


def _colour_table(source: Any) -> Array | None:
    try:
        table = source.colormap(1)
    except ValueError:  # it has none
        return None
    return np.array([table.get(i, (0, 0, 0))[:3] for i in range(256)], dtype=np.uint8)

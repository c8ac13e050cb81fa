"""Small pictures as rows of pixels, and the thumbnails that are shown of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif")
# Formats whose files hold their own pixels, whatever their name ends in; see rasters.windows.
DRIVERS = ("PNG", "JPEG", "GTiff", "BMP", "GIF")
MOST_PIXELS = 1 << 27  # those of the largest cameras; some forms are unpacked whole
LARGEST_THUMBNAIL = 64


def read_picture(path: Path, size: tuple[int, int] | None = None) -> Array:
    """Return a picture as height × width × 3 bytes, averaged down to `size` if that is given.

    Greys have three equal colours; what is more than red, green and blue is left out.
    """
    from rasterio.enums import Resampling

    with _opened(path) as source:
        bands = [1, 2, 3] if source.count >= 3 else [1, 1, 1]
        height, width = size or source.shape
        colours = _colour_table(source) if source.count < 3 else None
        # The numbers of colours in a table have no mean.
        how = Resampling.average if colours is None else Resampling.nearest
        values: Any = source.read(bands, out_shape=(3, height, width), resampling=how)
        if colours is not None:
            values = colours[values[0]].transpose(2, 0, 1)
    return as_bytes(np.moveaxis(values, 0, -1))


def picture_size(path: Path) -> tuple[int, int]:
    """Return height and width of a picture without reading it."""
    with _opened(path) as source:
        return int(source.height), int(source.width)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open a picture, or say in one sentence why it cannot be."""
    import rasterio
    from rasterio.errors import NotGeoreferencedWarning, RasterioError
    from rasterio.io import DatasetReader

    try:
        with warnings.catch_warnings(), rasterio.Env():  # which registers the drivers
            warnings.simplefilter("ignore", NotGeoreferencedWarning)  # a picture has no coordinates
            # As a path, never a text that GDAL would take for an address on the network.
            with DatasetReader(str(path.absolute()), driver=list(DRIVERS)) as source:
                if source.height * source.width > MOST_PIXELS:
                    raise DataError(
                        f"'{path.name}' has {source.height} × {source.width} pixels, too many "
                        "for a small picture. Open it as a scene, or leave it out.",
                        code="picture-too-large",
                    )
                yield source
    except (RasterioError, OSError) as error:
        raise DataError(
            f"'{path.name}' cannot be read as a picture ({error!s:.100}). Save it as PNG.",
            code="file-damaged",
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

"""Small pictures."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from coterie.core import Array, DataError
from coterie.core.numerics.features import pictures
from coterie.core.numerics.features.pictures import (
    as_bytes,
    picture_size,
    read_picture,
    thumbnails_of,
)
from tests.hostile import bombs
from tests.refusals import refuses


def write(path: Path, bands: Array, driver: str = "PNG") -> Path:
    import rasterio

    count, height, width = bands.shape
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with rasterio.open(
            path, "w", driver=driver, count=count, height=height, width=width, dtype="uint8"
        ) as target:
            target.write(bands.astype(np.uint8))
    return path


def test_colours_and_greys(tmp_path: Path) -> None:
    bands = np.arange(3 * 4 * 6).reshape(3, 4, 6) * 3
    colour = write(tmp_path / "c.png", bands)
    np.testing.assert_array_equal(read_picture(colour), np.moveaxis(bands, 0, -1))
    assert picture_size(colour) == (4, 6)
    grey = read_picture(write(tmp_path / "g.tif", bands[:1], "GTiff"))
    np.testing.assert_array_equal(grey, np.repeat(bands[0][..., None], 3, axis=2))


def test_a_smaller_size_is_the_mean_of_the_pixels(tmp_path: Path) -> None:
    bands = np.kron(np.array([[[10, 20], [30, 40]]]), np.ones((1, 3, 3)))
    small = read_picture(write(tmp_path / "g.png", bands), (2, 2))
    np.testing.assert_array_equal(small[..., 0], [[10, 20], [30, 40]])


def test_what_is_no_picture_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_text("hello")
    for look in (read_picture, picture_size):
        with refuses("file-damaged", DataError, match="'x.png'"):
            look(tmp_path / "x.png")


def test_thumbnails_are_bytes_and_small() -> None:
    assert thumbnails_of(np.zeros((2, 256 * 256)), (256, 256)).shape == (2, 64, 64)
    assert thumbnails_of(np.zeros((2, 12)), (2, 2, 3)).shape == (2, 2, 2, 3)
    assert as_bytes(np.array([0, 100, 255])).tolist() == [0, 100, 255]
    assert as_bytes(np.array([7, 7, 700])).tolist() == [0, 0, 255]


def test_no_file_leads_to_another_whatever_it_is_called(tmp_path: Path) -> None:
    """GDAL knows descriptions of pictures that lie elsewhere, or on the network."""
    for name, content in bombs.folders().items():
        [(file, content_of)] = content.items()
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_bytes(content_of)
        with refuses("file-damaged", DataError):
            read_picture(tmp_path / name / file, (8, 8))


def test_a_picture_beyond_any_camera_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.png", np.zeros((1, 4, 4)))
    monkeypatch.setattr(pictures, "MOST_PIXELS", 15)
    with refuses("picture-too-large", DataError):
        picture_size(path)

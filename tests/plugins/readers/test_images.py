"""Small pictures, as files and as rows of pixels."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.images import Images
from tests.refusals import refuses


def read(path: Path, **params: Any) -> Dataset:
    return Images().compute(path, params=Images.Params(**params), context=Context())


def picture(path: Path, value: int, size: tuple[int, int] = (4, 6)) -> None:
    import rasterio

    path.parent.mkdir(exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with rasterio.open(
            path, "w", driver="PNG", count=3, height=size[0], width=size[1], dtype="uint8"
        ) as target:
            target.write(np.full((3, *size), value, dtype=np.uint8))


def test_a_folder_of_pictures_with_folders_as_classes(tmp_path: Path) -> None:
    picture(tmp_path / "cats/b.png", 255)
    picture(tmp_path / "cats/a.png", 0)
    picture(tmp_path / "dogs/c.png", 51)
    data = read(tmp_path)
    assert data.kind == "images"
    assert data.items == ("cats/a.png", "cats/b.png", "dogs/c.png")
    np.testing.assert_allclose(data.dense_features()[:, 0], [0, 1, 0.2])
    assert data.d == 24
    assert data.truth_names == ("cats", "dogs")
    assert data.thumbnails is not None
    assert data.thumbnails.shape == (3, 4, 6)
    coloured = read(tmp_path, colour="colour", height=2, width=2)
    assert coloured.d == 12
    assert coloured.thumbnails is not None
    assert coloured.thumbnails.shape == (3, 2, 2, 3)


def test_folders_that_will_not_do(tmp_path: Path) -> None:
    with refuses("no-pictures", DataError):
        read(tmp_path)
    picture(tmp_path / "a.png", 0, (200, 200))
    with refuses("picture-too-large", DataError, match="200.*200"):
        read(tmp_path)
    assert read(tmp_path, height=8, width=8).d == 64
    picture(tmp_path / "b.png", 0)
    with refuses("picture-size-mismatch", DataError, match="'b.png'.*4.*6.*'a.png'.*200.*200"):
        read(tmp_path)
    with refuses("invalid-parameters", DataError):
        read(tmp_path, height=8)
    with refuses("invalid-parameters", DataError):
        read(tmp_path, truth="x")


def test_rows_of_pixels(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("p0,p1,p2,p3,label\n0,0.5,1,0,a\n1,1,1,1,b\n")
    data = read(path)
    assert data.thumbnails is not None
    np.testing.assert_array_equal(data.thumbnails[0], [[0, 128], [255, 0]])
    assert data.truth_names == ("a", "b")
    assert "Guessed: pictures of 2 × 2 pixels, the only square." in data.notes
    assert read(path, height=1, width=4).thumbnails.shape == (2, 1, 4)  # type: ignore[union-attr]
    with refuses("picture-size-mismatch", DataError, match="4.*3.*3.*9"):
        read(path, height=3, width=3)
    path.write_text("1,2,3\n4,5,6\n")
    with refuses("picture-size-needed", DataError):
        read(path)


def test_a_stack_of_pictures(tmp_path: Path) -> None:
    np.save(tmp_path / "s.npy", np.zeros((5, 3, 2), dtype=np.uint8))
    data = read(tmp_path / "s.npy")
    assert (data.n, data.d) == (5, 6)
    assert data.details["height"] == 3
    np.save(tmp_path / "s.npy", np.zeros((5, 3, 2, 4)))
    with refuses("wrong-shape", DataError):
        read(tmp_path / "s.npy")
    (tmp_path / "s.npy").write_text("hello")
    with refuses("file-damaged", DataError):
        read(tmp_path / "s.npy")


@pytest.mark.realdata
def test_real_faces(realdata: Path) -> None:
    data = read(realdata / "frey_faces.csv.gz", height=28, width=20)
    assert (data.n, data.d) == (1965, 560)
    assert data.thumbnails is not None
    assert data.thumbnails.shape == (1965, 28, 20)
    with refuses("picture-size-needed", DataError, match="560"):
        read(realdata / "frey_faces.csv.gz")

"""A MERIS product from the file to a map, by the commands alone."""

from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.vrt import WarpedVRT

from coterie.core.formats.rasters.formats import scene_of
from coterie.projects.cli.main import main
from tests.core.formats.products.making_envisat import FACTORS, write_meris

RECIPE = """\
title = "Clouds"
[data]
open = "meris.N1"
[[step]]
name = "pixels"
use = "transform/sample"
of = "data"
params = { size = 60 }
seed = 1
[[step]]
name = "groups"
use = "clusterer/kmeans"
of = "pixels"
params = { k = 2 }
[[step]]
name = "classes"
use = "classifier/nearest"
of = ["pixels", "groups"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scene with a cloud in its lower right, and a column outside the swath."""
    radiance = np.full((15, 33, 49), 40.0)
    radiance[:, 16:, 24:] = 250.0
    noise = np.random.default_rng(0).normal(1, 0.01, radiance.shape)
    numbers = (radiance * noise / np.array(FACTORS)[:, None, None]).astype(np.uint16)
    numbers[:, :, 0] = 0
    write_meris(tmp_path / "meris.N1", numbers)
    (tmp_path / "clouds.toml").write_text(RECIPE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_product_is_told_sampled_and_classified(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["info", "meris.N1"]) == 0
    told = capsys.readouterr().out
    assert "1,617 × 15" in told
    assert "radiance_1 (412.5 nm), radiance_2" in told
    assert "located by tie points" in told
    assert main(["run", "clouds.toml", "--engine", "inprocess"]) == 0
    order = ["classify", "clouds.coterie.h5", "meris.N1", "-o", "map.tif", "--engine", "inprocess"]
    assert main(order) == 0
    told = capsys.readouterr().out
    assert "33 pixels without data" in told
    assert "by the tie points of the scene" in told
    ties = scene_of(folder / "meris.N1").ties
    assert ties is not None
    with rasterio.open(folder / "map.tif") as made:
        codes = made.read(1)
        assert (codes[:, 0] == made.nodata).all()
        assert len(np.unique(codes[16:, 24:])) == 1
        assert len(np.unique(codes[:16, 1:])) == 1
        assert codes[20, 30] != codes[2, 2]
        with WarpedVRT(made, crs="EPSG:4326") as laid:
            found = next(laid.sample([ties.place(40.5, 28.5)]))[0]
            assert found == codes[28, 40]
    lines = (folder / "map.csv").read_text().splitlines()
    assert lines[1].endswith(",,")  # no areas: pixels of a swath are not of one size


def test_a_product_cut_short_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "meris.N1"
    path.write_bytes(path.read_bytes()[:-1])
    assert main(["run", "clouds.toml", "--engine", "inprocess"]) != 0
    told = capsys.readouterr()
    assert "'meris.N1' is incomplete" in told.out + told.err
    assert "Traceback" not in told.out + told.err

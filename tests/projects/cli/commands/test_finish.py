"""`coterie finish` and `coterie classify` over a folder, with a mosaic."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from coterie.core.errors import Cancelled, DataError
from coterie.core.formats.maps.mosaic import write_mosaic
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.maps import MapGrid, write_map_at
from coterie.projects.cli.commands.finish import _size
from coterie.projects.cli.scene_folder import targets_for

CRS = rasterio.crs.CRS.from_epsg(32633).to_wkt()
RECIPE = """\
title = "Two kinds"
[data]
open = "west.tif"
[[step]]
name = "pixels"
use = "transform/sample"
of = "data"
params = { size = 60 }
[[step]]
name = "groups"
use = "clusterer/kmeans"
of = "pixels"
params = { k = 2 }
[[step]]
name = "classes"
use = "classifier/random-forest"
of = ["pixels", "groups"]
params = { trees = 5 }
"""


def write_map(
    path: Path, codes: Any, left: float = 5e5, top: float = 5e6, size: float = 10
) -> Path:
    table = class_table(2, ("land", "cloud"))
    place = (size, 0.0, left, 0.0, -size, top)
    height, width = codes.shape
    names, colours = table.names, table.colours
    grid = MapGrid(height, width, names, colours, table.nodata, table.dtype, CRS, place)
    write_map_at(path, grid, lambda top, bottom: codes[top:bottom], lambda: None)
    return path


def write_scene(path: Path, truth: Any, left: float) -> None:
    values = np.random.default_rng(0).normal(200.0 + 600.0 * truth, 10, (2, *truth.shape))
    with rasterio.open(
        path, "w", driver="GTiff", count=2, height=truth.shape[0], width=truth.shape[1],
        dtype="uint16", nodata=0, crs="EPSG:32633", transform=Affine(10, 0, left, 0, -10, 5e6),
    ) as target:  # fmt: skip
        target.write(values.astype(np.uint16))


def test_a_map_is_finished_on_the_command_line(coterie: Any, tmp_path: Path) -> None:
    codes = np.zeros((20, 30), dtype=np.uint8)
    codes[:, 15:] = 1
    codes[4, 4], codes[10:12, 20:22] = 1, 0
    path = write_map(tmp_path / "map.tif", codes)
    outlines = tmp_path / "p.gpkg"
    said = coterie("finish", path, "-o", tmp_path / "clean.tif", "--smallest", "300 m2",
                   "--polygons", outlines, "--statistics", tmp_path / "s.csv")  # fmt: skip
    assert said.code == 0, said.complaint
    assert "1 small patches went" in said.out
    assert "'p.gpkg' has 3 polygons." in said.out
    with rasterio.open(tmp_path / "clean.tif") as made:
        found = made.read(1)
    assert found[4, 4] == 0
    assert (found[10:12, 20:22] == 0).all()
    with (tmp_path / "s.csv").open(encoding="utf-8") as stream:
        assert [row["patches"] for row in csv.DictReader(stream)] == ["2", "1"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--majority", "3"), "add -o"),
        ((), "nothing to do"),
        (("--smallest", "much", "-o", "x.tif"), "number of pixels, or an area"),
        (("--polygons", "p.shp"), ".gpkg, .geojson or .json"),
        (("-o", "y.tif", "--majority", "3", "--polygons", "p.shp"), ".gpkg, .geojson or .json"),
        (("--page", "p.doc"), ".pdf, .png or .svg"),
        (("--statistics", "s.xls"), ".csv"),
        (("-o", "map.tif", "--majority", "3"), "input file"),
        (("-o", "x.png", "--majority", "3"), ".tif"),
        (("-o", "nowhere/x.tif", "--majority", "3"), "does not exist"),
    ],
)
def test_what_cannot_be_done_is_said(
    coterie: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: Any, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_map(tmp_path / "map.tif", np.zeros((5, 5), dtype=np.uint8))
    answer = coterie("finish", "map.tif", *given)
    assert answer.code == 1
    assert said in answer.complaint
    assert len(answer.complaint.splitlines()) == 1
    assert not (tmp_path / "y.tif").exists()


def test_sizes_are_pixels_or_areas() -> None:
    assert _size("7") == (7, 0.0)
    assert _size("0.5ha") == (0, 5000.0)
    assert _size("2 km²") == (0, 2e6)


def test_a_folder_of_scenes_gives_maps_a_summary_and_a_mosaic(
    coterie: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    truth = np.zeros((40, 30), dtype=np.int64)
    truth[:, 20:] = 1
    (tmp_path / "scenes").mkdir()
    write_scene(tmp_path / "west.tif", truth, 5e5)
    write_scene(tmp_path / "scenes" / "a.tif", truth, 5e5)
    write_scene(tmp_path / "scenes" / "b.tif", 1 - truth, 5e5 + 300)
    (tmp_path / "scenes" / "c.tif").write_bytes(b"not a scene")
    (tmp_path / "two.toml").write_text(RECIPE)
    assert coterie("run", "two.toml").code == 0
    given = ("two.coterie.h5", "scenes", "-o", "maps", "--mosaic", "all.tif")
    said = coterie("classify", *given)
    assert said.code == 1
    assert "1 of 3 scenes could not be classified" in said.complaint
    assert "Wrote 2 maps" in said.out
    assert "c.tif: " in said.out
    with (tmp_path / "maps" / "summary.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["scene"] for row in rows] == ["a.tif", "a.tif", "b.tif", "b.tif", "c.tif"]
    assert sum(int(row["pixels"] or 0) for row in rows) == 2 * 40 * 30
    assert rows[-1]["problem"]
    with rasterio.open("all.tif") as made:
        found = made.read(1)
        assert made.shape == (40, 60)
    assert (found[:, 20:50] == found[0, 25]).all()
    assert (found[:, :20] != found[0, 25]).all()
    assert (tmp_path / "maps" / "a-map.uncertainty.tif").exists()
    one = coterie("classify", "two.coterie.h5", "west.tif", "-o", "x.tif", "--mosaic", "y.tif")
    assert "--mosaic needs a folder" in one.complaint
    for wrong, sentence in (
        (("-o", "scenes"), "is the folder of the scenes"),
        (("-o", "maps", "--mosaic", "all.png"), "ending in .tif"),
        (("-o", "maps", "--mosaic", "no/all.tif"), "folder 'no' does not exist"),
        (("-o", "all.csv", "--mosaic", "all.tif"), "are for scenes"),
    ):
        said = coterie("classify", "two.coterie.h5", "scenes", *wrong)
        assert said.code == 1
        assert sentence in said.complaint
    (tmp_path / "empty").mkdir()
    assert coterie("classify", "two.coterie.h5", "empty", "-o", "none").code == 1
    assert not (tmp_path / "none").exists()


def test_scenes_whose_names_begin_alike_get_a_map_each() -> None:
    scenes = [Path(name) for name in ("S2.may.tif", "S2.june.tif", "s2", "L8.tar.gz")]
    names = [path.name for path in targets_for(scenes, Path("maps"))]
    assert len({name.casefold() for name in names}) == 4
    assert names[-1] == "L8-map.tif"


def test_an_earlier_map_is_not_replaced_by_its_changes(coterie: Any, tmp_path: Path) -> None:
    first = write_map(tmp_path / "first.tif", np.zeros((4, 5), dtype=np.uint8))
    second = write_map(tmp_path / "second.tif", np.ones((4, 5), dtype=np.uint8))
    kept = first.read_bytes()
    said = coterie("finish", second, "--since", first, "-o", first)
    assert said.code == 1
    assert "is an input file" in said.complaint
    assert first.read_bytes() == kept
    said = coterie("finish", second, "-o", tmp_path / "x.tif", "--holes", "3", "--scene", first)
    assert "add --statistics" in said.complaint


def test_maps_overlap_and_must_be_on_one_grid(tmp_path: Path) -> None:
    one = np.zeros((4, 4), dtype=np.uint8)
    one[:, 3] = 255
    first = write_map(tmp_path / "one.tif", one)
    second = write_map(tmp_path / "two.tif", np.ones((4, 4), dtype=np.uint8), 5e5 + 20, 5e6 + 10)
    write_mosaic([first, second], tmp_path / "both.tif")
    with rasterio.open(tmp_path / "both.tif") as made:
        assert made.transform.c == 5e5
        assert made.transform.f == 5e6 + 10
        assert made.read(1).tolist() == [
            [255, 255, 1, 1, 1, 1],
            [0, 0, 0, 1, 1, 1],
            [0, 0, 0, 1, 1, 1],
            [0, 0, 0, 1, 1, 1],
            [0, 0, 0, 255, 255, 255],
        ]

    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        write_mosaic([first, second], tmp_path / "cancelled.tif", stop)
    assert not list(tmp_path.glob("*cancelled*"))
    for name, place in (("shifted", {"left": 5e5 + 4}), ("coarse", {"size": 20})):
        other = write_map(tmp_path / f"{name}.tif", one, **place)
        with pytest.raises(DataError) as raised:
            write_mosaic([first, other], tmp_path / "x.tif")
        assert raised.value.code == "grid-mismatch"


def test_two_maps_are_compared_class_by_class(coterie: Any, tmp_path: Path) -> None:
    before = np.zeros((10, 10), dtype=np.uint8)
    before[:, 5:] = 1
    after = before.copy()
    after[:4, 5:], after[9, 0] = 0, 255
    write_map(tmp_path / "a.tif", before)
    write_map(tmp_path / "b.tif", after)
    target = tmp_path / "change.tif"
    said = coterie("finish", tmp_path / "b.tif", "--since", tmp_path / "a.tif", "-o", target)
    assert said.code == 0, said.complaint
    assert "20.2% of the pixels" in said.out
    with rasterio.open(target) as made:
        found = made.read(1)
        assert made.tags(1)["class_1"] == "cloud → land"
    assert (found[:4, 5:] == 1).all()
    assert found[9, 0] == 255
    assert np.count_nonzero(found == 1) == 20
    write_map(tmp_path / "c.tif", before, left=5e5 + 100)
    other = coterie("finish", tmp_path / "b.tif", "--since", tmp_path / "c.tif", "-o", target)
    assert "not on one grid" in other.complaint

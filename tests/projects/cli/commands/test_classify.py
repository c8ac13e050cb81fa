"""`coterie classify`: from a recipe on a sample to a map of the whole scene."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from coterie.core.formats.rasters import tiles
from coterie.projects.cli.main import main
from coterie.projects.store.hdf5.reading import ProjectFile

RECIPE = """\
title = "Two kinds of ground"
[data]
open = "scene.tif"
mask = "mask.tif"
params = { mask_classes = "0=land, 1=cloud" }
[[step]]
name = "pixels"
use = "transform/sample"
of = "data"
params = { size = 80 }
seed = 1
[[step]]
name = "scaled"
use = "transform/minmax"
of = "pixels"
[[step]]
name = "near"
use = "kernel/gaussian"
of = "scaled"
params = { sigma = 0.3 }
[[step]]
name = "groups"
use = "clusterer/dominant-sets"
of = "near"
params = { k = 3, rest = "nearest" }
[[step]]
name = "classes"
use = "classifier/nearest"
of = ["scaled", "groups"]
"""
PLACE = Affine(10, 0, 500_000, 0, -10, 5_000_000)


def write(path: Path, values: Any, **profile: Any) -> None:
    bands, height, width = values.shape
    given = {"driver": "GTiff", "count": bands, "height": height, "width": width, "nodata": 0}
    given |= {"dtype": str(values.dtype), "crs": "EPSG:32633", "transform": PLACE} | profile
    with rasterio.open(path, "w", **given) as target:
        target.write(values)


def ground() -> tuple[Any, Any]:
    """Land, and bright and dim cloud on its right; a corner without data."""
    rng = np.random.default_rng(0)
    mask = np.zeros((48, 64), dtype=np.uint8)
    mask[:, 32:] = 1
    level = np.where(mask, 900, 100)
    level[24:, 32:] = 500
    values = (level + rng.integers(-40, 40, (3, 48, 64))).astype(np.uint16)
    values[:, :4, :4] = 0
    return values, mask


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scene, its mask, the recipe and the project, made once."""
    folder = tmp_path_factory.mktemp("ground")
    values, mask = ground()
    write(folder / "scene.tif", values, tiled=True, blockxsize=16, blockysize=16)
    write(folder / "mask.tif", mask[None], nodata=None)
    write(folder / "small.tif", mask[None, :10], nodata=None)
    (folder / "ground.toml").write_text(RECIPE, encoding="utf-8")
    assert main(["run", str(folder / "ground.toml"), "--engine", "inprocess"]) == 0
    return folder


@pytest.fixture
def scene(made: Path, tmp_path: Path) -> Path:
    """The scene, in a copy of that folder."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "scene.tif"


@pytest.fixture
def project(scene: Path) -> Path:
    return scene.with_name("ground.coterie.h5")


def groups_of(project: Path) -> tuple[list[int], list[int]]:
    """The groups of cloud and those of land."""
    from coterie.projects.cli.commands.show import find_key, load

    with ProjectFile.open(project) as file:
        found = load(file, find_key(file, "groups"))
    truth = np.asarray(found.dataset.truth)
    means = [truth[found.labels == g].mean() for g in range(found.k)]
    return [g for g, m in enumerate(means) if m > 0.5], [g for g, m in enumerate(means) if m <= 0.5]


def test_two_kinds_of_cloud_become_one_class_of_a_map(
    coterie: Any, scene: Path, project: Path
) -> None:
    cloud, land = ([",".join(map(str, groups))] for groups in groups_of(project))
    before = scene.read_bytes()
    said = coterie(
        *("classify", project, scene, "-o", "map.tif"),
        *("--merge", f"cloud={cloud[0]}", "--merge", f"land={land[0]}"),
        *("--truth", "mask.tif", "--classes", "0=land, 1=cloud"),
    )
    assert said.code == 0, said.err
    values, mask = ground()
    with rasterio.open("map.tif") as source:
        codes = source.read(1)
        assert source.crs.to_epsg() == 32633
        assert source.transform == PLACE
    expected = np.where(mask == 1, 0, 1)
    valid = values[0] > 0
    assert (codes[~valid] == 255).all()
    assert (codes[valid] == expected[valid]).mean() > 0.99
    assert "Overall accuracy" in said.out
    assert "16 pixels without data" in said.out
    for ending in ("map.qml", "map.tif.aux.xml", "map.png", "map.csv", "map.accuracy.csv"):
        assert Path(ending).stat().st_size > 0
    areas = Path("map.csv").read_text().splitlines()
    assert areas[1].startswith("0,cloud,")
    assert float(areas[1].split(",")[4]) == pytest.approx(100 * (codes == 0).sum())
    assert scene.read_bytes() == before
    assert not list(scene.parent.glob(".map*"))


@pytest.mark.parametrize("method", ["kernel-bayes", "nearest-bayes", "dominant-extension"])
def test_every_classifier_labels_a_scene(coterie: Any, scene: Path, method: str) -> None:
    recipe = scene.with_name("other.toml")
    recipe.write_text(RECIPE.replace("classifier/nearest", f"classifier/{method}"))
    assert coterie("run", recipe, "--engine", "inprocess").code == 0
    said = coterie("classify", scene.with_name("other.coterie.h5"), scene, "-o", "map.tif")
    assert said.code == 0, said.err
    with rasterio.open("map.tif") as source:
        codes = source.read(1)
    kinds = codes[:, 4:32], codes[:24, 32:], codes[24:, 32:]
    # The extension takes some pixels into no group, which is class 3 then.
    found = [set(kind[kind < 3].tolist()) for kind in kinds]
    assert [len(groups) for groups in found] == [1, 1, 1]
    assert set.union(*found) == {0, 1, 2}
    assert ((codes == 3).any()) == (method == "dominant-extension")


@pytest.mark.parametrize("of", ["", "Cloud"])
def test_where_the_map_is_wrong_is_a_raster_of_its_own(
    coterie: Any, scene: Path, project: Path, of: str
) -> None:
    _, wrong = ground()
    wrong[30:40, 10:20] = 1  # what the map takes for land
    wrong[5:10, 40:50] = 0  # what it takes for cloud
    write(Path("other.tif"), wrong[None], nodata=None)
    said = coterie(
        *("classify", project, scene, "-o", "map.tif", "--errors", "errors.tif"),
        *("--truth", "other.tif", "--classes", "0=land, 1=cloud"),
        *(("--errors-of", of) if of else ()),
    )
    assert said.code == 0, said.err
    values, mask = ground()
    valid = values[0] > 0
    with rasterio.open("errors.tif") as source:
        codes, colours, tags = source.read(1), source.colormap(1), source.tags(1)
        assert source.crs.to_epsg() == 32633
        assert source.transform == PLACE
        assert source.nodata == 255
    missed, false = (wrong == 1) & (mask == 0), (wrong == 0) & (mask == 1)
    names: tuple[str, ...] = ("right", "wrong")
    expected = np.where(missed | false, 1, 0)
    if of:
        expected = np.where(missed, 1, np.where(false, 2, np.where(wrong == 1, 0, 3)))
        names = ("cloud, right", "cloud, missed", "cloud, false", "not cloud, right")
    assert (codes[~valid] == 255).all()
    assert (codes[valid] == expected[valid]).mean() > 0.99
    assert tuple(tags[f"class_{i}"] for i in range(len(names))) == names
    assert len({colours[i] for i in range(len(names))}) == len(names)
    assert f"{names[1]}: " in said.out
    assert Path("errors.qml").exists()
    assert names[-1] in Path("errors.tif.aux.xml").read_text()


def test_what_was_broken_off_is_gone_on_with(
    coterie: Any, scene: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiles, "TILE", 16)
    assert coterie("classify", project, scene, "-o", "whole.tif").code == 0
    usual = tiles.PartialMap.write
    written: list[int] = []

    def failing(self: Any, number: int, *rest: Any) -> None:
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        written.append(number)
        usual(self, number, *rest)

    monkeypatch.setattr(tiles.PartialMap, "write", failing)
    assert coterie("classify", project, scene, "-o", "map.tif").code == 1
    assert not Path("map.tif").exists()
    monkeypatch.setattr(
        tiles.PartialMap,
        "write",
        lambda *given: (written.append(given[1]), usual(*given))[1],  # type: ignore[func-returns-value]
    )
    assert coterie("classify", project, scene, "-o", "map.tif").code == 0
    assert sorted(written) == sorted(set(written))  # no tile twice
    assert Path("map.tif").read_bytes() == Path("whole.tif").read_bytes()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (["--bands", "1,2"], "trained on 3 bands"),
        (["--step", "groups"], "'groups' is not a classifier. Classifiers: classes"),
        (["--merge", "cloud=9"], "no group '9'"),
        (["--truth", "small.tif"], "has 10 × 64 pixels, the scene"),
        (["-o", "map.png"], "maps as GeoTIFF"),
        (["-o", "scene.tif"], "is an input file"),
        (["-o", "nowhere/map.tif"], "folder 'nowhere' does not exist"),
        (["--errors", "errors.tif"], "add --truth FILE"),
        (["--errors-of", "cloud"], "needs --errors"),
        (["--truth", "mask.tif", "--errors", "map.tif"], "cannot replace the map"),
        (
            ["--truth", "mask.tif", "--errors", "errors.tif", "--errors-of", "snow"],
            "no known class 'snow'",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence(
    coterie: Any, scene: Path, project: Path, change: list[str], sentence: str
) -> None:
    said = coterie("classify", project, scene, "-o", "map.tif", *change)
    assert said.code == 1
    assert sentence in said.complaint
    assert not Path("map.tif").exists()


def test_a_scene_without_any_data_is_said_to_give_an_empty_map(
    coterie: Any, scene: Path, project: Path
) -> None:
    write(scene.with_name("empty.tif"), np.zeros_like(ground()[0]))
    said = coterie("classify", project, "empty.tif", "-o", "map.tif")
    assert said.code == 0, said.err
    assert "No pixel of the scene has data" in said.out
    with rasterio.open("map.tif") as source:
        assert (source.read(1) == source.nodata).all()


def test_a_damaged_or_missing_scene_is_said(coterie: Any, scene: Path, project: Path) -> None:
    Path("short.tif").write_bytes(scene.read_bytes()[:-3000])
    said = coterie("classify", project, "short.tif", "-o", "map.tif")
    assert said.code == 1

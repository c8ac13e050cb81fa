"""`--engine tcp://…`: the same files come of a cluster, and a lost one costs no tile."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from coterie.core.engine.dask import connect as dask_connect
from coterie.core.formats.rasters import tiles
from coterie.core.formats.rasters.tile_labels import TileLabels
from coterie.projects.cli.main import main
from tests.core.engine.clusters import TestCluster, cluster

pytest.importorskip("distributed")
RECIPE = """\
title = "Two kinds of ground"
[data]
open = "scene.tif"
[[step]]
name = "pixels"
use = "transform/sample"
of = "data"
params = { size = 60 }
[[step]]
name = "parts"
use = "transform/pca"
of = "pixels"
[[step]]
name = "near"
use = "kernel/cluster"
of = "parts"
params = { initialisations = 2, max_components = 4 }
[[step]]
name = "groups"
use = "clusterer/kernel-kmeans"
of = "near"
params = { k = 3 }
[[step]]
name = "classes"
use = "classifier/nearest"
of = ["parts", "groups"]
"""


@pytest.fixture(scope="module")
def running() -> Iterator[TestCluster]:
    with cluster() as started:
        yield started


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scene of twelve tiles, and a recipe that was run here."""
    folder = tmp_path_factory.mktemp("ground")
    values = np.random.default_rng(0).integers(1, 900, (3, 48, 64)).astype(np.uint16)
    values[:, :4, :4] = 0
    profile: dict[str, Any] = {
        "driver": "GTiff",
        "count": 3,
        "height": 48,
        "width": 64,
        "nodata": 0,
    }
    profile |= {"dtype": "uint16", "tiled": True, "blockxsize": 16, "blockysize": 16}
    profile |= {"crs": "EPSG:32633", "transform": Affine(10, 0, 500_000, 0, -10, 5_000_000)}
    with rasterio.open(folder / "scene.tif", "w", **profile) as target:
        target.write(values)
    (folder / "ground.toml").write_text(RECIPE, encoding="utf-8")
    assert main(["run", str(folder / "ground.toml"), "--engine", "inprocess"]) == 0
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(tiles, "TILE", 16)
    return tmp_path


def results_of(project: Path) -> dict[str, bytes]:
    """The bytes of all arrays in a project, by their path."""
    import h5py

    found: dict[str, bytes] = {}

    def keep(name: str, part: Any) -> None:
        inside = name.startswith(("graphs", "results")) and isinstance(part, h5py.Dataset)
        if inside and part.dtype.kind in "fiu":
            found[name] = part[()].tobytes()

    with h5py.File(project) as file:
        file.visititems(keep)
    return found


@pytest.mark.parametrize(
    "command",
    [("run", "ground.toml"), ("classify", "ground.coterie.h5", "scene.tif", "-o", "map.tif")],
)
def test_nobody_at_the_address_is_said_before_any_work(
    coterie: Any, place: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(dask_connect, "ANSWER_SECONDS", 0.2)
    said = coterie(*command, "--engine", "tcp://127.0.0.1:9")
    assert said.code == 1
    assert said.complaint == (
        "No Dask scheduler answers at tcp://127.0.0.1:9. "
        "Start one with `dask scheduler`, or leave out --engine."
    )


def test_a_recipe_comes_out_the_same(coterie: Any, place: Path, running: TestCluster) -> None:
    said = coterie("run", "ground.toml", "-o", "far.coterie.h5", "--engine", running.address)
    assert said.code == 0, said.err
    far, near = (results_of(Path(f"{name}.coterie.h5")) for name in ("far", "ground"))
    assert len(far) > 5
    assert far == near


@pytest.mark.parametrize("seen", [True, False])
def test_a_map_comes_out_the_same(
    coterie: Any,
    place: Path,
    running: TestCluster,
    monkeypatch: pytest.MonkeyPatch,
    seen: bool,
) -> None:
    """Whether the workers read the scene themselves or are sent its pixels."""
    usual = TileLabels._seen_everywhere
    looked: list[bool] = []

    def look(self: TileLabels, context: Any) -> bool:
        looked.append(usual(self, context))
        return seen

    monkeypatch.setattr(TileLabels, "_seen_everywhere", look)
    assert coterie("classify", "ground.coterie.h5", "scene.tif", "-o", "near.tif").code == 0
    assert not looked
    said = coterie(
        *("classify", "ground.coterie.h5", "scene.tif", "-o", "far.tif"),
        *("--engine", running.address),
    )
    assert said.code == 0, said.err
    assert looked == [True]
    assert (place / "far.tif").read_bytes() == (place / "near.tif").read_bytes()
    assert (place / "far.csv").read_bytes() == (place / "near.csv").read_bytes()


@pytest.mark.slow
def test_a_map_goes_on_after_the_cluster_was_lost(
    coterie: Any, place: Path, running: TestCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = tiles.PartialMap.write
    written: list[int] = []

    with cluster(1) as lost:

        def losing(self: Any, number: int, *rest: Any) -> None:
            usual(self, number, *rest)
            written.append(number)
            if len(written) == 3 and lost.process.poll() is None:
                lost.kill()

        monkeypatch.setattr(tiles.PartialMap, "write", losing)
        command = ("classify", "ground.coterie.h5", "scene.tif", "-o", "map.tif", "--engine")
        said = coterie(*command, lost.address)
    assert said.code == 1
    assert f"The Dask cluster at {lost.address} was lost during the work" in said.err
    assert "run it again" in said.err
    done = set(written)
    assert len(done) < 12
    written.clear()
    assert coterie(*command, running.address).code == 0
    assert set(written) == set(range(12)) - done
    monkeypatch.setattr(tiles.PartialMap, "write", usual)
    assert coterie("classify", "ground.coterie.h5", "scene.tif", "-o", "near.tif").code == 0
    assert (place / "map.tif").read_bytes() == (place / "near.tif").read_bytes()


@pytest.mark.slow
def test_an_engine_in_a_process_of_its_own_uses_the_cluster(
    program: Any, place: Path, running: TestCluster
) -> None:
    said = program("run", "ground.toml", "-o", "far.coterie.h5", "--engine", running.address)
    assert said.code == 0, said.err
    assert results_of(place / "far.coterie.h5") == results_of(place / "ground.coterie.h5")

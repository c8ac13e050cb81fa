"""Scenes, maps and regions read by another process: the same numbers, and nothing but them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from coterie.core.api.context import Context
from coterie.core.errors import DataError
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.geopackage import write_geopackage
from coterie.core.formats.rasters.maps import MapGrid, write_map_at
from coterie.core.formats.rasters.overviews import overviews_of
from coterie.core.formats.rasters.polygons import Polygon
from coterie.core.formats.rasters.scene import Band, Scene, Validity
from coterie.core.formats.rasters.windows import SceneReader, Window
from coterie.core.io.confined.process import ReaderLostError
from coterie.core.io.folders import cache_folder
from coterie.core.io.platform.confinement import can_keep_to_files
from coterie.projects.sources import raster_processes, rasters
from coterie.projects.sources.rasters import OpenScene
from tests.refusals import refuses

HEIGHT, WIDTH = 560, 590
UTM = "EPSG:32633"
PLACE = (10.0, 0.0, 5e5, 0.0, -10.0, 5e6)


@pytest.fixture
def apart() -> Iterator[None]:
    raster_processes.keep_apart()
    yield
    raster_processes.keep_here()


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("scene")
    values = np.random.default_rng(0).integers(0, 900, (3, HEIGHT, WIDTH)).astype(np.uint16)
    write(folder / "scene.tif", values, nodata=0)
    bands = tuple(Band(name, index=i, nodata=0) for i, name in enumerate("abc", 1))
    return Scene(
        str(folder / "scene.tif"), bands, HEIGHT, WIDTH, "uint16", crs=UTM, transform=PLACE
    )


def write(
    path: Path, values: Any, nodata: int | None = None, driver: str = "GTiff", **how: Any
) -> None:
    count, height, width = values.shape
    with rasterio.open(
        path, "w", driver=driver, count=count, height=height, width=width, dtype=values.dtype,
        nodata=nodata, crs=UTM, transform=Affine(*PLACE), **how,
    ) as target:  # fmt: skip
        target.write(values)


def assert_same(scene: Scene, window: Window, bands: tuple[int, ...] = ()) -> None:
    with SceneReader(scene) as here:
        values, valid = here.read(window, bands=bands)
    with OpenScene(scene) as there:
        found, sound = there.read(window, bands=bands)
    assert found.dtype == values.dtype
    np.testing.assert_array_equal(found, values)
    np.testing.assert_array_equal(sound, valid)


@pytest.mark.usefixtures("apart")
def test_an_array_among_others_is_read_the_same(tmp_path: Path) -> None:
    path = tmp_path / "scene.npz"
    values = np.random.default_rng(0).random((40, 50, 4))
    np.savez_compressed(path, img=values, msk=np.zeros((40, 50)))
    assert_same(scene_of(path), Window(3, 5, 30, 40))
    for file in (cache_folder() / "cubes").iterdir():  # nobody has unpacked it before
        file.unlink()
    assert_same(scene_of(path), Window(3, 5, 30, 40))


@pytest.mark.usefixtures("apart")
def test_windows_of_a_scene_are_the_same(scene: Scene) -> None:
    assert_same(scene, Window(3, 5, 200, 90))
    assert_same(scene, Window(0, 0, 40, 40), (2, 0))
    mask = Scene(scene.path, scene.bands[:1], HEIGHT, WIDTH, "uint16", crs=UTM, transform=PLACE)
    assert_same(replace(scene, validity=Validity(mask, (5, 6, 7))), Window(0, 0, 90, 90))


@pytest.mark.usefixtures("apart")
def test_several_threads_may_unpack_a_window(scene: Scene, tmp_path: Path) -> None:
    with rasterio.open(scene.path) as source:
        tiles: dict[str, Any] = {
            "tiled": True,
            "blockxsize": 128,
            "blockysize": 128,
            "compress": "deflate",
        }
        write(tmp_path / "tiles.tif", source.read(), nodata=0, **tiles)
    assert_same(replace(scene, path=str(tmp_path / "tiles.tif")), Window(0, 0, 256, WIDTH), (2, 0))


@pytest.mark.usefixtures("apart")
def test_smaller_copies_are_the_same_and_private(scene: Scene, tmp_path: Path) -> None:
    before = overviews_of(scene, Context(), tmp_path / "here")
    levels = rasters.make_overviews(scene, Context())
    assert [level.height for level in levels] == [level.height for level in before.levels]
    assert len(levels) > 1
    whole = Window(0, 0, levels[1].height, levels[1].width)
    with before, OpenScene(scene, levels) as there:
        for one, other in zip(
            before.read_window(1, whole), there.read_window(1, whole), strict=True
        ):
            np.testing.assert_array_equal(one, other)
    home = levels[1].file
    assert home is not None
    assert not any(file.stat().st_mode & 0o077 for file in (home, home.parent))
    assert rasters.make_overviews(scene, Context()) == levels


@pytest.mark.usefixtures("apart")
def test_files_that_belong_to_a_scene_are_read_with_it(scene: Scene, tmp_path: Path) -> None:
    with rasterio.open(scene.path) as source:
        values = source.read()
    write(tmp_path / "cube.dat", values, driver="ENVI")
    assert_same(replace(scene, path=str(tmp_path / "cube.dat")), Window(0, 0, 9, 9))
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.write(scene.path, "one.tif")
    packed = tuple(replace(band, file="one.tif") for band in scene.bands)
    assert_same(replace(scene, path=str(tmp_path / "packed.zip"), bands=packed), Window(0, 0, 9, 9))
    in_folder = tuple(replace(band, file="scene.tif") for band in scene.bands)
    folder = str(Path(scene.path).parent)
    assert_same(replace(scene, path=folder, bands=in_folder), Window(0, 0, 9, 9))
    name = Path(scene.path).name
    virtual = Path(scene.path).with_name("all.vrt")
    virtual.write_text(
        f'<VRTDataset rasterXSize="{WIDTH}" rasterYSize="{HEIGHT}">'
        '<VRTRasterBand dataType="UInt16" band="1"><SimpleSource>'
        f'<SourceFilename relativeToVRT="1">{name}</SourceFilename><SourceBand>2</SourceBand>'
        "</SimpleSource></VRTRasterBand></VRTDataset>",
        encoding="utf-8",
    )
    assert_same(replace(scene, path=str(virtual), bands=(Band("b"),)), Window(0, 0, 9, 9))


@pytest.mark.usefixtures("apart")
def test_maps_are_read_and_written(tmp_path: Path) -> None:
    codes = np.random.default_rng(1).integers(0, 3, (300, 310)).astype(np.uint8)
    colours = np.array([[255, 0, 0], [0, 255, 0]], dtype=np.uint8)
    grid = MapGrid(300, 310, ("a", "b"), colours, 2, np.dtype(np.uint8), UTM, PLACE)
    here, there = tmp_path / "here.tif", tmp_path / "there.tif"
    counts = write_map_at(here, grid, lambda top, bottom: codes[top:bottom], lambda: None)
    found = rasters.write_map(there, grid, lambda top, bottom: codes[top:bottom], lambda: None)
    np.testing.assert_array_equal(found, counts)
    assert here.read_bytes() == there.read_bytes()
    window = Window(10, 20, 110, 220)
    shown = rasters.read_map(there, (300, 310), window, window.shape)
    np.testing.assert_array_equal(shown, codes[window.slices])
    with refuses("grid-mismatch", DataError):
        rasters.read_map(there, (5, 5), window, window.shape)
    assert not list(cache_folder().glob("handed-over-*"))


@pytest.mark.usefixtures("apart")
def test_regions_and_coordinates_are_the_same(tmp_path: Path) -> None:
    corners = np.array([[5.01e5, 4.99e6], [5.03e5, 4.99e6], [5.03e5, 4.97e6]])
    rasters.write_regions(tmp_path / "a.gpkg", [Polygon("field", (corners,))], UTM)
    write_geopackage(tmp_path / "b.gpkg", [Polygon("field", (corners,))], UTM)
    for name in ("a.gpkg", "b.gpkg"):
        [polygon] = rasters.read_regions(tmp_path / name, UTM)
        assert polygon.name == "field"
        np.testing.assert_array_equal(polygon.rings[0], corners)
    assert rasters.is_geographic("EPSG:4326")
    assert not rasters.is_geographic(UTM)
    there = rasters.reprojected(corners, UTM, "EPSG:4326")
    np.testing.assert_allclose(rasters.reprojected(there, "EPSG:4326", UTM), corners, atol=1e-3)
    with refuses("wrong-format", DataError):
        (tmp_path / "no.gpkg").write_text("no", encoding="utf-8")
        rasters.read_regions(tmp_path / "no.gpkg", UTM)


@pytest.mark.usefixtures("apart")
@pytest.mark.skipif(not can_keep_to_files(), reason="this system cannot keep a process to files")
def test_the_process_of_one_scene_reaches_no_other(scene: Scene, tmp_path: Path) -> None:
    values = np.ones((3, HEIGHT, WIDTH), dtype=np.uint16)
    write(tmp_path / "other.tif", values)
    other = replace(scene, path=str(tmp_path / "other.tif")).as_json()
    with OpenScene(scene) as opened:
        with pytest.raises(DataError):
            opened._reader.call(
                "read", patience=60, scene=other, levels=[], level=0,
                window=[0, 0, 2, 2], shape=[2, 2], bands=[],
            )  # fmt: skip
        assert opened.read(Window(0, 0, 2, 2))[0].shape == (3, 2, 2)


@pytest.mark.usefixtures("apart")
def test_a_process_that_dies_is_told_and_replaced(scene: Scene) -> None:
    window = Window(0, 0, 4, 4)
    with OpenScene(scene) as opened:
        opened.read(window)
        os.kill(opened._reader.pid, signal.SIGKILL)  # type: ignore[attr-defined]
        with refuses("reader-lost", ReaderLostError, match=r"scene\.tif"):
            opened.read(window)
    assert_same(scene, window)


@pytest.mark.usefixtures("apart")
def test_an_answer_of_another_shape_is_refused(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lying.py").write_text(
        "import numpy as np\n"
        "from coterie.core.io.confined.wire import Parcel\n"
        "class Lying:\n"
        "    def __init__(self, tell): pass\n"
        "    def read(self, **values):\n"
        "        return Parcel(None, {'values': np.zeros((9, 9)), 'valid': np.ones(3, bool)})\n"
        "    def release(self): pass\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(raster_processes, "RASTERS", "lying:Lying")
    with OpenScene(scene) as opened, refuses("file-damaged", DataError):
        opened.read(Window(0, 0, 4, 4))


@pytest.mark.usefixtures("apart")
def test_sums_are_done_by_nobody_who_may_write(tmp_path: Path) -> None:
    with raster_processes.reader("a map", [], [tmp_path]) as writer:
        assert rasters.is_geographic("EPSG:4326")
        with raster_processes.reader("the regions") as desk:
            assert desk is not writer


@pytest.mark.usefixtures("apart")
def test_a_length_that_is_no_number_is_refused(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "boasting.py").write_text(
        "class Boasting:\n"
        "    def __init__(self, tell): pass\n"
        "    def measure(self, **values): return [10**400, '', 0]\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(raster_processes, "RASTERS", "boasting:Boasting")
    with refuses("file-damaged", DataError):
        rasters.measure(scene, (), "", (0, 0), (1, 0), (4, 4), None)


@pytest.mark.usefixtures("apart")
def test_few_processes_wait_for_the_next_question(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raster_processes, "MOST_PROCESSES", 1)
    for number in range(2):
        file = tmp_path / f"s{number}.tif"
        file.write_bytes(Path(scene.path).read_bytes())
        with OpenScene(replace(scene, path=str(file))) as opened:
            opened.read(Window(0, 0, 2, 2))
    assert raster_processes._pool is not None
    assert len(raster_processes._pool._running) == raster_processes.MOST_PROCESSES


LOADED = """
import sys
from pathlib import Path
import numpy as np
from coterie.core.formats.rasters.scene import Band, Scene
from coterie.core.formats.rasters.windows import Window
from coterie.projects.sources import raster_processes, rasters
raster_processes.keep_apart()
scene = Scene(sys.argv[1], (Band("a"),), 560, 590, "uint16")
with rasters.OpenScene(scene) as opened:
    assert opened.read(Window(0, 0, 4, 4))[1].all()
print(Path("/proc/self/maps").read_text())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists what a process maps")
def test_the_libraries_are_not_even_loaded(scene: Scene) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, scene.path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "numpy" in done.stdout
    assert "gdal" not in done.stdout
    assert "rasterio" not in done.stdout

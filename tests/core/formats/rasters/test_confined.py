"""Scenes from strangers lead GDAL to no server and to no other file."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import rasterio

from coterie.core.api.context import Context
from coterie.core.errors import DataError
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.overviews import overviews_of

pytestmark = pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")

# Opens a scene and reads it small, as a picture of it would be. GDAL may wait for two seconds.
LOOK = """
import sys, rasterio
from pathlib import Path
from coterie.core.formats.rasters.windows import bounded_gdal
with bounded_gdal(), rasterio.open(sys.argv[1]) as source:
    source.overviews(1)
    source.read(1, out_shape=(16, 16))
"""


def _tif(path: Path, side: int = 64) -> Path:
    shape = {"height": side, "width": side, "count": 1, "dtype": "uint8"}
    with rasterio.open(path, "w", driver="GTiff", **shape) as target:
        target.write(np.zeros((1, side, side), dtype=np.uint8))
    return path


def _name_overviews(path: Path, name: str) -> None:
    item = f'<MDI key="OVERVIEW_FILE">{name}</MDI>'
    text = f'<PAMDataset><Metadata domain="OVERVIEWS">{item}</Metadata></PAMDataset>'
    path.with_name(f"{path.name}.aux.xml").write_text(text)


@pytest.mark.parametrize("prefix", ["/vsicurl/http://", "http://"])
def test_gdal_asks_no_server_for_the_overviews_that_a_scene_names(
    tmp_path: Path, prefix: str
) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        path = _tif(tmp_path / "a.tif")
        _name_overviews(path, f"{prefix}127.0.0.1:{server.getsockname()[1]}/x.tif")
        command = [sys.executable, "-c", LOOK, str(path)]
        quick = os.environ | {"GDAL_HTTP_TIMEOUT": "2", "GDAL_HTTP_CONNECTTIMEOUT": "2"}
        subprocess.run(command, env=quick, timeout=60, check=True, capture_output=True)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody has called
            server.accept()


def test_a_scene_that_names_its_overviews_elsewhere_is_refused(tmp_path: Path) -> None:
    other = _tif(tmp_path / "private.tif", 32)
    path = _tif(tmp_path / "a.tif")
    _name_overviews(path, str(other))
    with pytest.raises(DataError) as caught:
        scene_of(path)
    assert caught.value.code == "outside-folder"


@pytest.mark.parametrize("name", ["a.tif.ovr", "a.ovr", "a.tif.msk"])
def test_overviews_that_describe_other_files_are_refused(tmp_path: Path, name: str) -> None:
    path = _tif(tmp_path / "a.tif")
    (tmp_path / name).write_text('<VRTDataset rasterXSize="32" rasterYSize="32"></VRTDataset>')
    with pytest.raises(DataError) as caught:
        scene_of(path)
    assert caught.value.code == "outside-folder"


def test_overviews_beside_a_scene_that_hold_their_own_pixels_are_used(tmp_path: Path) -> None:
    path = _tif(tmp_path / "a.tif")
    _tif(tmp_path / "a.tif.ovr", 32)
    assert scene_of(path).height == 64


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_smaller_copies_of_a_scene_are_for_its_owner_alone(tmp_path: Path) -> None:
    scene = scene_of(_tif(tmp_path / "a.tif", 1200))
    before = os.umask(0o022)
    try:
        overviews_of(scene, Context(), tmp_path / "cache")
    finally:
        os.umask(before)
    made = [tmp_path / "cache", *(tmp_path / "cache").rglob("*")]
    assert len(made) > 3
    for path in made:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path

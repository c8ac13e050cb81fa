"""QGIS opens a map coloured, named and placed, and its polygons with their attributes.

Needs the Debian package python3-qgis, or the command of a Python that imports `qgis` in the
environment variable COTERIE_QGIS_PYTHON; skipped without.
"""

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.formats.maps.map_file import open_map
from coterie.core.formats.maps.outlines import write_outlines
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.maps import MapGrid, write_map_at

PYTHON = shlex.split(os.environ.get("COTERIE_QGIS_PYTHON", "/usr/bin/python3"))
LOOK = """
import json, os, sys
from qgis.core import QgsApplication, QgsRasterLayer, QgsVectorLayer
if prefix := os.environ.get("QGIS_PREFIX_PATH"):
    QgsApplication.setPrefixPath(prefix, True)
program = QgsApplication([], False)
program.initQgis()
made = QgsRasterLayer(sys.argv[1], "map")
renderer = made.renderer()
where = made.extent()
found = {
    "valid": made.isValid(),
    "crs": made.crs().authid(),
    "extent": [where.xMinimum(), where.yMinimum(), where.xMaximum(), where.yMaximum()],
    "renderer": renderer.type(),
    "classes": [[c.value, c.label, c.color.name()] for c in renderer.classes()],
    "nodata": made.dataProvider().sourceNoDataValue(1),
}
shapes = QgsVectorLayer(sys.argv[2], "polygons", "ogr")
found["polygons"] = {
    "valid": shapes.isValid(),
    "crs": shapes.crs().authid(),
    "sound": all(f.geometry().isGeosValid() for f in shapes.getFeatures()),
    "areas": [
        [f["name"], f["pixels"], f["area_m2"], f.geometry().area()] for f in shapes.getFeatures()
    ],
}
print("FOUND" + json.dumps(found))
del made, shapes
os._exit(0)
"""


@pytest.fixture(scope="module")
def qgis() -> list[str]:
    """The command of a Python with QGIS."""
    try:
        asked = subprocess.run(
            [*PYTHON, "-c", "import qgis.core"], capture_output=True, timeout=120
        )
    except (OSError, subprocess.TimeoutExpired):
        pytest.skip("no Python with QGIS")
    if asked.returncode:
        pytest.skip("QGIS is not installed")
    return PYTHON


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".gpkg", ".geojson"])
def test_qgis_shows_map_and_polygons_as_they_were_meant(
    qgis: list[str], tmp_path: Path, ending: str
) -> None:
    codes = np.zeros((40, 60), dtype=np.uint8)
    codes[:, 30:], codes[5:15, 5:15], codes[8:10, 8:10], codes[0, :] = 1, 2, 0, 255
    table = class_table(3, ("land", "water & reed", "cloud"))
    place = (10.0, 0.0, 500_000.0, 0.0, -10.0, 5_000_000.0)
    grid = MapGrid(40, 60, table.names, table.colours, table.nodata, table.dtype,
                   _utm(), place)  # fmt: skip
    path, outlines = tmp_path / "map.tif", tmp_path / f"map{ending}"
    write_map_at(path, grid, lambda top, bottom: codes[top:bottom], lambda: None)
    with open_map(path) as made:
        count = write_outlines(outlines, made, lambda: None)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path)}
    asked = subprocess.run(
        [*qgis, "-c", LOOK, str(path), str(outlines)],
        capture_output=True, text=True, timeout=300, env=environment, check=False,
    )  # fmt: skip
    line = next((line for line in asked.stdout.splitlines() if line.startswith("FOUND")), "")
    assert line, asked.stderr
    found: dict[str, Any] = json.loads(line.removeprefix("FOUND"))
    assert found["valid"]
    assert found["crs"] == "EPSG:32633"
    assert found["extent"] == [500_000, 4_999_600, 500_600, 5_000_000]
    assert found["renderer"] == "paletted"
    shades = [f"#{bytes(colour).hex()}" for colour in table.colours]
    named = [
        [at, name, shade] for at, (name, shade) in enumerate(zip(table.names, shades, strict=True))
    ]
    assert found["classes"][:3] == named[:3]
    assert found["nodata"] == table.nodata
    polygons = found["polygons"]
    assert polygons["valid"]
    assert polygons["crs"] == "EPSG:32633"
    assert polygons["sound"]
    assert len(polygons["areas"]) == count == 4
    for name, pixels, area, measured in polygons["areas"]:
        assert name in table.names
        assert area == pytest.approx(100 * pixels)
        assert measured == pytest.approx(area)


def _utm() -> str:
    from rasterio.crs import CRS

    return str(CRS.from_epsg(32633).to_wkt())

"""`coterie sample`: listing and writing."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.formats.samples import SAMPLES


def test_samples_are_listed(coterie: Any) -> None:
    said = coterie("sample")
    assert said.code == 0
    for sample in SAMPLES.values():
        assert sample.name in said.out
        assert sample.summary in said.out


@pytest.mark.parametrize("name", SAMPLES)
def test_a_written_sample_reads_back_as_the_same_data(coterie: Any, name: str) -> None:
    said = coterie("sample", name, "-o", "out.csv")
    assert said.code == 0
    assert said.out.startswith("Wrote out.csv: ")
    made = SAMPLES[name].make()
    (read,) = json.loads(coterie("info", "out.csv", "--json").out)["data"]
    assert read["shape"] == [made.n, made.d]
    assert read["columns"] == list(made.columns)


def test_a_sample_goes_to_the_standard_output(coterie: Any) -> None:
    lines = coterie("sample", "iris").out.splitlines()
    assert len(lines) == 151
    assert lines[0].endswith("species")


def test_an_unknown_sample_is_answered_with_those_there_are(coterie: Any) -> None:
    said = coterie("sample", "irises")
    assert said.code == 1
    assert said.complaint.startswith("Unknown sample 'irises'. The samples are arcs, ")


def test_a_scene_is_written_with_its_place_and_its_truth_beside_it(coterie: Any) -> None:
    import rasterio

    said = coterie("sample", "cloud-scene", "-o", "scene.tif")
    assert said.code == 0
    assert said.out.startswith("Wrote scene.tif and scene-truth.tif: ")
    made = SAMPLES["cloud-scene"].make()
    with rasterio.open("scene.tif") as scene:
        assert scene.crs.to_epsg() == 32633
        assert list(scene.transform)[:6] == made.details["transform"]
        assert scene.descriptions == made.columns
        assert scene.tags(8)["wavelength"] == "842"
        pixels = scene.read().reshape(13, -1).T
    np.testing.assert_allclose(pixels, made.dense_features(), atol=1e-6)
    with rasterio.open("scene-truth.tif") as truth:
        assert truth.crs.to_epsg() == 32633
        assert truth.nodata == 255
        assert truth.tags(1)["class_3"] == "water"
        np.testing.assert_array_equal(truth.read(1).ravel(), made.truth)


def test_a_photograph_has_no_place_and_a_table_is_no_picture(coterie: Any) -> None:
    assert coterie("sample", "china", "-o", "china.tif").code == 0
    assert not Path("china-truth.tif").exists()
    said = coterie("sample", "iris", "-o", "iris.tif")
    assert said.code == 1
    assert "does not say how its 150 items are arranged in a picture" in said.complaint


SAMPLE = '''
import numpy as np
from coterie.core import Dataset, Sample, Step


class Line(Sample):
    """Numbers along a line."""

    id, title = "line", "Line"
    recipe = (Step("scaled", "transform/minmax", ("data",)),)

    def make(self, *, params, context):
        return Dataset(title="Line", features=np.linspace(-1, 1, 9)[:, None], columns=("x",))
'''


def test_a_sample_of_a_plugin_is_listed_written_and_run(coterie: Any, plugin_folder: Path) -> None:
    (plugin_folder / "line.py").write_text(SAMPLE, encoding="utf-8")
    assert "local:line" in coterie("sample").out
    assert coterie("sample", "local:line").out.split() == ["x", *map(str, np.linspace(-1, 1, 9))]
    assert coterie("run", "local:line", "--engine", "inprocess").code == 0
    data, scaled = json.loads(coterie("info", "line.coterie.h5", "--json").out)["data"]
    assert (data["shape"], scaled["shape"], scaled["stale"]) == ([9, 1], [9, 1], False)
    said = coterie("sample", "local:lines")
    assert said.code == 1

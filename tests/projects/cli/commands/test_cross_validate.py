"""`coterie cross-validate`: a classifier learnt from other samples, in numbers and as a curve."""

import csv
import json
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from coterie.core.errors import DataError

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
params = { size = 40 }
[[step]]
name = "groups"
use = "clusterer/kmeans"
of = "pixels"
params = { k = 3 }
[[step]]
name = "typical"
use = "ranker/distance"
of = ["pixels", "groups"]
[[step]]
name = "classes"
use = "classifier/nearest"
of = ["pixels", "groups", "typical"]
"""


def write(path: str, values: Any) -> None:
    bands, height, width = values.shape
    profile = {"driver": "GTiff", "count": bands, "height": height, "width": width}
    profile |= {"crs": "EPSG:32633", "transform": Affine(10, 0, 5e5, 0, -10, 5e6)}
    with rasterio.open(path, "w", dtype=values.dtype, **profile) as target:
        target.write(values)


@pytest.fixture
def recipe(coterie: Any) -> str:
    """A recipe beside its scene, in the folder of the test."""
    rng = np.random.default_rng(0)
    mask = np.zeros((1, 30, 40), dtype=np.uint8)
    mask[:, :, 20:] = 1
    values = rng.normal(300.0 + 300.0 * mask, 130, (2, 30, 40)).clip(1)
    write("scene.tif", values.astype(np.uint16))
    write("mask.tif", mask)
    Path("ground.toml").write_text(RECIPE, encoding="utf-8")
    return "ground.toml"


def test_means_are_printed_and_written(coterie: Any, recipe: str) -> None:
    said = coterie(
        *("repeat", recipe, "--times", 3, "--sizes", "20, 40", "--top", "all,4", "--of", "cloud"),
        *("-o", "means.csv", "-o", "all.json", "-o", "curve.svg", "-o", "curve.png"),
        *("--each", "each.csv", "--engine", "inprocess"),
    )
    assert said.code == 0, said.err
    assert "top 4 of each" in said.out
    assert "cloud: IoU" in said.out
    assert "difference from all" in said.out
    with Path("means.csv").open(encoding="utf-8") as stream:
        means = list(csv.DictReader(stream))
    with Path("each.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert (len(means), len(rows)) == (4, 12)
    mine = [float(row["iou cloud"]) for row in rows if (row["size"], row["top"]) == ("40", "4")]
    assert float(means[3]["iou cloud mean"]) == pytest.approx(np.mean(mine), rel=1e-4)
    assert float(means[3]["iou cloud sd"]) == pytest.approx(np.std(mine, ddof=1), rel=1e-3)
    assert len(json.loads(Path("all.json").read_text(encoding="utf-8"))["repetitions"]) == 12
    drawn = ElementTree.fromstring(Path("curve.svg").read_text(encoding="utf-8"))
    assert {"all pixels", "top 4 of each"} <= {text.strip() for text in drawn.itertext()}
    assert Path("curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_project_is_repeated_as_its_recipe_is(coterie: Any, recipe: str) -> None:
    assert coterie("run", recipe, "--engine", "inprocess").code == 0
    options = ("--times", 1, "--json", "--engine", "inprocess")
    one = json.loads(coterie("cross-validate", "ground.coterie.h5", *options).out)
    other = json.loads(coterie("cross-validate", recipe, *options).out)
    assert one["repetitions"] == other["repetitions"]
    assert one["classes"] == ["land", "cloud"]
    counts = np.array(one["repetitions"][0]["counts"])
    assert counts.sum() == 30 * 40 - 40
    assert one["repetitions"][0]["overall"] == pytest.approx(np.trace(counts) / counts.sum())


def test_of_one_row_every_class_is_printed(coterie: Any, recipe: str) -> None:
    said = coterie("cross-validate", recipe, "--times", 2, "--test", 300, "--engine", "inprocess")
    assert said.code == 0, said.err
    assert "300 random pixels" in said.out
    assert "producer's" in said.out
    assert "land" in said.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-o", "means.txt"], "Choose a name ending in .csv"),
        (["--each", "all.json"], "Choose a name ending in .csv"),
        (["-o", "nowhere/means.csv"], "folder 'nowhere' does not exist"),
        (["--sizes", "many"], "whole numbers"),
        (["--truth", "gone.tif"], "no file"),
        (["--times", "1", "--of", "snow"], "no known class 'snow'"),
        (["--set", "pixels.size=2", "--times", "1"], "only 2 items"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    coterie: Any, recipe: str, options: list[str], sentence: str
) -> None:
    said = coterie("cross-validate", recipe, *options, "--engine", "inprocess")
    assert said.code == 1
    assert sentence in said.complaint


# A closed pipe would end the test itself, so another error stands for it.
def test_files_are_written_also_when_nobody_reads_what_is_printed(
    coterie: Any, recipe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: object, **__: object) -> None:
        raise DataError("the pipe is closed")

    module = import_module("coterie.projects.cli.commands.cross_validate")
    monkeypatch.setattr(module, "_print", closed)
    coterie("cross-validate", recipe, "--times", 1, "--each", "each.csv", "--engine", "inprocess")
    with Path("each.csv").open(encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == 1

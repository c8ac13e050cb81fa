"""Counting labelled pixels: those that were learnt from apart, and what a group stands for."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from coterie.core.api.context import Context
from coterie.core.formats.maps.confusion_counts import Tally, standing_for, tally_scene
from coterie.core.formats.rasters import tiles
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.truth import Truth, find_truth
from coterie.core.model.arrays import Ints
from coterie.core.model.dataset import Dataset

HEIGHT, WIDTH = 20, 30


def write(path: Path, values: Any, nodata: int | None) -> None:
    with rasterio.open(
        path, "w", driver="GTiff", count=len(values), height=HEIGHT, width=WIDTH, nodata=nodata,
        dtype=values.dtype, crs="EPSG:32633", transform=Affine(10, 0, 5e5, 0, -10, 5e6),
    ) as target:  # fmt: skip
        target.write(values)


@pytest.fixture
def values() -> Any:
    values = np.random.default_rng(0).integers(1, 200, (2, HEIGHT, WIDTH)).astype(np.uint8)
    values[:, 3, 4] = 0
    return values


@pytest.fixture
def truth(tmp_path: Path, values: Any) -> Truth:
    mask = np.where(values[:1] > 90, 2, 1).astype(np.uint8)
    mask[:, :, -5:] = 0
    write(tmp_path / "scene.tif", values, 0)
    write(tmp_path / "mask.tif", mask, None)
    scene, known = scene_of(tmp_path / "scene.tif"), scene_of(tmp_path / "mask.tif")
    return find_truth(scene, known, {1: "dark", 2: "bright"}, lambda: None)


def label(pixels: Dataset) -> Ints:
    """Three groups by the first band; the brightest pixels in none."""
    first = pixels.dense_features()[:, 0]
    return np.where(first > 180, -1, np.digitize(first, [60, 120])).astype(np.int64)


def expected(values: Any, sample: Any) -> tuple[Any, Any]:
    others, sampled = np.zeros((4, 2), dtype=int), np.zeros((4, 2), dtype=int)
    for row in range(HEIGHT):
        for column in range(WIDTH - 5):
            value = int(values[0, row, column])
            if value:
                group = 3 if value > 180 else int(value >= 60) + int(value >= 120)
                counts = sampled if row * WIDTH + column in sample else others
                counts[group, int(value > 90)] += 1
    return others, sampled


def test_pixels_are_counted_tile_by_tile_and_the_sample_apart(
    tmp_path: Path, values: Any, truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiles, "TILE", 8)
    sample = np.array([599, 0, 33, 34, 64, 301, 302])  # one without data, one without class
    scene = scene_of(tmp_path / "scene.tif")
    found = tally_scene(scene, truth, label, class_table(3), sample, Context())
    others, sampled = expected(values, set(sample.tolist()))
    assert found.others.tolist() == others.tolist()
    assert found.sampled.tolist() == sampled.tolist()
    assert found.truths == ("dark", "bright")


def test_some_pixels_at_random_are_none_of_the_sample(
    tmp_path: Path, values: Any, truth: Truth
) -> None:
    sample = np.arange(0, 300, 2)
    scene = scene_of(tmp_path / "scene.tif")
    some = tally_scene(scene, truth, label, class_table(3), sample, Context(), at_most=200)
    others, sampled = expected(values, set(sample.tolist()))
    assert some.sampled.tolist() == sampled.tolist()
    assert 0 < some.others.sum() < 200
    assert (some.others <= others).all()
    every = tally_scene(scene, truth, label, class_table(3), sample, Context(), at_most=600)
    assert every.others.tolist() == others.tolist()


def test_a_group_is_named_by_the_sample_and_a_name_comes_first() -> None:
    sampled = np.array([[1, 5], [4, 1], [3, 0], [0, 0], [0, 0]])
    others = np.array([[90, 2], [1, 50], [9, 0], [2, 30], [0, 0]])
    names = ("group 0", "group 1", "Bright", "group 3", "unclassified")
    tally = Tally(names, ("dark", "bright"), others, sampled)
    assert standing_for(tally).tolist() == [1, 0, 1, 1, 0]

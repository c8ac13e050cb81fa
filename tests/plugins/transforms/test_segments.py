"""Segments of pictures and scenes as items."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Clustering, Context, Dataset, Model, Output
from coterie.core.engine.fitted_chain import FittedChain, FittedStep
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.numpy_scenes import scene_of_cube
from coterie.core.formats.rasters.scene import raster_dataset, scene_of
from coterie.core.formats.rasters.tiles import PartialMap, classify_scene
from coterie.core.numerics.features.picture_grid import MEMBERS
from coterie.plugins.classifiers.nearest import Nearest
from coterie.plugins.transforms.sample import RandomSubset
from coterie.plugins.transforms.segments import Segments
from tests.refusals import refuses

HIGH, WIDE = 40, 60
EVERYTHING = ["means", "spreads", "texture", "shape"]


def fields(holes: bool = False) -> np.ndarray:
    """Four fields side by side, with a little noise: every segment is within one of them."""
    rng = np.random.default_rng(1)
    kind = np.arange(WIDE) // 15 * 2
    values = np.broadcast_to(kind[None, :, None], (HIGH, WIDE, 3)) + rng.normal(
        0, 0.05, (HIGH, WIDE, 3)
    )
    values = values.astype(np.float32)
    if holes:
        values[10:14, 20:40] = np.nan
    return values


def picture(values: np.ndarray, **fields: Any) -> Dataset:
    details = {"height": HIGH, "width": WIDE}
    return Dataset(features=values.reshape(-1, 3).astype(np.float64), details=details, **fields)


def on_disk(folder: Path, values: np.ndarray) -> Dataset:
    np.save(folder / "scene.npy", values)
    return raster_dataset(scene_of_cube(folder / "scene.npy"))


def segmented(data: Dataset, **params: Any) -> tuple[Dataset, Model]:
    output = Segments().compute(data, params=Segments.Params(**params), context=Context(seed=3))
    assert isinstance(output, Output)
    assert isinstance(output.main, Dataset)
    model = output.parts["model"]
    assert isinstance(model, Model)
    return output.main, model


def test_features_are_those_of_the_pixels_of_each_segment() -> None:
    data = picture(fields())
    found, model = segmented(data, size=40, describe=EVERYTHING)
    members = np.asarray(Segments().apply(model, data, Context()).details[MEMBERS])
    pixels = data.dense_features()
    assert found.columns[-4:] == ("texture", "size", "elongation", "compactness")
    for segment in range(found.n):
        own = pixels[members == segment]
        expected = [*own.mean(axis=0), *own.std(axis=0)]
        np.testing.assert_allclose(found.dense_features()[segment, :6], expected, atol=1e-9)
        assert found.dense_features()[segment, 7] == len(own)
        assert members[found.details["positions"][segment]] == segment
    assert (found.dense_features()[:, 3:6] < 0.5).mean() > 0.9  # few are in two fields


def test_shapes_of_known_segments() -> None:
    from coterie.core.numerics.features.segments import Segmenting, described

    labels = np.full((8, 12), -1)
    labels[1:5, 1:5], labels[6, 0:12] = 0, 1  # a square and a line
    how = Segmenting(10, 1.0, (0.0,), (1.0,))
    found, middles = described(np.zeros((1, 8, 12)), labels, how, ["shape"])
    np.testing.assert_allclose(found[:, 0], [16, 12])
    np.testing.assert_allclose(found[:, 1], [1, 12])
    np.testing.assert_allclose(found[:, 2], [np.pi / 4, 4 * np.pi * 12 / 26**2])
    assert set(np.divmod(middles, 12)[0].tolist()) <= {2, 3, 6}


def test_a_scene_on_disk_has_the_segments_of_the_picture(tmp_path: Path) -> None:
    values = fields(holes=True)
    scene = on_disk(tmp_path, values)
    found, _ = segmented(scene, size=40)
    assert np.isfinite(found.dense_features()).all()
    places = np.asarray(found.details["positions"])
    assert not np.isnan(values.reshape(-1, 3)[places]).any()
    assert found.details["scene"] == scene.details["scene"]


def test_known_classes_are_those_of_most_pixels() -> None:
    truth = np.broadcast_to(np.arange(WIDE) // 15, (HIGH, WIDE)).reshape(-1).copy()
    data = picture(fields(), truth=truth, truth_names=("a", "b", "c", "d"))
    found, _ = segmented(data, size=40)
    kind = np.rint(found.dense_features()[:, 0] / 2).astype(int)
    assert np.mean(np.asarray(found.truth) == kind) > 0.9


def classified(scene: Dataset, folder: Path) -> np.ndarray:
    found, model = segmented(scene, size=40)
    kind = np.rint(found.dense_features()[:, 0] / 2).astype(np.int64)
    groups = Clustering(dataset=found, labels=kind)
    learnt = Nearest().compute(found, groups, params=Nearest.Params(), context=Context())
    assert isinstance(learnt, Model)
    links = (FittedStep(Segments(), model), FittedStep(Nearest(), learnt))
    chain = FittedChain(scene_of(scene), links, ("transform/segments", "nearest"), Context())
    table = class_table(chain.k, chain.names)
    target = folder / "map.tif"
    partial = PartialMap(target, chain.scene, table, "work")
    classify_scene(chain.scene, chain.label, table, partial, Context(), by_window=chain.by_window)
    codes = partial.read(0, HIGH)
    partial.remove()
    return codes


def test_a_map_gives_each_pixel_the_class_of_its_segment(tmp_path: Path) -> None:
    values = fields(holes=True)
    codes = classified(on_disk(tmp_path, values), tmp_path)
    holes = np.isnan(values).any(axis=2)
    expected = np.broadcast_to(np.arange(WIDE) // 15, (HIGH, WIDE))
    assert (codes[~holes] == expected[~holes]).mean() > 0.98
    assert len(np.unique(codes[holes])) == 1
    assert codes[holes][0] not in expected


def test_segments_are_sampled_by_the_region_of_their_middle(tmp_path: Path) -> None:
    found, _ = segmented(on_disk(tmp_path, fields()), size=40)
    square = '{"type":"Polygon","coordinates":[[[%d,0],[%d,0],[%d,40],[%d,40],[%d,0]]]}'
    feature = '{"type":"Feature","properties":{"name":"%s"},"geometry":%s}'
    parts = [
        feature % (name, square % (left, left + 15, left + 15, left, left))
        for name, left in (("west", 0), ("east", 45))
    ]
    regions = f'{{"type":"FeatureCollection","features":[{",".join(parts)}]}}'
    params = RandomSubset.Params(size=500, balanced_by="regions", regions=regions)
    taken = RandomSubset().compute(found, params=params, context=Context(seed=1))
    assert taken.truth_names == ("west", "east")
    kind = np.rint(taken.dense_features()[:, 0] / 2)
    assert np.mean(kind == np.where(np.asarray(taken.truth) == 0, 0, 3)) > 0.9
    places = set(found.details["positions"])
    assert set(taken.details["positions"]) < places  # pixels of the scene, not numbers of items


def test_what_will_not_do(tmp_path: Path) -> None:
    with refuses("invalid-parameters"):
        segmented(picture(fields()), describe=[])
    with refuses("picture-size-needed"):
        segmented(replace(picture(fields()), details={}))
    with refuses("no-valid-pixels"):
        segmented(on_disk(tmp_path, np.full((20, 20, 3), np.nan, dtype=np.float32)))


@pytest.mark.realdata
def test_segments_of_a_real_scene_hold_one_kind_of_ground(realdata: Path) -> None:
    with np.load(realdata / "cloud_scene_sentinel2.npz") as file:
        img, cloud = file["img"][:256, :256], file["msk"][:256, :256, 0] == 4
    data = Dataset(
        features=img.reshape(-1, 6).astype(np.float64),
        details={"height": 256, "width": 256},
        truth=cloud.reshape(-1).astype(np.int64),
    )
    found, model = segmented(data, size=60)
    members = np.asarray(Segments().apply(model, data, Context()).details[MEMBERS])
    assert found.truth is not None
    right = found.truth[members] == data.truth
    squares = (np.arange(256)[:, None] // 8 * 32 + np.arange(256) // 8).reshape(-1)
    share = np.bincount(squares, cloud.reshape(-1)) / 64
    by_squares = np.where(share[squares] > 0.5, cloud.reshape(-1), ~cloud.reshape(-1))
    assert right.mean() > by_squares.mean()


@pytest.mark.parametrize(
    ("rings", "code"),
    [("[[[0,0],[1,1],[0,0]]]", "invalid-region"), ("[[[0,0],[1]]]", "invalid-region"),
     ("[]", "invalid-region"), ("[[[900,0],[950,0],[950,9],[900,0]]]", "no-valid-pixels")],
)  # fmt: skip
def test_regions_that_hold_no_pixel(tmp_path: Path, rings: str, code: str) -> None:
    polygon = f'{{"type":"Polygon","coordinates":{rings}}}'
    feature = f'{{"type":"Feature","properties":{{"name":"far"}},"geometry":{polygon}}}'
    text = f'{{"type":"FeatureCollection","features":[{feature}]}}'
    params = RandomSubset.Params(size=50, balanced_by="regions", regions=text)
    with refuses(code):
        RandomSubset().compute(on_disk(tmp_path, fields()), params=params, context=Context(seed=1))


def test_a_region_outside_the_scene_is_named(tmp_path: Path) -> None:
    parts = [
        {
            "type": "Feature",
            "properties": {"name": name},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[x, 0], [x + 9, 0], [x + 9, 30], [x, 30], [x, 0]]],
            },
        }
        for name, x in (("inside", 5), ("far", 500))
    ]
    text = json.dumps({"type": "FeatureCollection", "features": parts})
    params = RandomSubset.Params(size=50, balanced_by="regions", regions=text)
    scene = on_disk(tmp_path, fields())
    taken = RandomSubset().compute(scene, params=params, context=Context(seed=1))
    assert "No valid pixel is in: far." in taken.notes[-1]

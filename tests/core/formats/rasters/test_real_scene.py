"""A real scene, tile by tile, and held against its mask."""

from pathlib import Path

import numpy as np
import pytest

from coterie.core import Clustering, Context, Dataset, Model
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.tiles import PartialMap, classify_scene
from coterie.core.formats.rasters.windows import SceneReader, Window
from coterie.core.model.arrays import Ints
from coterie.plugins.classifiers.nearest import Nearest
from coterie.plugins.transforms.standardise import Standardise


@pytest.mark.realdata
def test_tiles_of_a_real_scene_are_labelled_as_the_whole_is(realdata: Path, tmp_path: Path) -> None:
    scene = scene_of(realdata / "landsat7_large.tif").choose("B4, B3, B2")
    with SceneReader(scene) as reader:
        values, _ = reader.read(Window(0, 0, scene.height, scene.width))
    pixels = values.reshape(3, -1).T
    rng = np.random.default_rng(0)
    sample = Dataset(features=pixels[rng.choice(len(pixels), 60, replace=False)])
    fitted = Standardise().compute(sample, params=Standardise.Params(), context=Context())
    scaled, model = fitted.main, fitted.parts["model"]
    assert isinstance(scaled, Dataset)
    groups = Clustering(labels=(scaled.dense_features()[:, 0] > 0).astype(np.int64))
    near = Nearest().compute(scaled, groups, params=Nearest.Params(), context=Context())
    assert isinstance(near, Model)

    def label(data: Dataset) -> Ints:
        changed = Standardise().apply(model, data, Context())  # type: ignore[arg-type]
        return Nearest().apply(near, changed, Context(workers=2)).labels

    table = class_table(2)
    partial = PartialMap(tmp_path / "map.tif", scene, table, "work")
    classify_scene(scene, label, table, partial, Context())
    whole = label(Dataset(features=pixels)).reshape(scene.height, scene.width)
    np.testing.assert_array_equal(partial.read(0, scene.height), whole)

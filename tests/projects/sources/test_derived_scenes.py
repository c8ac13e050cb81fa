"""From a scene by derived features and a sample of them to a map, all window by window."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import rasterio

from coterie.core import Context, Dataset
from coterie.core.formats.rasters import tiles
from coterie.core.formats.rasters.derived import reader_of
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.plugins.classifiers.nearest import Nearest
from coterie.plugins.transforms.minmax import MinMax
from coterie.projects.cli.main import main
from coterie.projects.jobs.classify_scene import MapRequest
from coterie.projects.jobs.job import Status
from coterie.projects.session import Session

STEPS = (
    Step("around", "transform/local-statistics", ("data",), {"window": 5, "statistics": "both"}),
    Step(
        "indices",
        "transform/spectral-index",
        ("around",),
        {"differences": ["B08, B04", "B03, B08"], "ratios": ["B11, B08"]},
    ),
    Step("pixels", "transform/sample", ("indices",), {"size": 400}),
    Step("scaled", "transform/minmax", ("pixels",)),
    Step("groups", "clusterer/kmeans", ("scaled",), {"k": 5}),
    Step("classes", "classifier/nearest", ("scaled", "groups")),
)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session whose engine sees what a test changes."""
    made = Session(engine="inprocess", root=tmp_path)
    made.start()
    yield made
    made.close()


def test_the_map_is_that_of_the_features_of_the_whole_scene(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, target = tmp_path / "scene.tif", tmp_path / "map.tif"
    assert main(["sample", "cloud-scene", "-o", str(scene)]) == 0
    with rasterio.open(scene, "r+") as file:
        file.nodata = -1.0
        values = file.read(1)
        values[40:50, 30:60] = -1.0
        file.write(values, 1)
    monkeypatch.setattr(tiles, "TILE", 32)
    source = Source("data", str(scene), "reader/raster")
    session.project.load_recipe(Recipe(sources=(source,), steps=STEPS))
    session.run()
    session.wait(60)
    assert {session.status(name) for name in session.recipe.names} == {Status.FRESH}
    derived = session.results.artefact("indices")
    assert derived.on_disk
    pixels = session.results.artefact("pixels")
    assert pixels.columns == derived.columns
    assert pixels.d == 13 * 3 + 2 + 3
    session.maps.add(MapRequest(scene, target))
    session.wait(60)
    with reader_of(derived) as reader:
        values, valid = reader.read(Window(0, 0, 120, 120))
    table = Dataset(features=values.reshape(len(values), -1).T, columns=derived.columns)
    scaled = MinMax().apply(session.results.artefact("scaled", "model"), table, Context())
    labels = Nearest().apply(session.results.artefact("classes"), scaled, Context()).labels
    with rasterio.open(target) as made:
        codes, nodata = made.read(1), made.nodata
    assert (codes[~valid] == nodata).all()
    assert (~valid).sum() == 300
    np.testing.assert_array_equal(codes[valid], labels.reshape(120, 120)[valid])


@pytest.mark.slow  # the made scene above goes the same way in small
@pytest.mark.realdata
def test_a_real_scene_goes_the_same_way(session: Session, realdata: Path, tmp_path: Path) -> None:
    scene, target = realdata / "landsat7_large.tif", tmp_path / "map.tif"
    steps = (
        Step("around", "transform/local-statistics", ("data",), {"window": 3, "keep": "append"}),
        Step("indices", "transform/spectral-index", ("around",), {"differences": ["1, 2"]}),
        *STEPS[2:],
    )
    source = Source("data", str(scene), "reader/raster")
    session.project.load_recipe(Recipe(sources=(source,), steps=steps))
    session.run()
    session.wait(120)
    assert session.failure("pixels") is None
    session.maps.add(MapRequest(scene, target))
    session.wait(240)
    with rasterio.open(target) as made:
        assert len(np.unique(made.read(1))) > 1

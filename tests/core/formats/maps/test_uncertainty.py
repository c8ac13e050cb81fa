"""Maps of uncertainty, and the places where a person's answer is needed most."""

from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from coterie.core import Clustering, Context, Dataset
from coterie.core.errors import DataError
from coterie.core.formats.maps.uncertainty import (
    UNKNOWN,
    most_uncertain,
    uncertainty_of,
    uncertainty_path,
    write_uncertainty,
)
from coterie.core.formats.rasters.classes import ClassTable, class_table
from coterie.core.formats.rasters.maps import MapGrid
from coterie.core.formats.rasters.numpy_scenes import scene_of_cube
from coterie.core.formats.rasters.tiles import PartialMap, classify_scene

PLACE = (10.0, 0.0, 5e5, 0.0, -10.0, 5e6)


def grid_of(height: int, width: int, table: ClassTable) -> MapGrid:
    names, colours = table.names, table.colours
    return MapGrid(height, width, names, colours, table.nodata, table.dtype, transform=PLACE)


def soft(data: Dataset) -> Clustering:
    share = np.asarray(data.features)[:, 0]
    return Clustering(
        labels=(share < 0.5).astype(np.int64), membership=np.stack([share, 1 - share], axis=1)
    )


def test_uncertainty_is_by_the_lead_of_the_best_class_whatever_the_sum() -> None:
    rng = np.random.default_rng(0)
    shares = rng.random((50, 4)) * rng.random((50, 1))
    groups = np.array([0, 1, 1, 2])
    merged = np.stack([shares[:, 0], shares[:, 1] + shares[:, 2], shares[:, 3]], axis=1)
    ordered = np.sort(merged, axis=1)
    wanted = 100 * (1 - (ordered[:, 2] - ordered[:, 1]) / merged.sum(axis=1))
    assert np.abs(uncertainty_of(shares, groups) - wanted).max() <= 0.5 + 1e-9
    assert uncertainty_of(np.zeros((1, 4)), groups).tolist() == [100]
    assert uncertainty_of(np.ones((2, 1)), np.array([0])).tolist() == [0, 0]


def test_a_scene_gets_a_second_map_and_it_leads_to_its_most_uncertain_place(tmp_path: Path) -> None:
    share = np.ones((300, 400, 1))
    share[200:220, 100:130] = 0.5
    share[0, 0] = np.nan
    np.save(tmp_path / "cube.npy", share)
    scene = scene_of_cube(tmp_path / "cube.npy", "bands-last")
    target = tmp_path / "map.tif"
    table = class_table(2)
    partial = PartialMap(target, scene, table, "work", uncertainty=True)
    classify_scene(scene, soft, table, partial, Context())
    again = PartialMap(target, scene, table, "work", uncertainty=True)
    assert again.done == partial.done
    grid = grid_of(300, 400, table)
    assert partial.doubts is not None
    mean = write_uncertainty(target, grid, partial.doubts.read, lambda: None)
    assert mean == pytest.approx(600 / (300 * 400 - 1))
    with rasterio.open(uncertainty_path(target)) as made:
        found = made.read(1)
        assert made.nodata == UNKNOWN
    assert found[0, 0] == UNKNOWN
    assert (found[200:220, 100:130] == 100).all()
    assert np.count_nonzero(found == 100) == 600
    (first, *others) = most_uncertain(uncertainty_path(target), 3)
    assert 200 <= first[0] < 220
    assert 100 <= first[1] < 130
    assert all(abs(r - first[0]) > 16 or abs(c - first[1]) > 16 for r, c in others)
    partial.remove()
    assert not list(tmp_path.glob(".*"))


def test_a_method_that_cannot_say_leaves_no_second_map(tmp_path: Path) -> None:
    np.save(tmp_path / "cube.npy", np.ones((20, 20, 1)))
    scene = scene_of_cube(tmp_path / "cube.npy", "bands-last")
    target, table = tmp_path / "map.tif", class_table(2)
    uncertainty_path(target).write_text("of a map before")
    partial = PartialMap(target, scene, table, "work", uncertainty=True)
    classify_scene(scene, lambda data: np.zeros(data.n, dtype=np.int64), table, partial, Context())
    grid = grid_of(20, 20, table)
    assert partial.doubts is not None
    assert write_uncertainty(target, grid, partial.doubts.read, lambda: None) is None
    assert not uncertainty_path(target).exists()


def test_an_uncertainty_map_without_data_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "empty.tif"
    with rasterio.open(
        place,
        "w",
        driver="GTiff",
        height=5,
        width=5,
        count=1,
        dtype="uint8",
        nodata=UNKNOWN,
        transform=Affine(*PLACE),
    ) as out:
        out.write(np.full((1, 5, 5), UNKNOWN, dtype=np.uint8))
    with pytest.raises(DataError) as raised:
        most_uncertain(place, 1)
    assert raised.value.code == "no-valid-pixels"

"""Labelling a scene by tiles gives what labelling it at once gives, however often broken off."""

import errno
from pathlib import Path

import numpy as np
import pytest

from coterie.core import Cancelled, Context, DataError, Dataset
from coterie.core.api.context import Control
from coterie.core.formats.rasters import tiles
from coterie.core.formats.rasters.classes import ClassTable, class_table
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.tiles import PartialMap, classify_scene
from coterie.core.model.arrays import Ints
from tests.refusals import refuses

from .making import cube, write


def by_sum(data: Dataset) -> Ints:
    """Group 0, 1 or 2 by the sum of the bands, −1 for a few."""
    total = np.asarray(data.features).sum(axis=1)
    return np.where(total % 7 == 0, -1, (total // 700).clip(0, 2)).astype(np.int64)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr(tiles, "TILE", 16)
    values = cube()
    values[0, 10:14, 20:30] = 0
    return scene_of(
        write(tmp_path / "a.tif", values, nodata=0, tiled=True, blockxsize=16, blockysize=16)
    )


@pytest.fixture
def table() -> ClassTable:
    return class_table(3, merge=["cloud = 0, 2"])


def expected(table: ClassTable) -> np.ndarray:
    values = cube()
    values[0, 10:14, 20:30] = 0
    labels = by_sum(Dataset(features=values.reshape(3, -1).T.astype(float)))
    codes = table.codes(labels).reshape(40, 50)
    codes[values[0] == 0] = 255
    return codes


def test_tiles_together_are_the_whole(tmp_path: Path, scene: Scene, table: ClassTable) -> None:
    partial = PartialMap(tmp_path / "map.tif", scene, table, "work")
    classify_scene(scene, by_sum, table, partial, Context())
    np.testing.assert_array_equal(partial.read(0, 40), expected(table))
    partial.remove()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.tif"]


def test_a_cancelled_run_goes_on_where_it_stopped(
    tmp_path: Path, scene: Scene, table: ClassTable
) -> None:
    control = Control()
    calls = []

    def stopping(data: Dataset) -> Ints:
        calls.append(data.n)
        control.cancelled = len(calls) == 5
        return by_sum(data)

    partial = PartialMap(tmp_path / "map.tif", scene, table, "work")
    with pytest.raises(Cancelled):
        classify_scene(scene, stopping, table, partial, Context(control=control))
    assert len(partial.done) == 4
    again = PartialMap(tmp_path / "map.tif", scene, table, "work")
    assert again.done == partial.done
    calls.clear()
    classify_scene(scene, stopping, table, again, Context())
    assert len(calls) == 12 - 4
    np.testing.assert_array_equal(again.read(0, 40), expected(table))


def test_other_work_begins_anew(tmp_path: Path, scene: Scene, table: ClassTable) -> None:
    first = PartialMap(tmp_path / "map.tif", scene, table, "work")
    classify_scene(scene, by_sum, table, first, Context())
    assert PartialMap(tmp_path / "map.tif", scene, table, "work").done
    other = PartialMap(tmp_path / "map.tif", scene, table, "other work")
    assert other.done == set()
    assert (other.read(0, 40) == 255).all()


def test_a_line_cut_short_in_the_journal_is_work_to_do(
    tmp_path: Path, scene: Scene, table: ClassTable
) -> None:
    partial = PartialMap(tmp_path / "map.tif", scene, table, "work")
    classify_scene(scene, by_sum, table, partial, Context())
    journal = tmp_path / ".map.tif.part.json"
    journal.write_text(journal.read_text()[:-1])
    again = PartialMap(tmp_path / "map.tif", scene, table, "work")
    assert again.done == partial.done - {max(partial.done)}
    # What is done next is not joined to what is left of that line.
    classify_scene(scene, by_sum, table, again, Context())
    assert PartialMap(tmp_path / "map.tif", scene, table, "work").done == partial.done


def test_methods_that_look_around_a_pixel_see_no_borders_of_tiles(
    tmp_path: Path, scene: Scene
) -> None:
    from scipy.ndimage import uniform_filter

    table = class_table(2)

    def around(data: Dataset) -> Ints:
        high, wide = data.details["height"], data.details["width"]
        band = np.asarray(data.features)[:, 1].reshape(high, wide)
        return (uniform_filter(band.astype(float), 5) > 500).astype(np.int64).ravel()

    partial = PartialMap(tmp_path / "map.tif", scene, table, "work")
    classify_scene(scene, around, table, partial, Context(), reach=2)
    values = cube().astype(float)
    whole = (uniform_filter(values[1], 5) > 500).astype(int)
    inside = np.zeros((40, 50), dtype=bool)
    inside[2:-2, 2:-2] = True
    inside[8:16, 18:32] = False  # near no data, and no data themselves
    found = partial.read(0, 40)
    np.testing.assert_array_equal(found[inside], whole[inside])
    assert (found[10:14, 20:30] == 255).all()


def test_a_method_that_forgets_pixels_is_found_out(
    tmp_path: Path, scene: Scene, table: ClassTable
) -> None:
    partial = PartialMap(tmp_path / "map.tif", scene, table, "work")
    with refuses("invalid-result", DataError):
        classify_scene(scene, lambda data: by_sum(data)[:1], table, partial, Context())


def test_a_map_that_would_not_fit_on_the_disk_is_refused_before_the_work(
    tmp_path: Path, scene: Scene, table: ClassTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil
    from types import SimpleNamespace

    monkeypatch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=1000))
    with refuses("disk-full", DataError):
        PartialMap(tmp_path / "map.tif", scene, table, "work")


def test_a_medium_that_is_read_only_is_said_in_a_sentence(
    tmp_path: Path, scene: Scene, table: ClassTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "open", refuse)
    with refuses("file-access", match="map.tif"):
        PartialMap(tmp_path / "map.tif", scene, table, "work")

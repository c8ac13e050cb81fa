"""Smaller copies of a scene: right, made once, elsewhere, and in bounded memory."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from coterie.core import Cancelled, Context, DataError
from coterie.core.api.context import Control
from coterie.core.formats.rasters import overviews
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.overviews import overviews_of
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import Window
from tests.refusals import refuses

from .making import cube, write


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr(overviews, "SMALLEST", 16)
    monkeypatch.setattr(overviews, "STRIP", 32)
    values = cube(2, 75, 90)
    values[0, 10, 11] = 0
    return scene_of(write(tmp_path / "a.tif", values, nodata=0))


def test_each_level_is_the_mean_of_the_valid_among_four(tmp_path: Path, scene: Scene) -> None:
    before = (tmp_path / "a.tif").read_bytes()
    with overviews_of(scene, Context(), tmp_path / "cache") as made:
        assert [(v.height, v.width) for v in made.levels] == [
            (75, 90),
            (38, 45),
            (19, 23),
            (10, 12),
        ]
        values, valid = made.read_window(1, Window(0, 0, 37, 45))
        numbers = cube(2, 75, 90).astype(float)
        numbers[:, 10, 11] = np.nan
        four = numbers[:, :74].reshape(2, 37, 2, 45, 2)
        np.testing.assert_allclose(values, np.nanmean(four, axis=(2, 4)), rtol=1e-6)
        assert valid.all()
        only, _ = made.read_window(2, Window(3, 4, 9, 20), bands=(1,))
        assert only.shape == (1, 6, 16)
    assert (tmp_path / "a.tif").read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.tif", "cache"]


def test_they_are_made_once_and_anew_when_the_file_changed(tmp_path: Path, scene: Scene) -> None:
    folder = tmp_path / "cache"
    overviews_of(scene, Context(), folder)
    [home] = folder.iterdir()
    stamp = (home / "1.tif").stat().st_mtime_ns
    overviews_of(scene, Context(), folder)
    assert (home / "1.tif").stat().st_mtime_ns == stamp
    write(tmp_path / "a.tif", cube(2, 75, 90, seed=5), nodata=0)
    overviews_of(scene, Context(), folder)
    assert len(list(folder.iterdir())) == 2


def test_the_stretch_is_of_valid_pixels_only(tmp_path: Path, scene: Scene) -> None:
    values = np.full((2, 75, 90), 60_000, dtype=np.uint16)
    values[0] = 100
    values[:, :40] = 0
    dark = scene_of(write(tmp_path / "dark.tif", values, nodata=0))
    with overviews_of(dark, Context(), tmp_path / "cache") as made:
        assert made.stretch((0, 1)) == ((100.0, 101.0), (60_000.0, 60_001.0))
    with overviews_of(scene, Context(), tmp_path / "cache") as made:
        [(low, high)] = made.stretch((1,))
        assert 1 < low < high < 1000


def test_the_level_fits_the_size_on_the_screen(tmp_path: Path, scene: Scene) -> None:
    with overviews_of(scene, Context(), tmp_path / "cache") as made:
        found = [made.level_for(pixels).number for pixels in (0.2, 1, 1.9, 2, 5, 100)]
    assert found == [0, 0, 0, 1, 2, 3]


def test_a_cancelled_run_leaves_nothing_half_made(tmp_path: Path, scene: Scene) -> None:
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        overviews_of(scene, Context(control=control), tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_disk_too_small_for_them_is_said(
    tmp_path: Path, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    monkeypatch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=1000))
    with refuses("disk-full", DataError):
        overviews_of(scene, Context(), tmp_path / "cache")

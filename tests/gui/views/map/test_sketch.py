"""A coarse picture of a scene while its smaller copies are being made."""

from collections.abc import Sequence

import numpy as np
import pytest

from coterie.core import Cancelled
from coterie.core.formats.rasters.decimated import picked
from coterie.core.formats.rasters.overviews import OverviewLevel
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array, Floats
from coterie.gui.views.map import sketch as sketching
from coterie.gui.views.map.sketch import Sketch

SIZE = 301, 407
LEVELS = [OverviewLevel(0, 301, 407), OverviewLevel(1, 151, 204), OverviewLevel(2, 76, 102)]


TILES, STRIPS = (64, 64), (8, 407)  # a quarter of them has 16 × 16 pixels


class Scene:
    """Two bands in memory; the second counts down. A corner holds no data."""

    def __init__(self) -> None:
        first = np.arange(301.0 * 407).reshape(SIZE)
        self.bands = np.stack([first, -first])
        self.read_so_far: list[Window] = []

    def read(
        self, window: Window, shape: tuple[int, int] | None = None, bands: Sequence[int] = ()
    ) -> tuple[Floats, Array]:
        assert shape is not None
        self.read_so_far.append(window)
        rows, columns = (picked(many, few) for many, few in zip(window.shape, shape, strict=True))
        rows, columns = rows + window.top, columns + window.left
        valid = (rows[:, None] > 20) | (columns > 20)
        return self.bands[list(bands)][:, rows[:, None], columns], valid


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketching, "MOST_PIXELS", 10_000)
    monkeypatch.setattr(sketching, "_SIDE", 16)


def never() -> None: ...


@pytest.mark.parametrize("block", [TILES, STRIPS, (64, 32), (20, 24), (9_000, 9_000)])
def test_it_has_pixels_of_the_whole_scene_when_it_is_filled(block: tuple[int, int]) -> None:
    sketch, scene = Sketch(LEVELS, (1, 0, 1)), Scene()
    assert (sketch.level.number, sketch.bands) == (2, (1, 0))
    sketch.fill(scene, SIZE, block, never)
    values, valid = sketch.read(Window(0, 0, 76, 102), (0, 1))
    assert sketch.done == 1
    rows, columns = np.divmod(values[0], 407)
    # Each pixel comes from its own place, of four by four; the last row and column have fewer.
    assert np.abs(rows - 4 * np.arange(76)[:, None] - 2).max() <= 4
    assert np.abs(columns - 4 * np.arange(102) - 2).max() <= 4
    assert np.abs(rows - 4 * np.arange(76)[:, None] - 2)[:72].max() <= 2
    np.testing.assert_array_equal(values[1], -values[0])
    np.testing.assert_array_equal(valid, (rows > 20) | (columns > 20))


def test_it_is_read_all_over_the_scene_at_first() -> None:
    sketch, scene = Sketch(LEVELS, (0,)), Scene()
    sketch.fill(scene, SIZE, TILES, never)
    first = scene.read_so_far[:8]
    assert {window.top > 150 for window in first} == {True, False}
    assert {window.left > 200 for window in first} == {True, False}


def test_strips_are_read_from_the_top_without_reading_any_twice() -> None:
    sketch, scene = Sketch(LEVELS, (0,)), Scene()
    sketch.fill(scene, SIZE, STRIPS, never)
    assert {window.shape[1] for window in scene.read_so_far} == {407}
    tops = [window.top for window in scene.read_so_far]
    assert tops == sorted(set(tops))


def test_no_block_of_the_scene_is_unpacked_twice() -> None:
    sketch, scene = Sketch(LEVELS, (0,)), Scene()
    sketch.fill(scene, SIZE, (32, 80), never)
    blocks = [
        (row, column)
        for window in scene.read_so_far
        for row in range(window.top // 32, -(-window.bottom // 32))
        for column in range(window.left // 80, -(-window.right // 80))
    ]
    assert len(blocks) == len(set(blocks)) == 10 * 6


def test_what_is_read_so_far_can_be_shown() -> None:
    sketch, scene, turns = Sketch(LEVELS, (0,)), Scene(), iter(range(3))
    assert sketch.limits((0,), 2, 98) == ((0, 1),)

    def check() -> None:
        if next(turns, None) is None:
            raise Cancelled

    with pytest.raises(Cancelled):
        sketch.fill(scene, SIZE, TILES, check)
    values, valid = sketch.read(Window(0, 0, 76, 102), (0,))
    assert 0 < sketch.done < 1
    assert valid.sum() <= 3 * 16 * 64
    [(low, high)] = sketch.limits((0,), 0, 100)
    assert (low, high) == (values[0][valid].min(), values[0][valid].max())
    assert sketch.has((0, 0))
    assert not sketch.has((0, 1))

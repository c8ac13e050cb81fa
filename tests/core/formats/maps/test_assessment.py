"""Places at which a map is checked by eye."""

from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest

from coterie.core.formats.maps.assessment import (
    Place,
    drawn,
    judged,
    pixels_of,
    read_places,
    write_places,
)
from coterie.core.formats.maps.map_file import MapFile, open_map
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.maps import MapGrid, write_map
from tests.refusals import refuses

HIGH, WIDE = 300, 40
NAMES = ("land", "water", "unclassified")


def codes() -> np.ndarray:
    made = np.zeros((HIGH, WIDE), dtype=np.uint8)
    made[250:, :] = 1
    made[0, :] = 255
    return made


def on_disk(folder: Path) -> AbstractContextManager[MapFile]:
    path, table = folder / "map.tif", class_table(2, NAMES[:2])
    grid = MapGrid(
        HIGH, WIDE, table.names, table.colours, table.nodata, table.dtype,
        crs="EPSG:32633", transform=(10.0, 0.0, 5e5, 0.0, -10.0, 5e6),
    )  # fmt: skip
    made = codes()
    write_map(path, grid, lambda top, bottom: made[top:bottom], lambda: None)
    return open_map(path)


def places(wanted: list[int], seed: int = 0) -> list[Place]:
    made = codes()

    def read(top: int, bottom: int) -> np.ndarray:
        return made[top:bottom]

    pixels = pixels_of(read, HIGH, 2, lambda: None)
    return drawn(read, HIGH, pixels, wanted, np.random.default_rng(seed))


def test_as_many_of_each_class_as_wanted_each_once_and_in_no_order() -> None:
    found = places([30, 12])
    made = codes()
    assert all(made[one.row, one.column] == one.code for one in found)
    assert [sum(one.code == code for one in found) for code in (0, 1)] == [30, 12]
    assert len({(one.row, one.column) for one in found}) == 42
    assert len({one.code for one in found[:12]}) == 2
    assert len(places([10**6, 0])) == 249 * WIDE


def test_every_pixel_of_a_class_is_as_likely() -> None:
    rows = np.concatenate([[one.row for one in places([0, 200], seed)] for seed in range(20)])
    counts = np.bincount(rows - 250, minlength=50)
    # 80 in each row of the class, give or take: a binomial's 5 standard deviations.
    assert np.abs(counts - 80).max() < 5 * np.sqrt(80)


def test_answers_are_weighted_by_the_area_of_the_map_classes() -> None:
    answers = (
        [Place(0, 0, 0, "land")] * 9 + [Place(0, 0, 0, "WATER")] + [Place(0, 0, 1, "water")] * 5
    )
    found = judged([*answers, Place(0, 0, 1, "")], NAMES, np.array([900, 100, 0])).accuracy
    assert found.overall == pytest.approx(0.9 * 0.9 + 0.1)
    assert found.areas[1] == pytest.approx(0.9 * 0.1 + 0.1)
    other = judged([*answers, Place(0, 0, 1, "snow")], NAMES, np.array([900, 100, 0]))
    assert other.truths == (*NAMES, "snow")
    assert other.accuracy.areas[3] == pytest.approx(0.1 / 6)


def test_a_table_keeps_places_and_takes_answers(tmp_path: Path) -> None:
    table = tmp_path / "places.csv"
    with on_disk(tmp_path) as made:
        drawn_ones = places([3, 2])
        write_places(table, drawn_ones, made.grid.names, made.grid.transform)
        lines = table.read_text().splitlines()
        row, column, x, y = (float(v) for v in lines[1].split(",")[1:5])
        assert (x, y) == (5e5 + 10 * (column - 0.5), 5e6 - 10 * (row - 0.5))
        table.write_text("\n".join([lines[0], *(f"{line}land" for line in lines[1:])]))
        found = read_places(table, made)
        assert [(p.row, p.column, p.code) for p in found] == [
            (p.row, p.column, p.code) for p in drawn_ones
        ]
        assert {p.answer for p in found} == {"land"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a,b\n1,2\n", "wrong-format"),
        ("row,column,reference\none,2,land\n", "wrong-format"),
        ("row,column,reference\n301,2,land\n", "grid-mismatch"),
    ],
)
def test_tables_that_will_not_do(tmp_path: Path, text: str, code: str) -> None:
    table = tmp_path / "places.csv"
    table.write_text(text)
    with on_disk(tmp_path) as made, refuses(code):
        read_places(table, made)

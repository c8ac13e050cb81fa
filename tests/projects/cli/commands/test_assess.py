"""`coterie assess`: drawing places of a map, and the estimates from them."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.projects.cli.commands.assess import _share
from tests.projects.cli.commands.test_finish import write_map


@pytest.fixture
def made(tmp_path: Path) -> Path:
    codes = np.zeros((40, 50), dtype=np.uint8)
    codes[:, 40:] = 1
    return write_map(tmp_path / "map.tif", codes)


def test_places_are_drawn_answered_and_judged(made: Path, coterie: Any, tmp_path: Path) -> None:
    table = tmp_path / "places.csv"
    out = coterie("assess", made, "-o", table, "--size", "50").out
    assert "land: 30 places, 80.0%" in out
    assert out.rstrip().endswith(f"then: coterie assess {made} {table}")
    with table.open() as stream:
        rows = list(csv.DictReader(stream))
    for number, row in enumerate(rows):
        row["reference"] = "cloud" if int(row["column"]) > 36 else "land"
        row["reference"] = "" if number == 7 else row["reference"]
    with table.open("w") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    target = tmp_path / "accuracy.csv"
    out = coterie("assess", made, table, "-o", target).out
    assert "Left out: 1 place without an answer." in out
    assert "cloud:" in out
    assert target.read_text().startswith("map,truly land,truly cloud")


def test_an_error_of_an_area_plans_the_size(made: Path, coterie: Any, tmp_path: Path) -> None:
    def count(error: str) -> int:
        table = tmp_path / "places.csv"
        asked = ("--error", error, "--area-of", "cloud")
        assert coterie("assess", made, "-o", table, *asked).code == 0
        return len(table.read_text().splitlines()) - 1

    assert count("4%") > 3 * count("8%")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "need a file"),
        (("-o", "x.csv"), "--size"),
        (("-o", "x.csv", "--size", "5", "--error", "2%"), "--size"),
        (("-o", "x.csv", "--size", "5", "--area-of", "cloud"), "--area-of needs"),
        (("-o", "x.csv", "--error", "2%", "--area-of", "snow"), "no class 'snow'"),
        (("-o", "x.csv", "--error", "200%"), "such as 2%"),
        (("-o", "x.txt", "--size", "5"), "ending in .csv"),
    ],
)
def test_what_will_not_do(made: Path, coterie: Any, more: tuple[str, ...], said: str) -> None:
    found = coterie("assess", made, *more)
    assert found.code == 1
    assert said in found.complaint


def test_shares_are_read_as_people_write_them() -> None:
    assert (_share("2 %"), _share(" .02")) == (0.02, 0.02)

"""Where countries are."""

import csv
from pathlib import Path

import numpy as np
import pytest

from coterie.gui.views.embedding.countries import all_places, places_of


def test_every_place_is_on_the_globe() -> None:
    places = all_places()
    assert len(places) > 150
    assert (np.abs(places[:, 0]) <= 180).all()
    assert (np.abs(places[:, 1]) <= 90).all()


def test_spelling_does_not_matter() -> None:
    one, other, third = places_of(["Côte d'Ivoire", "cote divoire", "Ivory Coast"])
    assert one.tolist() == other.tolist() == third.tolist()


@pytest.mark.parametrize(
    ("name", "west", "east", "south", "north"),
    [
        ("Norway", 5, 31, 58, 71),
        ("Chile", -76, -66, -56, -17),
        ("New Zealand", 166, 179, -48, -34),
        ("Viet Nam", 102, 110, 8, 24),
        ("USA", -125, -66, 24, 50),
    ],
)
def test_countries_lie_where_they_lie(
    name: str, west: float, east: float, south: float, north: float
) -> None:
    ((longitude, latitude),) = places_of([name])
    assert west < longitude < east
    assert south < latitude < north


@pytest.mark.realdata
def test_all_countries_of_the_schooling_table_are_found(realdata: Path) -> None:
    with (realdata / "barro_lee_2010_25plus.csv").open(encoding="utf-8") as file:
        names = [row["country"] for row in csv.DictReader(file)]
    missing = [n for n, p in zip(names, places_of(names), strict=True) if not np.isfinite(p).all()]
    assert missing == []

"""Where countries are, for pictures of the world without a network.

`countries.csv` has the middle of each in degrees, to about a degree: enough to see where it is.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from coterie.core.model.arrays import Floats


def places_of(names: Sequence[str]) -> Floats:
    """Return longitude and latitude (n, 2) of each name in degrees, not a number where unknown.

    Case, accents and punctuation do not matter.

    >>> places_of(["Norway", "Atlantis"]).tolist()
    [[10.0, 62.0], [nan, nan]]
    """
    known = _places()
    nowhere = (float("nan"), float("nan"))
    found = [known.get(_plain(name), nowhere) for name in names]
    return np.array(found, dtype=np.float64).reshape(-1, 2)


def all_places() -> Floats:
    """Return longitude and latitude of every country in the table."""
    return np.array(sorted(set(_places().values())), dtype=np.float64)


@cache
def _places() -> dict[str, tuple[float, float]]:
    found = {}
    with Path(__file__).with_name("countries.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            place = (float(row["longitude"]), float(row["latitude"]))
            for name in (row["name"], *row["other_names"].split(";")):
                found[_plain(name)] = place
    found.pop("", None)  # a country without other names
    return found


def _plain(name: str) -> str:
    """Letters and digits alone, small and without accents."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "".join(letter for letter in bare.casefold() if letter.isalnum())

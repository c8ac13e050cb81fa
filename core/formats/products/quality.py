"""Quality layers of products: their numbers and bits by name, as classes of pixels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

# Of Sentinel-2's scene classification.
_SCL = {
    1: "saturated",
    2: "dark area",
    3: "cloud shadow",
    4: "vegetation",
    5: "bare soil",
    6: "water",
    7: "unclassified",
    8: "cloud",
    9: "cloud",
    10: "cirrus",
    11: "snow",
}
_FMASK = {0: "land", 1: "water", 2: "cloud shadow", 3: "snow", 4: "cloud"}
# The most telling bit first: what is cloud is called cloud, whatever else is set.
_QA_PIXEL = (
    (3, "cloud"),
    (4, "cloud shadow"),
    (5, "snow"),
    (2, "cirrus"),
    (1, "near cloud"),
    (7, "water"),
    (6, "clear"),
)
_PIXEL_QA = (
    (5, "cloud"),
    (3, "cloud shadow"),
    (4, "snow"),
    (9, "cirrus"),
    (2, "water"),
    (1, "clear"),
)
# Pairs of bits with a confidence, from 0 to 3; of the quality band of Landsat before collections.
_EARLY_PAIRS = ((14, "cloud"), (12, "cirrus"), (10, "snow"), (4, "water"))
_COLLECTION_1_PAIRS = ((5, "cloud"), (7, "cloud shadow"), (9, "snow"), (11, "cirrus"))
SURE = 3  # of a confidence: 67 to 100%
_EARLY = 1 << 13  # no quality band of collection 1 has a number as large


@dataclass(frozen=True)
class Quality:
    """A kind of quality layer: what it is called, and how its numbers become classes."""

    title: str
    ending: re.Pattern[str]
    meanings: Callable[[Iterable[int]], Mapping[int, str]]


def _listed(table: Mapping[int, str]) -> Callable[[Iterable[int]], Mapping[int, str]]:
    return lambda values: {value: table[value] for value in values if value in table}


def _flags(bits: tuple[tuple[int, str], ...]) -> Callable[[Iterable[int]], Mapping[int, str]]:
    def meanings(values: Iterable[int]) -> Mapping[int, str]:
        found = {}
        for value in values:
            if not value & 1:  # bit 0: no data
                named = (name for bit, name in bits if value >> bit & 1)
                found[value] = next(named, "clear")
        return found

    return meanings


def _bqa(values: Iterable[int]) -> Mapping[int, str]:
    """The quality band BQA, of collection 1 or before it: its numbers show which."""
    numbers = list(values)
    pairs = _EARLY_PAIRS if any(number >= _EARLY for number in numbers) else _COLLECTION_1_PAIRS
    found = {}
    for number in numbers:
        if not number & 1:
            sure = (name for bit, name in pairs if number >> bit & 3 == SURE)
            found[number] = next(sure, "clear")
    return found


QUALITIES = (
    Quality("Landsat QA_PIXEL", re.compile(r"(^|_)qa_pixel$"), _flags(_QA_PIXEL)),
    Quality("Landsat pixel_qa", re.compile(r"(^|_)pixel_qa$"), _flags(_PIXEL_QA)),
    Quality("Landsat BQA", re.compile(r"(^|_)bqa$"), _bqa),
    Quality("Sentinel-2 SCL", re.compile(r"(^|_)scl(_\d\dm)?$"), _listed(_SCL)),
    Quality("Fmask", re.compile(r"(^|[_.-])[cf]?fmask\d?$"), _listed(_FMASK)),
)
# Layers of products that are neither bands nor classes of pixels.
_OTHERS = re.compile(
    r"(^|_)(qa|qa_radsat|qa_aerosol|sr_qa_aerosol|radsat_qa|sr_atmos_opacity|sr_cloud_qa|st_\w+"
    r"|vaa|vza|saa|sza|tci|aot|wvp|pvi)(_\d\dm)?$"
)


def quality_of(name: str) -> Quality | None:
    """Return which quality layer a file is by its name; None for none.

    >>> quality_of("LC08_193024_QA_PIXEL.TIF").title
    'Landsat QA_PIXEL'
    """
    stem = Path(name).stem.lower()
    return next((one for one in QUALITIES if one.ending.search(stem)), None)


def is_no_band(name: str) -> bool:
    """Return whether a file of a product is a layer that describes others, by its name."""
    return quality_of(name) is not None or _OTHERS.search(Path(name).stem.lower()) is not None

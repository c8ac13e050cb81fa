"""A map that is checked by eye: the plan, the places, what was seen there, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.formats.maps.assessment import Place, drawn, judged, pixels_of
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array, Ints
from coterie.core.numerics.assessing.sampling_plan import EXPECTED, LEAST, planned
from coterie.core.numerics.partitions.accuracy import Accuracy
from coterie.gui.views.map.labelling.state import Made
from coterie.gui.views.map.layers.class_sources import Codes

# In session.view, by path of the map: {"names", "pixels", "places": [[row, column, class, answer]]}
KEPT = "assessments"
_KEPT_BEFORE = "assessment"  # of a single map, with its "path"
MOST_PLACES = 100_000


@dataclass(frozen=True)
class Plan:
    """How exact the result is to be.

    Attributes
    ----------
    of : the class whose area is wanted; −1: the overall accuracy
    error : half the width of the 95% interval, as a share of the map
    expected : share of the map that is expected to be right
    """

    of: int = -1
    error: float = 0.03
    expected: float = EXPECTED
    least: int = LEAST

    def places(self, pixels: Ints) -> Ints:
        """Return how many places of each class it takes."""
        wanted = planned(
            pixels, error=self.error, of=self.of, expected=self.expected, least=self.least
        )
        return np.minimum(wanted, pixels)


@dataclass(frozen=True, eq=False)
class Assessment:
    """The places of a map and what a person saw there.

    Attributes
    ----------
    path : the map
    names : of its classes, without "unclassified"
    pixels : of each of them
    """

    path: str
    names: tuple[str, ...]
    pixels: tuple[int, ...]
    places: tuple[Place, ...] = ()
    seed: int = 0  # of the places

    @classmethod
    def kept_in(cls, view: Mapping[str, Any], made: Made) -> Assessment | None:
        """Return the one that a project keeps of this map; what does not fit is passed over."""
        kept: Any = _all_kept(view).get(str(made.path))
        try:
            places = tuple(
                Place(int(r), int(c), int(code), str(answer))
                for r, c, code, answer in kept["places"]
            )
            names = tuple(str(name) for name in kept["names"])
            pixels = tuple(int(n) for n in kept["pixels"])
            seed = int(kept.get("seed", 0))
            same = names == made.names[:-1]
        except (KeyError, TypeError, ValueError, AttributeError):
            return None
        sound = len(pixels) == len(names) and len(places) <= MOST_PLACES
        sound = sound and all(0 <= place.code < len(names) for place in places)
        return (
            cls(str(made.path), names, pixels, places, seed) if same and sound and places else None
        )

    def beside_others(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a project keeps of all its maps, with this one."""
        return {**_all_kept(view), self.path: self.as_json()}

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        places = [[p.row, p.column, p.code, p.answer] for p in self.places]
        return {
            "names": [*self.names],
            "pixels": [*self.pixels],
            "places": places,
            "seed": self.seed,
        }

    @property
    def answered(self) -> int:
        """How many places have an answer."""
        return sum(bool(place.answer) for place in self.places)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that can be answered: those of the map, and others that were seen."""
        seen = (place.answer for place in self.places if place.answer)
        return tuple(dict.fromkeys((*self.names, *seen)))

    def with_answer(self, at: int, answer: str) -> Assessment:
        """Return it with what was seen at a place; empty when nobody can say."""
        places = list(self.places)
        places[at] = replace(places[at], answer=" ".join(answer.split()))
        return replace(self, places=tuple(places))

    def next_open(self, after: int = -1) -> int:
        """Return the next place without an answer, from the first again at the end; −1: none."""
        n = len(self.places)
        order = ((after + 1 + step) % n for step in range(n)) if n else ()
        return next((at for at in order if not self.places[at].answer), -1)

    @property
    def accuracy(self) -> Accuracy | None:
        """What follows of the answers; None while there are too few."""
        if not self.answered:
            return None
        try:
            return judged(self.places, self.names, np.array(self.pixels, dtype=np.int64)).accuracy
        except CoterieError:
            return None


def _all_kept(view: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of each map by its path, from anywhere: it may be of any form."""
    kept, before = view.get(KEPT), view.get(_KEPT_BEFORE)
    found = {str(path): one for path, one in kept.items()} if isinstance(kept, Mapping) else {}
    if isinstance(before, Mapping) and isinstance(before.get("path"), str):
        found.setdefault(before["path"], before)
    return found


def counted(made: Made, codes: Codes) -> Ints:
    """Return how many pixels each class of a map has; for a thread."""
    known = made.counts[:-1]
    if known and sum(known):
        return np.array(known, dtype=np.int64)
    return pixels_of(_rows(codes), codes.shape[0], len(made.names) - 1, lambda: None)


def draw(made: Made, codes: Codes, pixels: Ints, wanted: Ints, seed: int) -> Assessment:
    """Return a new assessment with places at random; for a thread."""
    rng = np.random.default_rng(seed)
    places = drawn(_rows(codes), codes.shape[0], pixels, wanted, rng)
    return Assessment(str(made.path), made.names[:-1], tuple(pixels.tolist()), tuple(places), seed)


def _rows(codes: Codes) -> Any:
    def read(top: int, bottom: int) -> Array:
        window = Window(top, 0, bottom, codes.shape[1])
        return codes.read(window, window.shape)

    return read

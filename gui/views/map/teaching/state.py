"""What a person teaches: the classes of the regions, the method, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.model.results import Score
from coterie.core.numerics.drawing.palette import group_colour
from coterie.gui.views.map.labelling.state import file_name
from coterie.gui.views.map.regions.state import RegionList
from coterie.projects.recipe.teaching import ITEMS, TEACHERS, Teacher

if TYPE_CHECKING:
    from coterie.projects.session import Session

KEPT = "teaching"  # in session.view: {"teacher", "held_out", "segment_size"}
SIDE = 3  # pixels of the square that an answer labels


@dataclass(frozen=True)
class TaughtClass:
    """A class of the regions: its name and colour, and how many regions it has."""

    name: str
    colour: str
    regions: int


@dataclass(frozen=True)
class Teaching:
    """How to learn from the regions."""

    teacher: Teacher = TEACHERS[0]
    held_out: float = 0.25
    segment_size: int = 0

    @classmethod
    def kept_in(cls, view: Mapping[str, Any]) -> Teaching:
        """Return what a project keeps; what does not fit is passed over."""
        kept = view.get(KEPT)
        kept = kept if isinstance(kept, Mapping) else {}
        found = next((t for t in TEACHERS if t.title == kept.get("teacher")), TEACHERS[0])
        share = kept.get("held_out", 0.25)
        sound = isinstance(share, int | float) and 0 <= share < 1
        size = kept.get("segment_size", 0)
        known = size if size in {size for _, size in ITEMS} else 0
        return cls(found, float(share) if sound else 0.25, known)

    def changed(self, **changes: Any) -> Teaching:
        """Return it with other choices."""
        return replace(self, **changes)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        return {
            "teacher": self.teacher.title,
            "held_out": self.held_out,
            "segment_size": self.segment_size,
        }


def classes_of(regions: RegionList, *, dark: bool) -> tuple[TaughtClass, ...]:
    """Return the classes of regions, in the order and colours that the map will have."""
    names = [region.name for region in regions.listed]
    return tuple(
        TaughtClass(name, group_colour(number, dark=dark), names.count(name))
        for number, name in enumerate(dict.fromkeys(names))
    )


def map_name(title: str) -> str:
    """Return the file name of a map that was taught.

    >>> map_name("Clouds 2")
    'clouds-2-taught.tif'
    """
    return f"{file_name(title)}-taught.tif"


def accuracy_of(session: Session, classifier: str) -> str:
    """Return how well a classifier does on what it held out, in words; empty when it says not."""
    if not classifier or str(session.status(classifier)) != "fresh":
        return ""
    score = session.results.artefact(classifier, "accuracy")
    return score.notes[0] if isinstance(score, Score) and score.notes else ""


def square_around(row: int, column: int, height: int, width: int) -> list[tuple[float, float]]:
    """Return the corners, in columns and rows, of the square of pixels that an answer labels.

    >>> square_around(0, 5, 10, 10)
    [(4.0, 0.0), (7.0, 0.0), (7.0, 2.0), (4.0, 2.0)]
    """
    reach = SIDE // 2
    top, left = max(0, row - reach), max(0, column - reach)
    bottom, right = min(height, row + reach + 1), min(width, column + reach + 1)
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return [(float(x), float(y)) for x, y in corners]


def free_target(folder: Path, title: str, own: Path | None) -> Path:
    """Return where a taught map goes: a file of its own, or the one that it replaces."""
    target = folder / map_name(title)
    number = 1
    while target.exists() and target != own:
        number += 1
        target = folder / f"{Path(map_name(title)).stem}-{number}.tif"
    return target

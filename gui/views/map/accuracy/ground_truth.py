"""The known classes of a map's pixels: as the mask has them, and as a person renames them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from coterie.core.formats.maps.accuracy_report import MapComparison
from coterie.core.formats.rasters.truth import truth_of
from coterie.core.model.arrays import Array, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.partitions.accuracy import matched
from coterie.gui.views.map.base_layer import Ground
from coterie.gui.views.map.layers.class_sources import ArrayCodes, Codes, MaskCodes, TakenCodes
from coterie.gui.views.shown_items.columns import truth_names
from coterie.gui.views.shown_items.displayed import Shown
from coterie.projects.recipe.edits import KNOWN

# In session.view: source → {"taken": {class of the mask: name, "" for left out},
#                            "stands_for": {class of the map: known class}}
KEPT = KNOWN
LEFT_OUT = ""
# What is done, as undo calls it.
STANDING, TAKING = "change the reference class of a map class", "change the name of a known class"


@dataclass(frozen=True, eq=False)
class ReferenceClasses:
    """The known classes, several of which may be taken as one, and what the map's stand for.

    Attributes
    ----------
    given : names of the classes as the mask has them
    values : for each number in the mask, its class as an index into `given`
    raw : the class of each pixel as an index into `given`; None when nothing is known
    taken : under which name a given class is compared, where that is another; "" for left out
    stands_for : the known class that a class of the map stands for, where a person chose it
    """

    given: tuple[str, ...] = ()
    values: tuple[tuple[int, int], ...] = ()
    raw: Codes | None = None
    taken: Mapping[str, str] = field(default_factory=dict)
    stands_for: Mapping[str, str] = field(default_factory=dict)

    def kept(self, found: Any) -> ReferenceClasses:
        """Return it with what was stored, from anywhere: what does not fit is passed over."""
        if not isinstance(found, Mapping):
            return self
        taken, stands_for = (_texts(found.get(part)) for part in ("taken", "stands_for"))
        taken = {name: cleaned(new) for name, new in taken.items() if name in self.given}
        new = replace(self, taken=taken, stands_for=stands_for)
        return new if new.names or not self.given else replace(new, taken={})

    def as_json(self) -> dict[str, Any]:
        """Return what a person changed."""
        return {"taken": {**self.taken}, "stands_for": {**self.stands_for}}

    @property
    def merged(self) -> bool:
        """Whether any class is compared under another name, or not at all."""
        return bool(self.taken)

    @property
    def names(self) -> tuple[str, ...]:
        """The classes that are compared, in the order of the first of each in the mask."""
        every = (self.taken_as(name) for name in self.given)
        return tuple(name for name in dict.fromkeys(every) if name != LEFT_OUT)

    def taken_as(self, name: str) -> str:
        """Return the name under which a given class is compared, "" when it is left out."""
        return self.taken.get(name, name)

    @property
    def into(self) -> Ints:
        """For each given class its index among `names`, −1 when it is left out."""
        index = {name: at for at, name in enumerate(self.names)}
        found = [index.get(self.taken_as(name), -1) for name in self.given]
        return np.array(found, dtype=np.int64)

    def classes(self, numbers: Array) -> Ints:
        """Return given classes, −1 where none is known, as those that are compared."""
        table = np.append(self.into, -1)  # the last is what −1 finds
        known = np.where(np.asarray(numbers) < len(self.given), numbers, -1)
        return np.asarray(table[known])

    @property
    def codes(self) -> Codes | None:
        """The class of each pixel as an index into `names`; None when nothing is known."""
        if self.raw is None or not self.merged:
            return self.raw
        return TakenCodes(self.raw, self.classes)

    @property
    def meant(self) -> str:
        """What the numbers of the mask mean, in words such as "0 = clear, 4 = cloud"."""
        said = ((value, self.taken_as(self.given[at])) for value, at in self.values)
        return ", ".join(f"{value} = {cleaned(name)}" for value, name in said if name != LEFT_OUT)

    # What a person does

    def taking(self, given: str, name: str) -> ReferenceClasses:
        """Return it with a class of the mask compared under a name, "" to leave it out.

        Classes of one name are one. The last that is compared stays.
        """
        name = cleaned(name)
        taken = {other: new for other, new in self.taken.items() if other != given}
        if name != given:
            taken[given] = name
        new = replace(self, taken=taken)
        return new if new.names else self

    def standing(self, made: str, known: str) -> ReferenceClasses:
        """Return it with a class of the map standing for a known class."""
        return replace(self, stands_for={**self.stands_for, made: known})

    def judged(self, counted: MapComparison) -> MapComparison:
        """Return what was counted by given classes, by those that are compared."""
        names, into = self.names, self.into
        compared = into >= 0
        counts = np.zeros((len(counted.names), len(names)), dtype=np.int64)
        np.add.at(counts.T, into[compared], counted.counts.T[compared])
        stands = matched(counts, counted.names, names).tolist()
        for at, made in enumerate(counted.names):
            chosen = self.stands_for.get(made, "")
            chosen = chosen if chosen in names else self.taken.get(chosen, "")
            if chosen in names:
                stands[at] = names.index(chosen)
        return replace(counted, truths=names, counts=counts, into=tuple(stands))


def known_of(root: Dataset | None, ground: Ground | None) -> ReferenceClasses:
    """Return what is known of all pixels of a scene or picture."""
    if root is None or ground is None:
        return ReferenceClasses()
    if root.on_disk:
        truth = truth_of(root)
        if truth is None:
            return ReferenceClasses()
        values = tuple(zip(truth.values, truth.meanings, strict=True))
        return ReferenceClasses(truth.names, values, MaskCodes(truth))
    if root.truth is None or not (root.truth >= 0).any():
        return ReferenceClasses()
    names = truth_names(Shown(dataset=root))
    codes = ArrayCodes(root.truth.reshape(ground.height, ground.width))
    return ReferenceClasses(names, tuple((at, at) for at in range(len(names))), codes)


def cleaned(name: str) -> str:
    """Return a name without what separates names on the command line.

    >>> cleaned("thin, = cloud")
    'thin cloud'
    """
    return " ".join(name.replace("=", " ").replace(",", " ").split())


def _texts(found: Any) -> dict[str, str]:
    pairs = found.items() if isinstance(found, Mapping) else ()
    return {str(name): text for name, text in pairs if isinstance(text, str)}

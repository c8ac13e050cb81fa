"""The classes of a map: their names, colours, and which groups make them up."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.errors import ParameterError
from coterie.core.model.arrays import Array, Ints
from coterie.core.model.group_names import group_name
from coterie.core.numerics.drawing.palette import GROUP_COLOURS, rgb

UNCLASSIFIED = "unclassified"
GREY = (128, 128, 128)
MOST_CLASSES = 60_000


@dataclass(frozen=True, eq=False)
class ClassTable:
    """What the numbers of a map mean. The last class is for pixels in no group.

    Attributes
    ----------
    names : of the classes, in the order of their numbers
    colours : (classes, 3) bytes
    of_group : (groups,) class of each group
    """

    names: tuple[str, ...]
    colours: Array
    of_group: Ints

    @property
    def dtype(self) -> Any:
        """The smallest type that has a number for each class and one for no data."""
        return np.dtype(np.uint8 if len(self.names) < 255 else np.uint16)

    @property
    def nodata(self) -> int:
        """The number that stands for no data."""
        return 255 if self.dtype.itemsize == 1 else 65535

    def codes(self, labels: Ints) -> Array:
        """Return the number on the map for each label, −1 being in no group."""
        table = np.append(self.of_group, len(self.names) - 1).astype(self.dtype)
        return table[np.asarray(labels)]  # −1 is the last one


def class_table(
    k: int,
    names: Sequence[str] = (),
    merge: Sequence[str] = (),
    colours: Mapping[str, str] | None = None,
) -> ClassTable:
    """Return the classes that k groups make up.

    Parameters
    ----------
    names : of the groups; those without one are called by their number
    merge : each "class = group, group": groups by number (from 0) or name that become one class.
        A class of one group just has its name changed. Classes come in this order, and groups that
        are not mentioned after them, each a class of its own
    colours : of classes by name, as "#rrggbb"; the others have theirs by their number

    Examples
    --------
    >>> table = class_table(3, merge=["cloud = 0, 2"])
    >>> table.names, table.of_group.tolist()
    (('cloud', 'group 2', 'unclassified'), [0, 1, 0])
    """
    if k > MOST_CLASSES:
        raise ParameterError(
            f"A map shows at most {MOST_CLASSES:,} classes. Got {k:,}.", code="too-many-classes"
        )
    called = [group_name(group, names) for group in range(k)]
    of_group = np.full(k, -1, dtype=np.int64)
    classes: list[str] = []
    for text in merge:
        name, equals, listed = (part.strip() for part in text.partition("="))
        words = [word.strip() for word in listed.split(",") if word.strip()]
        if not name or not equals or not words:
            raise ParameterError(
                f"'{text:.80}' does not merge groups. Write class = groups, such as cloud=0,2.",
                code="invalid-merge",
            )
        if name not in classes:
            classes.append(name)
        for word in words:
            group = _group(word, called)
            if of_group[group] >= 0:
                raise ParameterError(
                    f"Group '{word}' is in two classes, '{classes[of_group[group]]}' and "
                    f"'{name}'. Name it once.",
                    code="invalid-merge",
                )
            of_group[group] = classes.index(name)
    for group in np.flatnonzero(of_group < 0).tolist():
        if called[group] not in classes:
            classes.append(called[group])
        of_group[group] = classes.index(called[group])
    shades = colours_of(len(classes))
    for name, colour in (colours or {}).items():
        if name in classes:
            shades[classes.index(name)] = _bytes_of(colour)
    return ClassTable((*classes, UNCLASSIFIED), shades, of_group)


def colours_of(count: int) -> Array:
    """Return a colour for each of `count` classes, and grey for the unclassified after them."""
    colours = [tuple(rgb(colour).tolist()) for colour in GROUP_COLOURS[:count]]
    for number in range(len(colours), count):
        # Steps of the golden ratio never come back to a hue.
        hue = number * 0.618034 % 1.0
        red, green, blue = colorsys.hsv_to_rgb(hue, 0.55 + 0.4 * (number % 2), 0.85)
        colours.append((round(255 * red), round(255 * green), round(255 * blue)))
    return np.array([*colours, GREY], dtype=np.uint8)


def _bytes_of(colour: str) -> tuple[int, ...]:
    try:
        found = tuple(bytes.fromhex(colour.removeprefix("#")))
    except ValueError:
        found = ()
    if len(found) != 3:
        raise ParameterError(
            f"A colour must be written as #rrggbb. Got '{colour:.40}'.", code="invalid-colour"
        )
    return found


def _group(word: str, called: Sequence[str]) -> int:
    if word in called:
        return called.index(word)
    if word.isdigit() and int(word) < len(called):
        return int(word)
    raise ParameterError(
        f"There is no group '{word}'. There are {len(called)}: {', '.join(called):.200}.",
        code="unknown-group",
    )

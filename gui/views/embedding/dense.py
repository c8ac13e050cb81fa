"""What a scatter of very many points needs, worked out on a thread and kept from one to the next.

Each of three things is made again only when what it is made of changed: where the points are, how
they are coloured, and which are selected. To move or zoom makes none of them again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.drawing.palette import Bytes, rgb
from coterie.gui.views.embedding.crowd import Crowd
from coterie.gui.views.embedding.layers import Layer, shaded
from coterie.gui.views.embedding.limits import Box
from coterie.gui.views.shown_items.colouring import Colouring

MOST_DOTS = 20_000  # selected points drawn one by one on top; more are a layer of the picture

T = TypeVar("T")
Key = tuple[object, ...]


@dataclass(frozen=True)
class Made(Generic[T]):
    """How something is made, and what it is made of: the same when that is the very same."""

    of: Key
    make: Callable[[], T]


@dataclass(frozen=True, eq=False)
class Wanted:
    """What is to be drawn.

    Attributes
    ----------
    hidden : codes of the classes that are not drawn
    selected : a mask of the points
    box, size : the part in view, and about how many pixels it has; None for all of it
    shade : the colour of what is selected
    """

    crowd: Made[Crowd]
    colouring: Made[Colouring]
    hidden: frozenset[int]
    selected: Array
    box: Box | None
    size: tuple[int, int]
    shade: str

    def same_as(self, other: Wanted | None) -> bool:
        """Return whether the picture would be the same."""
        return (
            other is not None
            and same(self.crowd.of, other.crowd.of)
            and same(self.colouring.of, other.colouring.of)
            and self.selected is other.selected
            and (self.hidden, self.box, self.size, self.shade)
            == (other.hidden, other.box, other.size, other.shade)
        )


@dataclass(frozen=True, eq=False)
class Drawn:
    """What was worked out; `dots` are selected points to be drawn one by one."""

    wanted: Wanted
    crowd: Crowd
    colouring: Colouring
    picture: Bytes = field(repr=False)
    box: Box
    dots: Ints


class DensePictures:
    """Makes one picture after the other; used by one thread at a time."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Key, Any]] = {}

    def draw(self, wanted: Wanted) -> Drawn:
        """Return the picture of what is wanted."""
        crowd = self._keep("crowd", wanted.crowd.of, wanted.crowd.make)
        colouring = self._keep("colouring", wanted.colouring.of, wanted.colouring.make)
        layer = self._keep(
            "layer",
            (crowd, colouring, wanted.hidden),
            lambda: Layer(crowd, colouring.codes, _table(colouring, wanted.hidden)),
        )
        box = wanted.box or crowd.near
        if not (box[2] > box[0] and box[3] > box[1]):  # all at one value
            box = (box[0] - 0.5, box[1] - 0.5, box[2] + 0.5, box[3] + 0.5)
        sums, covered = layer.sums(box, wanted.size)
        picture = shaded(sums)
        dots: Ints = np.empty(0, dtype=np.int64)
        if wanted.selected.any():
            picture[..., 3] //= 3
            if int(np.count_nonzero(wanted.selected)) <= MOST_DOTS:
                dots = np.flatnonzero(wanted.selected)
                if wanted.hidden and colouring.entries:
                    dots = dots[~np.isin(colouring.codes[dots], [*wanted.hidden])]
            else:
                self._add_selected(picture, wanted, crowd, colouring, box)
        return Drawn(wanted, crowd, colouring, picture, covered, dots)

    def _add_selected(
        self, picture: Bytes, wanted: Wanted, crowd: Crowd, colouring: Colouring, box: Box
    ) -> None:
        hidden = wanted.hidden if colouring.entries else frozenset[int]()

        def chosen() -> Layer:
            codes = wanted.selected.view(np.uint8)
            if hidden:
                codes = codes * ~np.isin(colouring.codes, [*hidden])
            return Layer(crowd, codes, np.array([[0.0] * 4, [*rgb(wanted.shade), 1.0]]))

        of = (crowd, wanted.selected, wanted.shade, hidden, colouring if hidden else None)
        on_top = shaded(self._keep("selected", of, chosen).sums(box, wanted.size)[0])
        seen = on_top[..., 3] > 0
        picture[seen] = on_top[seen]

    def _keep(self, what: str, of: Key, make: Callable[[], T]) -> T:
        kept = self._kept.get(what)
        if kept is None or not same(kept[0], of):
            self._kept.pop(what, None)  # first: two of ten million points need not fit
            kept = self._kept[what] = of, make()
        made: T = kept[1]
        return made


def _table(colouring: Colouring, hidden: frozenset[int]) -> Floats:
    """What a point of each class adds to a pixel."""
    table = np.array([[*rgb(colour), 1.0] for colour in colouring.colours])
    if colouring.entries:
        table[[code for code in hidden if code < len(table)]] = 0.0
    return table


def same(one: Key, other: Key) -> bool:
    """Return whether the parts are the same: results by identity, small values by equality."""
    small = (bool, int, float, str, frozenset, tuple, type(None))
    return len(one) == len(other) and all(
        a is b or (isinstance(a, small) and isinstance(b, small) and a == b)
        for a, b in zip(one, other, strict=True)
    )

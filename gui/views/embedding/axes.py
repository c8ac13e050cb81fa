"""What can be plotted along x, y and z."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from coterie.core.api.frame import Frame
from coterie.core.model.arrays import Array
from coterie.gui.views.shown_items.columns import ItemColumn
from coterie.gui.views.shown_items.displayed import Shown

LONGITUDE, LATITUDE = "world:longitude", "world:latitude"
EMBEDDING, LIVE = "embedding:", "live:"  # how the keys of their axes begin
_MOST_COUNTRIES = 1_000
_MOST_OFFERED = 300  # features, as axes or colours
_FLAT = 0.35  # of the largest spread: a coordinate that separates few items
_MOST_LOOKED_AT = 50_000  # items, taken evenly, that show how widely a coordinate spreads
_LOOKED_AT = 8  # coordinates; a complete embedding has one for each item
_MOST_COORDINATES = 50  # offered as axes: what comes after is noise, and hides the rest of the list


@dataclass(frozen=True, eq=False)
class Axis:
    """Something that can be plotted along x or y, and where a method has cut it in two."""

    key: str
    title: str
    source: Array | ItemColumn
    cut: float | None = None

    @property
    def is_date(self) -> bool:
        """Whether its values are seconds since 1970, to be written as dates."""
        return isinstance(self.source, ItemColumn) and self.source.kind == "date"

    @cached_property
    def values(self) -> Array:
        """A number for each item; read when it is drawn, as a bag of words has many columns."""
        return self.source.values if isinstance(self.source, ItemColumn) else self.source


def _world(shown: Shown) -> list[Axis]:
    """Where the items are on the globe, when most of them are named like countries."""
    from coterie.gui.views.embedding.countries import places_of

    names = shown.dataset.items if shown.dataset is not None else ()
    if not 2 <= len(names) <= _MOST_COUNTRIES:
        return []
    places = places_of(names)
    if np.isfinite(places[:, 0]).mean() < 0.6:
        return []
    return [Axis(LONGITUDE, "longitude", places[:, 0]), Axis(LATITUDE, "latitude", places[:, 1])]


def _cut(details: Mapping[str, Any]) -> float | None:
    """Where the first axis was cut, as far as the method, or the file it comes from, says so."""
    said = details.get("cut")
    return float(said) if isinstance(said, int | float) and np.isfinite(said) else None


def offered_columns(columns: tuple[ItemColumn, ...]) -> list[ItemColumn]:
    """The numbers and dates that can be chosen: nobody finds one in a list of thousands."""
    amounts = [column for column in columns if column.numeric and column.kind != "rank"]
    return amounts[:_MOST_OFFERED]


def default_order(shown: Shown, count: int) -> list[int]:
    """In which order axes are taken while nobody chose any: first those that separate items.

    The first coordinate of a joint embedding is nearly the same for all items, as the eigenvector
    behind it is nearly constant.
    """
    if shown.embedding is None:
        return list(range(count))
    m = min(shown.embedding.coordinates.shape[1], _MOST_COORDINATES)
    every = max(1, len(shown.embedding.coordinates) // _MOST_LOOKED_AT)
    spreads = shown.embedding.coordinates[::every, :_LOOKED_AT].std(axis=0)
    flat = spreads < _FLAT * spreads.max(initial=0.0)
    lead = int(np.argmin(flat)) if len(flat) else 0
    if m - lead < 2:
        lead = 0
    return [*range(lead, m), *range(lead), *range(m, count)]


def axes_of(shown: Shown, columns: tuple[ItemColumn, ...]) -> list[Axis]:
    """Return the axes that are offered: of the embedding, of the features, of the globe."""
    axes = []
    if (embedding := shown.embedding) is not None:
        for j, name in enumerate(embedding.axis_names[:_MOST_COORDINATES]):
            cut = _cut(embedding.details) if j == 0 else None
            axes.append(Axis(f"{EMBEDDING}{name}", name, embedding.coordinates[:, j], cut))
    axes += [Axis(c.key, c.title, c) for c in offered_columns(columns)]
    axes += _world(shown)
    if len(axes) == 1 and shown.dataset is not None:
        axes.append(Axis("item", "item", np.arange(shown.n, dtype=float)))
    return axes


def moving_axes(frame: Frame, n: int) -> tuple[Axis, ...]:
    """Return the coordinates of n items in a run, or nothing when it shows none of them."""
    places = frame.spread(frame.coordinates, n, np.nan)
    if places is None:
        return ()
    columns = enumerate(places.T)
    return tuple(Axis(f"{LIVE}{j}", f"axis {j + 1}, live", column) for j, column in columns)


def name_axes(plot: Any, x: Axis | None, y: Axis | None, *, solid: bool) -> None:
    """Name the axes of a plot; in three dimensions it has none, only what is in its corner."""
    for side, axis in (("bottom", x), ("left", y)):
        shown = plot.getAxis(side)
        shown.setLabel(axis.title if axis else None)
        shown.show_dates(axis is not None and axis.is_date)
        plot.showAxis(side, not solid)

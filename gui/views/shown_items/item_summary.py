"""A short summary of one item: its picture, its name and its group."""

from __future__ import annotations

from dataclasses import dataclass, field

from coterie.core.model.arrays import Array
from coterie.gui.views.shown_items.columns import ItemColumn
from coterie.gui.views.shown_items.displayed import Shown

_MOST_TEXT = 160  # letters of a text that are shown


@dataclass(frozen=True, eq=False)
class Glance:
    """One item in short.

    Attributes
    ----------
    lines : what is known of it, as pairs of title and value
    group : the number of its group; None when nothing is grouped
    pixels : its picture, if it has one
    text : the beginning of its text, if it has one
    colours : of the groups, as in `Clustering.colours`
    """

    name: str
    lines: tuple[tuple[str, str], ...] = ()
    group: int | None = None
    pixels: Array | None = field(default=None, repr=False)
    text: str = ""
    colours: tuple[str, ...] = ()


def glance(shown: Shown, columns: tuple[ItemColumn, ...], item: int) -> Glance:
    """Return what is known of an item of what is shown."""
    data, found = shown.dataset, shown.clustering
    if data is None:
        return Glance("")
    named = [c for c in columns if c.kind != "feature" and (c.kind != "text" or not data.texts)]
    pictures = data.thumbnails
    text = data.texts[item] if data.texts else ""
    return Glance(
        name=named[0].text(item) if named else str(item + 1),
        lines=tuple((column.title, column.text(item)) for column in named[1:]),
        group=None if found is None else int(found.labels[item]),
        pixels=pictures[item] if pictures is not None and len(pictures) == data.n else None,
        text=text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT].rstrip()} …",
        colours=shown.group_colours,
    )

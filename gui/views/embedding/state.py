"""The scatter: which coordinates, which colours, and what is inside a drawn shape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from coterie.core.formats.files.tables import ROW, row_numbers
from coterie.core.model.arrays import Array, Floats
from coterie.core.model.recipes import Step
from coterie.core.model.results import Embedding
from coterie.gui.views.embedding.axes import (
    EMBEDDING,
    LATITUDE,
    LIVE,
    LONGITUDE,
    Axis,
    axes_of,
    default_order,
    moving_axes,
    offered_columns,
)
from coterie.gui.views.embedding.dense import Key, Made
from coterie.gui.views.embedding.exemplars import exemplar_ways
from coterie.gui.views.embedding.pictures import COLUMNS, picture_choices, picture_of
from coterie.gui.views.embedding.placement import Placement
from coterie.gui.views.shown_items.colouring import (
    Colouring,
    by_column,
    by_moment,
    plain,
)
from coterie.gui.views.shown_items.columns import ItemColumn, columns_of, group_names
from coterie.gui.views.shown_items.csv_export import Rows
from coterie.gui.views.shown_items.displayed import Shown, look, same_items, why_outdated
from coterie.gui.views.shown_items.group_editing import GroupEditing
from coterie.gui.views.shown_items.item_summary import Glance, glance
from coterie.gui.views.shown_items.rank_positions import standings_of
from coterie.gui.views.shown_items.run_monitor import Live

if TYPE_CHECKING:
    from coterie.projects.session import Session

SIZES = 5
MOST_POINTS = 50_000  # above this many, points are drawn as a density image
_LIVE = {"ranker": "Score, live", "kernel": "Degree, live"}  # what shares are, if not of a group
_DOES = {
    "add": "new selections add",
    "subtract": "new selections remove",
    "intersect": "new selections keep the overlap",
}


class ScatterState(Placement):
    """What the Embedding view shows, and how."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.live = Live.of(session)
        self.chosen = ""
        self.shown = Shown()
        self._axes: tuple[Axis, ...] = ()
        self._moving: tuple[object, int, tuple[Axis, ...]] = (None, 0, ())  # of which frame
        self._unchosen: list[int] = []  # positions of axes, in the order in which they are shown
        self.columns: tuple[ItemColumn, ...] = ()
        self._x, self._y, self._z = "", "", ""
        self._picture = ""  # what a person chose; empty for the newest
        self._colour = "group"
        self._hidden: frozenset[int] = frozenset()
        self._equal: bool | None = None
        self.sized = False  # whether a person asked for sizes by rank

    # What is shown

    @property
    def n(self) -> int:
        """Number of items."""
        return self.shown.n

    def update(self) -> bool:
        """Take what the session has now; return whether the coordinates or choices differ."""
        shown = look(self._session, self.chosen)
        if self._picture:
            drawn = picture_of(self._session, self._picture, shown.n)
            if drawn is not None or self._picture == COLUMNS:
                kept = self.shown.embedding if self.shown.embedding_step == self._picture else None
                same_data = drawn is not None and kept is not None and _equal(kept, drawn)
                embedding = kept if same_data else drawn
                shown = replace(shown, embedding=embedding, embedding_step=self._picture)
        same = (
            shown.dataset is self.shown.dataset
            and shown.embedding is self.shown.embedding
            and shown.clustering is self.shown.clustering
            and shown.ranking is self.shown.ranking
        )
        self.shown = shown
        if same:
            return False
        self.columns = columns_of(shown)
        self._axes = tuple(axes_of(shown, self.columns))
        self._unchosen = default_order(shown, len(self._axes))
        return True

    @property
    def pictures(self) -> tuple[tuple[str, str], ...]:
        """The pictures that can be chosen, as pairs of key and title."""
        return picture_choices(self._session, self.shown, self._live_embedder)

    @property
    def picture(self) -> str:
        """The key of the picture that is shown."""
        if self._moving_axes():
            return self.live.step
        return self.shown.embedding_step or COLUMNS

    def choose_picture(self, key: str) -> None:
        """Show another picture; axes that were chosen for the last one go."""
        self._picture = key
        self._x, self._y, self._z = "", "", ""
        self.whole = False

    def show_step(self, name: str) -> None:
        """Show what the person chose elsewhere; that wins over a picture chosen here."""
        self.chosen, self._picture = name, ""

    @property
    def _live_embedder(self) -> str:
        """The step whose coordinates move, if one is watched."""
        if not self.live.going_on or self.live.step not in self._session.recipe.names:
            return ""
        return self.live.step if self._live_kind == "embedder" or self._moving_axes() else ""

    @property
    def x(self) -> Axis | None:
        """What runs along x: what the person chose, else the first axis."""
        return self._axis(self._x, 0)

    @property
    def y(self) -> Axis | None:
        """What runs along y: what the person chose, else the second axis."""
        return self._axis(self._y, 1)

    @property
    def world(self) -> bool:
        """Whether the picture is a map of the world."""
        x, y = self.x, self.y
        return x is not None and y is not None and (x.key, y.key) == (LONGITUDE, LATITUDE)

    @property
    def has_world(self) -> bool:
        """Whether the items can be put on a map of the world."""
        return any(axis.key == LONGITUDE for axis in self.axes)

    def show_world(self, on: bool) -> None:
        """Put the items on a map of the world, or back to where they were shown at first."""
        self._x, self._y = (LONGITUDE, LATITUDE) if on else ("", "")
        self.solid = self.solid and not on

    @property
    def z(self) -> Axis | None:
        """What runs along z: what the person chose, else the third axis."""
        return self._axis(self._z, 2)

    def choose_axes(self, x: str = "", y: str = "", z: str = "") -> None:
        """Choose what runs along x, y and z, by key; an empty key leaves that one."""
        self._x, self._y, self._z = x or self._x, y or self._y, z or self._z

    @property
    def axes(self) -> tuple[Axis, ...]:
        """All axes that can be chosen; those of the run that is watched first."""
        return (*self._moving_axes(), *self._axes)

    @property
    def moves(self) -> bool:
        """Whether the points are where the run that is watched puts them."""
        return self.x is not None and self.x.key.startswith(LIVE)

    def table_rows(self) -> Rows:
        """Each item with its row, name, group, rank and known class, and its place."""
        named = [column for column in self.columns if column.kind != "feature"]
        axes = [axis for axis in (self.x, self.y, self.z if self.is_solid else None) if axis]
        yield [ROW, *(column.title for column in named), *(axis.title for axis in axes)]
        places = [axis.values.tolist() for axis in axes]
        for item, row in enumerate(row_numbers(self.shown.dataset, self.n)):
            known = (column.exact(item) for column in named)
            yield [row, *known, *(place[item] for place in places)]

    def _axis(self, key: str, default: int) -> Axis | None:
        moving = self._moving_axes()
        if moving and key.startswith(EMBEDDING):
            key = ""  # the embedding of the run takes the place of the one before it
        for axis in (*moving, *self._axes):
            if axis.key == key:
                return axis
        if default < len(moving):
            return moving[default]
        return self._axes[self._unchosen[min(default, len(self._axes) - 1)]] if self._axes else None

    def _moving_axes(self) -> tuple[Axis, ...]:
        """The coordinates of the run that is watched, made once for each frame."""
        frame = self.live.moment if self.live.going_on or self.live.scrubbed else None
        if self._picture not in ("", self.live.step):
            return ()  # another picture was asked for
        if frame is None or frame.coordinates is None:
            return ()
        if self._moving[:2] != (frame, self.n):
            ours = same_items(self._session, self.live.step, self.shown.dataset_step)
            self._moving = frame, self.n, moving_axes(frame, self.n) if ours else ()
        return self._moving[2]

    @property
    def equal_scales(self) -> bool:
        """Whether all axes have the same scale: as chosen, else for the axes of an embedding."""
        if self._equal is not None:
            return self._equal
        if self.world and not self.is_solid:
            return True
        drawn = (self.x, self.y, self.z) if self.is_solid else (self.x, self.y)
        return all(axis is not None and axis.key.startswith((EMBEDDING, LIVE)) for axis in drawn)

    def choose_equal_scales(self, equal: bool) -> None:
        """Choose whether both axes have the same scale."""
        self._equal = equal

    @property
    def dense(self) -> bool:
        """Whether there are too many points to draw them one by one."""
        return self.n > MOST_POINTS

    @property
    def made_of(self) -> Key:
        """The results, and the moment of a run, that the axes are of."""
        moment = self._moving[0] if self._moving_axes() else None
        return self.shown.dataset, self.shown.embedding, moment

    @property
    def stale(self) -> str:
        """A sentence when what is shown no longer follows from the parameters, else nothing."""
        drawn = {self.shown.embedding_step, self.shown.clustering_step}
        old = [name for name in self.shown.stale if name in drawn]
        return "" if self.live.going_on else why_outdated(reversed(old))

    # Colours

    @property
    def editing(self) -> GroupEditing | None:
        """What changes the groups that the legend lists; None when it lists something else."""
        groups = self.shown.clustering
        if groups is None or self.colour != "group" or self.live.going_on:
            return None
        return GroupEditing(self._session, self.shown.clustering_step, groups)

    @property
    def colour_choices(self) -> tuple[tuple[str, str], ...]:
        """What points can be coloured by, as pairs of key and title."""
        choices = [("group", "Group")]
        for column in self.columns:
            if column.kind == "rank":
                # There may be several rankings: which of them it is, the project's tree says.
                choices.append(("rank", f"Rank: {self.shown.ranking_step}"))
            elif column.kind == "truth":
                known = "" if column.title == "Truth" else f" ({column.title})"
                choices.append(("truth", f"Known class{known}"))
        choices += [(c.key, c.title) for c in self.columns if c.kind == "category"]
        choices += [(c.key, c.title) for c in offered_columns(self.columns)]
        return tuple(choices)

    @property
    def colour(self) -> str:
        """The key of what points are coloured by."""
        keys = [key for key, _ in self.colour_choices]
        return self._colour if self._colour in keys else "group"

    def choose_colour(self, key: str) -> None:
        """Choose what points are coloured by."""
        self._colour, self._hidden = key, frozenset()

    @property
    def hidden(self) -> frozenset[int]:
        """The codes of the classes that are not drawn."""
        return self._hidden

    def hide(self, codes: Iterable[int]) -> None:
        """Draw the items of all classes but these."""
        self._hidden = frozenset(codes)

    def visible(self, colouring: Colouring) -> tuple[Array, Array]:
        """Return where all items are seen; those of hidden classes have no place (NaN)."""
        x, y = self.points
        if not self._hidden or not colouring.entries:
            return x, y
        away = np.isin(colouring.codes, [*self._hidden])
        return np.where(away, np.nan, x), np.where(away, np.nan, y)

    @property
    def is_live(self) -> bool:
        """Whether the colours come from a run, going on or scrubbed back."""
        moving = self.live.going_on or self.live.scrubbed
        return (
            moving
            and self.colour == "group"
            and same_items(self._session, self.live.step, self.shown.dataset_step)
        )

    @property
    def _live_kind(self) -> str:
        """The kind of the method that is watched."""
        part = self._session.recipe.find(self.live.step)
        return part.use.partition("/")[0] if isinstance(part, Step) else ""

    def exemplar_ways(self) -> Floats:
        """Return the places of the exemplars of the run that is watched, step by step."""
        return exemplar_ways(self.live, *self.points) if self.is_live else np.empty((0, 0, 2))

    def colouring(self, *, dark: bool) -> Colouring:
        """Return the colours of all points as they are at this moment."""
        return self.made_colouring(dark=dark).make()

    def made_colouring(self, *, dark: bool) -> Made[Colouring]:
        """Return how the points are coloured at this moment, for any thread to do it."""
        n, shown = self.n, self.shown
        live = self.live if self.is_live else None
        moment = live.moment if live is not None else None
        kind = self._live_kind if live is not None else ""
        wanted = [c for c in self.columns if self.colour in (c.kind, c.key)]

        def make() -> Colouring:
            if live is not None:
                found = by_moment(live, n, group_names(shown) if live.scrubbed else (), dark=dark)
                if found is not None:
                    return replace(found, title=_LIVE.get(kind, found.title))
            if not wanted:
                return plain(n, dark=dark)
            found = by_column(wanted[0], dark=dark)
            of_rank = wanted[0].kind == "rank"
            return replace(found, title=f"Rank: {shown.ranking_step}") if of_rank else found

        groups = shown.clustering if wanted and wanted[0].kind == "group" else None
        ranking = shown.ranking if wanted and wanted[0].kind == "rank" else None
        of = (shown.dataset, groups, ranking, self.colour, dark, moment, live)
        return Made(of, make)

    @property
    def can_be_sized(self) -> bool:
        """Whether there is a ranking to take sizes from."""
        return any(column.kind == "rank" for column in self.columns)

    def sizes(self) -> Array | None:
        """Return a size for each point, from 0 to `SIZES` − 1, the first-ranked the largest.

        None when all are to have the same size.
        """
        ranking, found = self.shown.ranking, self.shown.clustering
        if not self.sized or ranking is None or ranking.order is None:
            return None
        share = standings_of(ranking, None if found is None else found.labels)
        # Half of all points are small: it is the few at the front that are to be seen.
        return np.asarray(np.floor(share**2 * SIZES).clip(0, SIZES - 1), dtype=np.int64)

    # In words

    def note(self, selected: int) -> str:
        """Return a line on how much is shown and how."""
        parts = [f"{self.n:,} items"]
        if selected:
            parts.append(f"{selected:,} selected")
        if (mode := self._session.selection.mode) != "replace":
            parts.append(_DOES[mode])
        if self.dense:
            waiting = self.crowd is None
            drawn = "drawn as a density because there are so many"
            parts.append("sorting the items …" if waiting else drawn)
        if self._hidden:
            parts.append(f"{len(self._hidden)} in the legend hidden: right-click there to show")
        if self.is_spread:
            parts.append("crowded items are drawn as discs; distances inside a disc mean nothing")
        if away := self.outside:
            parts.append(f"{away:,} far outside; press Fit to see them")
        if missing := self.unplaced:
            parts.append(f"{missing:,} not drawn: missing values")
        if self.moves:
            parts.append("points move with the run")
        elif self.is_live:
            parts.append("colours follow the run")
        return "  ·  ".join(parts)

    def glance(self, item: int) -> Glance:
        """Return what a person wants to know of an item at a glance."""
        return glance(self.shown, self.columns, item)


def _equal(one: Embedding, other: Embedding) -> bool:
    """Whether two pictures are of the same numbers; those of data are made each time."""
    return one is other or np.array_equal(one.coordinates, other.coordinates, equal_nan=True)

"""The Figures view: the figures of the chosen result, and the words about the one shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from coterie.core.formats.files.tables import figure_table
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.figures import Figure
from coterie.core.model.group_names import group_name
from coterie.core.numerics.partitions.tree_cut import (
    cut_tree,
    group_counts,
    height_for,
    items_of_cut,
)
from coterie.core.wording import counted
from coterie.gui.views.shown_items.colouring import Colouring, by_class
from coterie.gui.views.shown_items.csv_export import Rows
from coterie.gui.views.shown_items.displayed import opened
from coterie.projects.figures import Offer

if TYPE_CHECKING:
    from coterie.core.api.frame import Frame
    from coterie.projects.session import Session

LIVE = Offer("Live figure", "What the running method shows", step="", part="live")
_HANDLE_PART = 0.02  # of a tree's height, that a line may be from its ends


class FiguresState:
    """The figure that is shown, or why there is none."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.offers: tuple[Offer, ...] = ()
        self.figure: Figure | None = None
        self.problem = ""
        self.waiting = False
        self.cut: float | None = None
        self._picked = ""
        self._asked: tuple[Offer, tuple[str | None, ...]] | None = None
        self._live: Figure | None = None
        self._live_step = ""

    @property
    def offer(self) -> Offer | None:
        """The figure that the person picked, else the first there is."""
        named = (one for one in self.offers if one.name == self._picked)
        return next(named, self.offers[0] if self.offers else None)

    def update(self) -> None:
        """Look again at what there is, and ask for the figure when it is another."""
        live = (LIVE,) if self._live is not None else ()
        self.offers = (*live, *self._session.figures.offers(self.chosen))
        offer = self.offer
        if offer is None:
            self.figure, self.problem, self.waiting, self._asked = None, "", False, None
            return
        if offer is LIVE:
            self._show(self._live)
            self._asked = None
            return
        keys = self._session.results.key
        names = (offer.step,) if offer.step else offer.of
        asked = offer, tuple(keys(name, offer.part) for name in names)
        if asked != self._asked:
            self._asked, self.waiting = asked, True
            self._session.figures.ask(offer)

    def take(self, offer: Offer, answer: Figure | str) -> bool:
        """Take in a figure, or why there is none; return whether it is the one shown."""
        if self._asked is None or offer != self._asked[0]:
            return False
        self.waiting = False
        if isinstance(answer, str):
            self.figure, self.problem = None, answer
        else:
            self._show(answer)
        return True

    def take_frame(self, step: str, frame: Frame) -> bool:
        """Take in the figure of a running method; return whether it has one."""
        if frame.figure is None:
            return False
        self._live, self._live_step = frame.figure, step
        if self._picked in ("", LIVE.name):
            self._show(self._live)
        return True

    def end_live(self, step: str) -> None:
        """Forget the live figure of a step that is no longer running."""
        if step == self._live_step:
            self._live, self._live_step = None, ""

    def pick(self, name: str) -> None:
        """Show another figure."""
        self._picked = name
        self.update()

    @property
    def picked(self) -> str:
        """The name of the figure that is shown."""
        return self.offer.name if self.offer is not None else ""

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to show, else nothing."""
        if self.offers:
            return ""
        if opened(self._session, self.chosen) is None:
            return "Open a file or choose a sample to draw figures of its groups."
        return "Run a clustering method to see its dendrogram, silhouettes and other figures."

    @property
    def sentence(self) -> str:
        """What is said above the figure."""
        if self.problem:
            return self.problem
        if self.waiting and self.figure is None:
            return "Drawing …"
        if self.figure is None:
            return ""
        return " ".join(self.figure.notes) or (self.offer.summary if self.offer else "")

    # The marks and the items

    @property
    def n(self) -> int:
        """Number of items that the figure is about."""
        figure = self.figure
        if figure is None or not figure.linked:
            return 0
        return figure.n or int(figure.links[0].max(initial=-1)) + 1

    def selected(self, mask: Array) -> Floats:
        """Return how much of each mark is selected; nothing of marks that stand for no items."""
        figure = self.figure
        if figure is None or not figure.linked or len(mask) != self.n:
            return np.zeros(0 if figure is None else figure.marks)
        return figure.shares_in(mask)

    def items_of(self, marks: Array) -> Ints:
        """Return the items that marks stand for."""
        return np.zeros(0, np.int64) if self.figure is None else self.figure.items_of(marks)

    def marks_of_group(self, group: int) -> Ints:
        """Return the marks in the colour of a group."""
        figure = self.figure
        if figure is None or figure.groups is None:
            return np.zeros(0, np.int64)
        return np.flatnonzero(figure.groups == group)

    def colouring(self, *, dark: bool) -> Colouring | None:
        """Return what a legend says of the colours; None where the marks have names beside them."""
        figure = self.figure
        if figure is None or figure.groups is None or not figure.marks or figure.form == "matrix":
            return None
        found = by_class(
            "Groups", figure.groups, figure.group_names, figure.group_colours, dark=dark
        )
        if figure.linked and len(figure.links[0]) == figure.n == figure.marks:
            return found
        # Of a sample, and of marks that stand for several items, the numbers would mislead.
        return replace(found, entries=tuple(replace(one, count=-1) for one in found.entries))

    def about(self, mark: int) -> str:
        """Return what a mark is, in a few lines."""
        figure = self.figure
        if figure is None or not 0 <= mark < figure.marks:
            return ""
        lines = [figure.rows[mark]] if figure.rows else []
        items = figure.items_of([mark]) if figure.linked else np.zeros(0, np.int64)
        if len(items) and not lines:
            data = figure.dataset
            first = data.item_name(int(items[0])) if data is not None else str(int(items[0]) + 1)
            lines.append(first if len(items) == 1 else f"{first} and {len(items) - 1:,} more")
        elif len(items) > 1:
            lines.append(counted(len(items), "item"))
        if figure.groups is not None:
            called = group_name(int(figure.groups[mark]), figure.group_names)
            lines += [called] if called not in lines else []
        if figure.values.ndim == 1:
            lines.append(f"{float(figure.values[mark]):.4g}")
        return "\n".join(lines)

    # Cutting a tree

    @property
    def can_cut(self) -> bool:
        """Whether the figure is a tree of items."""
        figure, offer = self.figure, self.offer
        if figure is None or figure.form != "tree" or not figure.linked or offer is None:
            return False
        if self.waiting:  # what is seen is an earlier figure
            return False
        return offer is not LIVE and self._session.figures.can_be_cut(offer)

    def cut_range(self) -> tuple[float, float]:
        """Return the least and the largest height at which a line makes sense."""
        assert self.figure is not None
        low, high = float(self.figure.values.min()), float(self.figure.values.max())
        return low, high + _HANDLE_PART * (high - low or 1.0)

    def cut_groups(self) -> Ints:
        """Return the group of each leaf under the line."""
        assert self.figure is not None
        assert self.cut is not None
        return cut_tree(self.figure, self.cut)

    def cut_words(self) -> str:
        """Return how many groups the line makes, for the button."""
        if self.figure is None or self.cut is None:
            return "Make groups"
        heights, counts = group_counts(self.figure)
        place = int(np.searchsorted(heights, self.cut, side="right")) - 1
        k = int(counts[place]) if place >= 0 else 0
        return f"Make {counted(k, 'group')}"

    def make_groups(self) -> str:
        """Add the cut as a step; return its name, or nothing where the line makes no groups."""
        offer = self.offer
        if self.figure is None or self.cut is None or offer is None:
            return ""
        if items_of_cut(self.figure, self.cut).max(initial=-1) < 0:
            return ""
        return self._session.figures.add_cut(offer, self.cut)

    # The figure as a step

    @property
    def can_keep(self) -> bool:
        """Whether the figure is drawn for the window alone, and can be a step of the recipe."""
        return self.figure is not None and self.offer is not None and bool(self.offer.use)

    def keep(self) -> str:
        """Add the figure to the recipe; return the name of its step."""
        offer = self.offer
        return "" if offer is None else self._session.figures.add_step(offer)

    def table_rows(self) -> Rows:
        """The figure as a table."""
        if self.figure is None:
            return
        table = figure_table(self.figure)
        yield list(table.names)
        yield from table.rows()

    def _show(self, figure: Figure | None) -> None:
        self.figure, self.problem, self.waiting = figure, "", False
        self.cut = None
        if figure is not None and figure.form == "tree":
            self.cut = figure.cut if figure.cut is not None else self._first_cut(figure)

    def _first_cut(self, tree: Figure) -> float:
        """Where the line starts: at as many groups as the colours show."""
        low, high = self.cut_range()
        if not tree.linked or tree.groups is None or not (tree.groups >= 0).any():
            return (low + high) / 2
        return min(max(height_for(tree, len(np.unique(tree.groups[tree.groups >= 0]))), low), high)

"""The Affinity view: which similarities, in which order, their stand-ins, and neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coterie.core.api.context import Frame
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.group_names import group_name
from coterie.gui.views.affinity.estimate import LiveEstimate
from coterie.gui.views.affinity.matrix_image import (
    MatrixImage,
    MatrixRequest,
    OrderBy,
    Scale,
    nearest,
)
from coterie.gui.views.shown_items.columns import group_names, truth_names
from coterie.gui.views.shown_items.displayed import Shown, look, look_for_affinity, why_outdated
from coterie.projects.jobs.step_previews import StepPreview

if TYPE_CHECKING:
    from coterie.projects.session import Session


_COMING = ("waiting", "running")


class AffinityState:
    """What the Affinity view shows, and how."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.shown = Shown()
        self.affinity: Affinity | None = None
        self.step = ""
        self.waits_for = ""
        self.picture: MatrixImage | None = None
        self.preview: StepPreview | None = None
        self.preview_step = ""
        self._previewed: Affinity | None = None
        self.estimate: LiveEstimate | None = None
        self._watched = False  # whether an estimate was seen, in an order that stays
        self._order: OrderBy | None = None
        self._scale: Scale = "linear"

    # What is shown

    @property
    def n(self) -> int:
        """Number of items, drawn or not."""
        return self.shown.n

    def update(self) -> None:
        """Take what the session has now."""
        if self.preview is not None and not self._is_still_true():
            self.drop_preview()
        about = self.preview_step or self.chosen
        self.shown = look(self._session, about)
        found = look_for_affinity(self._session, about, self.n)
        self.affinity, self.step, self.waits_for = found
        self._look_at_estimate()
        if self.affinity is None and self._previewed is None and self.estimate is None:
            self.picture = None

    @property
    def left_out_key(self) -> str:
        """The key of similarities that the project does without, and that are to be shown."""
        left_out = self._session.results.left_out(self.waits_for)
        return left_out.key if left_out is not None else ""

    def wish(self) -> MatrixRequest | None:
        """Return what is to be drawn, None when there is nothing."""
        codes, _ = self._codes()
        if self.estimate is not None:
            # As its similarities form, so does the order of likeness: nothing stays for its sake.
            return MatrixRequest(
                self.estimate.affinity, self.order, self._scale, codes, self.estimate.items
            )
        affinity = self._previewed or self.affinity
        if affinity is None:
            return None
        items = before = None
        if self.preview is not None:
            items = self.preview.items
            if self.picture is not None and self.picture.wish.order == self.order:
                before = self.picture.order
        return MatrixRequest(affinity, self.order, self._scale, codes, items, before)

    def take(self, picture: MatrixImage) -> None:
        """Show a picture, unless another one is wanted by now.

        Of a run that goes on, the picture before the newest is still worth seeing.
        """
        wish = self.wish()
        late = self.estimate is not None and wish is not None and picture.wish.resembles(wish)
        if late or picture.wish.same_as(wish):
            self.picture = picture

    @property
    def is_preview(self) -> bool:
        """Whether the picture is one of a preview."""
        return self.is_part and self.estimate is None

    @property
    def is_part(self) -> bool:
        """Whether the picture stands in for the whole: a preview, or what a run has so far."""
        return self.picture is not None and self.picture.wish.items is not None

    @property
    def badge(self) -> str:
        """What is written upon a picture that stands in for the whole."""
        return "preview" if self.estimate is None else "so far"

    # Runs

    def take_frame(self, step: str, frame: Frame) -> bool:
        """Show the similarities as far as a run has come; return whether the frame has any."""
        if frame.glimpse is None or step not in self._session.recipe.names:
            return False
        self.preview, self.preview_step, self._previewed = None, "", None
        self._watched = True
        self.estimate = LiveEstimate(frame.glimpse, self._session.recipe.step(step))
        return True

    def drop_estimate(self) -> None:
        """Go back from what a run had to what was computed."""
        if self.is_part:
            self.picture = None
        self.estimate = None

    def _look_at_estimate(self) -> None:
        """Keep an estimate while it is the best that is known of what is shown here.

        A run that was stopped leaves its last one, until the step is changed or run again. It is
        about the items that the run began with, which may be fewer than were opened.
        """
        estimate, session = self.estimate, self._session
        if estimate is None:
            return
        name = estimate.step.name
        known = name in session.recipe.names and session.recipe.step(name) == estimate.step
        if not known or session.status(name) == "fresh" or name not in (self.step, self.waits_for):
            self.drop_estimate()
            return
        self.shown = look(session, estimate.step.of[0])
        if self.affinity is not None and self.affinity.n != self.n:
            self.affinity = None

    # Previews

    def take_preview(self, step: str, answer: StepPreview | str) -> None:
        """Show how similar items would be; an answer in words ends that."""
        if isinstance(answer, str) or answer.values.ndim != 2 or len(answer.values) == 0:
            self.drop_preview()
            return
        self.drop_estimate()
        values = answer.values
        self.preview, self.preview_step = answer, step
        self._previewed = Affinity(
            values=values,
            symmetric=bool(np.array_equal(values, values.T)),
            nonnegative=bool(values.min() >= 0),
        )
        if self._is_known():
            self.drop_preview()

    def drop_preview(self) -> None:
        """Go back to what was computed."""
        self.preview, self.preview_step, self._previewed = None, "", None
        if self.is_preview:
            self.picture = None

    def _is_still_true(self) -> bool:
        """Whether the recipe has the parameters of the preview, and no result for them yet.

        A moved slider changes the recipe a moment after it was previewed: an edit to what is
        shown already, or undone since, is distinguished by its parameters.
        """
        return self._is_in_recipe() and not self._is_known()

    def _is_known(self) -> bool:
        """Whether there is a result for what was previewed."""
        return self._is_in_recipe() and self._session.status(self.preview_step) == "fresh"

    def _is_in_recipe(self) -> bool:
        recipe = self._session.recipe
        if self.preview is None or self.preview_step not in recipe.names:
            return False
        return dict(recipe.step(self.preview_step).params) == dict(self.preview.params)

    # Choices

    @property
    def orders(self) -> tuple[tuple[OrderBy, str], ...]:
        """How items can be ordered, as pairs of key and title."""
        choices: list[tuple[OrderBy, str]] = [("given", "As given")]
        if self.shown.clustering is not None:
            choices.append(("group", "By group"))
        if self.shown.dataset is not None and self.shown.dataset.truth is not None:
            choices.append(("truth", f"By {self.shown.dataset.truth_column or 'known class'}"))
        choices.append(("likeness", "By similarity"))
        return tuple(choices)

    @property
    def order(self) -> OrderBy:
        """How items are ordered: as chosen, else by group once there are groups."""
        keys = [key for key, _ in self.orders]
        if self._order in keys:
            return self._order
        if "group" in keys:
            return "group"
        if self._watched:  # blocks are seen to sharpen only where like items are neighbours
            return "truth" if "truth" in keys else "likeness"
        return "given"

    def choose_order(self, order: OrderBy) -> None:
        """Choose how items are ordered."""
        self._order = order

    @property
    def scale(self) -> Scale:
        """How similarities become colours."""
        return self._scale

    def choose_scale(self, scale: Scale) -> None:
        """Choose how similarities become colours."""
        self._scale = scale

    def _codes(self) -> tuple[Ints | None, tuple[str, ...]]:
        """The groups, or classes, that colour the items, and their names."""
        shown = self.shown
        truth = None if shown.dataset is None else shown.dataset.truth
        if self.estimate is not None and self.estimate.n != shown.n:
            return None, ()
        if self.order == "truth" or shown.clustering is None:
            return truth, truth_names(shown)
        return shown.clustering.labels, group_names(shown)

    @property
    def code_colours(self) -> tuple[str, ...]:
        """The colours that a person chose for the groups; of known classes none."""
        groups, codes = self.shown.clustering, self._codes()[0]
        return groups.colours if groups is not None and codes is groups.labels else ()

    def code_name(self, code: int) -> str:
        """Return the name of a group or class."""
        codes, names = self._codes()
        truth = self.shown.dataset is not None and codes is self.shown.dataset.truth
        return "unknown" if code < 0 and truth else group_name(code, names)

    # In words

    @property
    def emptiness(self) -> str:
        """A sentence on what to do when there is nothing to show, else nothing."""
        if self.wish() is not None:
            return ""
        if not self.n:
            return "Open a file or choose a sample to see how similar its items are."
        if self.waits_for and self.left_out_key:
            if self._session.status(self.waits_for) in _COMING:
                return f"Computing '{self.waits_for}', which is not stored in the project …"
            return f"'{self.waits_for}' is not stored in the project. Run it to see it."
        if self.waits_for and self._session.status(self.waits_for) in _COMING:
            return f"Computing '{self.waits_for}' …"
        if self.waits_for:
            return f"Run '{self.waits_for}' to see how similar the items are."
        return "Add a kernel or a graph and run it to see how similar the items are."

    @property
    def stale(self) -> str:
        """A sentence when what is shown is a preview or no longer true, else nothing."""
        if self.estimate is not None:
            return self.estimate.in_words(self._session.jobs)
        if self.is_preview and self.picture is not None:
            of = f"{len(self.picture.order):,} of {self.n:,} items"
            if len(self.picture.order) == self.n:
                return f"Preview of '{self.preview_step}'. Run it to keep this result."
            return f"Preview of '{self.preview_step}' on {of} – run it to compute all items."
        if self.step and self._session.status(self.step) == "stale":
            return why_outdated([self.step])
        return ""

    def note(self) -> str:
        """Return a line on what is shown and how much of it."""
        picture = self.picture
        if picture is None:
            return "Drawing the matrix …"
        affinity, parts = picture.wish.affinity, []
        parts.append(self.preview_step if self.is_preview else (affinity.title or self.step))
        whole = self.n if self.estimate is None else self.estimate.n
        if picture.density:
            each = round(self.n / picture.m)
            parts.append(f"{self.n:,} items, each cell is the mean of {each:,} × {each:,}")
        elif len(picture.order) < whole:
            parts.append(f"{len(picture.order):,} of {whole:,} items shown")
        else:
            parts.append(f"{whole:,} items")
        if affinity.sparse is not None:
            edges = int(affinity.sparse.nnz)
            parts.append(f"{edges:,} edges")
        elif affinity.factor is not None:
            parts.append(f"by {affinity.factor.shape[1]:,} factors")
        if not affinity.symmetric:
            parts.append("directed: from row to column")
        return "  ·  ".join(parts)

    def describe(self, row: int, column: int) -> str:
        """Return what is at a place of the picture."""
        picture = self.picture
        if picture is None or not (0 <= row < picture.m and 0 <= column < picture.m):
            return ""
        arrow = "–" if picture.wish.affinity.symmetric else "→"
        ends = [self._named(picture.items_of(place)) for place in (row, column)]
        what = "mean similarity" if picture.density else "similarity"
        return f"{ends[0]} {arrow} {ends[1]}\n{what} {in_short(float(picture.values[row, column]))}"

    def item_name(self, item: int) -> str:
        """Return the name of an item."""
        data = self.shown.dataset
        return data.items[item] if data is not None and data.items else f"item {item + 1}"

    def _named(self, items: Ints) -> str:
        first = self.item_name(int(items[0]))
        if self.picture is not None and self.picture.codes is not None:
            code = self._codes()[0]
            if code is not None and len(items) == 1:
                first += f" ({self.code_name(int(code[items[0]]))})"
        return first if len(items) == 1 else f"{first} and {len(items) - 1:,} more"

    # Neighbours

    def centre(self, mask: Array) -> int | None:
        """Return the item whose neighbours are listed: the first that is selected."""
        if len(mask) != self.n or self.affinity is None:
            return None
        chosen = np.flatnonzero(mask)
        return int(chosen[0]) if len(chosen) else None

    def neighbours(self, item: int) -> tuple[Ints, Floats]:
        """Return the items nearest to one, the most similar first, and their similarities."""
        if self.affinity is None:
            return np.empty(0, dtype=np.int64), np.empty(0)
        return nearest(self.affinity, item)


def in_short(value: float, digits: int = 4) -> str:
    """Return a number in a few digits, with a real minus sign."""
    return f"{value:.{digits}g}".replace("-", "−")

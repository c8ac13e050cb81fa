"""The Methods view: the groupings compared, their agreement, and the commands on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.errors import RecipeError
from coterie.core.model.arrays import Floats
from coterie.core.model.results import Clustering, Embedding
from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.views.methods.pictures import draw, shades_of
from coterie.gui.views.methods.rows import Row, automatic_step, rows_of
from coterie.gui.views.shown_items.csv_export import write_csv
from coterie.gui.views.shown_items.displayed import Shown, look
from coterie.projects.candidates import adopted, agreement_of, candidates_of

if TYPE_CHECKING:
    from coterie.core.model.dataset import Dataset
    from coterie.projects.session import Session

KEPT = "methods"  # in the view that is saved: {"pinned": [...], "removed": [...]}
Number = Callable[[Row], float | None]


@dataclass(frozen=True)
class SortColumn:
    """A number by which rows are sorted; the best first."""

    title: str
    about: str
    value: Number
    percent: bool = True
    largest_first: bool = True


COLUMNS = (
    SortColumn("Groups", "Number of groups", lambda row: row.k, percent=False, largest_first=False),
    SortColumn(
        "Expected",
        "Expected agreement with the true groups, estimated from the evidence (adjusted Rand "
        "index)",
        lambda row: row.expected,
    ),
    SortColumn(
        "Agreement",
        "Agreement with the most similar grouping found by another family of methods",
        lambda row: row.agreement,
    ),
    SortColumn(
        "Stability",
        "Agreement with the groups that the method finds on 70% of the items",
        lambda row: row.stability,
    ),
    SortColumn("Classes", "Agreement with the known classes", lambda row: row.truth),
)


@dataclass(frozen=True)
class Look:
    """How pictures are drawn: for a dark window, on which ground, in how many pixels a point."""

    dark: bool = False
    ground: str = "#ffffff"
    ratio: float = 1.0


@dataclass(frozen=True, eq=False)
class Measured:
    """What takes a moment: pictures, agreement with known classes and of every two, by key."""

    keys: tuple[str, ...] = ()
    pictures: tuple[Bytes | None, ...] = ()
    truth: tuple[float | None, ...] = ()
    agreement: Floats | None = None

    def picture(self, row: Row) -> Bytes | None:
        """Return the picture of a row; None while there is none."""
        return self.pictures[self.keys.index(row.key)] if row.key in self.keys else None

    def between(self, one: Row, other: Row) -> float | None:
        """Return how far two rows agree; None while that is not known."""
        if self.agreement is None or not {one.key, other.key} <= set(self.keys):
            return None
        value = float(self.agreement[self.keys.index(one.key), self.keys.index(other.key)])
        return value if np.isfinite(value) else None


class MethodsState:
    """Groupings of the items that are shown, side by side."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.shown = Shown()
        self.automatic = ""
        self.every: tuple[Row, ...] = ()
        self.pending: Pending[Measured] = Pending(Measured())
        self.sorted_by: SortColumn | None = None
        self.reversed = False
        self.look = Look()
        self._made_of: tuple[object, ...] = ()

    def update(self) -> None:
        """Look again; pictures and agreement are worked out elsewhere."""
        session = self._session
        self.shown = look(session, self.chosen)
        self.automatic, self.every = "", ()
        data = self.shown.dataset
        if data is None:
            return
        self.automatic = automatic_step(session, self.shown.clustering_step)
        self.every = rows_of(session, self.automatic, data)
        embedding = self.shown.embedding
        made_of = (data, embedding, self.look, *(row.groups for row in self.every))
        if list(map(id, made_of)) != list(map(id, self._made_of)):
            self._made_of = made_of
            work = partial(_measured, self.every, data, embedding, self.look)
            self.pending.renew((object(),), work, at_once=False)

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to show, else nothing."""
        if self.shown.dataset is None:
            return "Open a file or choose a sample, then compare methods on it here."
        if self.every:
            return ""
        status = self._session.status
        if self.automatic and status(self.automatic) in ("running", "waiting"):
            return "The methods are being compared …"
        return "Choose Run → Compare methods to see what different methods find."

    @property
    def measured(self) -> Measured:
        """Pictures and agreement, as far as they are known."""
        return self.pending.value

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is listed: pinned ones first, each part in the order asked for."""
        removed, pinned = self._kept("removed"), self._kept("pinned")
        truth = dict(zip(self.measured.keys, self.measured.truth, strict=True))
        rows = [
            replace(row, truth=truth.get(row.key)) for row in self.every if row.key not in removed
        ]
        column = self.sorted_by
        if column is not None:
            sign = -1.0 if column.largest_first != self.reversed else 1.0
            rows.sort(key=lambda row: _sort_key(column.value(row), sign))
        rows.sort(key=lambda row: row.key not in pinned)
        return tuple(rows)

    @property
    def columns(self) -> tuple[SortColumn, ...]:
        """The columns in which anything is known."""
        return tuple(one for one in COLUMNS if any(one.value(row) is not None for row in self.rows))

    @property
    def removed(self) -> int:
        """How many rows are not listed."""
        return sum(row.key in self._kept("removed") for row in self.every)

    @property
    def curve(self) -> tuple[tuple[tuple[int, float], ...], int]:
        """The best expected agreement at each number of groups, and the number chosen."""
        answer = self._session.results.artefact(self.automatic) if self.automatic else None
        if not isinstance(answer, Clustering):
            return (), 0
        curve = answer.details.get("curve", ())
        return tuple((int(k), float(value)) for k, value in curve), answer.k

    @property
    def sentence(self) -> str:
        """What the automatic answer says; else what is compared."""
        answer = self._session.results.artefact(self.automatic) if self.automatic else None
        said = answer.details.get("sentence", "") if isinstance(answer, Clustering) else ""
        return str(said) or "Groups of the same items, found in different ways."

    def is_pinned(self, row: Row) -> bool:
        """Whether a row stays at the top."""
        return row.key in self._kept("pinned")

    def sort(self, column: SortColumn) -> None:
        """Sort by a column; by the same one again, the other way round."""
        self.reversed = self.sorted_by is column and not self.reversed
        self.sorted_by = column

    # Edits

    def adopt(self, row: Row) -> str:
        """Take a candidate into the recipe as steps, and return the step with the groups."""
        if row.step:
            return row.step
        session = self._session
        answer = session.results.artefact(self.automatic)
        candidate = candidates_of(answer, lambda _: None)[row.number]
        recipe, name = adopted(session.recipe, self.automatic, candidate.steps)
        session.edits.replace(recipe, f"adopt {candidate.title}")
        session.run(name)
        return name

    def pin(self, row: Row) -> None:
        """Keep a row at the top, or let it go again."""
        word = "unpin" if self.is_pinned(row) else "pin"
        self._keep("pinned", self._kept("pinned") ^ {row.key}, f"{word} {row.title}")

    def remove(self, row: Row) -> None:
        """Take a candidate off the list, or a step out of the recipe."""
        if row.number < 0 and not row.chosen:
            recipe = self._session.recipe.without(row.step)
            self._session.edits.replace(recipe, f"remove {row.step}")
        else:
            self._keep("removed", self._kept("removed") | {row.key}, f"remove {row.title}")

    def restore(self) -> None:
        """Show the removed rows again."""
        self._keep("removed", set(), "list all methods")

    def add(self, use: str) -> str:
        """Add a method on the data of the others, run it, and return its step."""
        session = self._session
        method = session.catalogue.get(use)
        of = None
        if self.automatic and len(method.inputs) == 1 and method.inputs[0].accepts_type("dataset"):
            of = session.recipe.step(self.automatic).of
        if method.gives != "clustering":
            raise RecipeError(f"'{method.title}' does not find groups.", code="input-mismatch")
        name = session.edits.add_step(use, of)
        session.run(name)
        return name

    def write_table(self, path: Path) -> None:
        """Write the rows as CSV."""
        heads = ["method", "remark", *(one.title.lower() for one in self.columns), "sizes"]
        rows = [
            [row.title, row.remark, *(_cell(one.value(row)) for one in self.columns),
             " ".join(map(str, row.sizes))]
            for row in self.rows
        ]  # fmt: skip
        write_csv(path, [heads, *rows])

    def _kept(self, what: str) -> set[str]:
        kept: Any = self._session.view.get(KEPT, {})
        return set(kept.get(what, ()))

    def _keep(self, what: str, keys: set[str], words: str) -> None:
        kept = {**self._session.view.get(KEPT, {}), what: sorted(keys)}
        kept = {name: value for name, value in kept.items() if value}
        self._session.edits.edit_view(KEPT, kept or None, words)


def _sort_key(value: float | None, sign: float) -> tuple[bool, float]:
    return value is None, 0.0 if value is None else sign * value


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _measured(
    rows: tuple[Row, ...], data: Dataset, embedding: Embedding | None, look: Look
) -> Measured:
    """Draw every row, and measure how far every two agree."""
    count = len(rows)
    agreement = np.full((count, count), np.nan)
    for i, one in enumerate(rows):
        agreement[i, i] = 1.0
        for j in range(i):
            found = _agreement(one.groups, rows[j].groups)
            agreement[i, j] = agreement[j, i] = np.nan if found is None else found
    chosen = next((row.groups for row in rows if row.chosen), None)
    places = None if embedding is None else _plane(embedding)
    pictures: list[Bytes | None] = []
    for row in rows:
        if row.groups is None or places is None:
            pictures.append(None)
            continue
        shades = shades_of(row.groups, chosen, dark=look.dark)
        pictures.append(draw(places, row.groups, shades, look.ground, ratio=look.ratio))
    truth = tuple(_agreement(row.groups, data) for row in rows)
    return Measured(tuple(row.key for row in rows), tuple(pictures), truth, agreement)


def _agreement(groups: Clustering | None, other: Clustering | Dataset | None) -> float | None:
    return None if groups is None or other is None else agreement_of(groups, other)


def _plane(embedding: Embedding) -> Floats:
    places = np.asarray(embedding.coordinates, dtype=float)
    if places.shape[1] == 1:
        return np.column_stack([places[:, 0], np.zeros(len(places))])
    return places[:, :2]

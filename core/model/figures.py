"""A figure as data: what to draw, as numbers and names, and which items each mark stands for.

Whoever makes one says nothing of colours and pixels; the window draws it with linked selection,
and a report or a file by matplotlib. So no code of a plugin runs where it is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.results import Result

FORMS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "scatter": (2,),
        "lines": (2,),
        "bars": (1,),
        "matrix": (2,),
        "tree": (1,),
        "table": (2,),
        "image": (2, 3),
    }
)
"""The forms a figure may have, with the dimensions of its values."""

MOST_MARKS = 200_000  # of one figure; a screen shows far fewer


@dataclass(frozen=True, eq=False, kw_only=True)
class Figure(Result):
    """A picture as data, drawn alike in the window, in reports and in files.

    A mark is a point, a line, a bar, a row of a matrix or table, or a leaf of a tree. Marks that
    stand for items are selected with them, everywhere at once. Missing numbers are left out, or
    shown as missing. By form, `values` are:

    "scatter": (m, a) places on a ≥ 2 axes; of more than two, each pair gets a plot.
    "lines": (m, p) heights at p places. "bars": (m,) lengths. "matrix": (m, c) shades.
    "table": (m, c) numbers, or none where there are `cells`.
    "tree": (m + t,) heights of m leaves, then of t branchings; `parents` join them.
    "image": (h, w) shades, or (h, w, 3) bytes of red, green and blue; it has no marks.

    Attributes
    ----------
    form : "scatter", "lines", "bars", "matrix", "tree", "table" or "image"
    values : the numbers, as above
    places : (p,) where the values of lines are; None for 1, 2, …
    parents : (m + t,) of a tree, the branching above each leaf and branching, −1 for a root;
        a parent has a larger number, and is not lower
    items, starts : mark j stands for `items[starts[j]:starts[j + 1]]`; without `starts` for one
        item each; without both, mark j is item j where there are as many marks as items
    levels : (items,) of a tree, the height below which each of `items` is in no branch; None: all
        are in theirs from their leaf on
    groups : (m,) the group of each mark, for its colour; −1 for none
    group_names, group_colours : what the groups are called, and their colours, as a clustering's
    rows, columns : names of the rows and columns, of the places of lines, of the axes of a scatter
    cells : the texts of a table, row by row, where `values` would be numbers
    axes : what is across and up
    cut : where a tree was cut into the groups, or None
    """

    encoding_type: ClassVar[str] = "figure"

    form: str
    values: Array
    places: Floats | None = None
    parents: Ints | None = None
    items: Ints | None = None
    starts: Ints | None = None
    levels: Floats | None = None
    groups: Ints | None = None
    group_names: tuple[str, ...] = ()
    group_colours: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    cut: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_form()
        if self.form == "tree":
            self._check_tree()
        if self.marks > MOST_MARKS:
            raise _wrong(
                f"A figure has at most {MOST_MARKS:,} marks. Got {self.marks:,}: let a mark stand "
                "for several items, or draw a sample of them."
            )
        self._check_links()
        self._check_names()

    @property
    def marks(self) -> int:
        """How many marks there are."""
        if self.form == "image":
            return 0
        if self.form == "tree" and self.parents is not None:
            return len(self.parents) - len(np.unique(self.parents[self.parents >= 0]))
        if self.form == "table" and self.cells and self.columns:
            return len(self.cells) // len(self.columns)
        return int(self.values.shape[0])

    @property
    def linked(self) -> bool:
        """Whether its marks stand for items."""
        return self.marks > 0 and (self.items is not None or self._is_one_each)

    @property
    def n(self) -> int:
        """Number of items that it is about; 0 when that is not known."""
        return 0 if self.dataset is None else self.dataset.n

    @property
    def links(self) -> tuple[Ints, Ints]:
        """The items of all marks, and where each mark's begin, with the end of the last."""
        if not self.linked:
            return np.zeros(0, np.int64), np.zeros(self.marks + 1, np.int64)
        items = np.arange(self.marks) if self.items is None else self.items
        starts = np.arange(self.marks + 1) if self.starts is None else self.starts
        return items, starts

    def items_of(self, marks: Array | Sequence[int]) -> Ints:
        """Return the items that some marks, given by number, stand for; each once."""
        items, starts = self.links
        parts = [items[starts[mark] : starts[mark + 1]] for mark in np.asarray(marks).tolist()]
        return np.unique(np.concatenate([np.zeros(0, np.int64), *parts]))

    def shares_in(self, chosen: Array) -> Floats:
        """Return for each mark how much of what it stands for is chosen, 0 to 1.

        Parameters
        ----------
        chosen : (n,) which items are
        """
        items, starts = self.links
        if items.max(initial=-1) >= len(chosen):
            return np.zeros(self.marks)
        sums = np.concatenate([[0], np.cumsum(np.asarray(chosen, np.bool_)[items])])
        return np.asarray(
            (sums[starts[1:]] - sums[starts[:-1]]) / np.maximum(np.diff(starts), 1), np.float64
        )

    @property
    def _is_one_each(self) -> bool:
        return self.items is None and self.dataset is not None and self.marks == self.dataset.n

    def _check_form(self) -> None:
        if self.form not in FORMS:
            raise _wrong(f"A figure is one of: {', '.join(FORMS)}. Got {self.form!r:.80}.")
        wanted = " or ".join(map(str, FORMS[self.form]))
        if self.values.ndim not in FORMS[self.form] or self.values.dtype.kind not in "biuf":
            raise _wrong(
                f"The values of a figure of form '{self.form}' must be real numbers in {wanted} "
                f"dimensions. Got {self.values.dtype} of shape {self.values.shape}."
            )
        if np.isinf(self.values).any():
            raise _wrong("The values of a figure must be finite or missing. Got infinity.")
        if self.form == "scatter" and self.values.shape[1] < 2:
            raise _wrong("A scatter needs two axes or more. Got one: draw bars or lines.")
        colours = self.values.ndim == 3
        if colours and (self.values.shape[2] != 3 or self.values.dtype != np.uint8):
            raise _wrong(
                "A coloured image must be (height, width, 3) bytes. "
                f"Got {self.values.dtype} of shape {self.values.shape}."
            )

    def _check_tree(self) -> None:
        parents, heights = self.parents, self.values
        if parents is None:
            raise _wrong("A tree needs 'parents': the branching above each leaf and branching.")
        self._fit("parents", len(heights))
        below = np.flatnonzero(parents >= 0)
        inner = np.unique(parents[below])
        leaves = len(heights) - len(inner)
        if (
            (len(heights) and not len(inner) and leaves != len(heights))
            or (parents < -1).any()
            or (parents >= len(heights)).any()
            or (parents[below] <= below).any()
            or (len(inner) and inner[0] != leaves)
            or not np.array_equal(inner, np.arange(leaves, len(heights)))
        ):
            raise _wrong(
                "The parents of a tree must number its leaves first and each branching after "
                "those below it, with −1 for a root."
            )
        if np.isnan(heights).any() or (heights[below] > heights[parents[below]]).any():
            raise _wrong("A branching of a tree must not be lower than what is below it.")

    def _check_links(self) -> None:
        if self.items is None:
            if self.starts is not None or self.levels is not None:
                raise _wrong("A figure with 'starts' or 'levels' needs 'items' too.")
            return
        self._fit("items", None)
        if self.starts is None:
            self._fit("items", self.marks)
        else:
            self._fit("starts", self.marks + 1)
            if self.starts[0] != 0 or self.starts[-1] != len(self.items):
                raise _wrong(
                    "The starts must rise from 0 to the number of items: one for each mark, and "
                    "the end of the last."
                )
            if (np.diff(self.starts) < 0).any():
                raise _wrong("The starts of the marks must not fall.")
        self._fit("levels", len(self.items))
        most = self.n or np.iinfo(np.int64).max
        if len(self.items) and (self.items.min() < 0 or self.items.max() >= most):
            raise _wrong(
                f"The marks must stand for items from 0 to {most - 1}. "
                f"Got {int(self.items.min())} to {int(self.items.max())}."
            )

    def _check_names(self) -> None:
        self._fit("groups", self.marks)
        if self.groups is not None and self.groups.min(initial=-1) < -1:
            raise _wrong(f"Groups must be −1 (none) or more. Got {int(self.groups.min())}.")
        wide = self.values.shape[1] if self.values.ndim == 2 else None
        if self.form in ("scatter", "lines", "matrix", "table") and not self.cells:
            self._count("columns", wide)
        if self.cells and (not self.columns or len(self.cells) % len(self.columns)):
            raise _wrong(
                f"The cells of a table must fill its {len(self.columns)} columns. "
                f"Got {len(self.cells)}."
            )
        if self.form != "image":
            self._count("rows", self.marks)
        if self.places is not None:
            self._fit("places", wide)
        if len(self.axes) not in (0, 2):
            raise _wrong(f"'axes' must name what is across and up. Got {len(self.axes)} names.")

    def _count(self, name: str, wanted: int | None) -> None:
        got = len(getattr(self, name))
        if got not in (0, wanted):
            raise _wrong(f"There must be {wanted} names in '{name}', or none. Got {got}.")


def _wrong(sentence: str) -> DataError:
    return DataError(sentence, code="invalid-result")

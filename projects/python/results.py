"""Results of methods in forms for notebooks: arrays, frames, figures."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import CoterieError, DataError
from coterie.core.formats.files.tables import LABEL, ROW, table_of
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.result_types import RESULT_TYPES, type_of_noun
from coterie.core.model.results import Model
from coterie.frames import to_arrow, to_pandas, to_polars

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN_ROWS = 8
PICTURE_SCALE = 0.55  # of a page: enough for a cell of a notebook


Apply = Callable[[str, Any, Any], Any]
"""Applies the model of a method to new items: `apply(use, model, data)`."""


class Result:
    """A result: of a method, of a project, or data that was read.

    All that its noun has can be asked of it directly: `labels`, `k` and `membership` of groups,
    `scores` and `order` of a ranking, `coordinates` of an embedding, `features` of data.

    Attributes
    ----------
    noun : the value itself, such as a `coterie.core.Clustering`
    parts : further results by name, such as "trace", "model" or "spectrum"
    use, params, seed, seconds : which method made it, how, and in what time
    key : of a result in a project, what it is stored under
    """

    def __init__(
        self,
        noun: Any,
        parts: Mapping[str, Any] | None = None,
        *,
        use: str = "",
        params: Mapping[str, Any] | None = None,
        seed: int = 0,
        seconds: float = 0.0,
        key: str = "",
        apply: Apply | None = None,
    ) -> None:
        self.noun, self.key = noun, key
        self.parts = {name: Result(wrapped(part)) for name, part in (parts or {}).items()}
        self._apply = apply
        self.use, self.params = use, dict(params or {})
        self.seed, self.seconds = seed, seconds

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or "noun" not in self.__dict__:
            raise AttributeError(name)
        if hasattr(self.noun, name):
            return getattr(self.noun, name)
        parts = self.__dict__.get("parts", {})
        if name in parts:
            return parts[name]
        kind = type(self.noun).__name__
        raise AttributeError(f"A {kind} has no '{name}'.")

    def __dir__(self) -> list[str]:
        own = [name for name in dir(self.noun) if not name.startswith("_")]
        return sorted({*super().__dir__(), *own, *self.parts})

    @property
    def type(self) -> str:
        """What it is: "clustering", "ranking", "dataset", …"""
        return str(self.noun.encoding_type)

    @property
    def summary(self) -> str:
        """It in half a line: "3 groups of 50, 50 and 50 items"."""
        return RESULT_TYPES[self.type].summary(self.noun)

    def __repr__(self) -> str:
        return f"{type(self.noun).__name__}: {self.summary}"

    def __len__(self) -> int:
        return int(self.noun.n) if hasattr(self.noun, "n") else len(self.to_numpy())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.to_numpy()
        return np.array(array, dtype=dtype) if copy or dtype is not None else array

    # Out ----------------------------------------------------------------------------------------

    def to_numpy(self) -> Array:
        """Return its main array: labels, scores, coordinates, features, the dense matrix."""
        known = RESULT_TYPES[self.type]
        return np.asarray(known.main_array(self.noun))

    def to_scipy(self) -> Any:
        """Return similarities or features as a sparse matrix of scipy."""
        from scipy.sparse import csr_array

        held = self.noun.stored if isinstance(self.noun, Affinity) else None
        if isinstance(self.noun, Affinity) and self.noun.form == "factor":
            held = self.noun.to_dense()
        if isinstance(self.noun, Dataset):
            held = self.noun.features
        if held is None:
            raise DataError(f"A {self.type} is not a matrix. Use to_numpy.", code="not-exportable")
        return held if is_sparse(held) else csr_array(held)

    def to_pandas(self) -> Any:
        """Return it as a pandas frame: a row for each item, named where the items have names."""
        return to_pandas(*self._columns())

    def to_polars(self) -> Any:
        """Return it as a polars frame."""
        return to_polars(*self._columns())

    def to_arrow(self) -> Any:
        """Return it as an Arrow table."""
        return to_arrow(*self._columns())

    def _columns(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Its columns by name, typed where the types are known, and the names of the items."""
        noun = self.noun
        if isinstance(noun, Dataset) and noun.table:
            columns: dict[str, Any] = {column.name: column for column in noun.table}
            if noun.truth is not None and (noun.truth_column or "truth") not in columns:
                columns[noun.truth_column or "truth"] = _truth(noun)
            return columns, noun.items
        if isinstance(noun, Dataset) and noun.on_disk:
            noun.clean_features()  # raises: its pixels are on disk
        table = table_of(noun)
        columns = {
            "label" if name == LABEL else name: _without_blanks(cells)
            for name, cells in zip(table.names, table.columns, strict=True)
        }
        known = type_of_noun(noun)
        if known is not None and known.per_item:  # the index, or the order, says the same
            for name in (ROW, "item"):
                columns.pop(name, None)
        items = _items(noun)
        if items:
            columns.pop("item", None)
        return columns, items

    def to_noun(self) -> Any:
        """Return the noun, for code written for plugins."""
        return self.noun

    # New items ----------------------------------------------------------------------------------

    def apply(self, data: Any) -> Result:
        """Apply what was learnt to new items; raises when there is no model."""
        model = self.noun if isinstance(self.noun, Model) else wrapped(self.parts.get("model"))
        if model is None or self._apply is None:
            raise DataError(
                f"{self.use or 'This result'} has no model, so it cannot be applied to new items. "
                "Learn its groups with a classifier: "
                f"coterie.run('{well_known.CLASSIFIER_NEAREST}', X, groups).",
                code="no-model",
            )
        return Result(self._apply(self.use, model, data), use=self.use, params=self.params)

    def predict(self, data: Any) -> Array:
        """Return the group of each new item, −1 for none."""
        found = self.apply(data).noun
        if not hasattr(found, "labels"):
            raise DataError(f"{self.use} finds no groups. Use transform.", code="no-model")
        return np.asarray(found.labels)

    def predict_proba(self, data: Any) -> Array:
        """Return how much each new item belongs to each group."""
        found = self.apply(data).noun
        if getattr(found, "membership", None) is None:
            raise DataError(f"{self.use} gives no memberships. Use predict.", code="no-memberships")
        return np.asarray(found.membership)

    def transform(self, data: Any) -> Array:
        """Return new features or coordinates of new items."""
        return self.apply(data).to_numpy()

    # Pictures -----------------------------------------------------------------------------------

    def plot(self, ax: Axes | None = None, *, title: str = "") -> Axes:
        """Draw it with matplotlib and return the axes.

        Parameters
        ----------
        ax : axes to draw on; by default those of a new figure, `ax.figure`
        """
        from coterie.core.numerics.drawing.figures import figure_of
        from coterie.core.numerics.drawing.page import on_axes

        with on_axes(ax):
            figure = figure_of(self.noun, title=title)
        return ax if ax is not None else figure.axes[0]

    @cached_property
    def _picture(self) -> str:
        """A small picture as the text of an <img>; empty where there is none."""
        import base64

        from coterie.core.numerics.drawing.figures import figure_of
        from coterie.core.numerics.drawing.page import as_png

        try:
            png = as_png(figure_of(self.noun), PICTURE_SCALE)
        except CoterieError:  # nothing to draw, or nothing to draw with
            return ""
        text = base64.b64encode(png).decode()
        return f'<img alt="{html.escape(self.summary)}" src="data:image/png;base64,{text}">'

    def _repr_html_(self) -> str:
        """It as a cell of a notebook: in words, as a picture, and the notes."""
        made = f" by {html.escape(self.use)}" if self.use else ""
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self.noun.notes)
        parts = ", ".join(map(html.escape, self.parts))
        return (
            f"<div><b>{html.escape(type(self.noun).__name__)}</b>{made}: "
            f"{html.escape(self.summary)}"
            + (f"<ul>{notes}</ul>" if notes else "")
            + (f"<div>{self._picture}</div>" if self._picture else _rows(self))
            + (f"<small>Parts: {parts}</small>" if parts else "")
            + "</div>"
        )


def wrapped(value: Any) -> Any:
    """Return the noun of a result; anything else as it is."""
    return value.noun if isinstance(value, Result) else value


def _without_blanks(cells: Any) -> Any:
    """Numbers with None where a table for people has nothing, such as the rank of who has none."""
    if any(isinstance(cell, str) and not cell for cell in cells) and any(
        not isinstance(cell, str) for cell in cells
    ):
        return [None if cell == "" else cell for cell in cells]
    return cells


def _items(noun: Any) -> tuple[str, ...]:
    data = noun if isinstance(noun, Dataset) else getattr(noun, "dataset", None)
    known = type_of_noun(noun)
    if data is None or known is None or not (known.per_item or isinstance(noun, Dataset)):
        return ()
    return tuple(data.items)


def _truth(data: Dataset) -> Any:
    from coterie.core.model.columns import Column

    if not data.truth_names or data.truth is None:
        return data.truth
    name = data.truth_column or "truth"
    return Column(name, data.truth, type="category", role="label", categories=data.truth_names)


def _rows(result: Result) -> str:
    """The first rows as a table, where there is no picture."""
    if isinstance(result.noun, Affinity | Model):
        return ""
    table = table_of(result.noun)
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in table.names[:SHOWN_ROWS])
    rows = [
        "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row[:SHOWN_ROWS])
        for row, _ in zip(table.rows(), range(SHOWN_ROWS), strict=False)
    ]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"

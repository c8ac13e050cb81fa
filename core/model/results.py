"""What methods find out: groups, orders, coordinates, maps, scores, and how they got there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ClassVar

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, Ints, read_only, settle
from coterie.core.model.dataset import Dataset
from coterie.core.model.group_names import group_name

# Of groups, unless there are as many items: what is listed by group stays short.
MOST_GROUPS = 1 << 16


@dataclass(frozen=True, eq=False, kw_only=True)
class Result:
    """What all results share: the items they are about, remarks for a person, and details."""

    encoding_type: ClassVar[str]
    encoding_version: ClassVar[int] = 1

    title: str = ""
    dataset: Dataset | None = None
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        settle(self)

    def _fit(self, name: str, *shape: int | None) -> None:
        """Refuse an array field that has another shape; None stands for any length."""
        value = getattr(self, name)
        if value is None:
            return
        got = value.shape
        if len(got) != len(shape) or any(
            w not in (None, g) for w, g in zip(shape, got, strict=True)
        ):
            wanted = " × ".join("any" if extent is None else str(extent) for extent in shape)
            raise DataError(
                f"'{name}' must have the shape {wanted}. Got {got}.", code="invalid-result"
            )

    def _fit_dataset(self, n: int) -> None:
        if self.dataset is not None and self.dataset.n != n:
            raise DataError(
                f"A {self.encoding_type} of {n} items does not fit "
                f"a dataset of {self.dataset.n} items.",
                code="items-mismatch",
            )


@dataclass(frozen=True, eq=False, kw_only=True)
class Clustering(Result):
    """A group for each item.

    Attributes
    ----------
    labels : (n,) group of each item, −1 for unassigned clutter
    membership : (n, k) share of each item in each group, or None
    cohesiveness : (k,) how tightly each group holds together, or None
    group_items, group_starts : for overlapping results, group g is
        `group_items[group_starts[g]:group_starts[g+1]]`
    names : a name for each group; empty when they have none
    colours : a colour for each group, "#rrggbb" or the number of a colour of the palette, from 1;
        an empty one, and one that is not there, is the colour of the group's own number
    """

    encoding_type: ClassVar[str] = "clustering"

    labels: Ints
    membership: Floats | None = None
    cohesiveness: Floats | None = None
    group_items: Ints | None = None
    group_starts: Ints | None = None
    names: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._fit("labels", None)
        least, most = int(self.labels.min(initial=-1)), int(self.labels.max(initial=-1))
        if least < -1 or most >= max(self.n, MOST_GROUPS):
            raise DataError(
                f"Labels must be −1 (in no group) or number the groups. Got {least} to {most}.",
                code="invalid-result",
            )
        self._fit("membership", self.n, None)
        self._fit("cohesiveness", None)
        self._check_groups()
        self._fit_dataset(self.n)

    def _check_groups(self) -> None:
        items, starts = self.group_items, self.group_starts
        if items is None and starts is None:
            return
        if items is None or starts is None or items.ndim != 1 or starts.ndim != 1:
            raise DataError(
                "Overlapping groups need both their items and where each group starts.",
                code="invalid-result",
            )
        bounds = np.concatenate([[0], starts, [len(items)]])
        if (
            len(starts) == 0
            or starts[0] != 0
            or starts[-1] != len(items)
            or (np.diff(bounds) < 0).any()
        ):
            raise DataError(
                "The starts of the groups must rise from 0 to the number of their items.",
                code="invalid-result",
            )
        if items.size and (items.min() < 0 or items.max() >= self.n):
            raise DataError(
                f"The groups must hold items from 0 to {self.n - 1}.", code="invalid-result"
            )

    @property
    def n(self) -> int:
        """Number of items."""
        return int(self.labels.shape[0])

    @property
    def k(self) -> int:
        """Number of groups."""
        if self.group_starts is not None:
            return len(self.group_starts) - 1
        return int(self.labels.max(initial=-1)) + 1

    def members(self, group: int) -> Ints:
        """Return the positions of the items in `group`."""
        if self.group_items is not None and self.group_starts is not None:
            return self.group_items[self.group_starts[group] : self.group_starts[group + 1]]
        return np.flatnonzero(self.labels == group)

    @property
    def group_names(self) -> tuple[str, ...]:
        """What each group is called: its name, or its number from 1."""
        return tuple(group_name(group, self.names) for group in range(self.k))


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranking(Result):
    """A score for each item and the order it implies, best first.

    Attributes
    ----------
    scores : (n,) of each item, higher is better
    order : the items, best first; may leave some out, such as those of other groups
    scope : "global", "within-cluster", "across-cluster" or "items"
    relative_to : in words, what the scores are relative to: the whole set, a group, some items
    """

    encoding_type: ClassVar[str] = "ranking"

    scores: Floats
    order: Ints | None = None
    scope: str = "global"
    relative_to: str = "the whole set"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._fit("scores", None)
        if self.order is None:
            # Stable, so equal scores keep the order of the items.
            order = np.argsort(-self.scores, kind="stable")
            object.__setattr__(self, "order", read_only(order))
        else:
            self._check_order(self.order)
        self._fit_dataset(len(self.scores))

    def _check_order(self, order: Ints) -> None:
        self._fit("order", None)
        n = len(self.scores)
        inside = order.size == 0 or (order.min() >= 0 and order.max() < n)
        if not inside or np.bincount(order, minlength=1).max() > 1:
            raise DataError(
                f"The order must name items from 0 to {n - 1}, each at most once.",
                code="invalid-result",
            )


@dataclass(frozen=True, eq=False, kw_only=True)
class Embedding(Result):
    """Coordinates of the items, and the spectrum behind them.

    Attributes
    ----------
    coordinates : (n, m) of each item
    spectrum : eigenvalues that the coordinates come from, or None
    axes : m names of the coordinates; empty when they have none
    """

    encoding_type: ClassVar[str] = "embedding"

    coordinates: Floats
    spectrum: Floats | None = None
    axes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._fit("coordinates", None, None)
        if self.axes and len(self.axes) != self.coordinates.shape[1]:
            raise DataError(
                f"There must be {self.coordinates.shape[1]} names of axes. Got {len(self.axes)}.",
                code="invalid-result",
            )
        self._fit_dataset(self.coordinates.shape[0])

    @property
    def axis_names(self) -> tuple[str, ...]:
        """A name for each coordinate."""
        return self.axes or tuple(f"axis {j + 1}" for j in range(self.coordinates.shape[1]))


@dataclass(frozen=True, eq=False, kw_only=True)
class Spectrum(Result):
    """Eigenvalues, and the number of groups they suggest.

    Attributes
    ----------
    eigenvalues : in the order that matters
    suggested_k : number of groups; 0 for none
    """

    encoding_type: ClassVar[str] = "spectrum"

    eigenvalues: Array
    suggested_k: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Labelling(Result):
    """A class for each pixel of a raster: a map with its class table.

    Attributes
    ----------
    classes : (height, width) class of each pixel, as an index into `names`
    names : of the classes
    colours : (classes, 3) bytes of red, green and blue, or None
    nodata : the number of pixels without data
    crs : coordinate system as WKT; empty for none
    transform : six numbers that lead from rows and columns to coordinates, or None
    """

    encoding_type: ClassVar[str] = "labelling"

    classes: Array
    names: tuple[str, ...] = ()
    colours: Array | None = None
    nodata: int = 255
    crs: str = ""
    transform: Floats | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Model(Result):
    """Named arrays and JSON, enough to apply a fitted method to new items.

    Attributes
    ----------
    arrays : by name
    settings : anything else, as JSON
    """

    encoding_type: ClassVar[str] = "model"

    arrays: Mapping[str, Array] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Score(Result):
    """A number, and the table that explains it.

    Attributes
    ----------
    value : the number
    table : such as classes × groups, or None
    rows, columns : their names
    """

    encoding_type: ClassVar[str] = "metric"

    value: float
    table: Array | None = None
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


def _with_old_keywords(trace: type[Trace]) -> type[Trace]:
    """Let a trace be made as in version 0.1, with objective, residual and support."""
    make = trace.__init__

    @wraps(make)
    def make_or_translate(self: Trace, **given: Any) -> None:
        old = {name: given.pop(name) for name in _OLD_VALUES if name in given}
        if old:
            # Those named win: `replace` passes the present values too.
            given["values"] = {**old, **given.get("values", {}), **old}
        make(self, **given)

    trace.__init__ = make_or_translate  # type: ignore[method-assign]
    return trace


_OLD_VALUES = ("objective", "residual", "support")


@_with_old_keywords
@dataclass(frozen=True, eq=False, kw_only=True)
class Trace(Result):
    """The history of an iterative run, thinned so that it stays small.

    Attributes
    ----------
    iterations : (t,) the iterations that are kept
    values : numbers by name, (t,) each; not a number where a run gave none
    shares : (s, m) the population at the iterations `share_iterations`, a column for each kept item
    labels : (l, m) the labels at the iterations `label_iterations`
    coordinates : (c, m, axes) where items were at the iterations `coordinate_iterations`
    memberships : (p, m, k) how far items had decided for each group, at `membership_iterations`
    share_iterations, label_iterations, coordinate_iterations, membership_iterations : when those
        were
    kept_items : (m,) which items the columns are; None when all
    marks : what happened when, as JSON: [{"iteration": 40, "name": "peeled", …}, …]
    """

    encoding_type: ClassVar[str] = "trace"
    encoding_version: ClassVar[int] = 2

    iterations: Ints
    values: Mapping[str, Array] = field(default_factory=dict)
    share_iterations: Ints | None = None
    shares: Floats | None = None
    label_iterations: Ints | None = None
    labels: Ints | None = None
    coordinate_iterations: Ints | None = None
    coordinates: Floats | None = None
    membership_iterations: Ints | None = None
    memberships: Floats | None = None
    kept_items: Ints | None = None
    marks: tuple[Mapping[str, Any], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._fit("iterations", None)
        for name, column in self.values.items():
            if not name.isidentifier() or name == "iteration":
                raise DataError(
                    f"A trace cannot have a value called '{name:.80}'.", code="wrong-shape"
                )
            if column.dtype.kind not in "biuf" or column.shape != self.iterations.shape:
                raise DataError(
                    f"The value '{name:.80}' of a trace must be {len(self.iterations)} numbers. "
                    f"Got {column.dtype} of shape {column.shape}.",
                    code="wrong-shape",
                )
        for state, dimensions in (("share", 1), ("label", 1), ("coordinate", 2), ("membership", 2)):
            moments = f"{state}_iterations"
            self._fit(moments, None)
            known = getattr(self, moments)
            self._fit(f"{state}s", None if known is None else len(known), *[None] * dimensions)

    def value(self, name: str) -> Floats:
        """Return the values of one name, not a number where there are none.

        >>> Trace(iterations=np.arange(2), values={"objective": np.ones(2)}).value("stress")
        array([nan, nan])
        """
        missing = np.full(len(self.iterations), np.nan)
        return np.asarray(self.values.get(name, missing), dtype=np.float64)

    @property
    def first_name(self) -> str:
        """The name of the value that was shown first; empty when there is none."""
        return next(iter(self.values), "")

    @property
    def objective(self) -> Floats:
        """The values named "objective"."""
        return self.value("objective")

    @property
    def residual(self) -> Floats:
        """The values named "residual"."""
        return self.value("residual")

    @property
    def support(self) -> Floats:
        """The values named "support"."""
        return self.value("support")

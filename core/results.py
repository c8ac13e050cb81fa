"""What methods find out: groups, orders, coordinates, maps, scores, and how they got there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from coterie.core.arrays import Array, Floats, Ints, freeze
from coterie.core.dataset import Dataset
from coterie.core.errors import DataError


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
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, freeze(value))


@dataclass(frozen=True, eq=False, kw_only=True)
class Clustering(Result):
    """A group for each item.

    Attributes
    ----------
    labels : (n,) group of each item, −1 for unassigned clutter
    membership : (n, k) share of each item in each group, or None
    cohesiveness : (k,) how tightly each group holds together, or None
    groups : for overlapping results, group g is `group_items[group_starts[g]:group_starts[g+1]]`
    names : a name for each group; empty when they have none
    """

    encoding_type: ClassVar[str] = "clustering"

    labels: Ints
    membership: Floats | None = None
    cohesiveness: Floats | None = None
    group_items: Ints | None = None
    group_starts: Ints | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.labels.ndim != 1 or not np.issubdtype(self.labels.dtype, np.integer):
            raise DataError(
                "Labels must be one whole number for each item. "
                f"Got an array of {self.labels.dtype} with shape {self.labels.shape}."
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


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranking(Result):
    """A score for each item and the order it implies, best first.

    `relative_to` says in words what the scores are relative to: the whole set, a group, some items.
    """

    encoding_type: ClassVar[str] = "ranking"

    scores: Floats
    order: Ints | None = None
    scope: str = "global"
    relative_to: str = "the whole set"

    def __post_init__(self) -> None:
        if self.order is None:
            # Stable, so that equal scores keep the order of the items.
            order = np.argsort(-np.asarray(self.scores), kind="stable")
            object.__setattr__(self, "order", order)
        super().__post_init__()


@dataclass(frozen=True, eq=False, kw_only=True)
class Embedding(Result):
    """(n, m) coordinates of the items, and the spectrum behind them."""

    encoding_type: ClassVar[str] = "embedding"

    coordinates: Floats
    spectrum: Floats | None = None
    axes: tuple[str, ...] = ()

    @property
    def axis_names(self) -> tuple[str, ...]:
        """A name for each coordinate."""
        return self.axes or tuple(f"axis {j + 1}" for j in range(self.coordinates.shape[1]))


@dataclass(frozen=True, eq=False, kw_only=True)
class Spectrum(Result):
    """Eigenvalues, in the order that matters, and the number of groups they suggest."""

    encoding_type: ClassVar[str] = "spectrum"

    eigenvalues: Array
    suggested_k: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Labelling(Result):
    """A class for each pixel of a raster: a map with its class table."""

    encoding_type: ClassVar[str] = "labelling"

    classes: Array
    names: tuple[str, ...] = ()
    colours: Array | None = None
    nodata: int = 255
    crs: str = ""
    transform: Floats | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Model(Result):
    """Named arrays and JSON, enough to apply a fitted method to new items."""

    encoding_type: ClassVar[str] = "model"

    arrays: Mapping[str, Array] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Score(Result):
    """A number, and the table that explains it (such as classes × groups)."""

    encoding_type: ClassVar[str] = "metric"

    value: float
    table: Array | None = None
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Trace(Result):
    """The history of an iterative run, thinned so that it stays small.

    Attributes
    ----------
    iterations, objective, residual, support : (t,) one entry for each kept iteration
    shares : (s, m) the population at the iterations `share_iterations`, a column for each kept item
    labels : (l, m) the labels at the iterations `label_iterations`, for methods that show labels
    kept_items : (m,) which items the columns are; None when all
    marks : what happened when, as JSON: [{"iteration": 40, "name": "peeled", …}, …]
    """

    encoding_type: ClassVar[str] = "trace"

    iterations: Ints
    objective: Floats
    residual: Floats
    support: Ints
    share_iterations: Ints | None = None
    shares: Floats | None = None
    label_iterations: Ints | None = None
    labels: Ints | None = None
    kept_items: Ints | None = None
    marks: tuple[Mapping[str, Any], ...] = ()

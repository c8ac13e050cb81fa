"""The items that a project is about: their features, names, and known classes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, Ints, Matrix, is_sparse, settle
from coterie.core.model.columns import Column

DatasetKind = Literal["table", "raster", "texts", "images", "relation"]
# What a raster's details call the description of its files (coterie.core.formats.rasters.scene).
SCENE = "scene"


@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset:
    """n items, described by features, by texts, by pictures, or only by their relations.

    Attributes
    ----------
    features : (n, d) floats, dense or CSR, or None
    kind : "table", "raster", "texts", "images" or "relation"
    columns : d feature names
    items : n item names; empty when the items have no names of their own
    truth : (n,) known class of each item as an index into `truth_names`, −1 where unknown
    truth_names : of the classes
    truth_column : what the known classes are called, such as "species"
    texts : n strings
    relation : (n, n) given similarities, for items without features
    thumbnails : (n, height, width) or (n, height, width, 3) bytes
    details : anything else worth keeping, as JSON
    table : all columns of the file with their types and roles; `features` encodes those whose role
        is "feature". Empty for data that has none

    A raster has no features in memory: its items are the pixels of a scene that stays on disk,
    described under "scene" in the details.
    """

    encoding_type: ClassVar[str] = "dataset"
    encoding_version: ClassVar[int] = 1

    title: str = ""
    kind: DatasetKind = "table"
    features: Matrix | None = None
    columns: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    truth: Ints | None = None
    truth_names: tuple[str, ...] = ()
    truth_column: str = ""
    texts: tuple[str, ...] = ()
    relation: Matrix | None = None
    thumbnails: Array | None = None
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    table: tuple[Column, ...] = ()

    def __post_init__(self) -> None:
        settle(self)
        if self.kind not in get_args(DatasetKind):
            kinds = ", ".join(get_args(DatasetKind))
            raise DataError(
                f"A dataset is one of: {kinds}. Got {self.kind!r:.80}.", code="wrong-type"
            )
        if self.features is not None:
            if self.features.ndim != 2:
                raise DataError(
                    f"Features must be a table of items × columns. "
                    f"Got an array of {self.features.ndim} dimensions.",
                    code="wrong-shape",
                )
            if not self.columns:
                names = tuple(f"x{j + 1}" for j in range(self.features.shape[1]))
                object.__setattr__(self, "columns", names)
            _same_length("column names", self.columns, self.features.shape[1])
        if self.truth is not None and self.truth.ndim != 1:
            raise DataError(
                f"The known classes must be one for each item. Got shape {self.truth.shape}.",
                code="wrong-shape",
            )
        if self.thumbnails is not None and self.thumbnails.ndim not in (3, 4):
            raise DataError(
                f"Thumbnails must be items × height × width. Got shape {self.thumbnails.shape}.",
                code="wrong-shape",
            )
        n = self.n
        if self.relation is not None and self.relation.shape != (n, n):
            raise DataError(
                f"Given similarities of {n} items must be {n} × {n}. "
                f"Got shape {self.relation.shape}.",
                code="wrong-shape",
            )
        for name in ("items", "truth", "texts", "thumbnails"):
            value = getattr(self, name)
            if value is not None and len(value):
                _same_length(name, value, n)
        for column in self.table:
            _same_length(f"values of column '{column.name:.80}'", column.values, n)

    @property
    def n(self) -> int:
        """Number of items."""
        for matrix in (self.features, self.relation, self.thumbnails, self.truth):
            if matrix is not None and matrix.ndim:
                return int(matrix.shape[0])
        if self.on_disk:
            sides = [self.details[SCENE].get(side) for side in ("height", "width")]
            return math.prod(side if isinstance(side, int) else 0 for side in sides)
        return len(self.texts) or len(self.items) or (len(self.table[0]) if self.table else 0)

    @property
    def on_disk(self) -> bool:
        """Whether the items are pixels of a scene that are read when they are needed."""
        scene = self.details.get(SCENE)
        return self.kind == "raster" and isinstance(scene, Mapping) and self.features is None

    @property
    def d(self) -> int:
        """Number of features; 0 when there are none."""
        return 0 if self.features is None else int(self.features.shape[1])

    @property
    def item_names(self) -> tuple[str, ...]:
        """A name for each item: its own, or its 1-based position."""
        return self.items or tuple(str(i + 1) for i in range(self.n))

    def item_name(self, item: int) -> str:
        """Return the name of one item; of a million, the others need not be made."""
        return self.items[item] if self.items else str(item + 1)

    def clean_features(self) -> Matrix:
        """Return the features as they are held, dense or CSR, if they are there and all finite."""
        if self.on_disk:
            raise DataError(
                _on_disk(self), offer=(well_known.TRANSFORM_SAMPLE,), code="scene-on-disk"
            )
        if self.features is None:
            raise DataError(
                f"'{self.title}' has no features, only {self.kind}. Choose a method for "
                "similarities, or read the features first.",
                code="features-needed",
            )
        n, d = self.features.shape
        if n == 0 or d == 0:
            raise DataError(
                f"'{self.title}' is empty ({n} items × {d} columns). "
                "Open a file with at least one item and one numeric column.",
                code="empty-data",
            )
        values: Any = self.features
        missing = ~np.isfinite(values.data if is_sparse(values) else values)
        if missing.any():
            if is_sparse(values):
                entry = int(np.flatnonzero(missing)[0])
                item = int(np.searchsorted(values.indptr, entry, side="right")) - 1
                column = int(values.indices[entry])
            else:
                item, column = map(int, np.argwhere(missing)[0])
            count = int(missing.sum())
            some = f"{count:,} missing or infinite values, the first"
            raise DataError(
                f"'{self.title}' has {some if count > 1 else 'a missing or infinite value,'} "
                f"for item {self.item_names[item]} in column '{self.columns[column]}'. "
                "Fill in or drop missing values before this step "
                f"({well_known.TRANSFORM_IMPUTE} does both).",
                offer=(well_known.TRANSFORM_IMPUTE,),
                code="missing-values",
            )
        return self.features

    def dense_features(self) -> Floats:
        """Return the features as a dense, finite float64 array, or say why that is not possible."""
        values: Any = self.clean_features()
        return np.asarray(values.toarray() if is_sparse(values) else values, dtype=np.float64)

    def with_features(self, features: Matrix, columns: tuple[str, ...] | None = None) -> Dataset:
        """Return the same items described by other features."""
        if columns is None:
            columns = self.columns if features.shape[1] == self.d else ()
        return replace(self, kind="table", features=features, columns=columns)

    def take(self, index: Ints) -> Dataset:
        """Return the items at the positions `index`, in that order."""
        if self.on_disk:
            raise DataError(_on_disk(self), code="scene-on-disk")
        chosen = [int(i) for i in index]
        relation: Any = self.relation
        features: Any = self.features
        return replace(
            self,
            features=None if features is None else features[index],
            items=tuple(self.items[i] for i in chosen) if self.items else (),
            truth=None if self.truth is None else self.truth[index],
            texts=tuple(self.texts[i] for i in chosen) if self.texts else (),
            relation=None if relation is None else relation[index][:, index],
            thumbnails=None if self.thumbnails is None else self.thumbnails[index],
            table=tuple(column.take(index) for column in self.table),
        )


def _on_disk(data: Dataset) -> str:
    return (
        f"'{data.title}' is a raster of {data.n:,} pixels, which stay on disk. "
        f"Use a subset of them first ({well_known.TRANSFORM_SAMPLE})."
    )


def _same_length(name: str, values: Any, expected: int) -> None:
    got = values.shape[0] if hasattr(values, "shape") else len(values)
    if got != expected:
        raise DataError(
            f"There must be {expected} {name}, one for each. Got {got}.", code="wrong-shape"
        )

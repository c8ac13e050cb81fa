"""How similar each item is to each other one: a dense, sparse or factored n × n matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints, SparseMatrix, is_sparse, settle
from coterie.core.model.dataset import Dataset

Form = Literal["dense", "sparse", "factor"]

_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False, kw_only=True)
class Affinity:
    """The similarity graph of a dataset. Exactly one of `values`, `sparse`, `factor` is given.

    Attributes
    ----------
    values : (n, n) dense similarities
    sparse : (n, n) CSR similarities; what is not stored is zero
    factor : (n, m) Φ with similarities ΦΦᵀ
    symmetric, nonnegative, positive_semidefinite : what its maker promises
    error : how far entries may be from what they stand for, of a compressed factor: what is above
        −error is not negative. None where they are exact
    dataset : the items it relates
    """

    encoding_type: ClassVar[str] = "affinity"
    encoding_version: ClassVar[int] = 1

    values: Floats | None = None
    sparse: SparseMatrix | None = field(default=None, metadata={"flat": True})
    factor: Floats | None = None
    symmetric: bool = True
    nonnegative: bool = True
    positive_semidefinite: bool = False
    error: float | None = None
    title: str = ""
    dataset: Dataset | None = None
    notes: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        settle(self)
        given = [m for m in (self.values, self.sparse, self.factor) if m is not None]
        if len(given) != 1:
            raise DataError(
                "An affinity holds exactly one of: values, sparse, factor.", code="wrong-shape"
            )
        matrix = given[0]
        if matrix.ndim != 2 or (self.factor is None and matrix.shape[0] != matrix.shape[1]):
            raise DataError(
                f"Similarities must be a square matrix. Got shape {matrix.shape}.",
                code="wrong-shape",
            )
        if self.dataset is not None and self.dataset.n != matrix.shape[0]:
            raise DataError(
                f"Similarities of {matrix.shape[0]} items do not fit "
                f"a dataset of {self.dataset.n} items.",
                code="items-mismatch",
            )

    @property
    def form(self) -> Form:
        """How the matrix is held."""
        if self.values is not None:
            return "dense"
        return "sparse" if self.sparse is not None else "factor"

    @property
    def stored(self) -> Any:
        """The one matrix that is held: similarities, or the factor."""
        return next(m for m in (self.values, self.sparse, self.factor) if m is not None)

    @property
    def n(self) -> int:
        """Number of items."""
        return int(self.stored.shape[0])

    def matvec(self, x: Floats) -> Floats:
        """Return A x in O(n²), O(edges) or O(n m), by form."""
        if self.factor is not None:
            return np.asarray(self.factor @ (self.factor.T @ x))
        return np.asarray(self.stored @ x)

    def column(self, j: int) -> Floats:
        """Return column j of A as a dense vector."""
        if self.values is not None:
            # A row is contiguous; for a symmetric matrix it is the column as well.
            return self.values[j] if self.symmetric else self.values[:, j]
        if self.factor is not None:
            return np.asarray(self.factor @ self.factor[j])
        sparse: Any = self.sparse
        part = sparse[[j], :] if self.symmetric else sparse[:, [j]]
        return np.asarray(part.toarray()).ravel()

    def rows(self, index: Ints) -> Floats:
        """Return the rows at `index` as a dense block: len(index) × n numbers."""
        if self.factor is not None:
            return np.asarray(self.factor[index] @ self.factor.T)
        if self.values is not None:
            return self.values[index]
        sparse: Any = self.sparse
        return np.asarray(sparse[index].toarray())

    def diagonal(self) -> Floats:
        """Return the similarity of each item with itself."""
        if self.factor is not None:
            return np.asarray(np.einsum("ij,ij->i", self.factor, self.factor))
        return np.asarray(self.stored.diagonal())

    def degrees(self) -> Floats:
        """Return the row sums A 1."""
        if self.factor is not None:
            return np.asarray(self.factor @ self.factor.sum(axis=0))
        return np.asarray(self.stored.sum(axis=1)).ravel()

    def submatrix(self, index: Ints) -> Affinity:
        """Return the similarities among the items at `index`, in that order."""
        if self.values is not None:
            part: dict[str, Any] = {"values": self.values[np.ix_(index, index)]}
        elif self.factor is not None:
            part = {"factor": self.factor[index]}
        else:
            sparse: Any = self.sparse
            part = {"sparse": sparse[index][:, index].tocsr()}
        dataset = None if self.dataset is None else self.dataset.take(index)
        return Affinity(
            **part,
            symmetric=self.symmetric,
            nonnegative=self.nonnegative,
            positive_semidefinite=self.positive_semidefinite,
            error=self.error,
            title=self.title,
            dataset=dataset,
        )

    def to_dense(self) -> Floats:
        """Return the whole matrix, n² numbers; a method that calls this says so in its estimate."""
        if self.values is not None:
            return self.values
        if self.factor is not None:
            return np.asarray(self.factor @ self.factor.T)
        sparse: Any = self.sparse
        return np.asarray(sparse.toarray())

    def require_finite(self) -> None:
        """Raise a clear error when an entry is missing or infinite."""
        entries = self.sparse.data if self.sparse is not None else self.stored
        # By blocks, because the answer to `isfinite` is an array as well.
        rows = max(1, _BLOCK // max(1, entries[:1].size))
        if not all(
            np.isfinite(entries[start : start + rows]).all()
            for start in range(0, len(entries), rows)
        ):
            raise DataError(
                f"The similarities '{self.title}' contain missing or infinite values. "
                "Check the features or the matrix they were computed from.",
                code="missing-values",
            )


def affinity_of(value: Any) -> Affinity:
    """Wrap bare similarities, dense or sparse, and find out what is true of them."""
    if is_sparse(value):
        rows = value.tocsr()
        difference: Any = abs(rows - rows.T)
        symmetric = bool(difference.nnz == 0 or difference.max() == 0)
        nonnegative = bool(rows.nnz == 0 or rows.data.min() >= 0)
        return Affinity(sparse=rows, symmetric=symmetric, nonnegative=nonnegative)
    return Affinity(
        values=value,
        symmetric=value.ndim == 2 and bool(np.array_equal(value, value.T)),
        nonnegative=bool(value.min(initial=0) >= 0),
    )

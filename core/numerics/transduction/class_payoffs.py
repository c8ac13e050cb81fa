"""What each class pays to the items that have no label, kept up to date as they decide."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints, is_sparse

RENEWAL = 100  # updates of a dense A P after which it is recomputed, as their rounding adds up
SMALL = 2048  # entries of rows whose products numpy sums sooner than scipy sets them up
FEW = 8  # with fewer than one row in so many moving, an update is cheaper than a new product


class ClassPayoffs:
    """A P for the unlabelled items, at the price of the rows that moved.

    On a sparse graph the items that have a moved neighbour are multiplied again and no others: the
    payoffs are at any time those of a new product. On dense similarities the change is added, and
    the whole renewed now and then. A factor is multiplied whole.

    Parameters
    ----------
    rows : (u, n) similarities of the u unlabelled items to all n: `affinity_rows.Rows`
    P : (n, k) how far each item has decided for each class
    compatibility : (k, k) R, for payoffs A P Rᵀ instead: what each class earns from each other

    >>> payoffs = ClassPayoffs(np.array([[0.0, 1.0, 0.5]]), np.array([[0.5], [1.0], [1.0]]))
    >>> payoffs.values.tolist()
    [[1.5]]
    """

    def __init__(self, rows: Any, P: Floats, compatibility: Floats | None = None) -> None:
        self._rows = rows
        self._given = None if compatibility is None else np.asarray(compatibility).T
        # Which rows have an entry in a column: the items that listen to the column's item.
        self._listeners: Any = self._rows.tocsc() if is_sparse(rows) else None
        self._heard = np.zeros(rows.shape[0], dtype=np.bool_) if is_sparse(rows) else None
        self._updates = 0
        self.values: Floats = np.asarray(self._rows @ self._earned(P))

    @property
    def looks_up(self) -> bool:
        """Whether `follow` needs only to know who moved, and not by how much."""
        return not isinstance(self._rows, np.ndarray)

    def renew(self, P: Floats) -> None:
        """Compute all payoffs again."""
        self.values, self._updates = np.asarray(self._rows @ self._earned(P)), 0

    def _earned(self, P: Floats) -> Floats:
        """What one unit of similarity to each item pays for each class."""
        return P if self._given is None else P @ self._given

    def follow(self, P: Floats, moved: Ints, difference: Floats | None) -> Ints | None:
        """Take in that the items `moved` have changed their rows of P by `difference`.

        With `looks_up` there need be no difference.

        Returns
        -------
        the rows whose payoffs may have changed; None: all
        """
        if FEW * len(moved) >= len(P):
            self.renew(P)
            return None
        if self._listeners is not None:
            return self._follow_sparse(P, moved)
        self._updates += 1
        if difference is not None and not self.looks_up and self._updates < RENEWAL:
            self.values += self._rows[:, moved] @ self._earned(difference)
        else:
            self.renew(P)
        return None

    def _follow_sparse(self, P: Floats, moved: Ints) -> Ints | None:
        heard: Any = self._heard
        _, entries, _ = _entries(self._listeners.indptr, moved)
        heard[self._listeners.indices[entries]] = True
        touched = np.flatnonzero(heard)
        heard[touched] = False
        if 2 * len(touched) > len(self.values):
            self.renew(P)
            return None
        starts, entries, lengths = _entries(self._rows.indptr, touched)
        if self._given is not None or len(entries) > SMALL or not lengths.all():
            self.values[touched] = self._rows[touched] @ self._earned(P)
        elif len(touched):
            # Of few rows, setting up a sparse matrix takes longer than its product.
            terms = self._rows.data[entries, None] * P[self._rows.indices[entries]]
            self.values[touched] = np.add.reduceat(terms, starts, axis=0)
        return touched


def _entries(indptr: Ints, rows: Ints) -> tuple[Ints, Ints, Ints]:
    """Where the entries of each of `rows` begin among theirs, their places, and how many each has.

    >>> starts, entries, lengths = _entries(np.array([0, 2, 3, 5]), np.array([0, 2]))
    >>> starts.tolist(), entries.tolist(), lengths.tolist()
    ([0, 2], [0, 1, 3, 4], [2, 2])
    """
    first = indptr[rows].astype(np.int64)
    lengths = indptr[rows + 1] - first
    ends = np.cumsum(lengths)
    starts = ends - lengths
    total = int(ends[-1]) if len(ends) else 0
    return starts, np.arange(total) + np.repeat(first - starts, lengths), lengths

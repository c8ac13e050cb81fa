"""What each class pays to the items that have no label, kept up to date as they decide."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints, is_sparse

RENEWAL = 100  # updates of a dense A P after which it is recomputed, as their rounding adds up
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
        self._updates = 0
        self.values: Floats = np.asarray(self._rows @ self._earned(P))

    def renew(self, P: Floats) -> None:
        """Compute all payoffs again."""
        self.values, self._updates = np.asarray(self._rows @ self._earned(P)), 0

    def _earned(self, P: Floats) -> Floats:
        """What one unit of similarity to each item pays for each class."""
        return P if self._given is None else P @ self._given

    def follow(self, P: Floats, moved: Ints, difference: Floats) -> Ints | None:
        """Take in that the items `moved` have changed their rows of P by `difference`.

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
        if isinstance(self._rows, np.ndarray) and self._updates < RENEWAL:
            self.values += self._rows[:, moved] @ self._earned(difference)
        else:
            self.renew(P)
        return None

    def _follow_sparse(self, P: Floats, moved: Ints) -> Ints | None:
        heard = np.zeros(len(self.values), dtype=np.bool_)
        heard[self._listeners[:, moved].indices] = True
        touched = np.flatnonzero(heard)
        if 2 * len(touched) > len(self.values):
            self.renew(P)
            return None
        self.values[touched] = self._rows[touched] @ self._earned(P)
        return touched

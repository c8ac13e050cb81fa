"""Starts of a mixture of numbers and categories."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.mixed.factors import fit_encoder
from coterie.core.numerics.mixed.mixture import MixtureData, Round, hard_shares, last_round
from coterie.core.numerics.mixed.prototypes import PrototypeData, spread_start
from coterie.core.numerics.mixed.table import MixedTable
from coterie.core.numerics.partitions.groups import settled_order
from coterie.core.numerics.similarity.tiles import Check


def table_order(table: MixedTable) -> Ints:
    """Return the items in an order that depends on what they are, not on where they stand."""
    return settled_order(fit_encoder(table).encoded(table))


class MixtureStarts:
    """Fits mixtures of several numbers of groups to the same table."""

    def __init__(self, table: MixedTable, items: Floats | None = None) -> None:
        self.data = MixtureData(table, items)
        self._prototypes = PrototypeData(table, items)
        self._order = table_order(table)

    def best(
        self,
        k: int,
        restarts: int,
        rng: np.random.Generator,
        *,
        tolerance: float = 1e-6,
        max_iterations: int = 300,
        check: Check | None = None,
    ) -> tuple[Round, Floats]:
        """Return the end of the most probable start, and the shares that it began with."""
        best: tuple[Round, Floats] | None = None
        for _ in range(restarts):
            labels = spread_start(self._prototypes, k, self._order, rng)
            start = hard_shares(labels, k)
            end = last_round(
                self.data, start, tolerance=tolerance, max_iterations=max_iterations, check=check
            )
            if best is None or end.posterior > best[0].posterior:
                best = (end, start)
        assert best is not None
        return best

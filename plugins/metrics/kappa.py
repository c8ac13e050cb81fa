"""Cohen's kappa: agreement beyond what chance would give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.core.numerics.partitions.agreement import Agreement
from coterie.core.numerics.partitions.contingency import Contingency


class Kappa(Agreement):
    """Agreement of groups and classes beyond chance: 1 when perfect, 0 when by chance.

    Each group stands for the class that the best one-to-one matching gives it; groups left over
    agree with no class.
    """

    id, title = "kappa", "Cohen's kappa"
    reference = "Cohen (1960). A coefficient of agreement for nominal scales."

    def measure(self, table: Contingency, params: Any) -> tuple[float, Mapping[str, Any]]:
        """Return kappa, with the agreement that there is and that chance would give."""
        rows, columns = table.matching()
        agreed = float(table.counts[rows, columns].sum() / table.n)
        of_class = table.counts.sum(axis=1)[rows] / table.n
        of_group = table.counts.sum(axis=0)[columns] / table.n
        by_chance = float((of_class * of_group).sum())
        # One class and one group agree wholly, and could do no else.
        value = 1.0 if by_chance == 1.0 else (agreed - by_chance) / (1 - by_chance)
        return value, {"agreed": agreed, "by_chance": by_chance}

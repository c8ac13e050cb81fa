"""Local consistency error: how far one segmentation is from refining the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from coterie.core.numerics.partitions.agreement import Agreement
from coterie.core.numerics.partitions.contingency import Contingency


class LCE(Agreement):
    """How far groups and classes are from one refining the other: 0 when one does.

    For each item, the share of its class that is outside its group, and the other way round;
    averaged for each item in the better direction.
    """

    id, title = "lce", "Local consistency error"
    reference = (
        "Martin, Fowlkes, Tal, Malik (2001). A database of human segmented natural images. ICCV."
    )

    def measure(self, table: Contingency, params: Any) -> tuple[float, Mapping[str, Any]]:
        """Return the error."""
        of_class, of_group = table.refinement_errors()
        return float(np.minimum(of_class, of_group).sum()) / table.n, {}

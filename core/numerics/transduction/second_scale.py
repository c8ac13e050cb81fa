"""A second, narrower similarity of the same items, along which labels spread.

A wide scale keeps each group in one piece; labels need a narrow one, to stay on their side of the
gaps between groups. With a scale for each, neither has to be tuned: see `neighbour_width`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints, is_sparse
from coterie.core.numerics.features.euler import euler_features, require_unit_range
from coterie.core.numerics.similarity.distances import Check
from coterie.core.numerics.similarity.neighbours import nearest_neighbours
from coterie.core.numerics.transduction.affinity_rows import (
    Rows,
    affinity_rows,
    degree_importance,
    gaussian_rows,
)

NEIGHBOUR = 7  # as for self-tuning similarities
# Of the median distance to the 7th neighbour. Of ¼, ½, 1 and 2 the best on one half of 23 public
# sets (mean adjusted Rand index .64, .62, .57, .55), and on the other (.62, .59, .54, .43).
FRACTION = 0.25
CATEGORIES = ("category", "ordered")

Width = float | Literal["auto"]


@dataclass(frozen=True)
class SecondScale:
    """Along what labels spread.

    Attributes
    ----------
    sigma : the width of a Gaussian of the features; 0: the similarities that are given; "auto":
        `neighbour_width` where all pairs are compared by their features, else those given
    euler : the winding α of an Euler-Gaussian of the features; 0: a plain Gaussian
    normalise : divide each similarity by the square roots of both degrees
    called : the name of the parameter that is the width, for messages
    """

    sigma: Width = 0.0
    euler: float = 0.0
    normalise: bool = False
    called: str = "sigma"

    def forms(self, affinity: Affinity) -> bool:
        """Return whether a second similarity is formed, of all pairs."""
        if self.sigma != "auto":
            return self.sigma > 0
        return affinity.values is not None and _has_numbers(affinity)

    def rows(
        self, affinity: Affinity, items: Ints, *, check: Check | None = None
    ) -> tuple[Rows, float]:
        """Return the similarities of `items` to all, and their width, 0 for those given.

        >>> from coterie.core.model.dataset import Dataset
        >>> data = Dataset(features=np.array([[0.0], [1.0], [2.0]]))
        >>> same = Affinity(values=np.ones((3, 3)), dataset=data)
        >>> rows, sigma = SecondScale("auto").rows(same, np.array([0]))
        >>> rows.round(2).tolist(), sigma
        ([[0.0, 1.0, 0.0]], 0.5)
        >>> SecondScale().rows(same, np.array([0]))[0].tolist()
        [[0.0, 1.0, 1.0]]
        """
        if not self.forms(affinity):
            importance = degree_importance(affinity) if self.normalise else None
            return affinity_rows(affinity, items, importance=importance), 0.0
        X = self._features(affinity)
        sigma = neighbour_width(X, check=check) if self.sigma == "auto" else self.sigma
        return gaussian_rows(X, items, sigma, normalise=self.normalise, check=check), sigma

    def _features(self, affinity: Affinity) -> Floats:
        if affinity.dataset is None or affinity.dataset.features is None:
            raise DataError(
                f"A width '{self.called}' needs features, and these similarities have none. "
                f"Set {self.called} to 0 to spread the labels along the given similarities.",
                code="features-needed",
            )
        X = affinity.dataset.dense_features()
        if not self.euler:
            return X
        require_unit_range(X)
        return euler_features(X, self.euler)


def neighbour_width(X: Floats, *, check: Check | None = None) -> float:
    """Return a quarter of the median distance to the 7th neighbour, 1 when all items coincide.

    >>> neighbour_width(np.arange(9.0)[:, None]), neighbour_width(np.zeros((9, 1)))
    (1.25, 1.0)
    """
    near = min(NEIGHBOUR, len(X) - 1)
    if near < 1:
        return 1.0
    away = nearest_neighbours(X, near, check=check).distances[:, -1]
    apart = away[away > 0]
    return FRACTION * float(np.median(apart)) if len(apart) else 1.0


def _has_numbers(affinity: Affinity) -> bool:
    """Whether all that is known of the items is numbers, none of them missing."""
    data = affinity.dataset
    if data is None or data.features is None or is_sparse(data.features):
        return False
    categories = any(c.role == "feature" and c.type in CATEGORIES for c in data.table)
    return not categories and bool(np.isfinite(np.asarray(data.features)).all())

"""How well a partition is likely to agree with the truth, judged from evidence without labels.

The judgement is learned: boosted regression trees, fitted by `bench/learn_quality.py` on data sets
that are generated with known groups. No public data set takes part in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from coterie.core.model.arrays import Floats, Ints

LEARNED = Path(__file__).with_name("quality.npz")


@dataclass(frozen=True, eq=False)
class Trees:
    """Regression trees that are added up.

    Attributes
    ----------
    feature : (trees, nodes) column that a node looks at, −1 in a leaf
    threshold : values up to it go left
    left, right : (trees, nodes) where to go on
    value : (trees, nodes) what a leaf adds
    start : what is added to
    """

    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats
    start: float

    def predict(self, table: Floats) -> Floats:
        """Return the sum over all trees for each row of the table."""
        trees = np.arange(len(self.feature))[:, None]
        rows = np.arange(len(table))[None, :]
        node = np.zeros((len(self.feature), len(table)), dtype=np.int64)
        while True:
            feature = self.feature[trees, node]
            inner = feature >= 0
            if not inner.any():
                return np.asarray(self.start + self.value[trees, node].sum(axis=0))
            low = table[rows, np.maximum(feature, 0)] <= self.threshold[trees, node]
            onward = np.where(low, self.left[trees, node], self.right[trees, node])
            node = np.where(inner, onward, node)


@cache
def learned_trees() -> Trees:
    """Return the trees that come with Coterie."""
    with np.load(LEARNED) as kept:
        return Trees(
            feature=kept["feature"].astype(np.int64),
            threshold=kept["threshold"].astype(np.float64),
            left=kept["left"].astype(np.int64),
            right=kept["right"].astype(np.int64),
            value=kept["value"].astype(np.float64),
            start=float(kept["start"]),
        )


def expected_quality(table: Floats) -> Floats:
    """Return the adjusted Rand index with the unknown truth that each row of evidence suggests."""
    return np.clip(learned_trees().predict(table), 0.0, 1.0)

"""Boosted regression trees for questions about the items of a set together.

The trees are scikit-learn's; what they are fitted to may be any function of the sums so far, such
as how good the choice is that they make within each set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Slopes = Callable[[Numbers], tuple[Numbers, Numbers]]
"""The first and second derivative of the loss by the sum of each row."""

LEAVES, LEAST, RIDGE, BINS, COLUMNS = 12, 40, 1.0, 48, 0.5
LEAST_CURVATURE = 1e-3


@dataclass(frozen=True)
class Boosted:
    """Trees that are added up, from a start; `trees` are scikit-learn's predictors."""

    trees: list[Any]
    start: float

    def predict(self, X: Numbers) -> Numbers:
        """Return the sum for each row."""
        rows = np.ascontiguousarray(X, dtype=np.float64)
        none, columns = np.zeros((0, 8), np.uint32), np.zeros(X.shape[1], np.uint32)
        return self.start + sum((t.predict(rows, none, columns, 1) for t in self.trees), 0.0)


def boosted(
    X: Numbers,
    slopes: Slopes,
    *,
    start: float,
    rate: float,
    rounds: int,
    rising: NDArray[np.int8],
    seed: int,
) -> Boosted:
    """Fit trees one after another, each to the slopes of the loss at the sum of those before.

    Parameters
    ----------
    rising : 1 for each column with which the sum may only rise
    """
    from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper
    from sklearn.ensemble._hist_gradient_boosting.grower import TreeGrower

    rng = np.random.default_rng(seed)
    mapper = _BinMapper(n_bins=BINS + 1, random_state=seed)
    binned = np.asfortranarray(mapper.fit_transform(np.asarray(X, dtype=np.float64)))
    found = Boosted([], start)
    sums = np.full(len(X), start)
    for _ in range(rounds):
        first, second = slopes(sums)
        grower = TreeGrower(
            binned, first.astype(np.float32), second.astype(np.float32),
            max_leaf_nodes=LEAVES, min_samples_leaf=LEAST, l2_regularization=RIDGE,
            shrinkage=rate, n_bins=BINS + 1, n_bins_non_missing=mapper.n_bins_non_missing_,
            has_missing_values=False, feature_fraction_per_split=COLUMNS, monotonic_cst=rising,
            rng=np.random.default_rng(int(rng.integers(2**31))), n_threads=1,
            min_hessian_to_split=LEAST_CURVATURE,
        )  # fmt: skip
        grower.grow()
        tree = grower.make_predictor(binning_thresholds=mapper.bin_thresholds_)
        found.trees.append(tree)
        sums = sums + Boosted([tree], 0.0).predict(X)
    return found


def squared(y: Numbers, weight: Numbers) -> Slopes:
    """The slopes of the weighted squared error."""
    weight = weight / weight.mean()
    return lambda sums: (weight * (sums - y), weight)


def regret(y: Numbers, of: NDArray[np.int64], softness: float) -> Slopes:
    """The slopes of what is lost by choosing a row of each set, the likelier the larger its sum.

    Parameters
    ----------
    y : what each row is worth
    of : the number of its set, from 0 without gaps
    softness : difference of the sums that makes a row e times as likely
    """
    sets = int(of.max()) + 1

    def slopes(sums: Numbers) -> tuple[Numbers, Numbers]:
        most = np.full(sets, -np.inf)
        np.maximum.at(most, of, sums)
        likely = np.exp((sums - most[of]) / softness)
        likely /= np.bincount(of, likely, sets)[of]
        gain = y - np.bincount(of, likely * y, sets)[of]
        return -likely * gain, np.maximum(likely * (1 - likely), LEAST_CURVATURE)

    return slopes

"""A mixture of groups in each of which numbers are Gaussian and categories have shares.

Within a group the columns are independent, so a missing value is integrated out by leaving its
factor away: nothing is filled in. Weak priors keep variances and shares from reaching zero; EM
maximises the posterior, which never falls.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.mixed.table import MixedTable, indicators, most_shared, standardised
from coterie.core.numerics.similarity.tiles import Check

# The prior is worth this many items of each group, spread as the whole table is. For a variance
# it says that a group is rarely narrower than a tenth of the deviation of all items.
PRIOR_ITEMS = 1.0
NARROW = 0.01
LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False)
class MixedGroups:
    """Fitted groups, in units of standardised numbers.

    Attributes
    ----------
    weights : (k,) share of each group
    means, variances : (k, p)
    log_shares : (k, Σ levels) logarithm of the share of each category in each group
    """

    weights: Floats
    means: Floats
    variances: Floats
    log_shares: Floats

    @property
    def k(self) -> int:
        return len(self.weights)


@dataclass(frozen=True, eq=False)
class Round:
    """After a round of EM.

    Attributes
    ----------
    mixture : that the rest is of
    shares : (n, k) of each item in each group
    likelihood : logarithm, summed over the items by their weights
    posterior : likelihood and prior; never falls
    """

    mixture: MixedGroups
    shares: Floats
    likelihood: float
    posterior: float


@dataclass(eq=False)
class MixtureData:
    """A table prepared for EM: everything is a matrix product afterwards.

    `items` are the weights of the items, 1 unless given.
    """

    table: MixedTable
    items: Floats | None = None
    known: Floats = field(init=False)
    values: Floats = field(init=False)
    squares: Floats = field(init=False)
    coded: Floats = field(init=False)
    mean: Floats = field(init=False)
    deviation: Floats = field(init=False)

    def __post_init__(self) -> None:
        scaled, self.mean, self.deviation = standardised(self.table)
        # A constant number says nothing of groups.
        scaled = np.where(self.deviation > 0, scaled, np.nan)
        self.known = (~np.isnan(scaled)).astype(np.float64)
        self.values = np.nan_to_num(scaled)
        self.squares = self.values**2
        self.coded = indicators(self.table)
        if self.items is None:
            self.items = np.ones(self.table.n)
        # A value that many items share is as good as a category, and no group may save more by it
        # than what it says, −log p of its share p. All of them at its mean, a group saves half of
        # 1 − log v on each, so the variance v is at least e p².
        self._least = np.e * most_shared(scaled, self.items) ** 2
        weighted = self.items @ self.coded
        self._column = np.repeat(np.arange(self.table.q), self.table.levels)
        totals = np.bincount(self._column, weighted, self.table.q)
        counts = np.asarray(self.table.levels, dtype=np.float64)
        # A category that nobody has must not get a share of 0.
        self._prior = (weighted + 1.0) / (totals + counts)[self._column] * PRIOR_ITEMS

    @property
    def free(self) -> int:
        """Number of free parameters of one group, beside its share."""
        varying = int((self.deviation > 0).sum())
        seen = (self.coded.any(axis=0)).astype(np.int64)
        per_column = np.bincount(self._column, seen, self.table.q).astype(np.int64)
        return 2 * varying + int(np.maximum(per_column - 1, 0).sum())

    def fitted(self, shares: Floats) -> MixedGroups:
        """Return the groups that are most probable given the shares of the items in them."""
        assert self.items is not None
        own = (shares * self.items[:, None]).T
        sizes = own.sum(axis=1)
        k = len(sizes)
        weights = (sizes + PRIOR_ITEMS / k) / (sizes.sum() + PRIOR_ITEMS)
        counts = own @ self.known
        # The mean has a prior of the whole table's mean, 0, as if seen once with its variance.
        sums = own @ self.values
        means = sums / (counts + PRIOR_ITEMS)
        scatter = own @ self.squares - 2 * means * sums + means**2 * counts
        scatter = np.maximum(scatter, 0.0) + PRIOR_ITEMS * (means**2 + NARROW)
        variances = np.maximum(scatter / (counts + PRIOR_ITEMS * 2), self._least)
        marks = own @ self.coded + self._prior
        totals = np.zeros((k, max(1, self.table.q)))
        for j in range(self.table.q):
            totals[:, j] = marks[:, self._column == j].sum(axis=1)
        log_shares = np.log(marks) - np.log(totals[:, self._column]) if marks.size else marks
        return MixedGroups(weights, means, variances, log_shares)

    def log_densities(self, mixture: MixedGroups) -> Floats:
        """Return (n, k) logarithms of weight times density."""
        precision = 1.0 / mixture.variances
        found = -0.5 * (
            self.squares @ precision.T
            - 2 * self.values @ (precision * mixture.means).T
            + self.known @ (precision * mixture.means**2 + np.log(mixture.variances) + LOG_2PI).T
        )
        found += self.coded @ mixture.log_shares.T
        return np.asarray(found + np.log(mixture.weights))

    def log_prior(self, mixture: MixedGroups) -> float:
        """Return the logarithm of the prior that `fitted` maximises, less a constant."""
        k = mixture.k
        found = PRIOR_ITEMS / k * float(np.log(mixture.weights).sum())
        v = mixture.variances
        varying = self.deviation > 0
        spread = -0.5 * PRIOR_ITEMS * (2 * np.log(v) + (mixture.means**2 + NARROW) / v)
        found += float(spread[:, varying].sum())
        return found + float((mixture.log_shares @ self._prior).sum())

    def expected(self, mixture: MixedGroups) -> Round:
        """Return the shares of the items, and how likely all are."""
        assert self.items is not None
        log_density = self.log_densities(mixture)
        largest = log_density.max(axis=1, keepdims=True)
        shares = np.exp(log_density - largest)
        total = shares.sum(axis=1, keepdims=True)
        shares /= total
        likelihood = float(self.items @ (largest + np.log(total))[:, 0])
        return Round(mixture, shares, likelihood, likelihood + self.log_prior(mixture))

    def criterion(self, found: Round) -> float:
        """Return the Bayesian information criterion; smaller is better."""
        assert self.items is not None
        free = found.mixture.k * (self.free + 1) - 1
        return -2 * found.likelihood + free * float(np.log(max(self.items.sum(), 2.0)))

    def column_gains(self, found: Round) -> Floats:
        """Return how much each column says about the groups, in nats per item, numbers first.

        It is the mean gain of log-likelihood by knowing the group of an item, of the values known.
        """
        assert self.items is not None
        one = self.fitted(np.ones((self.table.n, 1)))
        own = found.shares * self.items[:, None]
        gains = np.zeros(self.table.p + self.table.q)
        total = float(self.items.sum())
        for j in range(self.table.p):
            if self.deviation[j] > 0:
                gains[j] = float(
                    (own * self._number(found.mixture, j)).sum()
                    - self.items @ self._number(one, j)[:, 0]
                )
        for j in range(self.table.q):
            columns = self._column == j
            marks = own.T @ self.coded[:, columns]
            overall = self.items @ self.coded[:, columns]
            gains[self.table.p + j] = float(
                (marks * found.mixture.log_shares[:, columns]).sum()
                - overall @ one.log_shares[0, columns]
            )
        return np.maximum(gains, 0.0) / max(total, 1e-300)

    def _number(self, mixture: MixedGroups, j: int) -> Floats:
        away = (self.values[:, j, None] - mixture.means[:, j]) ** 2 / mixture.variances[:, j]
        log = -0.5 * (away + np.log(mixture.variances[:, j]) + LOG_2PI)
        return np.asarray(log * self.known[:, j, None])


def new_shares(table: MixedTable, arrays: Mapping[str, Array]) -> Floats:
    """Return (n, k) shares of new items in fitted groups.

    `arrays` are those of a model: weights, means, variances and logarithms of the shares of the
    groups, and the mean and deviation that the numbers were standardised by.
    """
    deviation = np.asarray(arrays["deviation"])
    varies = deviation > 0
    scaled = (table.numbers - arrays["mean"]) / np.where(varies, deviation, 1.0)
    scaled = np.where(varies, scaled, np.nan)
    known = ~np.isnan(scaled)
    variances, means = np.asarray(arrays["variances"]), np.asarray(arrays["means"])
    found = (
        np.log(np.asarray(arrays["group_weights"]))
        + indicators(table) @ np.asarray(arrays["log_shares"]).T
    )
    for group in range(len(means)):
        away = (scaled - means[group]) ** 2 / variances[group] + np.log(variances[group]) + LOG_2PI
        found[:, group] -= 0.5 * np.where(known, away, 0.0).sum(axis=1)
    found = np.exp(found - found.max(axis=1, keepdims=True))
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def rounds(
    data: MixtureData, shares: Floats, *, tolerance: float = 1e-6, max_iterations: int = 300
) -> Iterator[Round]:
    """Yield each round of EM from the shares of a start, until an item gains less than this."""
    n = max(1, data.table.n)
    before = -np.inf
    for _ in range(max_iterations):
        found = data.expected(data.fitted(shares))
        yield found
        if found.posterior - before < tolerance * n:
            return
        before, shares = found.posterior, found.shares


def last_round(
    data: MixtureData,
    shares: Floats,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 300,
    check: Check | None = None,
) -> Round:
    """Return the last of `rounds`; `check` is called in each, to let a run be cancelled."""
    last: deque[Round] = deque(maxlen=1)
    for found in rounds(data, shares, tolerance=tolerance, max_iterations=max_iterations):
        last.append(found)
        if check is not None:
            check()
    return last.pop()


def hard_shares(labels: Ints, k: int) -> Floats:
    """Return all of each item in the group that it is labelled with."""
    return np.asarray(np.eye(k)[labels])

"""k-means: the best of many starts found quickly, then shown round by round."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from coterie.core.api.components import Clusterer
from coterie.core.api.context import Context
from coterie.core.api.curves import Curve
from coterie.core.api.parameters import Field
from coterie.core.model.arrays import Floats, Ints, is_sparse
from coterie.core.numerics.mixtures.kmeans_batch import linear_features, spread_centres
from coterie.core.numerics.partitions.groups import settled_order
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.tiles import Check

MOST_ROUNDS = 300
FEW_COLUMNS = 16  # up to so many, sums column by column are quicker than a product
SAME_CENTRE = 1e-14  # of the largest value: what the sums of a mean may be off by

MEANS_CURVES = (
    Curve(
        "objective",
        "sum of squares",
        "Squared distances of the items to their centres, summed; falls.",
    ),
    Curve(
        "residual",
        "share that moved",
        "Share of the items that changed their group in this round; 0 at the end.",
        log=True,
    ),
    Curve("support", "", "Number of groups, as given."),
)


class MeansParams(Clusterer.Params):
    """What every k-means asks for."""

    k: int = Field(
        2,
        ge=1,
        description="Number of groups; two unless you know better.",
        json_schema_extra={"slider": [1, 20]},
    )
    restarts: int = Field(
        50,
        ge=1,
        description="Number of spread starts (k-means++); the best one is kept.",
        json_schema_extra={"slider": [1, 200], "advanced": True},
    )
    max_iterations: int = Field(
        300,
        ge=1,
        description="Maximum number of rounds per start; the result reports when it was reached.",
        json_schema_extra={"advanced": True},
    )


@dataclass(frozen=True, eq=False)
class KMeansRound:
    """One round: the group of each item, the means that it was assigned by, and the sum of squares.

    `moved` is the share of all items that changed their group; of the first round it is not a
    number, as they had none. `settled` says that another round would change nothing.
    """

    labels: Ints
    centres: Floats
    objective: float
    settled: bool
    moved: float = float("nan")


def lloyd(
    X: Any,
    centres: Floats,
    *,
    weights: Floats | None = None,
    max_iterations: int = MOST_ROUNDS,
) -> Iterator[KMeansRound]:
    """Yield each round of k-means: items to the nearest centre, centres to the mean of theirs.

    The sum of squares never rises. A centre that loses all its items moves to the item farthest
    from its own.

    Parameters
    ----------
    X : (n, d) features, dense or CSR
    centres : (k, d) where to start
    weights : (n,) of the items, alike unless given; a weight of 2 counts as two equal items

    Examples
    --------
    >>> *_, last = lloyd(np.array([[0.0], [1.0], [9.0]]), np.array([[0.0], [1.0]]))
    >>> last.labels.tolist(), last.objective
    ([0, 0, 1], 0.5)
    """
    k = len(centres)
    norms = np.asarray(X.multiply(X).sum(axis=1)).ravel() if is_sparse(X) else (X * X).sum(axis=1)
    before: Ints | None = None
    least = np.inf
    for number in range(1, max_iterations + 1):
        scores = np.asarray(X @ centres.T) * -2.0
        scores += np.einsum("ij,ij->i", centres, centres)
        labels = scores.argmin(axis=1)
        away = np.maximum(scores[np.arange(len(labels)), labels] + norms, 0.0)
        counts = np.bincount(labels, minlength=k)
        for empty in np.flatnonzero(counts == 0):
            # From groups of several only: an item alone must not leave a group empty in turn.
            farthest = int(np.argmax(np.where(counts[labels] > 1, away, -1.0)))
            counts[labels[farthest]] -= 1
            labels[farthest], away[farthest], counts[empty] = empty, 0.0, 1
        moved = float("nan") if before is None else float((labels != before).mean())
        total = float(away.sum() if weights is None else (weights * away).sum())
        # Where identical items divide several groups, rounding alone would move them for ever.
        settled = moved == 0.0 or total >= least
        least = min(least, total)
        yield KMeansRound(labels, centres, total, settled, moved)
        if settled or number == max_iterations:
            return
        before = labels
        centres = _means(X, labels, counts, weights)


def best_kmeans(
    X: Any,
    k: int,
    restarts: int,
    context: Context,
    *,
    weights: Floats | None = None,
    max_iterations: int = MOST_ROUNDS,
) -> tuple[KMeansRound, Floats]:
    """Run from many spread starts, then show the best once more; return its end and all sums.

    The rounds are products of matrices, and so as quick as a library's for groups of any number.
    Starts are shared by the cores, or by the machines of a cluster, with the same result.

    Parameters
    ----------
    X : (n, d) dense or CSR, n at least k
    weights : (n,) of the items, alike unless given

    Returns
    -------
    means, objectives : the last round of the best start, and (restarts,) sums of squares
    """
    from threadpoolctl import threadpool_limits

    require_squares(X.data[:, None] if is_sparse(X) else X)
    # Around the middle, where sums of squares lose no digits; a sparse table must stay sparse.
    shift = np.zeros(X.shape[1]) if is_sparse(X) else X.mean(axis=0)
    Y = X if is_sparse(X) else X - shift
    order = settled_order(Y)
    starting = _Starting(Y, order, k, weights, max_iterations, context)
    seeds = [int(context.rng.integers(2**31 - 1)) for _ in range(restarts)]
    objectives = np.empty(restarts)
    best: Floats | None = None
    if not context.crew.away:
        _ = starting.ordered  # now: threads would each make a copy of all items at once
    found = context.each(starting, seeds)
    with threadpool_limits(limits=1, user_api="blas"), closing(found):
        for number in range(restarts):
            context.progress(0.9 * number / restarts, 1, f"start {number + 1} of {restarts}")
            start, objectives[number] = next(found)
            if best is None or objectives[number] < objectives[:number].min():
                best = start
    assert best is not None
    again = lloyd(Y, best, weights=weights, max_iterations=max_iterations)
    for number, means in enumerate(again, 1):
        context.frame(
            number,
            objective=means.objective,
            residual=means.moved,
            support=k,
            phase="best start",
            labels=means.labels,
        )
        context.event("means", centres=(means.centres + shift)[:, :8], objective=means.objective)
    end = KMeansRound(means.labels, means.centres + shift, means.objective, means.settled)
    context.progress(1, 1, "done")
    return end, objectives


@dataclass(frozen=True, eq=False)
class _Starting:
    """A run from a spread start, by its seed; on a core, or on a machine of a cluster."""

    items: Any
    order: Ints
    k: int
    weights: Floats | None
    max_iterations: int
    context: Context

    @cached_property
    def ordered(self) -> Any:
        return self.items[self.order]

    def __call__(self, seed: int) -> tuple[Floats, float]:
        """Return where it began, and the sum of squares that it ended with."""
        drawn = None if self.weights is None else self.weights[self.order]
        start = spread_start(self.ordered, self.k, seed, drawn)
        objective = np.inf
        for means in lloyd(
            self.items, start, weights=self.weights, max_iterations=self.max_iterations
        ):
            self.context.check()
            objective = means.objective
        return start, objective


def spread_start(ordered: Any, k: int, seed: int, weights: Floats | None = None) -> Floats:
    """Return (k, d) items as first centres, far from each other: greedy k-means++.

    >>> sorted(spread_start(np.array([[0.0], [1.0], [9.0]]), 3, 0).ravel().round(9).tolist())
    [0.0, 1.0, 9.0]
    """
    if weights is None and not is_sparse(ordered):
        middle = ordered.mean(axis=0)
        rng = np.random.default_rng(seed)
        return np.asarray(spread_centres(linear_features(ordered), k, 1, rng)[:, 0] + middle)
    from sklearn.cluster import kmeans_plusplus

    start, _ = kmeans_plusplus(ordered, k, sample_weight=weights, random_state=seed)
    return np.asarray(start.toarray() if is_sparse(start) else start)


def quick_kmeans(
    X: Floats, k: int, restarts: int, rng: np.random.Generator, check: Check | None = None
) -> Ints:
    """Return the groups of the best of so many starts, as `best_kmeans` finds them.

    >>> X = np.array([[0.0], [1.0], [9.0], [9.5]])
    >>> labels = quick_kmeans(X, 2, 1, np.random.default_rng(0))
    >>> bool(labels[0] == labels[1] != labels[2] == labels[3])
    True
    """
    middle = X - X.mean(axis=0)
    ordered = middle[settled_order(middle)]
    ends: list[KMeansRound] = []
    for seed in [int(rng.integers(2**31 - 1)) for _ in range(restarts)]:
        if check is not None:
            check()
        *_, end = lloyd(middle, spread_start(ordered, k, seed))
        ends.append(end)
    return min(ends, key=lambda end: end.objective).labels


def remarks(means: KMeansRound, max_iterations: int) -> tuple[str, ...]:
    """What a person should know of a run: that a limit was hit, or that groups are the same."""
    said = []
    if not means.settled:
        said.append(f"The best start had not settled after the limit of {max_iterations} rounds.")
    k, different = len(means.centres), _different(means.centres)
    if different < k:
        said.append(
            f"Only {different} of the {k} groups differ: there are fewer distinct items than "
            "groups, so identical items were split arbitrarily. Choose fewer groups."
        )
    return tuple(said)


def summary(means: KMeansRound, objectives: Floats) -> dict[str, Any]:
    """For the details of a result."""
    least = float(objectives.min())
    agree = objectives <= least + 1e-9 * abs(least) + 1e-300
    return {
        "objective": means.objective,
        "restarts": len(objectives),
        "restarts_that_agree": int(agree.sum()),
        "worst_objective": float(objectives.max()),
        "settled": means.settled,
    }


def _means(X: Any, labels: Ints, counts: Ints, weights: Floats | None) -> Floats:
    """The mean of the items of each group; of those without any weight, the plain one."""
    k = len(counts)
    if weights is None:
        return np.asarray(_sums(X, labels, k, np.ones(len(labels))) / counts[:, None])
    light = np.bincount(labels, weights, k) == 0
    own = np.where(light[labels], 1.0, weights)
    return np.asarray(_sums(X, labels, k, own) / np.bincount(labels, own, k)[:, None])


def _sums(X: Any, labels: Ints, k: int, weights: Floats) -> Floats:
    """The weighted sum of the items of each group."""
    if not is_sparse(X) and X.shape[1] <= FEW_COLUMNS:
        return np.column_stack([np.bincount(labels, weights * x, k) for x in X.T])
    from scipy.sparse import csr_array

    n = len(labels)
    member = csr_array((weights, labels, np.arange(n + 1)), shape=(n, k))
    sums = member.T @ X
    return np.asarray(sums.toarray() if is_sparse(sums) else sums)


def _different(centres: Floats) -> int:
    """How many centres are more than rounding apart."""
    scale = float(np.abs(centres).max(initial=0.0))
    left = np.asarray(centres / (scale or 1.0))
    count = 0
    while len(left):
        count += 1
        left = left[np.abs(left - left[0]).max(axis=1, initial=0.0) > SAME_CENTRE]
    return count

"""From rows of numbers to groups: Yu and Shi's rotation to indicators, and k-means with restarts.

Both are generators of their states, best so far last, so a run can be shown and ended.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.partitions.groups import settled_order

AGREEING = 3  # starts of k-means whose agreement on the lowest sum is enough
MOST_ROUNDS = 200  # rotations of one start; a few dozen suffice unless rows are between groups
# Rows shorter than this share of the longest have no direction.
NO_DIRECTION = 1e-12


@dataclass(frozen=True)
class Discretised:
    """Groups, and how far they are from what they were made of.

    Attributes
    ----------
    labels : (n,) −1 for rows without a direction
    objective : what is minimised; falls from state to state of one start
    start : which start this is, from 0
    """

    labels: Ints
    objective: float
    start: int


def yu_shi(
    vectors: Floats, *, restarts: int, rng: np.random.Generator, max_rounds: int = MOST_ROUNDS
) -> Iterator[Discretised]:
    """Turn the rows of `vectors` until they are nearest to indicators of groups.

    Rows are brought to unit length (X̃). In turns, Z takes the largest entry of each row of X̃R, and
    the rotation R is refitted by a singular value decomposition; neither lets ‖Z − X̃R‖² rise.
    The first start takes the row farthest from the mean, the others one at random, and then rows
    as perpendicular to those before as there are.

    Parameters
    ----------
    vectors : (n, k) eigenvectors as columns, in any rotation
    restarts : number of starts

    Yields
    ------
    Discretised : every state of every start; `best_of` picks the lowest

    References
    ----------
    Yu, Shi (2003). Multiclass spectral clustering. ICCV.

    Examples
    --------
    >>> turned = np.array([[1.0, 1], [1, 1], [1, -1], [2, -2]])
    >>> best_of(yu_shi(turned, restarts=2, rng=np.random.default_rng(0))).labels.tolist()
    [0, 0, 1, 1]
    """
    rows, directed = _unit_rows(vectors)
    if not directed.any():
        yield Discretised(np.full(len(rows), -1, dtype=np.int64), 0.0, 0)
        return
    middle = rows[directed].mean(axis=0)
    order = settled_order(rows)
    candidates = order[directed[order]]
    for start in range(max(1, restarts)):
        if start == 0:
            first = int(candidates[np.argmin(rows[candidates] @ middle)])
        else:
            first = int(rng.choice(candidates))
        for labels, objective in _rotations(rows, directed, first, max_rounds):
            yield Discretised(labels, objective, start)


def k_means(
    rows: Floats, k: int, *, restarts: int, rng: np.random.Generator
) -> Iterator[Discretised]:
    """Return k-means groups of the rows, a state for each start, by scikit-learn's engine.

    The objective is the sum of squared distances to the means of the groups. Starts end when three
    of them have come to the same lowest sum.

    >>> rows = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> labels = best_of(k_means(rows, 2, restarts=3, rng=np.random.default_rng(0))).labels
    >>> bool(labels[0] == labels[1]), bool(labels[1] == labels[2])
    (True, False)
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    order = settled_order(rows)
    points: Any = np.ascontiguousarray(rows[order], dtype=np.float64)
    sums: list[float] = []
    for start in range(max(1, restarts)):
        model = KMeans(k, n_init=1, random_state=int(rng.integers(2**31 - 1)), copy_x=False)
        with warnings.catch_warnings():
            # Fewer distinct rows than groups: the result has fewer groups, and says so.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(points)
        labels = np.empty(len(order), dtype=np.int64)
        labels[order] = model.labels_
        sums.append(float(model.inertia_))
        yield Discretised(labels, sums[-1], start)
        if sum(one <= min(sums) * (1 + 1e-9) for one in sums) >= AGREEING:
            return


def best_of(
    states: Iterator[Discretised], cost: Callable[[Discretised], float] | None = None
) -> Discretised:
    """Return the state with the lowest objective, or another cost, the first of equal ones.

    A state in which fewer groups have members comes after all with more, whatever its cost: who
    asks for three groups is not served by two, which are nearly always cheaper.
    """
    measure = cost or (lambda state: state.objective)
    best = next(states)
    groups, least = _groups(best), measure(best)
    for state in states:
        made, found = _groups(state), measure(state)
        # A gain by rounding only does not count: the result would depend on the machine.
        if made > groups or (made == groups and found < least - 1e-9 * max(1e-3, abs(least))):
            best, groups, least = state, made, found
    return best


def _groups(state: Discretised) -> int:
    labels = state.labels[state.labels >= 0]
    return int(np.count_nonzero(np.bincount(labels))) if len(labels) else 0


def unit_rows(vectors: Floats) -> Floats:
    """Return the rows at unit length; those without a direction stay zero.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    return _unit_rows(vectors)[0]


def _unit_rows(vectors: Floats) -> tuple[Floats, Any]:
    lengths = np.linalg.norm(vectors, axis=1)
    directed = lengths > NO_DIRECTION * lengths.max(initial=0.0)
    rows = np.zeros_like(vectors, dtype=np.float64)
    rows[directed] = vectors[directed] / lengths[directed, None]
    return rows, directed


def _rotations(
    rows: Floats, directed: Any, first: int, max_rounds: int
) -> Iterator[tuple[Ints, float]]:
    n, k = rows.shape
    kept = rows[directed]
    rotation = _start(kept, rows[first])
    labels = np.full(n, -1, dtype=np.int64)
    before = np.inf
    for _ in range(max_rounds):
        nearest = (kept @ rotation).argmax(axis=1)
        # XᵀX̃: the sum of the rows of each group.
        sums = np.zeros((k, k))
        np.add.at(sums, nearest, kept)
        left, sizes, right = np.linalg.svd(sums)
        # ‖Z − X̃R‖² with both at unit rows, R the best for these groups.
        objective = 2.0 * (len(kept) - float(sizes.sum()))
        rotation = right.T @ left.T
        labels = labels.copy()
        labels[directed] = nearest
        yield labels, max(objective, 0.0)
        if not objective < before - 1e-12 * max(1.0, len(kept)):
            return
        before = objective


def _start(rows: Floats, first: Floats) -> Floats:
    """Rows as perpendicular to each other as there are, as the columns of a rotation."""
    k = rows.shape[1]
    start = np.zeros((k, k))
    start[:, 0] = first
    along = np.zeros(len(rows))
    for column in range(1, k):
        along += np.abs(rows @ start[:, column - 1])
        start[:, column] = rows[along.argmin()]
    # The rows are seldom quite perpendicular; the nearest rotation keeps the steps from rising.
    left, _, right = np.linalg.svd(start)
    return np.asarray(left @ right)

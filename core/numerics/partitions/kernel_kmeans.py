"""Kernel k-means: means of a space that is known by its inner products alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.partitions.groups import settled_order
from coterie.core.numerics.similarity.tiles import Check


@dataclass(frozen=True, eq=False)
class KernelRound:
    """The group of each item, the sum of squares, and whether another round changes nothing.

    `moved` is the share of all items that changed their group; not a number for the start.
    """

    labels: Ints
    objective: float
    settled: bool
    moved: float = float("nan")


def kernel_kmeans(
    affinity: Affinity,
    labels: Ints,
    k: int,
    *,
    max_iterations: int = 300,
    check: Check | None = None,
) -> Iterator[KernelRound]:
    """Yield the start, then each round that lowers the sum of squares, without any centroid.

    ‖φ(i) − m_c‖² = K_ii − 2 Σ_j K_ij / n_c + Σ_jl K_jl / n_c², over the members j, l of group c:
    one product of K with the n × k memberships for each round, whatever the form of K. Of a kernel
    that is not positive semi-definite a round may raise the sum; that round is not taken.

    Parameters
    ----------
    labels : (n,) where to start; every one of the k groups has a member

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> *_, last = kernel_kmeans(Affinity(values=X @ X.T), np.array([0, 1, 1, 1]), 2)
    >>> last.labels.tolist(), last.objective
    ([0, 0, 1, 1], 1.0)
    """
    own = np.asarray(affinity.diagonal(), dtype=np.float64)
    labels = np.array(labels, dtype=np.int64)
    away, inside = _distances(affinity, labels, k)
    objective = float(own.sum() - inside.sum())
    yield KernelRound(labels, objective, False)
    for _ in range(max_iterations):
        if check is not None:
            check()
        fresh = _filled(away.argmin(axis=1), away + own[:, None], k)
        settled = bool((fresh == labels).all())
        if not settled:
            away, inside = _distances(affinity, fresh, k)
            value = float(own.sum() - inside.sum())
            # Rounding, or a kernel that is not an inner product.
            settled = value >= objective - 1e-12 * abs(objective)
        if settled:
            yield KernelRound(labels, objective, True, 0.0)
            return
        moved = float((fresh != labels).mean())
        labels, objective = fresh, value
        yield KernelRound(labels, objective, False, moved)


def spread_labels(affinity: Affinity, k: int, rng: np.random.Generator) -> Ints:
    """Return a start: items to the nearest of k items, drawn by their squared distance (k-means++).

    >>> X = np.array([[0.0], [0.1], [9.0]])
    >>> labels = spread_labels(Affinity(values=X @ X.T), 2, np.random.default_rng(1))
    >>> bool(labels[0] == labels[1]), bool(labels[0] == labels[2])
    (True, False)
    """
    n = affinity.n
    own = np.asarray(affinity.diagonal(), dtype=np.float64)
    order = settled_order(np.column_stack([own, affinity.degrees()]))
    chosen: list[int] = []
    squares = np.empty((n, k))
    for number in range(k):
        if number == 0:
            item = int(order[rng.integers(n)])
        else:
            nearest = np.maximum(squares[:, :number].min(axis=1), 0.0)
            nearest[chosen] = 0.0
            total = float(nearest.sum())
            left = order[~np.isin(order, chosen)]
            item = int(
                rng.choice(order, p=nearest[order] / total) if total > 0 else rng.choice(left)
            )
        chosen.append(item)
        squares[:, number] = own - 2 * affinity.column(item) + own[item]
    labels = squares.argmin(axis=1)
    labels[chosen] = np.arange(k)
    return np.asarray(labels, dtype=np.int64)


def _distances(affinity: Affinity, labels: Ints, k: int) -> tuple[Floats, Floats]:
    """(n, k) squared distances to the means less K_ii, and (k,) the sums Σ_jl K_jl / n_c."""
    member = (labels[:, None] == np.arange(k)).astype(np.float64)
    member /= member.sum(axis=0)
    to_means = affinity.matvec(member)
    of_means = np.einsum("ic,ic->c", member, to_means)
    counts = np.bincount(labels, minlength=k)
    return np.asarray(of_means - 2.0 * to_means), np.asarray(of_means * counts)


def _filled(labels: Ints, squares: Floats, k: int) -> Ints:
    """Labels that are all used: the item farthest from its mean goes to an empty group."""
    labels = np.asarray(labels, dtype=np.int64)
    counts = np.bincount(labels, minlength=k)
    away = np.take_along_axis(squares, labels[:, None], axis=1)[:, 0]
    for empty in np.flatnonzero(counts == 0):
        farthest = int(np.argmax(np.where(counts[labels] > 1, away, -np.inf)))
        counts[labels[farthest]] -= 1
        labels[farthest], away[farthest], counts[empty] = empty, 0.0, 1
    return labels

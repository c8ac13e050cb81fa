"""One pass over all items for many fits at once: two matrix products and what is between.

A fit with g components is g rows of coefficients θ; the score of item x in a component is θᵀφ(x),
with φ(x) = (1, x) for k-means, where θ = (−‖c‖²/2, c), and (1, x, x xᵀ) for Gaussian mixtures. The
scores of all fits are one product ΘΦᵀ, and with the shares R of the components in the items the
moments of all fits are one product RΦ. Stacks are component-major, (g, fits, …), so the
largest of g scores is found by comparing long rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.core.numerics.similarity.tiles import Check

# Rows of coefficients × items that are worked on at once: no more than 2 MB of scores stay near the
# caches between the two products, and each step is long enough that threads seldom wait for one
# another (between two steps only one of them can have Python).
ROWS, ITEMS = 512, 512
# Below, a share is nothing; exp of less is denormal or zero, and takes twenty times as long.
_LEAST_EXPONENT = -200.0
_LEAST_SINGLE = np.float32(-80.0)


def sweep(
    coefficients: Floats,
    features: Floats,
    counted: Floats,
    *,
    soft: bool,
    check: Check | None = None,
) -> tuple[Floats, Floats]:
    """Share out all items among the components of each fit, and sum up what each component got.

    Parameters
    ----------
    coefficients : (g, fits, r) θ of each component
    features : (n, r) φ of each item, by which it is scored
    counted : (n, p) what is summed up by component, often the features again
    soft : shares ∝ exp(score); else all to the best, of equals to the first
    check : called for every block, to let a run be cancelled

    Returns
    -------
    moments : (g, fits, p) sums of `counted` weighted by the shares
    objective : (fits,) mean over items of ln Σ exp(score), the log-likelihood; of the best score,
        when not soft

    Examples
    --------
    >>> items = np.array([[1.0, -2.0], [1.0, -1.0], [1.0, 4.0]])           # (1, x)
    >>> centres = np.array([[[-2.0, -2.0]], [[-2.0, 2.0]]])                # c = −2 and c = 2
    >>> moments, _ = sweep(centres, items, items, soft=False)
    >>> moments[:, 0].tolist()                                             # items and their sum
    [[2.0, -3.0], [1.0, 4.0]]
    """
    g, fits, _ = coefficients.shape
    n, p = counted.shape
    moments, objective = np.zeros((g, fits, p)), np.zeros(fits)
    part = np.empty((min(ROWS, g * fits) + g, p))
    for some, items, shares, totals in _blocks(coefficients, features, soft, check):
        objective[some] += totals
        width = shares.shape[1]
        found = np.matmul(shares.reshape(g * width, -1), counted[items], out=part[: g * width])
        moments[:, some] += found.reshape(g, width, p)
    return moments, objective / n


def shares_of(
    coefficients: Floats,
    features: Floats,
    out: Floats,
    *,
    soft: bool,
    check: Check | None = None,
) -> Floats:
    """Write the share of each component in each item to `out`, (n, fits, g); return the objective.

    >>> items, centres = np.array([[1.0, -2.0]]), np.array([[[-2.0, -2.0]], [[-2.0, 2.0]]])
    >>> out = np.empty((1, 1, 2))
    >>> _ = shares_of(centres, items, out, soft=True)
    >>> out.round(4).tolist()
    [[[0.9997, 0.0003]]]
    """
    objective = np.zeros(coefficients.shape[1])
    for some, items, shares, totals in _blocks(coefficients, features, soft, check):
        objective[some] += totals
        out[items, some] = shares.transpose(2, 1, 0)
    return objective / len(features)


def narrow_rows(
    features: Floats,
    stacks: Sequence[tuple[Floats, Array]],
    fits: int,
    scale: float,
    *,
    soft: bool,
    check: Check | None = None,
) -> Array:
    """Return the shares of all components of all fits times some directions, in single precision.

    Scores are in double precision, as large terms cancel in those of narrow components; shares and
    sums of them need no more than seven digits.

    Parameters
    ----------
    features : (n, p) of the items
    stacks : for each number g of components, (fits · g, p) coefficients and (fits · g, r)
        directions, both by fit
    fits : how many there are of each number of components
    scale : what the result is multiplied by

    Returns
    -------
    (n, r)

    Examples
    --------
    >>> items = np.array([[1.0, -2.0], [1.0, 3.0]])                        # (1, x)
    >>> centres, names = np.array([[-2.0, -2.0], [-2.0, 2.0]]), np.eye(2, dtype=np.float32)
    >>> narrow_rows(items, [(centres, names)], 1, 1.0, soft=False).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    result = np.zeros((len(features), stacks[0][1].shape[1]), dtype=np.float32)
    for coefficients, directions in stacks:
        g = len(coefficients) // fits
        stacked = coefficients.reshape(fits, g, -1).transpose(1, 0, 2)
        among = directions.reshape(fits, g, -1).transpose(1, 0, 2)
        for some, items, scores in _scores(stacked, features, check):
            if soft:
                shares = (scores - scores.max(axis=0)).astype(np.float32)
                np.maximum(shares, _LEAST_SINGLE, out=shares)
                np.exp(shares, out=shares)
                shares /= shares.sum(axis=0)
            else:
                _harden(scores)
                shares = scores.astype(np.float32)
            flat = shares.reshape(-1, shares.shape[2])
            part = np.ascontiguousarray(among[:, some]).reshape(len(flat), -1)
            result[items] += flat.T @ part
    result *= np.float32(scale)
    return result


def _blocks(
    coefficients: Floats, features: Floats, soft: bool, check: Check | None
) -> Iterator[tuple[slice, slice, Floats, Floats]]:
    """Yield fits, items, their (g, fits, items) shares, and the objective summed over the items.

    The shares are overwritten by the next block.
    """
    for some, items, scores in _scores(coefficients, features, check):
        yield some, items, scores, _soften(scores) if soft else _harden(scores)


def _scores(
    coefficients: Floats, features: Floats, check: Check | None
) -> Iterator[tuple[slice, slice, Floats]]:
    """Yield fits, items and their (g, fits, items) scores, overwritten by the next block."""
    g, fits, r = coefficients.shape
    n, many = len(features), max(1, ROWS // g)
    tall = -(-n // -(-n // ITEMS))
    room = np.empty(g * min(many, fits) * tall)
    for start in range(0, fits, many):
        some = slice(start, min(start + many, fits))
        width = some.stop - some.start
        rows = np.ascontiguousarray(coefficients[:, some]).reshape(g * width, r)
        for begin in range(0, n, tall):
            if check is not None:
                check()
            items = slice(begin, min(begin + tall, n))
            height = items.stop - begin
            scores = room[: g * width * height].reshape(g * width, height)
            np.matmul(rows, features[items].T, out=scores)
            yield some, items, scores.reshape(g, width, height)


def _soften(scores: Floats) -> Floats:
    """Turn (g, fits, items) scores into shares that sum to one; return Σ over items of ln Σ exp."""
    best = scores.max(axis=0)
    scores -= best
    np.maximum(scores, _LEAST_EXPONENT, out=scores)
    np.exp(scores, out=scores)
    total = scores.sum(axis=0)
    best += np.log(total)
    scores *= np.reciprocal(total, out=total)
    return np.asarray(best.sum(axis=1))


def _harden(scores: Floats) -> Floats:
    """Turn scores into 1 for the best and 0 for the others; return Σ over items of the best."""
    best = scores.max(axis=0)
    np.equal(scores, best, out=scores, casting="unsafe")
    if scores.sum() > best.size:  # of equal bests, as of centres that coincide, the first takes all
        first = scores.argmax(axis=0)[None]
        scores.fill(0.0)
        np.put_along_axis(scores, first, 1.0, axis=0)
    return np.asarray(best.sum(axis=1))

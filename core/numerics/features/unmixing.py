"""Shares of materials in mixed spectra: least squares with shares from 0 that sum to 1."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Array, Floats

BLOCK = 1 << 15  # spectra at a time
TOLERANCE = 1e-10  # of a gradient, against the size of the problem


def unmixed(spectra: Floats, materials: Floats) -> tuple[Floats, Floats]:
    """Return (n, k) shares of the materials, and (n,) root mean square of what they leave.

    Parameters
    ----------
    spectra : (n, d)
    materials : (k, d)

    Of each spectrum the shares are the minimum of the squared difference to their mixture among all
    that are not negative and sum to 1 (Heinz and Chang, 2001). It is found exactly, by an active
    set: the spectra that use the same materials are solved together.

    Examples
    --------
    >>> shares, left = unmixed(np.array([[0.25, 0.75]]), np.eye(2))
    >>> shares.round(6).tolist(), left.round(6).tolist()
    ([[0.25, 0.75]], [0.0])
    """
    k, d = materials.shape
    gram = materials @ materials.T
    # Materials that are mixtures of others would have no unique shares: the least spread is taken.
    gram = gram + 1e-12 * (np.trace(gram) / k + 1e-300) * np.eye(k)
    shares, left = np.empty((len(spectra), k)), np.empty(len(spectra))
    for start in range(0, len(spectra), BLOCK):
        rows = slice(start, start + BLOCK)
        some = np.asarray(spectra[rows], dtype=np.float64)
        found = shares[rows] = _solved(some @ materials.T, gram)
        left[rows] = np.sqrt(((some - found @ materials) ** 2).sum(axis=1) / d)
    return shares, left


def _solved(products: Floats, gram: Floats) -> Floats:
    """Shares of each row of products: spectrum · material."""
    n, k = products.shape
    best = (np.diag(gram)[None, :] / 2 - products).argmin(axis=1)
    shares = np.zeros((n, k))
    shares[np.arange(n), best] = 1.0
    used = shares > 0
    open_ = np.arange(n)
    limit = TOLERANCE * (np.abs(gram).max() + np.abs(products).max(axis=1, initial=0.0))
    for _ in range(20 * k):  # each step lowers the squared difference: few are needed
        # What one more of each material would gain, against those that are used.
        gain = products[open_] - shares[open_] @ gram
        level = (gain * shares[open_]).sum(axis=1)
        wanted = np.where(used[open_], -np.inf, gain - level[:, None])
        first = wanted.argmax(axis=1)
        more = wanted[np.arange(len(open_)), first] > limit[open_]
        open_ = open_[more]
        if not len(open_):
            break
        used[open_, first[more]] = True
        _settle(open_, shares, used, products, gram)
    return shares


def _settle(rows: Array, shares: Floats, used: Array, products: Floats, gram: Floats) -> None:
    """Bring rows to the minimum over the materials they use, dropping those that reach 0."""
    while len(rows):
        target = _minimum(rows, used, products, gram)
        now = shares[rows]
        below = used[rows] & (target <= 0)
        done = ~below.any(axis=1)
        shares[rows[done]] = target[done]
        rows, now, target, below = rows[~done], now[~done], target[~done], below[~done]
        if not len(rows):
            return
        way = np.where(below, now / np.maximum(now - target, 1e-300), np.inf)
        step = way.min(axis=1)
        moved = np.maximum(now + step[:, None] * (target - now), 0.0)
        gone = below & (way <= step[:, None] * (1 + 1e-12))
        moved[gone] = 0.0
        shares[rows] = moved / moved.sum(axis=1, keepdims=True)
        used[rows] &= ~gone


def _minimum(rows: Array, used: Array, products: Floats, gram: Floats) -> Floats:
    """The minimum with sum 1 over the used materials; rows that use the same are solved at once."""
    found = np.zeros((len(rows), gram.shape[0]))
    kinds, kind = np.unique(used[rows], axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    for number, mask in enumerate(kinds):
        own, at = np.flatnonzero(kind == number), np.flatnonzero(mask)
        size = len(at)
        system = np.ones((size + 1, size + 1))
        system[:size, :size] = gram[np.ix_(at, at)]
        system[size, size] = 0.0
        right = np.ones((size + 1, len(own)))
        right[:size] = products[rows[own]][:, at].T
        found[np.ix_(own, at)] = np.linalg.solve(system, right)[:size].T
    return found

"""Euler principal components: eigenvectors of a Hermitian matrix, and features back from angles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.model.arrays import Floats

Complexes = NDArray[np.complex128]


def wound(X: Floats, alpha: float) -> Complexes:
    """Return e^{iαπx} / √2.

    >>> wound(np.array([[0.0, 1.0]]), 1.0).round(3).tolist()
    [[(0.707+0j), (-0.707+0j)]]
    """
    return np.asarray(np.exp(1j * alpha * np.pi * X) * np.sqrt(0.5))


def unwound(Z: Complexes, alpha: float) -> Floats:
    """Return the features whose angles those of Z are, from 0 to 1.

    For α up to 2 an angle has one feature. Angles that no feature has are put at the nearer end.

    >>> unwound(wound(np.array([[0.0, 0.25, 1.0]]), 1.9), 1.9).round(12).tolist()
    [[0.0, 0.25, 1.0]]
    """
    angles = np.mod(np.angle(Z), 2 * np.pi)
    most = alpha * np.pi
    behind = 2 * np.pi - angles  # how far it is short of a whole turn, which is 0 again
    nearer_0 = (angles > most) & (behind < angles - most)
    return np.asarray(np.where(nearer_0, 0.0, np.minimum(angles, most)) / most)


@dataclass(frozen=True, eq=False)
class EulerComponents:
    """Directions of wound features.

    Attributes
    ----------
    mean : (d,) what was taken away first; zeros when nothing was
    axes : (m, d) orthonormal directions B as rows, each with its largest entry real and positive
    eigenvalues : of the Hermitian matrix ZᴴZ, all that can be above 0, falling
    alpha : the winding
    """

    mean: Complexes
    axes: Complexes
    eigenvalues: Floats
    alpha: float

    def coordinates(self, X: Floats) -> Complexes:
        """Return Bᴴ z of each row, (n, m)."""
        return np.asarray((wound(X, self.alpha) - self.mean) @ self.axes.conj().T)

    def reconstruction(self, coordinates: Complexes) -> Floats:
        """Return the features whose angles are those of B y + mean."""
        return unwound(coordinates @ self.axes + self.mean, self.alpha)


def euler_components(X: Floats, alpha: float, components: int, centre: bool) -> EulerComponents:
    """Return the directions along which wound features vary most, by the smaller Hermitian matrix.

    Parameters
    ----------
    X : (n, d) features from 0 to 1
    components : how many directions to keep
    centre : whether to take the mean away; without, Z ≈ B Bᴴ Z as it is

    References
    ----------
    Liwicki, Tzimiropoulos, Zafeiriou, Pantic (2013). Euler principal component analysis. IJCV 101.

    >>> found = euler_components(np.array([[0.0, 0.3], [0.5, 0.1], [1.0, 0.9]]), 1.9, 2, True)
    >>> found.axes.shape, len(found.eigenvalues)
    ((2, 2), 2)
    """
    from scipy.linalg import eigh

    Z: Any = wound(X, alpha)
    mean = Z.mean(axis=0) if centre else np.zeros(X.shape[1], dtype=np.complex128)
    Z -= mean
    n, d = Z.shape
    if not Z.any():  # all items are the same: any direction will do
        axes = np.eye(1, d, dtype=np.complex128)
        return EulerComponents(mean, axes, np.zeros(min(n, d)), alpha)
    if d <= n:
        values, vectors = eigh(Z.conj().T @ Z)  # over the columns: its eigenvectors are B
        order = np.argsort(-values)
        values = np.maximum(values[order], 0.0)
        # z ≈ Σ y b with y = z b̄, so a row of the axes is the conjugate of an eigenvector.
        axes = vectors[:, order[:components]].conj().T
    else:
        values, vectors = eigh(Z @ Z.conj().T)  # over the items, as published: B = Z E Λ^−½
        order = np.argsort(-values)
        values = np.maximum(values[order], 0.0)
        kept = order[: min(components, _rank(values))]
        axes = vectors[:, kept].conj().T @ Z / np.sqrt(values[: len(kept)])[:, None]
    axes = axes[: min(components, _rank(values))]
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    axes = axes * (np.abs(largest) / largest)[:, None]
    return EulerComponents(mean, axes, values, alpha)


def _rank(values: Floats) -> int:
    """How many directions there are: what is left beyond is rounding."""
    largest = float(values.max(initial=0.0))
    return max(1, int(np.count_nonzero(values > len(values) * np.finfo(float).eps * largest)))

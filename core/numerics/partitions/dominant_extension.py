"""The share that one more item would have in a dominant set that it joined."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats

# Beyond it fewer than four digits of a share would be right: what is nearly singular counts as
# singular.
LARGEST_CONDITION = 1e12


def bordered_inverse(A: Floats) -> Floats:
    """Return the inverse of [[0, 1ᵀ], [1, A]], A with zeros on its diagonal.

    Where A does not determine the shares, or only by rounding, as where members can replace each
    other, the pseudo-inverse.

    >>> bordered_inverse(np.array([[1.0, 0.5], [0.5, 1.0]])).round(3).tolist()
    [[-0.25, 0.5, 0.5], [0.5, -1.0, 1.0], [0.5, 1.0, -1.0]]
    """
    m = len(A)
    bordered = np.ones((m + 1, m + 1))
    bordered[1:, 1:] = A
    np.fill_diagonal(bordered, 0.0)
    try:
        inverse = np.linalg.inv(bordered)
    except np.linalg.LinAlgError:
        inverse = np.full_like(bordered, np.inf)
    condition = np.linalg.norm(bordered, 1) * np.linalg.norm(inverse, 1)
    if not condition <= LARGEST_CONDITION:
        inverse = np.linalg.pinv(bordered, rcond=1 / LARGEST_CONDITION)
    return np.asarray(inverse)


def would_be_shares(inverse: Floats, similar: Floats, margins: Floats) -> Floats:
    """Return w_{S∪i}(i) / W(S∪i), the share of each of n items i in the set S together with it.

    With B the bordered matrix of S and b = (1, a_i), W(S∪i) = W(S) · bᵀB⁻¹b and
    w_{S∪i}(i) = W(S) · (a_iᵀx − xᵀA x). Where W(S∪i) is not positive, the item does not share the
    set but takes the place of members: the share is 1.

    Parameters
    ----------
    inverse : (m + 1, m + 1) of `bordered_inverse`
    similar : (n, m) similarities of the items to the members
    margins : (n,) a_iᵀx − xᵀA x

    References
    ----------
    Pavan, Pelillo (2004). Efficient out-of-sample extension of dominant-set clusters. NIPS 17.

    Examples
    --------
    >>> A = np.array([[0.0, 0.5], [0.5, 0.0]])
    >>> would_be_shares(bordered_inverse(A), np.array([[0.5, 0.5]]), np.array([0.25])).round(3)
    array([0.333])
    """
    b = np.column_stack([np.ones(len(similar)), similar])
    together = np.einsum("ij,ij->i", b @ inverse, b)
    shares = np.divide(margins, together, out=np.ones_like(margins), where=together > 0)
    return np.asarray(np.minimum(shares, 1.0))

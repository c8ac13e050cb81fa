"""The orthogonal directions along which items vary most, or lie farthest out."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Matrix, is_sparse


def leading_directions(
    X: Matrix, components: int = 0, *, start: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return right singular vectors as rows, by falling singular value, and these values.

    Parameters
    ----------
    X : (n, d); of CSR features only the leading directions are worked out, without a dense copy
    components : how many; 0 for all min(n, d)
    start : (min(n, d),) where the iteration for CSR features begins

    Returns
    -------
    axes : (m, d), each with its largest loading positive, so signs do not depend on chance
    values : (m,)

    Examples
    --------
    >>> axes, values = leading_directions(np.array([[0.0, -3.0], [0.0, 4.0]]), 1)
    >>> axes.tolist(), values.tolist()
    ([[0.0, 1.0]], [5.0])
    """
    from scipy.linalg import svd
    from scipy.sparse.linalg import svds

    matrix: Any = X
    smaller = min(matrix.shape)
    kept = min(components or smaller, smaller)
    if is_sparse(matrix) and kept < smaller:
        _, values, axes = svds(matrix.astype(np.float64), k=kept, v0=start)
        order = np.argsort(-values)
        values, axes = values[order], axes[order]
    else:
        dense = matrix.toarray() if is_sparse(matrix) else matrix
        _, values, axes = svd(dense, full_matrices=False)
        values, axes = values[:kept], axes[:kept]
    largest = np.abs(axes).argmax(axis=1)
    signs = np.sign(axes[np.arange(len(axes)), largest])
    return axes * np.where(signs == 0, 1.0, signs)[:, None], values

"""The Euler representation: each feature as a point on a circle, so outliers pull less."""

from __future__ import annotations

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats

ROUNDING = 1e-9  # scaled features may stand out of [0, 1] by this much


def euler_features(X: Floats, alpha: float) -> Floats:
    """Return cos(απx)/√2 and sin(απx)/√2 side by side: e^{iαπx}/√2 without complex numbers.

    The squared distance of two rows of the result is Σ_c 1 − cos(απ(x_c − y_c)).

    Parameters
    ----------
    X : (n, d) features in [0, 1]
    alpha : α > 0; small: nearly Euclidean, 1.9: large differences count no more than middling ones

    Returns
    -------
    (n, 2d)

    References
    ----------
    Liwicki, Tzimiropoulos, Zafeiriou, Pantic (2013). Euler principal component analysis. IJCV 101.

    Examples
    --------
    >>> euler_features(np.array([[0.0], [0.5]]), 1.0).round(3).tolist()
    [[0.707, 0.0], [0.0, 0.707]]
    """
    n, d = X.shape
    angles = (alpha * np.pi) * X
    result = np.empty((n, 2 * d))
    np.cos(angles, out=result[:, :d])
    np.sin(angles, out=result[:, d:])
    result *= np.sqrt(0.5)
    return result


def require_unit_range(X: Floats) -> None:
    """Raise a clear error when features leave [0, 1], where the circle would wrap around."""
    least, most = float(X.min()), float(X.max())
    if least < -ROUNDING or most > 1 + ROUNDING:
        raise DataError(
            f"Euler kernels need features between 0 and 1. Got values from {least:.4g} to "
            f"{most:.4g}. Put the transform 'minmax' before this step.",
            offer=(well_known.TRANSFORM_MINMAX,),
            code="values-out-of-range",
        )

"""The eigenvalues of similarities themselves: of the kernel, and of the walk along them."""

from __future__ import annotations

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.results import Spectrum

MOST_ITEMS = 5_000  # of more, what is behind a view takes too long to wait for
OF_WALK, OF_KERNEL = "walk", "kernel"


def spectrum_of(affinity: Affinity, which: str) -> Spectrum:
    """Return the leading eigenvalues of the walk P = D⁻¹A, or of the similarities; on any thread.

    Those of the walk say how many groups there may be; of those of a kernel the share in its trace
    says how few coordinates hold it.
    """
    from coterie.core.numerics.spectral.eigenpairs import leading_eigenpairs
    from coterie.core.numerics.spectral.spectra import (
        MOST_EIGENVALUES,
        graph_spectrum,
        require_undirected,
    )

    if affinity.n > MOST_ITEMS:
        raise DataError(
            f"This view computes eigenvalues for up to {MOST_ITEMS:,} items. Got "
            f"{affinity.n:,}. Run a method that uses them instead, such as "
            f"{well_known.CLUSTERER_NCUT}.",
            code="too-many-items",
        )
    if which == OF_WALK:
        found = graph_spectrum(affinity, min(MOST_EIGENVALUES, affinity.n))
        return Spectrum(
            title=f"Leading eigenvalues of the random walk on '{affinity.title}'",
            eigenvalues=found.values,
            suggested_k=found.suggested(),
        )
    affinity.require_finite()
    require_undirected(affinity)
    values = leading_eigenpairs(affinity, min(MOST_EIGENVALUES, affinity.n)).values
    return Spectrum(
        title=f"Leading eigenvalues of '{affinity.title}'",
        eigenvalues=values,
        details={"whole": float(affinity.diagonal().sum())},
    )

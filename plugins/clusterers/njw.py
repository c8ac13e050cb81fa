"""Ng, Jordan and Weiss: spectral clustering on the sphere."""

from __future__ import annotations

from coterie.core import Affinity, Clusterer, Context, Cost, Curve, Output
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.spectral.discretise import unit_rows
from coterie.core.numerics.spectral.grouping import (
    CutParams,
    Spectral,
    grouped,
    pairs_for,
    spectral_cost,
)
from coterie.core.numerics.spectral.spectra import MOST_EIGENVALUES, graph_spectrum


class NJW(Clusterer):
    """Spectral clustering on the sphere: eigenvectors of L_sym, rows to unit length, k-means.

    The k leading eigenvectors of D^−½ A D^−½ (the smallest of L_sym), with each row brought
    to unit length, so items of high and of low degree count alike. The diagonal of A counts
    as zero. A graph in k pieces gives its pieces. For undirected graphs.
    """

    id, title = "njw", "Spectral clustering (Ng, Jordan, Weiss)"
    curves = (
        Curve(
            "objective",
            "sum of squares",
            "Squared distances of the items to their centres in the space of eigenvectors, "
            "summed; falls within each start.",
        ),
        Curve("support", "", "Number of items in a group."),
    )
    reference = "Ng, Jordan, Weiss (2002). On spectral clustering: analysis and an algorithm. NIPS."

    class Params(CutParams):
        """How many groups, and whether their borders are moved afterwards."""

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the groups, with the spectrum and the rows that were grouped."""
        context.progress(0, 3, "eigenvectors")
        require_items(affinity)
        spectrum = graph_spectrum(
            affinity,
            pairs_for(affinity, params.k),
            zero_diagonal=True,
            groups=params.k or MOST_EIGENVALUES,
            used=params.k,
            check=context.check,
        )
        context.progress(2, 3, "grouping")
        found = Spectral.of(
            affinity,
            "Ng, Jordan, Weiss",
            spectrum,
            lambda k: unit_rows(spectrum.vectors[:, :k]),
        )
        return grouped(
            found,
            params.k,
            discretise="kmeans",
            restarts=params.restarts,
            refine=params.refine,
            context=context,
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Two copies in the form of the affinity, and some vectors."""
        return spectral_cost(affinity, params.k, copies=3)

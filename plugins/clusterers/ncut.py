"""Normalised cut: k groups that a walker seldom leaves."""

from __future__ import annotations

from typing import Literal

from coterie.core import Affinity, Clusterer, Context, Cost, Curve, Field, Output
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.spectral.grouping import (
    CutParams,
    Spectral,
    grouped,
    pairs_for,
    spectral_cost,
)
from coterie.core.numerics.spectral.spectra import MOST_EIGENVALUES, graph_spectrum


class NCut(Clusterer):
    """Groups that a walk along the edges seldom leaves: eigenvectors of P, then k-means.

    The relaxed minimum of the normalised cut, the mean over groups of W(group, others) /
    W(group, all), is spanned by the k leading eigenvectors of P = D⁻¹A (the smallest of L_rw =
    1 − P). Their rows are grouped by k-means, or turned until they are nearest to indicators
    (Yu and Shi). A graph in k pieces gives its pieces. For undirected graphs.
    """

    id, title = "ncut", "Normalised cut"
    curves = (
        Curve(
            "objective",
            "discretisation error",
            "How far the eigenvectors are from groups without overlap; falls within each start.",
        ),
        Curve("support", "", "Number of items in a group."),
    )
    reference = "Shi, Malik (2000). Normalized cuts and image segmentation. IEEE PAMI 22(8)."

    class Params(CutParams):
        """How many groups, and how eigenvectors become groups."""

        discretise: Literal["kmeans", "yu-shi"] = Field(
            "kmeans",
            description="From eigenvectors to groups: k-means of their rows, or the rotation "
            "nearest to indicators.",
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the groups, with the spectrum and the rows that were grouped."""
        context.progress(0, 3, "eigenvectors")
        require_items(affinity)
        spectrum = graph_spectrum(
            affinity,
            pairs_for(affinity, params.k),
            groups=params.k or MOST_EIGENVALUES,
            used=params.k,
            check=context.check,
        )
        context.progress(2, 3, "grouping")
        return grouped(
            Spectral.of(affinity, "Normalised cut", spectrum, spectrum.walk_vectors),
            params.k,
            discretise=params.discretise,
            restarts=params.restarts,
            refine=params.refine,
            context=context,
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """A copy in the form of the affinity, and some vectors."""
        return spectral_cost(affinity, params.k)

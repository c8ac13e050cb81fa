"""Digraph spectral clustering: groups that a walk along directed edges seldom leaves."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Context,
    Cost,
    Curve,
    DataError,
    Field,
    Output,
)
from coterie.core.numerics.similarity.affinity_ops import (
    joined,
    require_items,
    scaled_sides,
    with_entries,
)
from coterie.core.numerics.spectral.eigenpairs import leading_eigenpairs
from coterie.core.numerics.spectral.grouping import (
    GroupParams,
    Spectral,
    grouped,
    pairs_for,
    spectral_cost,
)
from coterie.core.numerics.spectral.spectra import (
    MOST_EIGENVALUES,
    require_nonnegative,
    suggested_groups,
)
from coterie.core.numerics.spectral.walk_spectra import LARGEST_DIRECT, walk_spectrum
from coterie.core.numerics.walks.components import pieces, without_dust


class DigraphSpectral(Clusterer):
    """Groups in a directed graph: leading eigenvectors of its walk, turned to indicators.

    The Bayes risk of groups does not ask for a symmetric graph, so each item may be described
    by its own neighbourhood. `walk` takes the eigenvectors of P = D⁻¹A with the largest real
    parts; those that are complex give their real and imaginary parts, and the notes say so.
    `symmetric` solves the relaxed problem exactly, which sees only (A + Aᵀ)/2 with the out-degrees.
    Either way the rows are turned until they are nearest to indicators (Yu and Shi). Works best on
    local-Gaussian graphs, and others that keep edges to neighbours only; undirected graphs pass.
    """

    id, title = "digraph-spectral", "Digraph spectral clustering"
    curves = (
        Curve(
            "objective",
            "discretisation error",
            "How far the eigenvectors are from groups without overlap; falls within each start.",
        ),
        Curve("support", "", "Number of items in a group."),
    )
    reference = "Yu, Shi (2003). Multiclass spectral clustering. ICCV."

    class Params(GroupParams):
        """How many groups, and which relaxation of the Bayes risk."""

        relaxation: Literal["walk", "symmetric"] = Field(
            "walk",
            description="Eigenvectors of the walk P, or of the symmetric part of the graph with "
            "its out-degrees.",
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the groups, with the spectrum and the rows that were grouped."""
        context.progress(0, 3, "eigenvectors")
        require_items(affinity)
        require_nonnegative(affinity, check=context.check)
        pairs = min(pairs_for(affinity, params.k), affinity.n)
        make = _by_walk if params.relaxation == "walk" else _by_symmetric_part
        found = make(affinity, pairs, params.k or MOST_EIGENVALUES, context)
        context.progress(2, 3, "grouping")
        return grouped(
            found, params.k, discretise="yu-shi", restarts=params.restarts, context=context
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Copies of the graph and some vectors; P as a whole where an iteration may fail."""
        cost = spectral_cost(affinity, params.k, copies=3)
        n = affinity.n
        dense = 40 * n * n if params.relaxation == "walk" and n <= LARGEST_DIRECT else 0
        return Cost(cost.bytes + dense, 2 * cost.seconds, cost.alternatives)


def _by_walk(affinity: Affinity, pairs: int, groups: int, context: Context) -> Spectral:
    spectrum = walk_spectrum(affinity, pairs, groups=groups, check=context.check)
    notes = []
    if spectrum.complex_values:
        notes.append(
            f"{spectrum.complex_values} of the {len(spectrum.values)} leading eigenvalues are "
            "complex; their eigenvectors give real and imaginary parts."
        )
    if spectrum.closed > spectrum.pieces:
        notes.append(
            f"The walk ends in one of {spectrum.closed} closed classes of items that it never "
            "leaves; their eigenvectors are the chances of ending there."
        )
    return Spectral(
        affinity=affinity,
        title="Digraph spectral (walk)",
        items=spectrum.items,
        values=spectrum.values,
        suggested=spectrum.suggested(),
        rows=lambda k: spectrum.vectors[:, :k],
        piece=spectrum.piece,
        pieces=spectrum.pieces,
        dust=spectrum.dust,
        notes=tuple(notes),
        details={
            "relaxation": "walk",
            "solver": spectrum.how,
            "complex_eigenvalues": spectrum.complex_values,
            "closed_classes": spectrum.closed,
        },
    )


def _by_symmetric_part(affinity: Affinity, pairs: int, groups: int, context: Context) -> Spectral:
    """Largest eigenpairs of D^−½ (A + Aᵀ)/2 D^−½ with D the out-degrees of A."""
    degrees = np.asarray(affinity.degrees(), dtype=np.float64)
    items = np.flatnonzero(degrees > 0)
    if not len(items):
        raise DataError(
            "No two items are similar, so there is nothing to cut. Connect more items.",
            code="no-similarities",
        )
    held = affinity.submatrix(items) if len(items) < affinity.n else affinity
    degrees = degrees[items]
    count, piece = pieces(held, check=context.check)
    kept = without_dust(piece, groups)
    if dust := len(items) - len(kept):
        held, items, degrees = held.submatrix(kept), items[kept], degrees[kept]
        count, piece = len(np.unique(piece[kept])), np.unique(piece[kept], return_inverse=True)[1]
    if held.factor is None:
        both = joined(held.stored, "mean", check=context.check)
        held = with_entries(held, both, symmetric=True)
    matrix: Any = scaled_sides(held, 1 / np.sqrt(degrees), check=context.check)
    if held.factor is not None:
        matrix = Affinity(factor=matrix)
    # Pieces are not known eigenvectors here: a walk back along an edge has another weight.
    found = leading_eigenpairs(matrix, pairs, check=context.check)
    return Spectral(
        affinity=affinity,
        title="Digraph spectral (symmetric)",
        items=items,
        values=found.values,
        suggested=max(suggested_groups(found.values), count),
        rows=lambda k: found.vectors[:, :k] / np.sqrt(degrees)[:, None],
        piece=piece,
        pieces=count,
        dust=dust,
        details={"relaxation": "symmetric", "solver": found.how, "residual": found.residual},
    )

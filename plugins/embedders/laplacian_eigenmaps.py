"""Laplacian eigenmaps: coordinates in which similar items stay close."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    Dataset,
    Embedder,
    Embedding,
    Field,
    Floats,
    Model,
    Output,
    Spectrum,
)
from coterie.core.numerics.manifold.places_of_items import places_model, places_of_new
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.spectral.grouping import spectral_cost
from coterie.core.numerics.spectral.spectra import GraphSpectrum, graph_spectrum


class LaplacianEigenmaps(Embedder):
    """Coordinates that change as little as they can between similar items.

    The generalised eigenvectors of L y = λ D y with the smallest λ, the constant one left out. Each
    coordinate has mean 0 and variance 1, items counting by their degree. Of a graph in several
    pieces the first coordinates separate these. New items are placed beside their nearest.
    """

    id, title, version = "laplacian-eigenmaps", "Laplacian eigenmaps", "2"
    reference = (
        "Belkin, Niyogi (2003). Laplacian eigenmaps for dimensionality reduction and data "
        "representation. Neural Computation 15."
    )
    needs = ("affinity",)

    class Params(Embedder.Params):
        """How many coordinates."""

        components: int = Field(
            2,
            ge=1,
            description="Number of coordinates to keep.",
            json_schema_extra={"slider": [1, 20]},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        context.check()
        require_items(affinity)
        found = graph_spectrum(
            affinity, params.components + 1, rng=context.rng, check=context.check
        )
        context.check()
        inside = _coordinates(found, params.components)
        coordinates = np.zeros((affinity.n, max(1, inside.shape[1])))
        coordinates[found.items, : inside.shape[1]] = inside
        eigenvalues = np.maximum(1.0 - found.values, 0.0)
        embedding = Embedding(
            title="Laplacian eigenmaps",
            dataset=affinity.dataset,
            coordinates=coordinates,
            spectrum=eigenvalues,
            axes=tuple(f"coordinate {j + 1}" for j in range(coordinates.shape[1])),
            notes=tuple(_notes(found, affinity.n, inside.shape[1], params.components)),
            details={"pieces": found.pieces, "solver": found.how, "residual": found.residual},
        )
        spectrum = Spectrum(
            title="Smallest eigenvalues of the normalised Laplacian",
            dataset=affinity.dataset,
            eigenvalues=eigenvalues,
        )
        parts = places_model(affinity.dataset, coordinates)
        return Output(embedding, {"spectrum": spectrum, **parts})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Place new items beside those of the data that the similarities are of."""
        context.check()
        places = places_of_new(model, data, context.check)
        axes = tuple(f"coordinate {j + 1}" for j in range(places.shape[1]))
        return Embedding(title=self.title, dataset=data, coordinates=places, axes=axes)

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """A copy in the form of the affinity, and some vectors for each coordinate."""
        cost = spectral_cost(affinity, params.components)
        ways = cost.alternatives or ("use a k-nearest-neighbour graph",)
        return Cost(cost.bytes, cost.seconds, ways)


def _coordinates(found: GraphSpectrum, m: int) -> Floats:
    """Eigenvectors of the walk without the constant, each with variance 1 by degree."""
    volume = float(found.degrees.sum())
    between = _between_pieces(found, min(m, found.pieces - 1))
    within = found.walk_vectors(len(found.values))[:, found.pieces :] * np.sqrt(volume)
    return np.hstack([between, within])[:, :m]


def _between_pieces(found: GraphSpectrum, m: int) -> Floats:
    """Piecewise constant vectors: the j-th largest piece against all that are larger.

    Any basis of the eigenvalue 0 would do; this one is orthogonal to the constant by degree.
    """
    volumes = np.bincount(found.piece, weights=found.degrees, minlength=found.pieces)
    order = np.argsort(-volumes, kind="stable")
    place = np.empty(found.pieces, dtype=np.int64)
    place[order] = np.arange(found.pieces)
    rank = place[found.piece]
    total, result = float(volumes.sum()), np.zeros((len(rank), m))
    for j in range(m):
        larger, own = float(volumes[order[: j + 1]].sum()), float(volumes[order[j + 1]])
        scale = np.sqrt(total / (1.0 / larger + 1.0 / own))
        result[:, j] = np.where(rank <= j, -scale / larger, np.where(rank == j + 1, scale / own, 0))
    return result


def _notes(found: GraphSpectrum, n: int, kept: int, wanted: int) -> Sequence[str]:
    notes = []
    if found.pieces > 1:
        notes.append(f"The graph has {found.pieces} pieces, separated by the first coordinates.")
    if alone := n - len(found.items):
        notes.append(f"Items without an edge were put at the origin: {alone}.")
    if kept < wanted:
        notes.append(f"There are {kept} coordinates only, not {wanted}.")
    return notes

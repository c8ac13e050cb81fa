"""Isomap: a picture whose distances are those along the data."""

from __future__ import annotations

import numpy as np

from coterie.core import (
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
from coterie.core.numerics.manifold.geodesics import path_lengths, walkable_graph
from coterie.core.numerics.manifold.scaling import Scaled, classical_scaling
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.neighbours import GOOD_RECALL, nearest_neighbours

ALL = 1000  # items up to which all are landmarks, unless a number of them is given


class Isomap(Embedder):
    """Unroll the data: distances in the picture are lengths of paths from neighbour to neighbour.

    Shortest paths through the graph of nearest neighbours, then classical scaling. Of many items
    some are landmarks; the others are placed by their paths to these.
    """

    id, title = "isomap", "Isomap"
    reference = (
        "Tenenbaum, de Silva, Langford (2000). A global geometric framework for nonlinear "
        "dimensionality reduction. Science 290. de Silva, Tenenbaum (2003). Global versus local "
        "methods in nonlinear dimensionality reduction. NIPS 15."
    )
    needs = ("dataset",)

    class Params(Embedder.Params):
        """How wide a neighbourhood is."""

        components: int = Field(
            2, ge=1, description="Number of coordinates.", json_schema_extra={"slider": [1, 10]}
        )
        neighbours: int = Field(
            10,
            ge=1,
            description="Number of nearest neighbours that a path may step to; fewer follow the "
            "data more closely.",
            json_schema_extra={"slider": [3, 50]},
        )
        landmarks: int = Field(
            0,
            ge=0,
            description=f"Number of items whose paths to all others are found; 0: all, up to "
            f"{ALL}.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        X = data.dense_features()
        require_squares(X)
        n = len(X)
        context.check()
        k = min(params.neighbours, n - 1)
        notes = []
        if k < params.neighbours:
            notes.append(f"Each item has {k} neighbours, not {params.neighbours}.")
        count = min(params.landmarks or ALL, n)
        landmarks = np.arange(n)
        if count < n:
            landmarks = np.sort(context.rng.choice(n, count, replace=False))
            notes.append(f"{count:,} of {n:,} items are landmarks.")
        lengths: Floats = np.zeros((1, 1))
        if n > 1:
            graph, pieces, about = walkable_graph(X, k, recall=GOOD_RECALL, check=context.check)
            notes.extend(about)
            if pieces > 1:
                notes.append(f"The neighbour graph had {pieces} pieces, joined where nearest.")
            lengths = path_lengths(graph, landmarks, check=context.check)
        squared = lengths**2
        among = squared[:, landmarks]
        context.check()
        scaled = classical_scaling((among + among.T) / 2, params.components, context.rng)
        places = scaled.places if count == n else scaled.place(squared.T)
        model = Model(
            title="Landmarks and the paths to them",
            dataset=data,
            arrays={
                "features": X,
                "lengths": lengths,
                "places": scaled.places,
                "values": scaled.values,
                "mean_squares": scaled.mean_squares,
                "coordinates": places,
            },
            settings={"neighbours": max(1, k)},
        )
        spectrum = Spectrum(
            title="Eigenvalues of the inner products", dataset=data, eigenvalues=scaled.values
        )
        embedding = Embedding(
            title=self.title,
            dataset=data,
            coordinates=places,
            spectrum=scaled.values,
            axes=tuple(f"Isomap {j + 1}" for j in range(places.shape[1])),
            notes=tuple(notes),
            details={"landmarks": count},
        )
        return Output(embedding, {"model": model, "spectrum": spectrum})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Place new items by their paths to the landmarks, through their nearest known items."""
        X, arrays = data.dense_features(), model.arrays
        known = arrays["features"]
        require_columns(data, known.shape[1])
        k = min(int(model.settings["neighbours"]), len(known))
        near, away = nearest_neighbours(X, k, among=known, check=context.check)
        scaled = Scaled(arrays["places"], arrays["values"], arrays["mean_squares"])
        places = np.empty((len(X), scaled.places.shape[1]))
        for at, (items, steps) in enumerate(zip(near, away, strict=True)):
            if at % 256 == 0:
                context.check()
            lengths = (arrays["lengths"][:, items] + steps).min(axis=1)
            places[at] = scaled.place(lengths[None] ** 2)[0]
        same = away[:, 0] == 0
        places[same] = arrays["coordinates"][near[same, 0]]
        return Embedding(title=self.title, dataset=data, coordinates=places)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The paths from the landmarks, twice, and the neighbours."""
        n = data.n
        count = min(params.landmarks or ALL, n)
        edges = 2 * params.neighbours * n
        return Cost(
            bytes=24 * count * n + 32 * edges + 24 * count * count + 16 * n * data.d,
            seconds=3e-8 * count * edges + 1e-9 * min(n, 20_000) * n * data.d,
            alternatives=("use fewer landmarks",),
        )

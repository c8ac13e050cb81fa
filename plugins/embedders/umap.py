"""UMAP: a picture of the neighbourhoods in the data, by the package umap-learn."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from coterie.core import (
    Context,
    Cost,
    DataError,
    Dataset,
    Embedder,
    Embedding,
    Field,
    Model,
    Output,
)
from coterie.core.numerics.features.directions import leading_directions
from coterie.core.numerics.manifold.placing import placed_beside
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.neighbours import GOOD_RECALL, nearest_neighbours

LEAST = 4  # items; with fewer the library has nothing to optimise
START = 10.0  # extent of the first coordinates, as the library's own are


class UMAP(Embedder):
    """A picture of neighbourhoods and the gaps between them, by attraction along a fuzzy graph.

    Begins with the principal components. It cannot be watched while it runs, as its library runs
    in one piece; t-SNE can. New items are placed beside their nearest.
    """

    id, title = "umap", "UMAP"
    reference = (
        "McInnes, Healy, Melville (2018). UMAP: Uniform manifold approximation and projection for "
        "dimension reduction. arXiv:1802.03426."
    )
    needs = ("dataset",)

    class Params(Embedder.Params):
        """How wide a neighbourhood is, and how tight the picture."""

        components: int = Field(2, ge=1, le=10, description="Number of coordinates.")
        neighbours: int = Field(
            15,
            ge=2,
            description="Number of nearest neighbours that an item is joined to; more show "
            "larger shapes.",
            json_schema_extra={"slider": [5, 100]},
        )
        least_distance: float = Field(
            0.1,
            ge=0,
            le=1,
            description="How close items may come in the picture.",
        )
        iterations: int = Field(
            0,
            ge=0,
            description="0: 500 for up to 10,000 items, 200 for more.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the model for new items."""
        library = _library()
        X = data.dense_features()
        require_squares(X)
        context.check()
        n, notes = len(X), []
        centred = X - X.mean(axis=0)
        axes, _ = leading_directions(centred, params.components)
        places = np.zeros((n, params.components))
        places[:, : len(axes)] = centred @ axes.T
        if n >= LEAST and params.components < n - 1:
            k = min(params.neighbours, n - 1)
            if k < params.neighbours:
                notes.append(f"Each item is joined to {k} neighbours, not {params.neighbours}.")
            found = nearest_neighbours(
                X, k, recall=GOOD_RECALL, check=context.check, workers=context.workers
            )
            notes.extend(found.notes)
            context.progress(1, 3, "moving")
            places = _moved(library, X, places, found, params, context)
        else:
            notes.append(f"{n} items are too few for UMAP: principal components are shown.")
        context.progress(1, 1, "done")
        model = Model(
            title="Items and their positions",
            dataset=data,
            arrays={"features": X, "places": places},
        )
        embedding = Embedding(
            title=self.title,
            dataset=data,
            coordinates=places,
            axes=tuple(f"UMAP {j + 1}" for j in range(params.components)),
            notes=tuple(notes),
        )
        return Output(embedding, {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Place new items beside their nearest."""
        X, known = data.dense_features(), model.arrays["features"]
        require_columns(data, known.shape[1])
        places = placed_beside(X, known, model.arrays["places"], check=context.check)
        return Embedding(title=self.title, dataset=data, coordinates=places)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The neighbours and the graph of them, and a compiler's pause at the first use."""
        n = data.n
        return Cost(
            bytes=int(3e8 + 100 * params.neighbours * n + 16 * n * data.d),
            seconds=15 + 2e-7 * n * params.neighbours * (params.iterations or 200),
            alternatives=("use t-SNE, which takes a subset of many items",),
        )


def _library() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of TensorFlow, which nobody asked for
            import umap
    except ImportError:
        raise DataError(
            "UMAP needs the package umap-learn, which is not installed. "
            "Install it with: pip install 'coterie[umap]'.",
            code="missing-package",
        ) from None
    return umap


def _moved(
    library: Any, X: Any, start: Any, found: Any, params: UMAP.Params, context: Context
) -> Any:
    # The library counts an item as its own first neighbour.
    indices = np.column_stack([np.arange(len(X)), found.indices]).astype(np.int32)
    away = np.column_stack([np.zeros(len(X)), found.distances]).astype(np.float32)
    extent = float(np.abs(start).max()) or 1.0
    first = start * (START / extent) + context.rng.normal(0.0, 1e-4, start.shape)
    reducer = library.UMAP(
        n_components=params.components,
        n_neighbors=indices.shape[1],
        min_dist=params.least_distance,
        n_epochs=params.iterations or None,
        init=first.astype(np.float32),
        random_state=int(context.rng.integers(2**31)),
        n_jobs=1,
        precomputed_knn=(indices, away),
        force_approximation_algorithm=True,
    )
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    watching, tqdm.monitor_interval = tqdm.monitor_interval, 0  # else it leaves a thread behind
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            places = reducer.fit_transform(X.astype(np.float32))
    finally:
        tqdm.monitor_interval = watching
    return np.asarray(places, dtype=np.float64)

"""t-SNE: a picture in which each item stays with its nearest neighbours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    Curve,
    DataError,
    Dataset,
    Embedder,
    Embedding,
    Field,
    Floats,
    Ints,
    Model,
    Output,
)
from coterie.core.numerics.features.directions import leading_directions
from coterie.core.numerics.manifold.places_of_items import places_model, places_of_new
from coterie.core.numerics.manifold.placing import placed_beside
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.neighbours import GOOD_RECALL, nearest_neighbours
from coterie.core.numerics.spectral.spectra import graph_spectrum

EARLY = 250  # iterations in which attraction is exaggerated, as its authors advise
EXAGGERATION = 12.0
START = 1e-4  # spread of the first coordinates
LEAST_RATE = 4.0  # of learning: by the number of items alone, very few would hardly move
BETWEEN_DIVERGENCES = 10  # iterations; the divergence costs half as much as an iteration
LEAST_SHARED = 5_000  # items: for fewer, threads wait longer for each other than they work
PLACING = 100  # iterations that new items take
GRID = 5_000  # items from which repulsion is quicker interpolated on a grid, in a plane


class TSNE(Embedder):
    """A picture in which each item stays with its nearest neighbours; groups appear as islands.

    Attraction to the neighbours and repulsion from all others come to rest where the divergence
    between neighbourhoods in the data and in the picture is small. Sizes of islands and distances
    between them mean little. Of an affinity, the similarities are the attraction. Above `subset`
    items, so many of them make the picture and the others are placed beside their nearest.
    """

    id, title, version = "tsne", "t-SNE", "2"
    reference = (
        "van der Maaten, Hinton (2008). Visualizing data using t-SNE. JMLR 9. Poličar, Stražar, "
        "Zupan (2024). openTSNE. Journal of Statistical Software 109."
    )
    needs = ("dataset|affinity",)
    curves = (
        Curve(
            "divergence",
            "divergence",
            "How much neighbourhoods in the picture differ from those in the data "
            "(Kullback–Leibler divergence); falls in two phases: first with exaggerated "
            "attraction, then without.",
        ),
    )

    class Params(Embedder.Params):
        """How wide a neighbourhood is, and how long to move."""

        components: int = Field(2, ge=1, le=3, description="Number of coordinates.")
        perplexity: float = Field(
            30.0,
            gt=1,
            description="Approximate number of neighbours that an item stays close to; at most a "
            "third of all items.",
            json_schema_extra={"slider": [5.0, 100.0]},
        )
        iterations: int = Field(
            500,
            ge=1,
            description=f"Number of iterations after the first {EARLY}, which pull neighbours "
            "together.",
            json_schema_extra={"slider": [100, 2000], "advanced": True},
        )
        subset: int = Field(
            10_000,
            ge=0,
            description="Maximum number of items that make the picture, chosen at random; the "
            "others are placed beside their nearest. 0: use all.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, source: Dataset | Affinity, *, params: Params, context: Context) -> Output:
        """Return the coordinates; of a data set also the model for new items."""
        library = _library()
        context.check()
        if isinstance(source, Affinity):
            return self._of_affinity(library, source, params, context)
        X = source.dense_features()
        require_squares(X)
        chosen = _subset(len(X), params.subset, context)
        known = X if chosen is None else X[chosen]
        notes: list[str] = []
        places: Floats = np.zeros((len(known), params.components))
        details: dict[str, Any] = {}
        if len(known) > 1:
            P, perplexity = _attraction(known, params.perplexity, context, notes)
            start = _first_places(known, params.components, context)
            shown = _Watched(_force(library, *start.shape), EARLY + params.iterations, context)
            shown.items = chosen
            places, divergence = _descend(library, P, start, shown, context)
            details = {"divergence": divergence, "perplexity": perplexity}
        model = Model(
            title="Items and their positions",
            dataset=source,
            arrays={"features": known, "places": places},
            settings={"perplexity": details.get("perplexity", params.perplexity)},
        )
        if chosen is not None:
            context.progress(95, 100, "placing the others")
            places = placed_beside(X, known, places, recall=GOOD_RECALL, check=context.check)
            notes.append(
                f"{len(known):,} of {len(X):,} items made the picture; the others were placed "
                "beside their nearest."
            )
        return Output(self._embedding(source, places, notes, details), {"model": model})

    def _of_affinity(
        self, library: Any, affinity: Affinity, params: Params, context: Context
    ) -> Output:
        require_items(affinity)
        if affinity.n == 1:
            nowhere = np.zeros((1, params.components))
            return Output(self._embedding(affinity.dataset, nowhere, [], {}))
        P = _attraction_of(affinity, context)
        found = graph_spectrum(
            affinity, params.components + 1, rng=context.rng, check=context.check
        )
        start: Floats = np.zeros((affinity.n, params.components))
        vectors = found.walk_vectors(min(len(found.values), params.components + 1))[:, 1:]
        start[found.items, : vectors.shape[1]] = vectors
        start = _scaled(start, context)
        shown = _Watched(_force(library, *start.shape), EARLY + params.iterations, context)
        places, divergence = _descend(library, P, start, shown, context)
        notes = []
        if alone := affinity.n - len(found.items):
            notes.append(f"Items without an edge are only pushed away by the others: {alone}.")
        details = {"divergence": divergence}
        parts = places_model(affinity.dataset, places)
        return Output(self._embedding(affinity.dataset, places, notes, details), parts)

    def _embedding(
        self, data: Dataset | None, places: Floats, notes: list[str], details: dict[str, Any]
    ) -> Embedding:
        return Embedding(
            title=self.title,
            dataset=data,
            coordinates=places,
            axes=tuple(f"t-SNE {j + 1}" for j in range(places.shape[1])),
            notes=tuple(notes),
            details=details,
        )

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Place new items beside their nearest; of a data set, they move among the fixed ones."""
        context.check()
        if "perplexity" not in model.settings:  # of similarities, which new items have none of
            return self._embedding(data, places_of_new(model, data, context.check), [], {})
        library = _library()
        X, known = data.dense_features(), model.arrays["features"]
        require_columns(data, known.shape[1])
        context.check()
        reference = model.arrays["places"]
        places = placed_beside(X, known, reference, check=context.check)
        away = nearest_neighbours(X, 1, among=known, check=context.check).distances
        new = np.flatnonzero(away[:, 0] > 0)
        if len(new) and len(known) > 1:
            perplexity = float(model.settings["perplexity"])
            places[new] = _settle(
                library, X[new], known, places[new], reference, perplexity, context
            )
        return self._embedding(data, places, [], {})

    def estimate(self, source: Dataset | Affinity, *, params: Params) -> Cost:
        """The neighbours of all items twice, and some copies of their places."""
        n = source.n if isinstance(source, Affinity) else min(source.n, params.subset or source.n)
        edges = 3 * min(params.perplexity, n / 3) * n
        return Cost(
            bytes=int(60 * edges + 400 * source.n),
            seconds=2e-6 * n * (EARLY + params.iterations) + 1e-9 * min(n, 20_000) * n,
            alternatives=("let a smaller subset make the picture", "use principal components"),
        )


def _library() -> Any:
    try:
        import openTSNE
    except ImportError:
        raise DataError(
            "t-SNE needs the package openTSNE, which is not installed. "
            "Install it with: pip install 'coterie[tsne]'.",
            code="missing-package",
        ) from None
    return openTSNE


def _subset(n: int, most: int, context: Context) -> Ints | None:
    """The items that make the picture, or None for all."""
    if not most or n <= most:
        return None
    return np.sort(context.rng.choice(n, most, replace=False))


def _attraction(
    X: Floats, perplexity: float, context: Context, notes: list[str]
) -> tuple[Any, float]:
    """The probabilities that draw items together, and the perplexity that they have."""
    from openTSNE.affinity import joint_probabilities_nn

    n = X.shape[0]
    most = max(1.0, (n - 1) / 3)
    if perplexity > most:
        notes.append(f"The perplexity is {most:.3g}, as there are only {n} items.")
        perplexity = most
    k = min(n - 1, int(np.ceil(3 * perplexity)))
    found = nearest_neighbours(
        X, k, recall=GOOD_RECALL, check=context.check, workers=context.workers
    )
    notes.extend(found.notes)
    return joint_probabilities_nn(found.indices, found.distances, [perplexity]), perplexity


def _attraction_of(affinity: Affinity, context: Context) -> Any:
    """The similarities as probabilities: each item has the same share to give away."""
    from scipy.sparse import csr_matrix, diags

    A = csr_matrix(affinity.to_dense() if affinity.sparse is None else affinity.sparse)
    context.check()
    A.setdiag(0)
    A.eliminate_zeros()
    degrees = np.asarray(A.sum(axis=1)).ravel()
    shares = diags(np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)) @ A
    P = csr_matrix((shares + shares.T) / 2, dtype=np.float64)
    return P / P.sum()


def _first_places(X: Floats, components: int, context: Context) -> Floats:
    """Principal components, very close together."""
    centred = X - X.mean(axis=0)
    axes, _ = leading_directions(centred, components)
    context.check()
    places = np.zeros((len(centred), components))
    places[:, : len(axes)] = centred @ axes.T
    return _scaled(places, context)


def _scaled(places: Floats, context: Context) -> Floats:
    """The same places with a spread of `START`, and a little apart where they are equal."""
    spread = float(places.std(axis=0).max())
    if spread > 0:
        places = places * (START / spread)
    return places + context.rng.normal(0.0, START / 1000, places.shape)


def _descend(
    library: Any, P: Any, start: Floats, watched: _Watched, context: Context
) -> tuple[Floats, float]:
    """Let the items move until the iterations are over; show each."""
    embedding = library.TSNE().prepare_initial(
        affinities=library.affinity.PrecomputedAffinities(P), initialization=start
    )
    jobs = context.workers if len(start) >= LEAST_SHARED else 1
    rest = watched.iterations - EARLY
    for count, exaggeration, momentum in ((EARLY, EXAGGERATION, 0.5), (rest, 1.0, 0.8)):
        watched.exaggeration = exaggeration
        embedding = embedding.optimize(
            count,
            exaggeration=exaggeration,
            momentum=momentum,
            learning_rate=max(len(start) / exaggeration, LEAST_RATE),
            negative_gradient_method=watched,
            n_jobs=jobs,
            inplace=True,
        )
    return np.array(embedding, dtype=np.float64), float(embedding.kl_divergence)


def _settle(
    library: Any,
    X: Floats,
    known: Floats,
    places: Floats,
    reference: Floats,
    perplexity: float,
    context: Context,
) -> Floats:
    """Let new items move among those that have a place."""
    from openTSNE.affinity import PrecomputedAffinities, joint_probabilities_nn
    from scipy.sparse import csr_matrix

    k = min(len(known), int(np.ceil(3 * perplexity)))
    found = nearest_neighbours(X, k, among=known, check=context.check, workers=context.workers)
    P = joint_probabilities_nn(
        found.indices,
        found.distances,
        [perplexity],
        symmetrize=False,
        normalization="point-wise",
        n_reference_samples=len(known),
    )
    nothing = PrecomputedAffinities(csr_matrix((len(known), len(known))), normalize=False)
    fixed = library.TSNEEmbedding(np.array(reference), nothing)
    moving = library.tsne.PartialTSNEEmbedding(places, fixed, P)
    watched = _Watched(library.tsne.kl_divergence_bh, PLACING, context)
    moving = moving.optimize(
        PLACING,
        learning_rate=0.1,
        momentum=0.8,
        max_grad_norm=0.25,
        negative_gradient_method=watched,
        n_jobs=context.workers if len(X) >= LEAST_SHARED else 1,
        inplace=True,
    )
    return np.array(moving, dtype=np.float64)


def _force(library: Any, n: int, components: int) -> Callable[..., Any]:
    """What works out the gradient: on a grid for many items, else by a tree."""
    tsne = library.tsne
    grid = n >= GRID and components < 3
    return tsne.kl_divergence_fft if grid else tsne.kl_divergence_bh  # type: ignore[no-any-return]


class _Watched:
    """The library's gradient; shows where the items are each time it is asked for."""

    def __init__(self, force: Callable[..., Any], iterations: int, context: Context) -> None:
        self._force, self.iterations, self._context = force, iterations, context
        self._done, self._divergence = 0, float("nan")
        self.exaggeration = 1.0
        self.items: Ints | None = None

    def __call__(self, embedding: Any, P: Any, **options: Any) -> tuple[float, Any]:
        last = bool(options.pop("should_eval_error", False))
        due = self._done % BETWEEN_DIVERGENCES == 0
        divergence, gradient = self._force(embedding, P, should_eval_error=due or last, **options)
        if due:
            # P is exaggerated in place; this is the divergence as it is without that.
            self._divergence = divergence / self.exaggeration - np.log(self.exaggeration)
        if not last:
            self._done += 1
            self._context.frame(
                self._done,
                coordinates=np.asarray(embedding),
                items=self.items,
                divergence=self._divergence,
            )
            self._context.progress(self._done, 1.06 * self.iterations, "moving")
        return divergence, gradient

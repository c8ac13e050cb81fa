"""Multidimensional scaling: a picture whose distances are those of the data, as far as possible."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import (
    Context,
    Cost,
    Curve,
    Dataset,
    Embedder,
    Embedding,
    Field,
    Floats,
    Model,
    Output,
    Spectrum,
)
from coterie.core.numerics.manifold.scaling import (
    Scaled,
    classical_scaling,
    majorise,
    settle_by_stress,
)
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares


class MDS(Embedder):
    """A picture whose distances between items are as near as possible to those of the data.

    Starts from classical scaling, and then lowers the stress: the differences between distances in
    the picture and in the data, relative to those in the data.
    """

    id, title = "mds", "Multidimensional scaling"
    reference = (
        "Borg, Groenen (2005). Modern Multidimensional Scaling. Springer. de Leeuw (1977). "
        "Applications of convex analysis to multidimensional scaling."
    )
    needs = ("dataset",)
    curves = (
        Curve(
            "stress",
            "stress",
            "How much distances in the picture differ from those in the data, relative to the "
            "latter; never rises. Below 0.1 the picture is faithful, above 0.2 it hides a lot.",
        ),
    )

    class Params(Embedder.Params):
        """How many coordinates, and what is made small."""

        components: int = Field(
            2, ge=1, description="Number of coordinates.", json_schema_extra={"slider": [1, 10]}
        )
        criterion: Literal["stress", "classical"] = Field(
            "stress",
            description="stress: minimise differences of distances, step by step. classical: of "
            "inner products, in one step.",
        )
        iterations: int = Field(
            300,
            ge=1,
            description="Maximum number of iterations.",
            json_schema_extra={"advanced": True},
        )
        tolerance: float = Field(
            1e-6,
            gt=0,
            description="Stop when an iteration lowers the stress by less.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        from scipy.spatial.distance import cdist

        X = data.dense_features()
        require_squares(X)
        context.check()
        distances = cdist(X, X)
        context.check()
        scaled = classical_scaling(distances**2, params.components, context.rng)
        places, details, notes = scaled.places, {}, []
        if params.criterion == "stress" and len(X) > 1:
            places, stress, done = self._lower(distances, places, params, context)
            details = {"stress": stress, "iterations": done}
            if done == params.iterations:
                notes.append(f"The stress was still falling after {done} iterations.")
        model = Model(
            title="Items and their positions",
            dataset=data,
            arrays={
                "features": X,
                "places": places,
                "classical": scaled.places,
                "values": scaled.values,
                "mean_squares": scaled.mean_squares,
            },
            settings={"criterion": params.criterion},
        )
        spectrum = Spectrum(
            title="Eigenvalues of the inner products", dataset=data, eigenvalues=scaled.values
        )
        embedding = Embedding(
            title=self.title,
            dataset=data,
            coordinates=places,
            spectrum=scaled.values,
            notes=tuple(notes),
            details=details,
        )
        return Output(embedding, {"model": model, "spectrum": spectrum})

    def _lower(
        self, distances: Floats, places: Floats, params: Params, context: Context
    ) -> tuple[Floats, float, int]:
        """Lower the stress until that changes nothing; return places, stress and iterations."""
        before, stress, done = np.inf, np.inf, 0
        steps = majorise(distances, places, iterations=params.iterations, check=context.check)
        for done, (moved, stress) in enumerate(steps, start=1):
            places = moved
            context.frame(done, coordinates=places, stress=stress)
            context.progress(done, params.iterations, "moving")
            if before - stress < params.tolerance:
                break
            before = stress
        return places, float(stress), done

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Place new items where their distances to the known ones fit best."""
        from scipy.spatial.distance import cdist

        X, arrays = data.dense_features(), model.arrays
        require_columns(data, arrays["features"].shape[1])
        context.check()
        distances = cdist(X, arrays["features"])
        scaled = Scaled(arrays["classical"], arrays["values"], arrays["mean_squares"])
        places = scaled.place(distances**2)
        if model.settings["criterion"] == "stress":
            start, nearest = places, distances.argmin(axis=1)
            places = settle_by_stress(distances, start, arrays["places"], check=context.check)
            same = distances.min(axis=1) == 0
            places[same] = arrays["places"][nearest[same]]
        return Embedding(title=self.title, dataset=data, coordinates=places)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Four matrices of all pairs."""
        n = data.n
        steps = params.iterations if params.criterion == "stress" else 1
        return Cost(
            bytes=32 * n * n + 24 * n * data.d,
            seconds=1e-9 * n * n * (data.d + 8 * steps),
            alternatives=("use principal components or t-SNE",),
        )

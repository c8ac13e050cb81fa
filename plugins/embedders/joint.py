"""The joint embedding: personalised PageRank as inner products."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    Curve,
    Dataset,
    Embedder,
    Embedding,
    Field,
    Model,
    Output,
    Spectrum,
)
from coterie.core.model.arrays import Ints
from coterie.core.numerics.manifold.places_of_items import places_model, places_of_new
from coterie.core.numerics.similarity.affinity_ops import summed_degrees
from coterie.core.numerics.spectral.adjusted_laplacian import (
    FORM_DESCRIPTION,
    SPECTRUM_TITLES,
    AdjustedLaplacian,
    Form,
    JointCoordinates,
    adjusted_laplacian,
    joint_coordinates,
    needs_dense,
)
from coterie.core.numerics.spectral.outliers import far_out


class JointEmbedding(Embedder):
    """Coordinates in which groups are compact and personalised PageRank is a projection.

    Normalised, Z = √β U (Λ + β)^−½ from the smallest eigenvalues of L̃ = 1 − D^−½AD^−½ with
    β = α / (1 − α), and PageRank is D^½ZZᵀD^−½s. In the form of the document, Z = √(β Vol) E Λ^−½
    from those of L_β = βD + L, and squared distances are Vol times the generalised effective
    resistance of the graph; items of little similarity are far out, the more so the larger the
    restart probability, and are listed in the details, with their degree. New items are placed
    beside their nearest.
    """

    id, title, version = "joint", "Joint embedding", "3"
    curves = (
        Curve(
            "residual",
            "residual of the eigenvectors",
            "How far the eigenvectors are from satisfying their equation; falls.",
            log=True,
        ),
    )
    reference = "Chung, Zhao (2010). PageRank and random walks on graphs. Fete of Combinatorics."
    needs = ("affinity",)

    class Params(Embedder.Params):
        """How often the walk begins again, and how many coordinates are kept."""

        restart_probability: float = Field(
            0.15,
            gt=0,
            lt=1,
            description="Restart probability α: the chance per step that the walk returns to "
            "its seed.",
            json_schema_extra={"slider": [0.01, 0.99]},
        )
        components: int = Field(
            10,
            ge=0,
            description="Number of coordinates to keep; 0: all, with which rankings are exact.",
            json_schema_extra={"slider": [1, 50]},
        )
        form: Form = Field("normalised", description=FORM_DESCRIPTION)

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        context.check()
        joined = _joined(affinity) if params.form == "normalised" else None
        laplacian = adjusted_laplacian(
            affinity if joined is None else affinity.submatrix(joined),
            params.restart_probability,
            params.form,
            check=context.check,
        )

        def watch(round_: int, residual: float) -> None:
            context.frame(round_, residual=residual, phase="eigenvectors")

        found = joint_coordinates(
            laplacian, params.components, context.rng, watch=watch, check=context.check
        )
        context.check()
        coordinates = found.coordinates
        if joined is not None:
            coordinates = np.zeros((affinity.n, found.coordinates.shape[1]))
            coordinates[joined] = found.coordinates
        remarks = _remarks(laplacian, found, params.components)
        if alone := affinity.n - laplacian.affinity.n:
            words = f"Items without an edge were put at the origin: {alone}."
            remarks["notes"] = (*remarks["notes"], words)
        embedding = Embedding(
            title=f"Joint embedding, α = {params.restart_probability:g}",
            dataset=affinity.dataset,
            coordinates=coordinates,
            spectrum=found.eigenvalues,
            axes=tuple(f"coordinate {j + 1}" for j in range(found.coordinates.shape[1])),
            **remarks,
        )
        spectrum = Spectrum(
            title=SPECTRUM_TITLES[params.form],
            dataset=affinity.dataset,
            eigenvalues=found.eigenvalues,
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
        """Some dozen vectors for each coordinate, and D^−½AD^−½; of many the dense matrix."""
        n = affinity.n
        m = min(params.components or n, n)
        if needs_dense(n, m):
            return Cost(
                bytes=8 * n * (3 * n + 2 * m),
                seconds=2e-10 * n**3,
                alternatives=("keep fewer coordinates",),
            )
        scaled = 16 * int(affinity.stored.size) if params.form == "normalised" else 0
        return Cost(
            bytes=8 * n * 24 * (m + 8) + scaled + (32 << 20),
            seconds=2e-10 * affinity.stored.size * 20 * (m + 8),
            alternatives=("keep fewer coordinates", "use a k-nearest-neighbour graph"),
        )


def _joined(affinity: Affinity) -> Ints | None:
    """The items that have an edge; None where all have one, or none has."""
    alone = summed_degrees(affinity) == 0
    return np.flatnonzero(~alone) if 0 < alone.sum() < affinity.n else None


def _remarks(laplacian: AdjustedLaplacian, found: JointCoordinates, wanted: int) -> dict[str, Any]:
    affinity = laplacian.affinity
    names = affinity.dataset.items if affinity.dataset is not None else ()
    notes = []
    if found.coordinates.shape[1] < wanted:
        notes.append(f"{affinity.n} items have {found.coordinates.shape[1]} coordinates only.")
    if not found.converged:
        notes.append(
            f"The eigenvectors were not fully separated: stopped after {found.rounds} "
            f"rounds, with a relative residual of {found.residual:.2g}."
        )
    details: dict[str, Any] = {
        "restart_probability": laplacian.restart,
        "form": laplacian.form,
        "volume": laplacian.volume,
        "solver": found.how,
        "rounds": found.rounds,
        "residual": found.residual,
    }
    if laplacian.form == "document":
        details["outliers"] = far_out(found.coordinates, laplacian.degrees, names)
    return {"notes": tuple(notes), "details": details}

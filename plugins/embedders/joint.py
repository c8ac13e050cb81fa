"""The joint embedding: personalised PageRank as inner products."""

from __future__ import annotations

from typing import Any

from coterie.core import (
    Affinity,
    Context,
    Cost,
    Embedder,
    Embedding,
    Field,
    Output,
    Spectrum,
)
from coterie.core.numerics.spectral.adjusted_laplacian import (
    AdjustedLaplacian,
    JointCoordinates,
    adjusted_laplacian,
    joint_coordinates,
    needs_dense,
)
from coterie.core.numerics.spectral.outliers import far_out


class JointEmbedding(Embedder):
    """Coordinates in which groups are compact and personalised PageRank is a projection.

    Z = √(β Vol) E Λ^−½ from the smallest eigenvalues of L_β = βD + L, β = α / (1 − α). Squared
    distances are Vol times the generalised effective resistance of the graph. Items of little
    similarity are far out, the more so the larger the restart probability; they are listed in the
    details, with their degree.
    """

    id, title = "joint", "Joint embedding"
    curves = ("", "residual of the eigenvectors", "")
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

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the coordinates, and the spectrum as a part."""
        context.check()
        laplacian = adjusted_laplacian(affinity, params.restart_probability, check=context.check)

        def watch(round_: int, residual: float) -> None:
            context.frame(round_, residual=residual, phase="eigenvectors")

        found = joint_coordinates(laplacian, params.components, context.rng, watch=watch)
        context.check()
        embedding = Embedding(
            title=f"Joint embedding, α = {params.restart_probability:g}",
            dataset=affinity.dataset,
            coordinates=found.coordinates,
            spectrum=found.eigenvalues,
            axes=tuple(f"coordinate {j + 1}" for j in range(found.coordinates.shape[1])),
            **_remarks(laplacian, found, params.components),
        )
        spectrum = Spectrum(
            title="Smallest eigenvalues of the adjusted Laplacian",
            dataset=affinity.dataset,
            eigenvalues=found.eigenvalues,
        )
        return Output(embedding, {"spectrum": spectrum})

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Some dozen vectors for each coordinate; for many coordinates the dense matrix."""
        n = affinity.n
        m = min(params.components or n, n)
        if needs_dense(n, m):
            return Cost(
                bytes=8 * n * (3 * n + 2 * m),
                seconds=2e-10 * n**3,
                alternatives=("keep fewer coordinates", "take a sample of the items"),
            )
        return Cost(
            bytes=8 * n * 24 * (m + 8) + (32 << 20),
            seconds=2e-10 * affinity.stored.size * 20 * (m + 8),
            alternatives=("keep fewer coordinates", "use a k-nearest-neighbour graph"),
        )


def _remarks(laplacian: AdjustedLaplacian, found: JointCoordinates, wanted: int) -> dict[str, Any]:
    affinity = laplacian.affinity
    names = affinity.dataset.items if affinity.dataset is not None else ()
    outliers = far_out(found.coordinates, laplacian.degrees, names)
    notes = []
    if found.coordinates.shape[1] < wanted:
        notes.append(f"{affinity.n} items have {found.coordinates.shape[1]} coordinates only.")
    if not found.converged:
        notes.append(
            f"The eigenvectors were not fully separated: stopped after {found.rounds} "
            f"rounds, with a relative residual of {found.residual:.2g}."
        )
    return {
        "notes": tuple(notes),
        "details": {
            "restart_probability": laplacian.restart,
            "volume": laplacian.volume,
            "outliers": outliers,
            "solver": found.how,
            "rounds": found.rounds,
            "residual": found.residual,
        },
    }

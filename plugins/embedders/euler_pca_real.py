"""Principal components of the real form of Euler features: cosines and sines side by side."""

from __future__ import annotations

from coterie.core import (
    Context,
    Cost,
    Dataset,
    Embedder,
    Embedding,
    Field,
    Model,
    Output,
    Spectrum,
)
from coterie.core.numerics.features.directions import leading_directions
from coterie.core.numerics.features.euler import euler_features, require_unit_range
from coterie.core.numerics.similarity.check_columns import require_columns


class EulerPCAReal(Embedder):
    """Real principal components of features mapped onto circles, as two columns for each.

    Each feature x from 0 to 1 becomes cos(απx) / √2 and sin(απx) / √2; the directions are those
    along which these vary most. All distances are those of the published method, `euler-pca`, but a
    real direction may turn cosines and sines by different angles, so there are twice as many and
    they are not its complex ones.
    """

    id, title = "euler-pca-real", "Euler principal components, real form"
    reference = "Liwicki et al. (2013). Euler principal component analysis. IJCV 101(3)."
    needs = ("dataset",)

    class Params(Embedder.Params):
        """How features are wound, and how many directions are kept."""

        components: int = Field(
            2,
            ge=1,
            description="Number of directions to keep.",
            json_schema_extra={"slider": [1, 10]},
        )
        alpha: float = Field(
            1.9,
            gt=0,
            description="Winding α: at 1.9 the largest differences count as little as the "
            "smallest; near 0 the result is that of principal components.",
            json_schema_extra={"slider": [0.1, 2.0]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        X = data.dense_features()
        context.check()
        require_unit_range(X)
        wound = euler_features(X, params.alpha)
        mean = wound.mean(axis=0)
        wound -= mean
        context.check()
        axes, values = leading_directions(wound)
        context.check()
        variances = values**2 / max(1, data.n - 1)
        axes = axes[: params.components]
        model = Model(
            title="Mean and directions of wound features",
            dataset=data,
            arrays={"mean": mean, "axes": axes},
            settings={"alpha": params.alpha},
        )
        notes = (
            (f"{data.n} items with {data.d} columns have {len(axes)} directions only.",)
            if len(axes) < params.components
            else ()
        )
        embedding = Embedding(
            title=f"Euler principal components, real form, α = {params.alpha:g}",
            dataset=data,
            coordinates=wound @ axes.T,
            spectrum=variances,
            axes=tuple(f"component {j + 1}" for j in range(len(axes))),
            notes=notes,
        )
        spectrum = Spectrum(title="Variance by direction", dataset=data, eigenvalues=variances)
        return Output(embedding, {"model": model, "spectrum": spectrum})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Wind new items alike, and project them onto the fitted directions."""
        X = data.dense_features()
        context.check()
        axes = model.arrays["axes"]
        require_columns(data, axes.shape[1] // 2)
        require_unit_range(X)
        wound = euler_features(X, float(model.settings["alpha"]))
        return Embedding(
            title="Euler principal components, real form",
            dataset=data,
            coordinates=(wound - model.arrays["mean"]) @ axes.T,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The wound features, their singular vectors, and the smaller of the Gram matrices."""
        n, d = data.n, 2 * data.d
        return Cost(
            bytes=8 * (4 * n * d + 2 * min(n, d) ** 2),
            seconds=1e-8 * n * d * min(n, d),
        )

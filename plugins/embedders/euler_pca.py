"""Euler principal components: a view in which outliers and occluded pixels pull less."""

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
from coterie.core.numerics.features.euler import require_unit_range
from coterie.core.numerics.features.euler_components import (
    Complexes,
    EulerComponents,
    euler_components,
)
from coterie.core.numerics.similarity.check_columns import require_columns


class EulerPCA(Embedder):
    """Principal components of features mapped onto circles, where large differences stop adding up.

    Each feature x from 0 to 1 becomes the complex number e^{iαπx} / √2. The components are the
    leading eigenvectors of the Hermitian matrix of these, complex as well: each gives two
    coordinates, its real and its imaginary part. The features are put together again from the
    angles of what the components keep; where an outlier or an occluded pixel was, that is what the
    others have there.
    """

    id, title = "euler-pca", "Euler principal components"
    version = "2"  # complex, as published; what it was is euler-pca-real
    reference = "Liwicki et al. (2013). Euler principal component analysis. IJCV 101(3)."
    needs = ("dataset",)

    class Params(Embedder.Params):
        """How features are wound, and how many components are kept."""

        components: int = Field(
            2,
            ge=1,
            description="Number of complex components to keep; each gives two coordinates.",
            json_schema_extra={"slider": [1, 10]},
        )
        alpha: float = Field(
            1.9,
            gt=0,
            le=2,
            description="Winding α: at 1.9 the largest differences count as little as the "
            "smallest; near 0 the result is that of principal components.",
            json_schema_extra={"slider": [0.1, 2.0]},
        )
        centre: bool = Field(
            True,
            description="Subtract the mean first; otherwise the first component follows the mean.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, the reconstruction, the model."""
        X = data.dense_features()
        context.check()
        require_unit_range(X)
        found = euler_components(X, params.alpha, params.components, params.centre)
        context.check()
        placed = found.coordinates(X)
        again = found.reconstruction(placed)
        variances = found.eigenvalues / max(1, data.n - 1)
        kept = len(found.axes)
        error = float(np.abs(again - X).mean())
        notes = [f"From {kept} components the features come back with a mean error of {error:.2g}."]
        if kept < params.components:
            notes.append(f"{data.n} items with {data.d} columns have {kept} directions only.")
        model = Model(
            title="Mean and directions of wound features",
            dataset=data,
            arrays={
                "mean": _in_two(found.mean[None])[0],
                "axes_real": found.axes.real.copy(),
                "axes_imaginary": found.axes.imag.copy(),
            },
            settings={"alpha": params.alpha},
        )
        embedding = Embedding(
            title=f"Euler principal components, α = {params.alpha:g}",
            dataset=data,
            coordinates=_in_two(placed),
            spectrum=variances,
            axes=_names(kept),
            notes=tuple(notes),
            details={"mean_error": error},
        )
        spectrum = Spectrum(title="Variance by component", dataset=data, eigenvalues=variances)
        return Output(
            embedding,
            {"model": model, "spectrum": spectrum, "reconstruction": data.with_features(again)},
        )

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Wind new items alike, and project them onto the fitted components."""
        X = data.dense_features()
        context.check()
        axes: Complexes = model.arrays["axes_real"] + 1j * model.arrays["axes_imaginary"]
        require_columns(data, axes.shape[1])
        require_unit_range(X)
        mean: Complexes = model.arrays["mean"][::2] + 1j * model.arrays["mean"][1::2]
        alpha = float(model.settings["alpha"])
        found = EulerComponents(mean, axes, np.zeros(0), alpha)
        return Embedding(
            title="Euler principal components",
            dataset=data,
            coordinates=_in_two(found.coordinates(X)),
            axes=_names(len(axes)),
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The wound features, and the smaller of the Hermitian matrices with its eigenvectors."""
        n, d = data.n, data.d
        smaller = min(n, d)
        return Cost(
            bytes=16 * (3 * n * d + 3 * smaller**2),
            seconds=4e-9 * n * d * smaller + 2e-8 * smaller**3,
        )


def _in_two(values: Complexes) -> Floats:
    """Return real and imaginary parts side by side, component by component."""
    result = np.empty((len(values), 2 * values.shape[1]))
    result[:, ::2], result[:, 1::2] = values.real, values.imag
    return result


def _names(components: int) -> tuple[str, ...]:
    return tuple(
        f"component {j + 1}, {part}" for j in range(components) for part in ("real", "imaginary")
    )

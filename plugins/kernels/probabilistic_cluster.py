"""Probabilistic cluster kernel: similarity learned from many Gaussian mixtures."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    Curve,
    Dataset,
    Field,
    Floats,
    Kernel,
    Model,
    Output,
)
from coterie.core.numerics.mixtures.compression import (
    CompressedParams,
    learn,
    learning_bytes,
    summing_seconds,
)
from coterie.core.numerics.mixtures.ensembles import Fits, column_count, kernel_of_new
from coterie.core.numerics.mixtures.fitting import fit_mixtures, start_from
from coterie.core.numerics.mixtures.gaussians import Whitening, feature_count, quadratic_features
from coterie.core.numerics.mixtures.kmeans_batch import linear_features, partition
from coterie.core.numerics.mixtures.requirements import (
    remarks,
    require_items,
    require_more_items_than_columns,
)
from coterie.core.numerics.similarity.check_columns import require_columns

_ITERATIONS = 25  # what a fit takes, more or less


class ProbabilisticCluster(Kernel):
    """Chance that two items come from the same component, over many Gaussian mixtures.

    Mixtures of 2 … G components are fitted from Q starts each; K_ij is the mean of γ_iᵀγ_j, with γ
    the posteriors. Nothing needs to be chosen: few components show the coarse structure, many the
    fine. Entries are from 0 to 1; positive semi-definite. Kept as the factor Φ of all posteriors
    when that is narrower than the items are many, otherwise dense; of more than 10,000 items as a
    narrow factor, learned from 10,000 of them, whose error is measured and stated. Needs many more
    items than columns: reduce them first (transform `svd` or `pca`).
    """

    id, title = "probabilistic-cluster", "Probabilistic cluster kernel"
    version = "2"  # of more than 10,000 items a narrow factor
    curves = (
        Curve(
            "objective",
            "mean log-likelihood",
            "How probable the items are under a mixture, averaged over the fits.",
        ),
        Curve(
            "residual",
            "change of the kernel",
            "How much the newest fits changed how typical each item is; falls.",
            log=True,
        ),
        Curve("support", "fits", "Number of mixtures averaged so far."),
    )
    reference = (
        "Izquierdo-Verdiguier, Jenssen, Gómez-Chova, Camps-Valls (2015). "
        "Spectral clustering with the probabilistic cluster kernel. Neurocomputing 149."
    )

    class Params(CompressedParams):
        """How many mixtures, and how they are fitted."""

        covariance: Literal["full", "diagonal"] = Field(
            "full",
            description="Shape of the components; diagonal ones are aligned with the columns and "
            "need fewer items.",
        )
        regularisation: float = Field(
            1e-6,
            gt=0,
            description="Added to each variance, as a share of the mean variance of the columns.",
            json_schema_extra={"slider": [1e-9, 1e-1], "log": True, "advanced": True},
        )
        max_iterations: int = Field(
            100,
            ge=1,
            description="Maximum number of iterations of a fit.",
            json_schema_extra={"advanced": True},
        )
        tolerance: float = Field(
            1e-3,
            gt=0,
            description="A fit ends when the mean log-likelihood of an item rises by less.",
            json_schema_extra={"slider": [1e-6, 1e-1], "log": True, "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the kernel; part: the mixtures, for new items."""
        context.check()
        X = require_items(data, params.max_components)
        if params.covariance == "full":
            require_more_items_than_columns(data)
        space = Whitening.of(
            X, params.regularisation * float(X.var(axis=0).mean()), params.covariance
        )

        def featured(items: Floats) -> Floats:
            return quadratic_features(space.apply(items), params.covariance)

        found, learned = learn(
            lambda some: _Fitter(some, space, params, context),
            X,
            featured,
            params,
            soft=True,
            context=context,
        )
        affinity = found.kernel(
            f"Probabilistic cluster kernel, Q = {params.initialisations}, "
            f"G = {params.max_components}",
            data,
            notes=(
                *remarks(data, X, full=params.covariance == "full"),
                *_notes(found.tallies["thin"], found.tallies["unfinished"], data, params),
                *learned.notes,
            ),
            details={"mean_log_likelihood": found.objective, **learned.details},
        )
        model = Model(
            title="Gaussian mixtures",
            dataset=data,
            arrays={
                "centre": space.centre,
                "axes": space.axes,
                "coefficients": found.coefficients,
                **learned.arrays,
            },
            settings={
                "max_components": params.max_components,
                "initialisations": params.initialisations,
                "covariance": params.covariance,
            },
        )
        return Output(affinity, {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Affinity:
        """Return the similarities of new items among each other, as their rows of the factor Φ.

        With the rows of the fitted items, from the same model, the product new · fittedᵀ has the
        similarities between the two.
        """
        X = data.dense_features()
        context.check()
        centre, axes = model.arrays["centre"], model.arrays["axes"]
        require_columns(data, len(centre))
        features = quadratic_features((X - centre) @ axes, model.settings["covariance"])
        return kernel_of_new(model, features, data, soft=True, check=context.check)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The kernel, the mixtures, and those at work on each core."""
        n, G, Q = data.n, params.max_components, params.initialisations
        p = feature_count(data.d, params.covariance)
        columns, m = column_count(G, Q), params.fitted(n)
        sweeps = min(params.max_iterations, _ITERATIONS) * m * columns * (1e-10 * p + 1e-8)
        roots = _ITERATIONS * columns * (1e-6 + 1e-9 * data.d**3)
        return Cost(
            bytes=learning_bytes(n, data.d, p, params),
            seconds=sweeps + roots + summing_seconds(n, p, params),
            alternatives=(
                "lower 'initialisations' and 'max_components'",
                "reduce the columns with the transform 'svd'",
            ),
        )


class _Fitter:
    """Fits all starts of one number of components; shared by threads, so it keeps no state."""

    def __init__(
        self, X: Floats, space: Whitening, params: ProbabilisticCluster.Params, context: Context
    ) -> None:
        self._linear = linear_features(X)
        self._features = quadratic_features(space.apply(X), params.covariance)
        self._space, self._params, self._check = space, params, context.check

    def __call__(self, g: int, rng: np.random.Generator) -> Fits:
        params, space = self._params, self._space
        groups = partition(self._linear, g, params.initialisations, rng, check=self._check)
        start = start_from(
            groups, self._linear, self._features, space.ridge, params.covariance, check=self._check
        )
        found = fit_mixtures(
            start,
            self._features,
            space.ridge,
            params.covariance,
            max_iterations=params.max_iterations,
            tolerance=params.tolerance,
            check=self._check,
        )
        # With no more items than columns, a covariance has directions without variance.
        least = len(space.ridge) if params.covariance == "full" else 1
        return Fits(
            found.coefficients,
            found.posteriors,
            float(found.likelihoods.mean()) + space.log_volume,
            {
                "thin": int((found.posteriors.sum(axis=0) <= least + 1e-6).sum()),
                "unfinished": found.unfinished,
            },
        )


def _notes(
    thin: int, unfinished: int, data: Dataset, params: ProbabilisticCluster.Params
) -> tuple[str, ...]:
    said = []
    Q, G = params.initialisations, params.max_components
    if thin:
        least = data.d if params.covariance == "full" else 1
        said.append(
            f"{thin} of {column_count(G, Q)} components collapsed onto {least} "
            f"{'item' if least == 1 else 'items'} or fewer, and have their width from the "
            "regularisation alone. Fewer components or columns would avoid that."
        )
    if unfinished:
        said.append(
            f"{unfinished} of {Q * (G - 1)} mixtures were still rising after "
            f"{params.max_iterations} iterations."
        )
    return tuple(said)

"""Cluster kernel: how often many partitions put two items together."""

from __future__ import annotations

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
from coterie.core.numerics.mixtures.em_pass import shares_of
from coterie.core.numerics.mixtures.ensembles import Fits, column_count, kernel_of_new
from coterie.core.numerics.mixtures.kmeans_batch import partition
from coterie.core.numerics.mixtures.requirements import remarks, require_items
from coterie.core.numerics.similarity.check_columns import require_columns

_ITERATIONS = 20  # what a partition takes, more or less


class Cluster(Kernel):
    """Share of k-means partitions, of 2 … G groups and Q starts each, that put two items together.

    The consensus matrix. Entries are from 0 to 1, and 1 on the diagonal; positive
    semi-definite. Kept as the factor Φ of all memberships when that is narrower than the items are
    many, otherwise dense; of more than 10,000 items as a narrow factor, learned from 10,000 of
    them, whose error is measured and stated. Columns in large units dominate: standardise them
    first.
    """

    id, title = "cluster", "Cluster kernel"
    version = "2"  # of more than 10,000 items a narrow factor
    curves = (
        Curve(
            "residual",
            "change of the kernel",
            "How much the newest partitions changed how typical each item is; falls.",
            log=True,
        ),
        Curve("support", "partitions", "Number of partitions averaged so far."),
        Curve("objective", "", "Mean objective of the partitions."),
    )
    reference = (
        "Weston et al. (2005). Semi-supervised protein classification using cluster kernels. "
        "Bioinformatics 21(15)."
    )

    class Params(CompressedParams):
        """How many partitions, and how they are found."""

        max_iterations: int = Field(
            300,
            ge=1,
            description="Maximum number of iterations of a partition.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the kernel; part: the centres, for new items."""
        context.check()
        G, Q = params.max_components, params.initialisations
        X = require_items(data, G)
        centre = X.mean(axis=0)

        def featured(items: Floats) -> Floats:
            return np.column_stack([np.ones(len(items)), items - centre])

        found, learned = learn(
            lambda some: _Fitter(featured(some), params, context),
            X,
            featured,
            params,
            soft=False,
            context=context,
        )
        affinity = found.kernel(
            f"Cluster kernel, Q = {Q}, G = {G}",
            data,
            notes=(
                *remarks(data, X, full=False),
                *_notes(found.tallies["empty"], found.tallies["unfinished"], params),
                *learned.notes,
            ),
            details={"mean_squared_distance": -found.objective, **learned.details},
        )
        model = Model(
            title="k-means centres",
            dataset=data,
            arrays={"centre": centre, "coefficients": found.coefficients, **learned.arrays},
            settings={"max_components": G, "initialisations": Q},
        )
        return Output(affinity, {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Affinity:
        """Return the similarities of new items among each other, as their rows of the factor Φ.

        With the rows of the fitted items, from the same model, the product new · fittedᵀ has the
        similarities between the two.
        """
        X = data.dense_features()
        context.check()
        centre = model.arrays["centre"]
        require_columns(data, len(centre))
        features = np.column_stack([np.ones(data.n), X - centre])
        return kernel_of_new(model, features, data, soft=False, check=context.check)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The kernel, the centres, and those at work on each core."""
        n, G, Q = data.n, params.max_components, params.initialisations
        columns, m = column_count(G, Q), params.fitted(n)
        return Cost(
            bytes=learning_bytes(n, data.d, 1 + data.d, params),
            seconds=_ITERATIONS * m * columns * (1e-10 * data.d + 5e-9)
            + summing_seconds(n, 1 + data.d, params),
            alternatives=("lower 'initialisations' and 'max_components'",),
        )


class _Fitter:
    """Finds all partitions into one number of groups; shared by threads, so it keeps no state."""

    def __init__(self, features: Floats, params: Cluster.Params, context: Context) -> None:
        self._features, self._params, self._check = features, params, context.check
        self._variance = float(features[:, 1:].var(axis=0).sum())

    def __call__(self, g: int, rng: np.random.Generator) -> Fits:
        features, starts = self._features, self._params.initialisations
        found = partition(
            features, g, starts, rng, max_iterations=self._params.max_iterations, check=self._check
        )
        shares = np.empty((len(features), starts, g))
        best = shares_of(found.coefficients, features, shares, soft=False, check=self._check)
        # ‖x − c‖² = ‖x‖² − 2 · score: what is shown is the mean squared distance, negative so that
        # it rises.
        return Fits(
            found.coefficients,
            shares,
            2.0 * float(best.mean()) - self._variance,
            {"empty": found.empty, "unfinished": found.unfinished},
        )


def _notes(empty: int, unfinished: int, params: Cluster.Params) -> tuple[str, ...]:
    said = []
    Q, G = params.initialisations, params.max_components
    if empty:
        said.append(
            f"{empty} of {column_count(G, Q)} groups stayed empty, because there were fewer "
            "different items than groups."
        )
    if unfinished:
        said.append(
            f"{unfinished} of {Q * (G - 1)} partitions still changed after "
            f"{params.max_iterations} iterations."
        )
    return tuple(said)

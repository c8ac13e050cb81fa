"""Any clusterer of scikit-learn: derive, name its parameters, and return the estimator."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from coterie.core import Clusterer, Context, Cost, DataError, Dataset, Field


class _Estimator(Clusterer):
    """Groups by an estimator of scikit-learn."""

    needs = ("dataset",)
    interruptible: ClassVar[bool] = False  # its fit is one call

    def estimator(self, params: Any, seed: int) -> Any:
        """Return the estimator; import scikit-learn here, as that is slow."""
        raise NotImplementedError

    def compute(self, data: Dataset, *, params: Any, context: Context) -> Any:
        """Fit it and return its labels."""
        context.check()
        X = data.dense_features()
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # numbers too large to be squared
                return self.estimator(params, context.seed).fit_predict(X)
        except ValueError as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise DataError(f"The estimator does not take these data: {reason}.") from error

    def estimate(self, data: Dataset, *, params: Any) -> Cost:
        """A few copies of the features."""
        return Cost(bytes=32 * data.n * max(1, data.d) + (1 << 20), seconds=1e-6 * data.n)


class Bisecting(_Estimator):
    """Groups by bisecting k-means: the largest group is split in two, again and again."""

    id, title = "bisecting-k-means", "Bisecting k-means (scikit-learn)"
    reference = "Steinbach, Karypis, Kumar (2000). A comparison of document clustering techniques."

    class Params(Clusterer.Params):
        """The number of groups."""

        k: int = Field(
            2, ge=1, description="Number of groups.", json_schema_extra={"slider": [1, 20]}
        )

    def estimator(self, params: Any, seed: int) -> Any:
        """Return scikit-learn's BisectingKMeans."""
        from sklearn.cluster import BisectingKMeans

        return BisectingKMeans(params.k, random_state=seed)

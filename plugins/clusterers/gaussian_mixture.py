"""Gaussian mixture: groups as bells of any width and direction."""

from __future__ import annotations

import warnings
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from coterie.core import Clusterer, Clustering, Context, Cost, Curve, DataError, Dataset, Field
from coterie.core.model.arrays import Floats
from coterie.core.numerics.mixtures.best_mixture import BestMixture, MixtureFits, best_of_starts
from coterie.core.numerics.mixtures.gaussians import feature_count
from coterie.core.numerics.partitions.groups import CountParams, require_groups, settled_order
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.wording import counted

MOST_PRODUCTS = 1 << 24  # of columns, over all items: 128 MB


class GaussianMixture(Clusterer):
    """Fit a mixture of Gaussians by expectation-maximisation; each item has a share in each.

    With k 0 the number of groups is the one of smallest Bayesian information criterion. Full
    covariances need many more items than columns: reduce the columns first (transform/pca).
    """

    id, title, version = "gaussian-mixture", "Gaussian mixture", "2"
    curves = (
        Curve(
            "objective",
            "log-likelihood",
            "How probable the items are under the mixture; rises.",
        ),
        Curve(
            "residual",
            "growth per item",
            "Growth of the log-likelihood in this iteration, over the number of items; falls to "
            "the tolerance.",
            log=True,
        ),
        Curve("support", "", "Number of Gaussians, as given."),
    )
    reference = "Dempster, Laird, Rubin (1977). Maximum likelihood from incomplete data. JRSS B 39."
    needs = ("dataset",)

    class Params(CountParams):
        """How many Gaussians, and of what shape."""

        covariance: Literal["full", "tied", "diagonal", "spherical"] = Field(
            "full",
            description="Shape of the Gaussians: any (full), one shape for all groups (tied), "
            "aligned with the columns (diagonal), or round (spherical).",
        )
        restarts: int = Field(
            3,
            ge=1,
            description="Number of starts from k-means; the most likely fit is kept.",
            json_schema_extra={"slider": [1, 50], "advanced": True},
        )
        regularisation: float = Field(
            1e-6,
            gt=0,
            description="Share of the mean variance of the columns added to each variance.",
            json_schema_extra={"slider": [1e-9, 1e-1], "log": True, "advanced": True},
        )
        max_iterations: int = Field(
            200,
            ge=1,
            description="Maximum number of iterations per start; the result reports when it "
            "was reached.",
            json_schema_extra={"advanced": True},
        )
        tolerance: float = Field(
            1e-4,
            gt=0,
            description="Stop when the mean log-likelihood of an item grows by less.",
            json_schema_extra={"log": True, "slider": [1e-8, 1e-2], "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the groups of the most likely mixture, with the share of each item."""
        context.check()
        X = data.dense_features()
        require_groups(params.k, data.n)
        if data.n < 2:
            raise DataError(
                "A variance needs at least 2 items. Got 1; open a larger table.",
                code="too-few-items",
            )
        from threadpoolctl import threadpool_limits

        # On mixtures of this size threads wait for each other longer than they work.
        with threadpool_limits(limits=1), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what did not settle is said in the notes
            return self._fit(data, X, params, context)

    def _fit(self, data: Dataset, X: Floats, params: Params, context: Context) -> Clustering:
        require_squares(X)
        counts = [params.k] if params.k else _counts(data, params)
        engine = (_OwnFits if _is_quick(X, params) else _LibraryFits)(X, params, context)
        scores: dict[int, float] = {}
        for place, k in enumerate(counts):
            context.progress(0.9 * place / len(counts), 1, counted(k, "group"))
            scores[k] = engine.criterion(k)
        k = min(scores, key=lambda count: scores[count])
        found = engine.shown(k)
        labels = found.shares.argmax(axis=1)
        context.progress(1, 1, "done")
        which = "1 group has" if k == 1 else f"{k} groups have"
        notes = [] if params.k else [f"{which} the smallest information criterion."]
        if not params.k and k == counts[-1]:
            notes.append(
                f"Only up to {k} {'was' if k == 1 else 'were'} tried: more groups, or fewer "
                "columns, may fit better."
            )
        if (made := len(np.unique(labels))) < k:
            notes.append(f"Only {made} of the {k} groups have members. Choose fewer groups.")
        if not found.settled:
            notes.append(f"Stopped at the limit of {params.max_iterations} iterations.")
        return Clustering(
            title=f"Gaussian mixture, {counted(k, 'group')}",
            dataset=data,
            labels=labels,
            membership=found.shares,
            notes=tuple(notes),
            details={
                "k": k,
                "covariance": params.covariance,
                "log_likelihood": found.likelihood * data.n,
                "information_criterion": {str(count): score for count, score in scores.items()},
                "weights": found.weights,
                "settled": found.settled,
            },
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Shares, and a covariance for each group."""
        n, d = data.n, data.d
        k = params.k or params.most_groups
        runs = params.restarts * (1 if params.k else params.most_groups)
        return Cost(
            bytes=32 * n * (d + k) + 24 * k * d * d + 8 * min(n * d * d, MOST_PRODUCTS) + (8 << 20),
            seconds=runs * 30 * (1e-3 + n * k * d * (1e-9 * d + 2e-9)),
        )


def _counts(data: Dataset, params: GaussianMixture.Params) -> list[int]:
    """The numbers of groups to try: a Gaussian of its own shape needs more items than columns."""
    each = data.d + 1 if params.covariance == "full" else 2
    return list(range(1, max(1, min(params.most_groups, data.n // each)) + 1))


def _ended(
    X: Floats, params: GaussianMixture.Params, given: tuple[int, int]
) -> tuple[float, float]:
    """Where a start ended: its mean log-likelihood, and its information criterion."""
    k, seed = given
    model = _fitted(_model(k, seed, X, params), X)
    return float(model.lower_bound_), float(model.bic(X))


@dataclass(frozen=True, eq=False)
class _Found:
    """What is published of the best mixture of some number of groups."""

    shares: Floats
    likelihood: float
    weights: list[float]
    settled: bool


def _is_quick(X: Floats, params: GaussianMixture.Params) -> bool:
    """Whether the products of all pairs of columns are few enough to be kept for each item."""
    full = params.covariance == "full"
    return full and len(X) * feature_count(X.shape[1]) <= MOST_PRODUCTS


class _OwnFits:
    """Mixtures of any Gaussians, by products of matrices; those of the automatic answer."""

    def __init__(self, X: Floats, params: GaussianMixture.Params, context: Context) -> None:
        self._fits = MixtureFits.of(X, params.regularisation)
        self._params, self._context, self._n, self._d = params, context, *X.shape
        self._best: dict[int, BestMixture] = {}

    def criterion(self, k: int) -> float:
        """Return the information criterion of the best of all starts."""
        drawn = [int(self._context.rng.integers(2**31 - 1)) for _ in range(self._params.restarts)]
        fits = self._context.each(partial(_from_seed, self._fits, self._params, k), drawn)
        with closing(fits):
            found = self._best[k] = best_of_starts(next(fits) for _ in drawn)
        free = k * feature_count(self._d) - 1
        return float(free * np.log(self._n) - 2 * self._n * found.likelihood)

    def shown(self, k: int) -> _Found:
        """Show the iterations of the best start, and return where it ended."""
        best = self._best[k]
        states = self._fits.states(best.start, best.iterations, self._context.check)
        before = float("nan")
        for number, (reached, labels) in enumerate(states, start=1):
            self._context.frame(
                number,
                objective=reached * self._n,
                residual=abs(reached - before),
                support=k,
                phase=counted(k, "group"),
                labels=labels,
            )
            before = reached
        weights = best.shares.mean(axis=0).tolist()
        return _Found(best.shares, best.likelihood, weights, best.settled)


def _from_seed(fits: MixtureFits, params: GaussianMixture.Params, k: int, seed: int) -> BestMixture:
    """Where a start ended."""
    return fits.from_seed(k, seed, params.max_iterations, params.tolerance)


class _LibraryFits:
    """Mixtures of Gaussians of one kind of shape, by scikit-learn."""

    def __init__(self, X: Floats, params: GaussianMixture.Params, context: Context) -> None:
        self._middle = X - X.mean(axis=0)
        # The starts are drawn from this order, whatever that of the file.
        self._ordered = self._middle[settled_order(self._middle)]
        self._params, self._context = params, context
        self._seeds: dict[int, int] = {}

    def criterion(self, k: int) -> float:
        """Return the information criterion of the best of all starts."""
        drawn = [int(self._context.rng.integers(2**31 - 1)) for _ in range(self._params.restarts)]
        given = [(k, seed) for seed in drawn]
        fits = self._context.each(partial(_ended, self._ordered, self._params), given)
        with closing(fits):
            ends = [next(fits) for _ in given]
        best = max(range(len(ends)), key=lambda place: ends[place][0])
        self._seeds[k] = drawn[best]
        return ends[best][1]

    def shown(self, k: int) -> _Found:
        """Show the iterations of the best start, and return where it ended."""
        model, settled = _replayed(
            k, self._seeds[k], self._ordered, self._middle, self._params, self._context
        )
        shares = model.predict_proba(self._middle)
        return _Found(shares, float(model.lower_bound_), model.weights_.tolist(), settled)


def _model(k: int, seed: int, X: Floats, params: GaussianMixture.Params) -> Any:
    from sklearn.mixture import GaussianMixture as Engine

    variance = float(X.var(axis=0).mean())
    return Engine(
        k,
        covariance_type="diag" if params.covariance == "diagonal" else params.covariance,
        random_state=seed,
        # Of data without any spread, any positive width will do.
        reg_covar=params.regularisation * (variance if variance > 0 else 1.0),
        max_iter=params.max_iterations,
        tol=params.tolerance,
    )


def _fitted(model: Any, X: Floats) -> Any:
    try:
        return model.fit(X)
    except ValueError as error:
        raise DataError(
            "A Gaussian of the mixture collapsed on too few items. Choose fewer groups, a "
            "larger regularisation, or fewer columns (transform/pca).",
            code="not-converged",
        ) from error


def _replayed(
    k: int,
    seed: int,
    X: Floats,
    items: Floats,
    params: GaussianMixture.Params,
    context: Context,
) -> tuple[Any, bool]:
    """The best start once more, one iteration at a time; X are the items in a settled order."""
    model = _model(k, seed, X, params).set_params(warm_start=True, max_iter=1)
    before = float("nan")
    for number in range(1, params.max_iterations + 1):
        _fitted(model, X)
        reached = float(model.lower_bound_)
        growth, before = abs(reached - before), reached  # what the tolerance is compared with
        context.frame(
            number,
            objective=reached * len(X),
            residual=growth,
            support=k,
            phase=counted(k, "group"),
            labels=model.predict(items),
        )
        if model.converged_:
            return model, True
    return model, False

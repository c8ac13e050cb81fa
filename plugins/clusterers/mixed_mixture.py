"""Mixture of numbers and categories: groups in which each column has its own distribution."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Dataset,
    Field,
    Floats,
    Model,
    Output,
)
from coterie.core.numerics.mixed.columns import item_weights, layout_of, table_like, table_of
from coterie.core.numerics.mixed.gower import unknown_items
from coterie.core.numerics.mixed.mixture import Round, new_shares, rounds
from coterie.core.numerics.mixed.mixture_starts import MixtureStarts
from coterie.core.numerics.mixed.table import MixedTable
from coterie.core.numerics.mixed.weights import number_of_columns
from coterie.core.numerics.partitions.groups import CountParams, require_groups
from coterie.core.wording import counted


class MixedMixture(Clusterer):
    """Latent classes: in each group numbers are Gaussian and categories have their shares.

    Fitted by expectation-maximisation; each item has a share in each group. Within a group the
    columns are independent, so a missing value is integrated out instead of filled in. With k 0
    the number of groups is the one of smallest Bayesian information criterion. The result says how
    much each column says about the groups. Weights of items are used. A number of which many items
    have the same value, such as 0, saves no more by it than a category would.
    """

    id, title = "mixed-mixture", "Mixture of mixed columns"
    version = "2"  # a value that many items share counts as a category does
    reference = (
        "Hunt, Jorgensen (2003). Mixture model clustering for mixed data with missing "
        "information. Computational Statistics & Data Analysis 41."
    )
    needs = ("dataset",)
    weighs_items = True
    curves = (
        Curve("objective", "log-posterior", "How probable the items and the mixture are; rises."),
        Curve(
            "residual",
            "growth per item",
            "Growth of the log-posterior in this iteration, over the number of items; falls to "
            "the tolerance.",
            log=True,
        ),
        Curve("support", "", "Number of groups, as given."),
    )

    class Params(CountParams):
        """How many groups."""

        restarts: int = Field(
            10,
            ge=1,
            description="Number of spread starts; the most probable fit is kept.",
            json_schema_extra={"slider": [1, 50], "advanced": True},
        )
        max_iterations: int = Field(
            500,
            ge=1,
            description="Maximum number of iterations per start; the result reports when it "
            "was reached.",
            json_schema_extra={"advanced": True},
        )
        tolerance: float = Field(
            1e-6,
            gt=0,
            description="Stop when the log-posterior grows by less for each item.",
            json_schema_extra={"log": True, "slider": [1e-8, 1e-2], "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the groups of the most probable mixture; parts: the model for new items."""
        context.check()
        table = table_of(data)
        require_groups(params.k, table.n)
        fit = MixtureStarts(table, item_weights(data))
        counts = [params.k] if params.k else _counts(table, params.most_groups)
        scores: dict[int, float] = {}
        starts: dict[int, Floats] = {}
        for place, k in enumerate(counts):
            best: tuple[Round, Floats] | None = None
            for number in range(params.restarts if k > 1 else 1):
                done = 0.9 * (place + number / params.restarts) / len(counts)
                context.progress(done, 1, counted(k, "group"))
                found = fit.best(
                    k,
                    1,
                    context.rng,
                    tolerance=params.tolerance,
                    max_iterations=params.max_iterations,
                    check=context.check,
                )
                if best is None or found[0].posterior > best[0].posterior:
                    best = found
            assert best is not None
            scores[k], starts[k] = fit.data.criterion(best[0]), best[1]
        k = min(scores, key=lambda count: scores[count])
        end, settled = _shown(fit, starts[k], params, context)
        labels = np.where(unknown_items(table), -1, end.shares.argmax(axis=1))
        context.progress(1, 1, "done")
        gains = fit.data.column_gains(end)
        model = Model(
            title=f"Mixture of {counted(k, 'group')}",
            dataset=data,
            arrays={
                "group_weights": end.mixture.weights,
                "means": end.mixture.means,
                "variances": end.mixture.variances,
                "log_shares": end.mixture.log_shares,
                "mean": fit.data.mean,
                "deviation": fit.data.deviation,
            },
            settings={"layout": layout_of(table), "k": k},
        )
        clustering = Clustering(
            title=f"Mixture of mixed columns, {counted(k, 'group')}",
            dataset=data,
            labels=labels,
            membership=end.shares,
            notes=_notes(labels, k, counts, settled, params),
            details={
                "k": k,
                "log_likelihood": end.likelihood,
                "information_criterion": {str(count): score for count, score in scores.items()},
                "weights": end.mixture.weights.tolist(),
                "column_gains": {
                    name: round(float(gain), 6)
                    for name, gain in zip(table.names, gains, strict=True)
                },
                "settled": settled,
            },
        )
        return Output(clustering, {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the share of each new item in each group."""
        context.check()
        table = table_like(data, model.settings["layout"])
        shares = new_shares(table, model.arrays)
        labels = np.where(unknown_items(table), -1, shares.argmax(axis=1))
        return Clustering(title=self.title, dataset=data, labels=labels, membership=shares)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Indicators of the categories, and shares."""
        n, d = data.n, number_of_columns(data)
        k = params.k or params.most_groups
        runs = params.restarts * (1 if params.k else params.most_groups)
        return Cost(
            bytes=60 * n * d + 40 * n * k + (8 << 20),
            seconds=runs * 40 * (5e-4 + n * k * (3e-9 * d + 1e-8)),
        )


def _counts(table: MixedTable, most: int) -> list[int]:
    """The numbers of groups to try: one needs two items at least."""
    return list(range(1, max(1, min(most, table.n // 2)) + 1))


def _shown(
    fit: MixtureStarts, start: Floats, params: MixedMixture.Params, context: Context
) -> tuple[Round, bool]:
    """The best start once more, one iteration at a time."""
    before = float("nan")
    each = rounds(fit.data, start, tolerance=params.tolerance, max_iterations=params.max_iterations)
    for number, found in enumerate(each, 1):
        context.frame(
            number,
            objective=found.posterior,
            residual=abs(found.posterior - before) / fit.data.table.n,
            support=found.mixture.k,
            phase=counted(found.mixture.k, "group"),
            labels=found.shares.argmax(axis=1),
        )
        before = found.posterior
    return found, number < params.max_iterations


def _notes(
    labels: Floats, k: int, counts: list[int], settled: bool, params: MixedMixture.Params
) -> tuple[str, ...]:
    said = []
    if not params.k:
        which = "1 group has" if k == 1 else f"{k} groups have"
        said.append(f"{which} the smallest information criterion.")
        if k == counts[-1] and k > 1:
            said.append(f"Only up to {k} were tried: more groups may fit better.")
    unknown = int((labels < 0).sum())
    if unknown:
        said.append(f"Items without any known value, in no group: {unknown}.")
    if (made := len(np.unique(labels[labels >= 0]))) < k:
        said.append(f"Only {made} of the {k} groups have members. Choose fewer groups.")
    if not settled:
        said.append(f"Stopped at the limit of {params.max_iterations} iterations.")
    return tuple(said)

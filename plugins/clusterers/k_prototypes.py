"""k-prototypes: groups around means of numbers and the commonest categories."""

from __future__ import annotations

from typing import Literal

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
from coterie.core.numerics.mixed.mixture_starts import table_order
from coterie.core.numerics.mixed.prototypes import (
    PrototypeData,
    Prototypes,
    new_costs,
    rounds,
    spread_start,
)
from coterie.core.numerics.mixed.table import MixedTable
from coterie.core.numerics.mixed.weights import number_of_columns
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.partitions.kmeans import MeansParams
from coterie.core.wording import counted


class KPrototypes(Clusterer):
    """Groups around a prototype: the means of its numbers and the commonest of its categories.

    k-modes when all columns are categories, k-means on standardised columns when none is. A
    category that differs from the prototype's costs as much as a number that is one standard
    deviation away does on average. Missing values add nothing. Columns in which the groups are
    tight can be given more weight, which is learned and listed. Weights of items are used.
    """

    id, title = "k-prototypes", "k-prototypes"
    reference = (
        "Huang (1998). Extensions to the k-means algorithm for clustering large data sets with "
        "categorical values. Data Mining and Knowledge Discovery 2(3)."
    )
    needs = ("dataset",)
    weighs_items = True
    curves = (
        Curve(
            "objective",
            "sum of distances",
            "Distances of the items to their prototypes, summed; falls while the weights of the "
            "columns stay.",
        ),
        Curve(
            "residual",
            "share that moved",
            "Share of the items that changed their group in this round; 0 at the end.",
            log=True,
        ),
        Curve("support", "", "Number of groups, as given."),
    )

    class Params(MeansParams):
        """How many groups, and what the columns weigh."""

        weights: Literal["equal", "learned"] = Field(
            "equal",
            description="All columns count the same, or columns in which the groups are tight "
            "count more.",
        )
        sharpness: float = Field(
            4.0,
            gt=1,
            description="Exponent β of learned weights: near 1 few columns decide; large values "
            "weight all columns almost equally.",
            json_schema_extra={
                "slider": [1.1, 20.0],
                "log": True,
                "only_if": {"weights": ["learned"]},
                "advanced": True,
            },
        )
        restarts: int = Field(
            20,
            ge=1,
            description="Number of spread starts (k-means++); the best one is kept.",
            json_schema_extra={"slider": [1, 200], "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the best grouping of all starts; parts: the model for new items."""
        context.check()
        table = table_of(data)
        require_groups(params.k, table.n)
        prototypes = PrototypeData(table, item_weights(data))
        best, objectives = _best(prototypes, params, context)
        found, settled = _shown(prototypes, best, params, context)
        labels = np.where(unknown_items(table), -1, found.labels)
        context.progress(1, 1, "done")
        model = Model(
            title=f"{params.k} prototypes",
            dataset=data,
            arrays={
                "means": found.means,
                "modes": found.modes,
                "weights": found.weights,
                "scale": prototypes.scale,
                "mean": prototypes.mean,
                "deviation": prototypes.deviation,
            },
            settings={"layout": layout_of(table), "k": params.k},
        )
        clustering = Clustering(
            title=f"{_called(table)}, {counted(params.k, 'group')}",
            dataset=data,
            labels=labels,
            notes=_notes(labels, params, settled),
            details={
                "objective": found.objective,
                "restarts": params.restarts,
                "worst_objective": float(objectives.max()),
                "settled": settled,
                "column_weights": _by_column(table, found.weights),
                "prototypes": _prototypes(table, prototypes, found),
            },
        )
        return Output(clustering, {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the group of the nearest prototype for each new item."""
        context.check()
        table = table_like(data, model.settings["layout"])
        labels = new_costs(table, model.arrays).argmin(axis=1)
        labels = np.where(unknown_items(table), -1, labels)
        return Clustering(title=_called(table), dataset=data, labels=labels)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Indicators of the categories, and distances to the prototypes."""
        n, d, k = data.n, number_of_columns(data), params.k
        return Cost(
            bytes=60 * n * d + 40 * n * k + (8 << 20),
            seconds=params.restarts * (2e-3 + 15 * n * (k * 1e-9 * d + 1e-8 * d)),
        )


def _best(
    data: PrototypeData, params: KPrototypes.Params, context: Context
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], Floats]:
    """The labels that the best start begins with, and how well each start ends."""
    order = table_order(data.table)
    exponent = params.sharpness if params.weights == "learned" else 0.0
    objectives = np.empty(params.restarts)
    best = np.zeros(data.table.n, dtype=np.int64)
    for number in range(params.restarts):
        done = f"start {number + 1} of {params.restarts}"
        context.progress(0.9 * number / params.restarts, 1, done)
        start = spread_start(data, params.k, order, context.rng)
        for each in rounds(
            data, start, params.k, exponent=exponent, max_iterations=params.max_iterations
        ):
            context.check()
            objectives[number] = each.objective
        if not number or objectives[number] < objectives[:number].min():
            best = start
    return best, objectives


def _shown(
    data: PrototypeData,
    start: np.ndarray[tuple[int], np.dtype[np.int64]],
    params: KPrototypes.Params,
    context: Context,
) -> tuple[Prototypes, bool]:
    """The best start once more, round by round."""
    exponent = params.sharpness if params.weights == "learned" else 0.0
    each = rounds(data, start, params.k, exponent=exponent, max_iterations=params.max_iterations)
    for number, found in enumerate(each, 1):
        context.frame(
            number,
            objective=found.objective,
            residual=found.moved,
            support=params.k,
            phase="best start",
            labels=found.labels,
        )
    return found, number < params.max_iterations


def _called(table: MixedTable) -> str:
    return "k-modes" if not table.p else "k-prototypes"


def _notes(labels: Floats, params: KPrototypes.Params, settled: bool) -> tuple[str, ...]:
    said = []
    unknown = int((labels < 0).sum())
    if unknown:
        said.append(f"Items without any known value, in no group: {unknown}.")
    if not settled:
        said.append(
            f"The best start had not settled after the limit of {params.max_iterations} rounds."
        )
    return tuple(said)


def _by_column(table: MixedTable, weights: Floats) -> dict[str, float]:
    return {
        name: round(float(weight), 6) for name, weight in zip(table.names, weights, strict=True)
    }


def _prototypes(
    table: MixedTable, data: PrototypeData, found: Prototypes
) -> list[dict[str, float | str]]:
    """Each prototype in the units of the table, for reading."""
    means = found.means * data.deviation + data.mean
    listed: list[dict[str, float | str]] = []
    for mean, mode in zip(means[:, :50], found.modes[:, :50], strict=True):
        numbers = zip(table.number_names, mean.tolist(), strict=False)
        words = zip(table.category_names, table.level_names, mode.tolist(), strict=False)
        listed.append(
            {name: float(value) for name, value in numbers}
            | {name: levels[code] if levels else "" for name, levels, code in words}
        )
    return listed

"""What plots of groups share that draw the columns of the items."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from coterie.core.api.components import Cost, Plot
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.model.dataset import Dataset
from coterie.core.model.figures import Figure
from coterie.core.model.results import Clustering
from coterie.core.numerics.partitions.group_columns import described


class GroupPlot(Plot):
    """Draws the columns of grouped items; subclasses say how (`draw`) and what it takes (`cost`).

    The columns are those of the second input, or else of the data that were grouped.
    """

    needs = ("clustering", "dataset?")

    def compute(
        self,
        groups: Clustering,
        dataset: Dataset | None = None,
        *,
        params: Any,
        context: Context,
    ) -> Figure:
        """Return the figure of the groups and the columns of their items."""
        context.check()
        return self.draw(groups, described(groups, dataset), params, context)

    @abstractmethod
    def draw(self, groups: Clustering, data: Dataset, params: Any, context: Context) -> Figure:
        """Return the figure; `data` has at least one item and one column."""

    def estimate(self, groups: Clustering, dataset: Dataset | None = None, *, params: Any) -> Cost:
        """What `cost` says of so many items and columns."""
        data = dataset if dataset is not None else groups.dataset
        return self.cost(groups, data.d if data is not None else 1, params)

    def cost(self, groups: Clustering, d: int, params: Any) -> Cost:
        """Some copies of the columns."""
        cells = groups.n * d
        return Cost(bytes=56 * cells + (1 << 20), seconds=3e-8 * cells)


class ColumnPlot(GroupPlot):
    """A plot for which columns can be chosen."""

    class Params(GroupPlot.Params):
        """Which features."""

        columns: list[str] = Field(
            default_factory=list,
            description="Features to draw; empty: those that distinguish the groups most.",
            json_schema_extra={"choices": "columns"},
        )

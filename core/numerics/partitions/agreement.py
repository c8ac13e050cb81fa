"""The base of metrics that are read off the table of classes × groups."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Literal

from coterie.core.api.components import Metric
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Score
from coterie.core.numerics.partitions.contingency import Contingency, contingency


class Agreement(Metric):
    """How far groups agree with classes. A subclass says what it reads off their table."""

    class Params(Metric.Params):
        """What becomes of items in no group."""

        unassigned: Literal["exclude", "own-class"] = Field(
            "exclude", description="Leave items in no group out, or count them as a group."
        )

    @abstractmethod
    def measure(self, table: Contingency, params: Any) -> tuple[float, Mapping[str, Any]]:
        """Return the number, and details worth keeping beside it."""

    def compute(
        self,
        clustering: Clustering,
        other: Clustering | Dataset | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Score:
        """Return the number with the table of classes × groups."""
        context.check()
        table = contingency(clustering, other, params.unassigned)
        value, details = self.measure(table, params)
        return Score(
            title=self.title,
            dataset=clustering.dataset,
            value=value,
            table=table.counts,
            rows=table.rows,
            columns=table.columns,
            notes=table.notes,
            details={"items": table.n, **params.as_json(), **details},
        )

"""A column computed from others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core import Column, Context, Cost, DataError, Dataset, Field, Model, Output, Transform
from coterie.core.formats.columns.retyping import own_table
from coterie.core.model.arrays import Floats, Matrix, is_sparse
from coterie.core.model.query import computed_values
from coterie.core.model.query_columns import DatasetColumns


class Compute(Transform):
    """Add a column that is computed from others, such as the ratio of two.

    An expression has columns, numbers, + − * / and %, brackets, and comparisons, which are 1 where
    they hold and 0 elsewhere: `weight / (height * height)` or `sex = m and age > 60`. Names with
    blanks stand in backticks. Where a value is missing, or is divided by 0, the result is missing.
    """

    id, title = "compute", "Computed column"

    class Params(Transform.Params):
        """What is computed, and what it is called."""

        expression: str = Field(
            "", description="What to compute, such as weight / (height * height)."
        )
        name: str = Field("", description="Name of the column; empty: the expression itself.")
        role: str = Field(
            "feature",
            pattern="^(feature|information|weight)$",
            description="feature, information or weight.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the data with one column more, and the model that computes it of new items."""
        context.check()
        data.on_disk and data.clean_features()
        if not params.expression.strip():
            raise DataError(
                f"There is nothing to compute. Write an expression, such as {_example(data)}.",
                code="invalid-parameters",
            )
        name = params.name.strip() or params.expression.strip()
        settings = {"expression": params.expression, "name": name, "role": params.role}
        model = Model(title=f"How '{name}' is computed", dataset=data, settings=settings)
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Compute the column of new items."""
        context.check()
        name, role = model.settings["name"], model.settings["role"]
        values = computed_values(model.settings["expression"], DatasetColumns(data), data.n)
        if name in data.columns or name in {column.name for column in data.table}:
            raise DataError(
                f"'{data.title}' has a column '{name:.80}' already. Choose another name.",
                code="invalid-parameters",
            )
        values = np.where(np.isfinite(values), values, np.nan)
        changed = data
        if data.table or role != "feature":
            column = Column(name, values, role=role)
            changed = replace(changed, table=(*own_table(data), column))
        if role == "feature":
            joined = _beside(data, values)
            changed = replace(changed, features=joined, columns=(*data.columns, name))
        missing = int(np.isnan(values).sum())
        if not missing:
            return changed
        note = f"'{name}' is missing for {missing:,} of {data.n:,} items."
        return replace(changed, notes=(*data.notes, note))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """A copy of the features."""
        return Cost(bytes=16 * data.n * (data.d + 4), seconds=1e-8 * data.n * (data.d + 4))


def _beside(data: Dataset, values: Floats) -> Matrix:
    if data.features is None:
        return values[:, None]
    if is_sparse(data.features):
        from scipy.sparse import csr_array, hstack

        features: Any = data.features
        joined: Matrix = csr_array(hstack([features, csr_array(values[:, None])]))
        return joined
    return np.column_stack([np.asarray(data.features), values])


def _example(data: Dataset) -> str:
    names = [name for name in data.columns if name.isidentifier()][:2]
    return " / ".join(names) if len(names) == 2 else "weight / height"

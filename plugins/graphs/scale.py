"""Scale a kernel: by a number, or by a feature of both items."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Field, Floats, Graph
from coterie.core.numerics.similarity.affinity_ops import require_items, scaled_sides, with_entries


class Scale(Graph):
    """factor · f(x) K(x, y) f(y), where f is a chosen column, or 1.

    Dense, sparse and factored stay what they are; positive semi-definite stays so.
    """

    id, title = "scale", "Scale"
    reference = "Shawe-Taylor, Cristianini (2004). Kernel Methods for Pattern Analysis."
    needs = ("affinity",)

    class Params(Graph.Params):
        """By what."""

        factor: float = Field(
            1.0,
            gt=0,
            description="Number that multiplies every similarity.",
            json_schema_extra={"slider": [1e-3, 1e3], "log": True},
        )
        column: str = Field(
            "",
            description="Column f of the features that multiplies from both sides; empty for none.",
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Affinity:
        """Return the scaled similarities."""
        context.check()
        require_items(affinity)
        sides = np.full(affinity.n, math.sqrt(params.factor))
        if params.column:
            sides = sides * _column(affinity, params.column)
        with np.errstate(over="ignore"):
            matrix = scaled_sides(affinity, sides, check=context.check)
        nonnegative = affinity.nonnegative and bool((sides >= 0).all() or (sides <= 0).all())
        if affinity.factor is not None:
            scaled = replace(affinity, factor=matrix, nonnegative=nonnegative)
        else:
            scaled = with_entries(affinity, matrix, nonnegative=nonnegative)
        scaled.require_finite()
        return scaled

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """As much as is there: one matrix of the same form."""
        stored = affinity.stored
        entries = stored.nnz if affinity.sparse is not None else stored.size
        return Cost(bytes=16 * int(entries) + (8 << 20), seconds=1e-8 * int(entries))


def _column(affinity: Affinity, name: str) -> Floats:
    data = affinity.dataset
    if data is None or name not in data.columns:
        known = ", ".join(data.columns[:20]) if data and data.columns else "none"
        raise DataError(
            f"There is no column '{name}' to scale by. The columns are: {known}.",
            code="unknown-column",
        )
    return data.dense_features()[:, data.columns.index(name)]

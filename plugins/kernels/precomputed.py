"""Precomputed: the similarities that came with the data."""

from __future__ import annotations

from typing import Any

from coterie.core import Affinity, Context, Cost, DataError, Dataset, Kernel
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.similarity.symmetry import is_symmetric


class Precomputed(Kernel):
    """The given similarities of a relation, as they are.

    A matrix that is not symmetric is a directed graph and stays one; the result says so, and says
    when similarities are negative, as some methods refuse either.
    """

    id, title = "precomputed", "As given"
    reference = ""

    def compute(self, data: Dataset, *, params: Kernel.Params, context: Context) -> Affinity:
        """Return the relation of the data set as similarities."""
        context.check()
        given: Any = data.relation
        if given is None:
            raise DataError(
                f"'{data.title}' has no similarities. Open a matrix of similarities or a "
                "list of edges, or compute them from the features with another kernel.",
                code="no-similarities",
            )
        if data.n == 0:
            raise DataError(
                f"'{data.title}' is empty. Open similarities of at least one item.",
                code="empty-data",
            )
        symmetric = is_symmetric(given, check=context.check)
        entries = given.data if is_sparse(given) else given
        least = float(entries.min(initial=0.0))
        notes = []
        if not symmetric:
            notes.append(
                "The given similarities are not symmetric and were kept as a directed graph; "
                "the graph step 'symmetrise' makes them symmetric."
            )
        if least < 0:
            notes.append(f"Some given similarities are negative, down to {least:.4g}.")
        affinity = Affinity(
            **{"sparse" if is_sparse(given) else "values": given},
            symmetric=symmetric,
            nonnegative=least >= 0,
            title=data.title or "Given similarities",
            dataset=data,
            notes=tuple(notes),
        )
        affinity.require_finite()
        return affinity

    def estimate(self, data: Dataset, *, params: Kernel.Params) -> Cost:
        """Nothing but the matrix that is there."""
        return Cost(bytes=16 << 20, seconds=1e-9 * data.n * data.n)

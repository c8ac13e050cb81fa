"""Latent class analysis: groups within which the answers to questions are independent."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from coterie.core import (
    Clusterer,
    Clustering,
    Column,
    Context,
    Cost,
    Curve,
    DataError,
    Dataset,
    Field,
)

LEAST = 1e-3  # added to each count, so no answer is impossible


class LatentClasses(Clusterer):
    """Groups of items whose categories are drawn from the same shares, column by column.

    Fitted by expectation-maximisation to the columns of categories; missing answers are left out.
    """

    id, title = "latent-classes", "Latent classes"
    reference = "Lazarsfeld, Henry (1968). Latent structure analysis. Houghton Mifflin."
    needs = ("dataset",)
    curves = (Curve("likelihood", "log likelihood", "How well the groups explain it; rises."),)

    class Params(Clusterer.Params):
        """How many groups, and how long to fit them."""

        k: int = Field(
            2, ge=1, description="Number of groups.", json_schema_extra={"slider": [1, 10]}
        )
        max_iterations: int = Field(200, ge=1, description="Most iterations.")
        columns: list[str] = Field(
            default_factory=list,
            description="Columns of categories to use; empty: all.",
            json_schema_extra={"choices": "categories"},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the groups with their memberships."""
        context.check()
        answers = _answers(data, params.columns)
        n = data.n
        if params.k > n:
            raise DataError(f"There are {n} items for {params.k} groups. Choose fewer groups.")
        shares = context.rng.dirichlet(np.ones(params.k), size=n)
        before = -np.inf
        for iteration in range(1, params.max_iterations + 1):
            context.check()
            weights = np.log(shares.mean(axis=0) + 1e-300)
            scores = np.tile(weights, (n, 1))
            for known in answers:
                counts = shares.T @ known + LEAST
                scores += known @ np.log(counts / counts.sum(axis=1, keepdims=True)).T
            most = scores.max(axis=1, keepdims=True)
            shares = np.exp(scores - most)
            total = shares.sum(axis=1, keepdims=True)
            shares /= total
            likelihood = float((most + np.log(total)).sum())
            context.frame(iteration, likelihood=likelihood, labels=shares.argmax(axis=1))
            if likelihood - before < 1e-9 * abs(likelihood):
                break
            before = likelihood
        order = np.argsort(-shares.sum(axis=0), kind="stable")
        shares = shares[:, order]
        return Clustering(labels=shares.argmax(axis=1), membership=shares)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """A row of zeros and ones for each item."""
        return Cost(bytes=64 * data.n * max(1, len(data.table)) + (1 << 16), seconds=1e-5 * data.n)

    @classmethod
    def example(cls, _folder: Path) -> tuple[Dataset]:
        """Return a small table of categories, for the checks."""
        codes = np.arange(24) % 2
        columns = []
        for j in range(3):
            answers = codes ^ (np.arange(24) % 7 == j)
            columns.append(Column(f"q{j}", answers, "category", categories=("no", "yes")))
        X = codes[:, None].astype(float)
        return (Dataset(features=X, columns=("x",), table=tuple(columns)),)


def _answers(data: Dataset, names: list[str]) -> list[np.ndarray]:
    """Each column as (n, categories) zeros and ones; a missing answer is a row of zeros."""
    found = [
        c
        for c in data.table
        if c.type in ("category", "ordered") and (not names or c.name in names)
    ]
    if not found or not data.n:
        raise DataError(
            "Latent classes need columns of categories, and there are none. Set the type of a "
            "column to category when the file is opened."
        )
    codes = [(np.asarray(column.values), len(column.categories)) for column in found]
    return [(code[:, None] == np.arange(count)).astype(float) for code, count in codes]

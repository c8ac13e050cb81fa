"""Groups of tables with categories: the automatic answer beside k-prototypes given k.

`./dev bench mixed [NUMBER]` generates tables of numbers and categories with known groups: some of
their columns say nothing of the groups, in some tables a category of its own (as a sex does) moves
the numbers, some numbers go together within a group, and some cells are missing. It prints the
adjusted Rand index of the automatic answer, of the best of the answers that it offers, and of
k-prototypes given k, for each and on average.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.random import Generator
from sklearn.metrics import adjusted_rand_score

from coterie.core import Context, Dataset
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.model.columns import Column, category
from coterie.core.numerics.features.typed_columns import encoded


def table(rng: Generator) -> Dataset:
    """A table with two to six groups."""
    k, n = int(rng.integers(2, 7)), int(rng.integers(150, 500))
    truth = rng.choice(k, size=n, p=rng.dirichlet(np.full(k, 6.0)))
    truth = np.unique(truth, return_inverse=True)[1]
    columns = [*_numbers(rng, truth, k), *_categories(rng, truth, k)]
    order = rng.permutation(len(columns))
    typed = [columns[place] for place in order]
    features, names = encoded(typed)
    return Dataset(
        kind="table",
        features=features,
        columns=names,
        table=tuple(typed),
        truth=truth,
        truth_names=tuple(str(group) for group in range(k)),
    )


def _numbers(rng: Generator, truth: Any, k: int) -> list[Column]:
    n, p, apart = len(truth), int(rng.integers(1, 7)), rng.uniform(1.5, 4.0)
    X = apart * rng.normal(size=(k, p))[truth] * (rng.random(p) < 0.75) + rng.normal(size=(n, p))
    if rng.random() < 0.5:  # numbers that go together within a group
        X += rng.uniform(0.5, 1.5) * rng.normal(size=(n, 1)) * rng.normal(size=p)
    skewed = rng.random(p) < 0.2
    X[:, skewed] = np.exp(0.5 * X[:, skewed])
    X[rng.random((n, p)) < rng.choice([0.0, 0.0, 0.05])] = np.nan
    found = [Column(f"x{j}", column) for j, column in enumerate(X.T)]
    if rng.random() < 0.4:  # a category that says nothing of the groups, and moves the numbers
        own = rng.integers(2, size=n)
        moved = X + rng.uniform(0.5, 2.0) * own[:, None]
        found = [Column(f"x{j}", column) for j, column in enumerate(moved.T)]
        found.append(category("other", [str(value) for value in own]))
    return found


def _categories(rng: Generator, truth: Any, k: int) -> list[Column]:
    found = []
    for j in range(int(rng.integers(1, 7))):
        levels = int(rng.integers(2, 6))
        sharp = rng.choice([0.3, 1.0, 50.0], p=[0.4, 0.35, 0.25])
        chances = rng.dirichlet(np.full(levels, sharp), size=1 if sharp > 10 else k)
        drawn = [rng.choice(levels, p=chances[group % len(chances)]) for group in truth]
        words = ["" if rng.random() < 0.02 else f"c{value}" for value in drawn]
        found.append(category(f"c{j}", words))
    return found


def compare(data: Dataset) -> tuple[float, float, float]:
    """The adjusted Rand index of the answer, of the best alternative, and of k-prototypes."""
    context = Context(seed=0, runs=built_in_runs())
    truth: Any = data.truth
    filled = context.run("transform/impute", data).main
    scaled = context.run("transform/standardise", filled).main
    output = context.run("clusterer/automatic", scaled)
    rows = output.main.details["candidates"]
    others = [row["part"] for row in rows if row["answer"] and not row["chosen"]]
    parts: list[Any] = [output.main, *(output.parts[part] for part in others)]
    scores = [adjusted_rand_score(truth, groups.labels) for groups in parts]
    given = {"k": len(data.truth_names), "restarts": 5}
    peer: Any = context.run("clusterer/k-prototypes", data, params=given).main
    return scores[0], max(scores), adjusted_rand_score(truth, peer.labels)


def main(number: int = 30) -> None:
    """Print the scores of each table, and their means."""
    found = []
    for seed in range(number):
        data = table(np.random.default_rng(seed))
        found.append(compare(data))
        said = "  ".join(f"{score:.3f}" for score in found[-1])
        print(f"{seed:3}  {data.n:4} items  {len(data.truth_names)} groups  {said}", flush=True)
    print("mean:", "  ".join(f"{score:.3f}" for score in np.mean(found, axis=0)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

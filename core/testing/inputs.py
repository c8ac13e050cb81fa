"""Small inputs of every type, the usual ones and those that a method must not stumble over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core.catalogue.descriptors import Need
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Ints
from coterie.core.model.columns import Column, category
from coterie.core.model.dataset import Dataset
from coterie.core.model.figures import Figure
from coterie.core.model.results import Clustering, Embedding, Labelling, Ranking
from coterie.core.numerics.features.typed_columns import encoded

HOSTILE = {
    "missing": "a missing value",
    "empty": "no items",
    "one item": "one item",
    "duplicates": "items that are all the same",
    "one column": "one column",
    "huge": "numbers near the largest there are",
    "typed columns": "categories, dates, texts, weights and missing cells",
}


def table(n: int, *, seed: int = 0) -> Dataset:
    """Two loose clouds of n items with known classes, described in every way there is.

    Values are between 0 and 1 and there are 1 + 4 + 16 columns, as methods for scaled data and for
    pyramids of histograms ask; the items have texts, similarities and a place in a picture as well.
    """
    rng = np.random.default_rng(seed)
    truth = (np.arange(n) % 2).astype(np.int64)
    X = np.clip(rng.normal(0.3, 0.1, (n, 21)) + 0.4 * truth[:, None], 0.0, 1.0)
    words = np.array(["near", "far", "left", "right", "up", "down"])
    return Dataset(
        title="two clouds",
        features=X,
        truth=truth,
        truth_names=("left", "right")[: max(1, min(n, 2))],
        truth_column="side",
        texts=tuple(" ".join(rng.choice(words, 5)) for _ in range(n)),
        relation=X @ X.T,
        details={"height": 1, "width": n},
    )


def pictures(n: int) -> Dataset:
    """Return n small pictures, for methods whose items are such."""
    pixels = np.random.default_rng(0).random((n, 256))
    return Dataset(
        title="pictures", kind="images", features=pixels, details={"height": 16, "width": 16}
    )


def counts(n: int) -> Dataset:
    """Return n items described by counts, half of them by larger ones."""
    usual = table(n)
    return replace(usual, features=np.floor(5 * usual.dense_features()) if n else usual.features)


def marks(n: int) -> Dataset:
    """Return n items described by zeros and ones, half of them by more ones."""
    usual = table(n)
    return replace(usual, features=np.rint(usual.dense_features()) if n else usual.features)


def typed(n: int, *, missing: bool = True) -> Dataset:
    """Return n items with a column of every type and role, some of their cells missing."""
    truth = np.arange(n) % 2
    size = truth + 0.1 * np.cos(np.arange(n))
    colour = [("red", "blue")[t] if i % 5 else "green" for i, t in enumerate(truth)]
    if missing:
        size[2::7] = np.nan
        colour[3::7] = [""] * len(colour[3::7])
    table = (
        Column("size", size),
        category("colour", colour),
        Column("grade", (truth + np.arange(n) % 3) % 3, "ordered", categories=("C", "B", "A")),
        Column("bought", 86400.0 * np.arange(n) ** 2, "date"),
        Column("remark", [f"the {i}th" for i in range(n)], "text", "information"),
        Column("number", [f"n-{i}" for i in range(n)], "identifier", "name"),
        Column("counts", 1.0 + np.arange(n) % 3, role="weight"),
    )
    features, names = encoded(table)
    return Dataset(
        title="typed columns",
        features=features,
        columns=names,
        truth=truth.astype(np.int64),
        truth_names=("small", "large")[: max(1, min(n, 2))],
        table=table,
    )


def hostile(case: str, one_item: Dataset | None = None) -> Dataset:
    """Return one of the data sets of `HOSTILE`."""
    usual = table(6)
    match case:
        case "missing":
            missing = np.array(usual.features)
            missing[2, 1] = np.nan
            return Dataset(title="missing", features=missing, truth=usual.truth)
        case "empty":
            nobody = np.zeros(0, np.int64)
            return Dataset(title="empty", features=np.zeros((0, 2)), truth=nobody)
        case "one item":
            return table(1) if one_item is None else one_item
        case "duplicates":
            return Dataset(title="same", features=np.ones((6, 2)), truth=usual.truth)
        case "one column":
            return Dataset(title="thin", features=np.arange(6.0)[:, None], truth=usual.truth)
        case "huge":
            return Dataset(title="huge", features=usual.dense_features() * 1e200)
        case "typed columns":
            return typed(12)
    raise KeyError(case)


def nouns_about(data: Dataset) -> dict[str, Any]:
    """Return one noun of every type that a method may take, all of them about `data`."""
    X = np.nan_to_num(np.asarray(data.features)) if data.d else np.zeros((data.n, 1))
    A = np.empty((data.n, data.n))
    for row, x in zip(A, X, strict=True):  # row by row: all differences at once would be n² × d
        row[:] = np.exp(-np.abs(x - X).sum(axis=1))
    A[np.isnan(np.asarray(data.features)).any(axis=1)] = np.nan
    labels = (np.arange(data.n) % 2).astype(np.int64)
    membership = np.eye(2)[labels] / max(1, data.n)
    return {
        "dataset": data,
        "affinity": Affinity(values=A, dataset=data, title="similarity"),
        "clustering": Clustering(labels=labels, membership=membership, dataset=data),
        "embedding": Embedding(coordinates=X, dataset=data),
        "ranking": Ranking(scores=np.arange(data.n, dtype=np.float64), dataset=data),
        "labelling": Labelling(classes=labels[None].astype(np.uint8), dataset=data),
        "figure": _halved(data, labels),
    }


def _halved(data: Dataset, labels: Ints) -> Figure:
    """A tree of two branches with half of the items each; of no items, one without leaves."""
    count = 2 if data.n > 1 else data.n
    return Figure(
        form="tree",
        values=np.array([0.0, 0.0, 1.0]) if count == 2 else np.zeros(count),
        parents=np.array([2, 2, -1]) if count == 2 else np.full(count, -1),
        items=np.argsort(labels, kind="stable"),
        starts=np.cumsum([0, *np.bincount(labels, minlength=count)[:count]]),
        dataset=data,
    )


def inputs_for(needs: Sequence[str], data: Dataset) -> list[Any]:
    """Return the inputs that a component says it needs; the optional ones are left out.

    >>> [type(noun).__name__ for noun in inputs_for(("affinity", "clustering?"), table(4))]
    ['Affinity']
    """
    nouns = nouns_about(data)
    found: list[Any] = []
    for text in needs:
        need = Need.parse(text)
        if need.optional or "path" in need.accepts:
            break
        noun = next(nouns[kind] for kind in (*need.accepts, "dataset") if kind in nouns)
        found += [noun, noun] if need.many else [noun]
    return found

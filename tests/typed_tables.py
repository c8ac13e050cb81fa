"""Data sets with typed columns, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Column, Dataset
from coterie.core.model.columns import category
from coterie.core.numerics.features.typed_columns import encoded


def data_of(*columns: Column, **more: Any) -> Dataset:
    """A data set of these columns, with the default encoding as features."""
    features, names = encoded(columns)
    return Dataset(features=features, columns=names, table=tuple(columns), **more)


def two_kinds(
    n: int = 60, *, missing: float = 0.0, seed: int = 0, first: int = 0, sides: int = 2
) -> Dataset:
    """Items of two kinds, which differ in two numbers and two categories, with known classes.

    `first` leaves out as many items, so another draw of the same columns can be had.
    """
    rng = np.random.default_rng(seed)
    kind = np.arange(n) % sides
    sizes = rng.normal(4.0 * kind, 1.0)
    heights = rng.normal(-4.0 * kind, 1.0)
    words = np.array(["red", "green", "blue", "grey"])
    colours = np.where(rng.random(n) < 0.9, words[kind], words[rng.integers(0, 4, n)])
    shapes = np.where(
        rng.random(n) < 0.9, np.array(["round", "flat", "long", "bent"])[kind], "flat"
    )
    holes = rng.random((4, n)) < missing
    sizes[holes[0]], heights[holes[1]] = np.nan, np.nan
    colours, shapes = colours.astype(object), shapes.astype(object)
    colours[holes[2]], shapes[holes[3]] = "", ""
    whole = data_of(
        Column("size", sizes),
        Column("height", heights),
        category("colour", list(colours)),
        category("shape", list(shapes)),
        truth=kind.astype(np.int64),
        truth_names=tuple("abcd"[:sides]),
    )
    return whole.take(np.arange(first, n)) if first else whole

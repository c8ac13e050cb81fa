"""Coordinates as features, so methods of numbers take what an embedder gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Embedding


def items_of(embedding: Embedding) -> Dataset:
    """Return the items of an embedding, described by their coordinates.

    >>> found = items_of(Embedding(coordinates=np.zeros((2, 3))))
    >>> found.n, found.columns
    (2, ('axis 1', 'axis 2', 'axis 3'))
    """
    about = embedding.dataset
    own: dict[str, Any] = {}
    if about is not None and about.n == len(embedding.coordinates):
        names = ("items", "truth", "truth_names", "truth_column", "details")
        own = {name: getattr(about, name) for name in names if not about.on_disk}
    return Dataset(
        title=embedding.title,
        features=np.asarray(embedding.coordinates, dtype=np.float64),
        columns=tuple(embedding.axis_names),
        **own,
    )


def as_needed(inputs: tuple[Any, ...], accepted: Sequence[Sequence[str]]) -> tuple[Any, ...]:
    """Return the inputs of a method, an embedding as items where it takes numbers and no embedding.

    Parameters
    ----------
    accepted : the types that each input may have; the last holds for all further ones
    """
    takes = [accepted[min(at, len(accepted) - 1)] for at in range(len(inputs))]
    return tuple(
        items_of(noun)
        if isinstance(noun, Embedding) and not {"embedding", "any"} & set(types)
        else noun
        for noun, types in zip(inputs, takes, strict=True)
    )

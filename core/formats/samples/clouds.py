"""Points drawn from several Gaussians: what the samples of round groups are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.model.dataset import Dataset


@dataclass(frozen=True)
class Cloud:
    """One Gaussian: its name, its centre, its spread along either axis, and their correlation."""

    name: str
    centre: tuple[float, float]
    spread: float
    correlation: float = 0.0
    share: float = 1.0


def clouds(title: str, column: str, parts: Sequence[Cloud], seed: int, n: int) -> Dataset:
    """Return n points of all clouds in random order, each cloud with its share of them."""
    rng = np.random.default_rng(seed)
    shares = np.cumsum([part.share for part in parts])
    ends = np.rint(n * shares / shares[-1]).astype(np.int64)
    counts = np.diff(ends, prepend=0)
    points = []
    for part, count in zip(parts, counts, strict=True):
        covariance = part.spread**2 * np.array([[1, part.correlation], [part.correlation, 1]])
        points.append(rng.multivariate_normal(part.centre, covariance, size=int(count)))
    order = rng.permutation(n)
    return Dataset(
        title=title,
        features=np.concatenate(points)[order],
        columns=("x", "y"),
        truth=np.repeat(np.arange(len(parts)), counts)[order],
        truth_names=tuple(part.name for part in parts),
        truth_column=column,
    )

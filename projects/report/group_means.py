"""What a group looks like: the mean of its pictures, the mean spectrum of its pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering

MOST_AVERAGED = 2000  # pictures of a group; more change nothing that is seen


@dataclass(frozen=True, eq=False)
class Spectra:
    """The mean of each band in each group.

    Attributes
    ----------
    means : (k, bands); missing for a group without pixels
    bands : what the bands are called
    positions : (bands,) wavelengths where they are known, else 0, 1, …
    """

    means: Floats
    bands: tuple[str, ...]
    positions: Floats


def mean_pictures(data: Dataset, groups: Clustering) -> dict[int, Array]:
    """Return the mean picture of each group as bytes; nothing where items are no pictures."""
    if data.thumbnails is None or len(data.thumbnails) != groups.n:
        return {}
    found = {}
    for group in range(groups.k):
        members = groups.members(group)
        if not len(members):
            continue
        step = max(1, -(-len(members) // MOST_AVERAGED))
        mean = np.asarray(data.thumbnails[members[::step]], dtype=np.float64).mean(axis=0)
        found[group] = np.clip(np.round(mean), 0, 255).astype(np.uint8)
    return found


def mean_spectra(data: Dataset, groups: Clustering) -> Spectra | None:
    """Return the mean spectrum of each group; None where items are not pixels of a scene."""
    waves = data.details.get("wavelengths", ())
    if (data.kind != "raster" and not waves) or data.features is None or data.d < 3:
        return None
    if is_sparse(data.features):
        return None
    X = np.asarray(data.features, dtype=np.float64)
    X = np.where(np.isfinite(X), X, 0.0)
    inside = groups.labels >= 0
    sums = np.zeros((groups.k, data.d))
    np.add.at(sums, groups.labels[inside], X[inside])
    counts = np.bincount(groups.labels[inside], minlength=groups.k)[:, None]
    means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    known = len(waves) == data.d and all(isinstance(one, (int, float)) and one for one in waves)
    positions = np.array(waves if known else range(data.d), dtype=np.float64)
    if known and (np.diff(positions) <= 0).any():
        positions = np.arange(data.d, dtype=np.float64)
    return Spectra(means, data.columns, positions)

"""What distinguishes the groups in a report: the mean of each feature in each of them."""

from __future__ import annotations

import warnings

import numpy as np

from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Source
from coterie.core.model.results import Clustering
from coterie.core.numerics.descriptions.measures import measured
from coterie.projects.report.blocks import TableBlock
from coterie.projects.report.snapshot import Snapshot

MOST_FEATURES = 12  # more do not fit beside each other on a page
MOST_GROUPS = 12


def mean_table(
    project: Snapshot, step: str, groups: Clustering, names: tuple[str, ...]
) -> TableBlock | None:
    """Return the means of the features as they were read, those that differ most first.

    None where the items are no longer those that were read, or have no features in memory.
    """
    data = as_read(project, step, groups.n)
    if data is None or groups.k < 2 or groups.k > MOST_GROUPS:
        return None
    features, measures = measured(data)
    means = np.stack([_means(features[groups.members(group)]) for group in range(groups.k)])
    telling = _between(features, groups, means)
    shown = np.argsort(-telling, kind="stable")[:MOST_FEATURES]
    rows = tuple(
        (measures[j].title, *map(measures[j].mean, means[:, j].tolist()), f"{telling[j]:.0%}")
        for j in shown.tolist()
    )
    d = len(measures)
    some = f"The {MOST_FEATURES} of {d:,} features" if d > MOST_FEATURES else "Features"
    caption = (
        f"{some} with their mean or share in each group, the most distinctive first. The last "
        "column is the share of the variance between groups."
    )
    return TableBlock(("feature", *names, "telling"), rows, caption)


def as_read(project: Snapshot, step: str, n: int) -> Dataset | None:
    """Return the data that the groups come from, as long as they are about the same items."""
    for name in project.recipe.ancestors([step]):
        found = project.steps[name].noun
        if isinstance(project.recipe.find(name), Source) and isinstance(found, Dataset):
            dense = found.features is not None and not is_sparse(found.features)
            return found if dense and found.kind == "table" and found.n == n else None
    return None


def _means(rows: Array) -> Array:
    with warnings.catch_warnings():  # of a column where nothing is known, nothing is
        warnings.simplefilter("ignore", RuntimeWarning)
        means: Array = np.nanmean(rows, axis=0) if len(rows) else np.full(rows.shape[1], np.nan)
    return means


def _between(features: Array, groups: Clustering, means: Array) -> Array:
    """The share of each feature's variance between the groups, from 0 to 1."""
    total, between = np.zeros(features.shape[1]), np.zeros(features.shape[1])
    known = features[np.isin(groups.labels, np.arange(groups.k))]
    centre = _means(known)
    for group in range(groups.k):
        members = features[groups.labels == group]
        counts = np.isfinite(members).sum(axis=0)
        with np.errstate(invalid="ignore", over="ignore"):  # infinite values say nothing
            between += np.nan_to_num(counts * (means[group] - centre) ** 2)
            total += np.nansum((members - centre) ** 2, axis=0)
    share: Array = np.divide(between, total, out=np.zeros_like(between), where=total > 0)
    return np.clip(share, 0, 1)

"""Families of methods that propose groups, each over its own range of sizes or numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.density.tree import density_tree
from coterie.core.numerics.mixtures.best_mixture import MixtureFits
from coterie.core.numerics.partitions.genie import genie_joins, groups_after, spanning_tree
from coterie.core.numerics.partitions.kmeans import quick_kmeans
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.discretise import unit_rows
from coterie.core.numerics.spectral.spectra import graph_spectrum
from coterie.core.numerics.spectral.successive_cuts import stationary_flows, successive_cuts

DENSITY_SIZES: Final = 14  # smallest sizes of a group that the density tree is cut at
FAMILIES: Final = ("density", "linkage", "cuts", "spectrum", "means", "mixtures")
CORE: Final = 5  # neighbours that an item must have near it to be in a dense place
GINI: Final = 0.3  # above which the smallest group joins next, as its authors recommend
MOST_COMPONENTS: Final = 30  # of a mixture, the slowest of the families
MEANS_STARTS: Final = 3
SPECTRAL_STARTS: Final = 2
MIXTURE_STARTS: Final = 2
RIDGE: Final = 1e-6  # share of the mean variance that is added to each of a mixture
FINE: Final = 16  # numbers of groups up to which every one is tried by the slower families


@dataclass(frozen=True, eq=False)
class Proposal:
    """Groups as one method proposes them.

    Attributes
    ----------
    family : its name, one of `FAMILIES`
    setting : number of groups asked for, or the smallest size of a group
    labels : (n,) −1 for items in no group
    """

    family: str
    setting: int
    labels: Ints


def most_groups(n: int) -> int:
    """Return the largest number of groups that is tried for n items.

    Of few items, groups of three on average are the smallest.

    >>> most_groups(10), most_groups(60), most_groups(300), most_groups(5000)
    (3, 8, 20, 55)
    """
    return min(int(np.clip(n // 15, 8, 55)), max(2, n // 3))


def numbers_to_try(most: int) -> list[int]:
    """Return numbers of groups: every one up to 16, then in growing steps.

    >>> numbers_to_try(24)
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24]
    """
    wide = [18, 20, 22, 25, 28, 30, 33, 36, 40, 45, 50, 55]
    numbers = [*range(2, FINE + 1), *wide]
    return sorted({*(number for number in numbers if number <= most), most})


def smallest_sizes(n: int) -> list[int]:
    """Return the smallest sizes of a group to cut the density tree at, in growing steps."""
    sizes = np.geomspace(max(4.0, 0.25 * np.sqrt(n)), max(8.0, n / 6), DENSITY_SIZES)
    return sorted({round(size) for size in sizes.tolist()})


def by_linkage(
    X: Floats, numbers: Sequence[int] = (), check: Check | None = None
) -> Iterator[Proposal]:
    """Genie at every number of groups, from one spanning tree."""
    n = len(X)
    edges, _ = spanning_tree(X, check)
    joins = genie_joins(edges, n, GINI, check)
    for k in numbers or range(2, most_groups(n) + 1):
        yield Proposal("linkage", k, groups_after(edges, joins, n, k))


def by_cuts(
    graph: Affinity, numbers: Sequence[int] = (), check: Check | None = None
) -> Iterator[Proposal]:
    """Isoperimetric cuts of a graph of neighbours, at every number of groups from one run."""
    items = np.arange(graph.n)
    flows = stationary_flows(graph, check)
    most = max(numbers) if numbers else most_groups(graph.n)
    for division in successive_cuts(flows, items, most, check=check):
        if not numbers or len(division.parts) in numbers:
            yield Proposal("cuts", len(division.parts), division.labels(graph.n))


def by_spectrum(
    graph: Affinity, numbers: Sequence[int] = (), check: Check | None = None
) -> Iterator[Proposal]:
    """Spectral clustering of a graph of neighbours: one spectrum, grouped for each number."""
    starts = 1 if numbers else SPECTRAL_STARTS  # asked again, for what is known
    numbers = numbers or numbers_to_try(most_groups(graph.n))
    spectrum = graph_spectrum(graph, max(numbers), zero_diagonal=True, check=check)
    for k in (number for number in numbers if number <= len(spectrum.values)):
        if check is not None:
            check()
        rows = unit_rows(spectrum.vectors[:, :k])
        labels = np.full(graph.n, -1, dtype=np.int64)
        labels[spectrum.items] = quick_kmeans(rows, k, starts, _as_a_step(), check)
        yield Proposal("spectrum", k, labels)


def by_means(
    X: Floats, numbers: Sequence[int] = (), check: Check | None = None
) -> Iterator[Proposal]:
    """K-means at several numbers of groups."""
    starts = 1 if numbers else MEANS_STARTS
    for k in numbers or numbers_to_try(most_groups(len(X))):
        if check is not None:
            check()
        yield Proposal("means", k, quick_kmeans(X, k, starts, _as_a_step(), check))


def by_mixtures(
    X: Floats, numbers: Sequence[int] = (), check: Check | None = None
) -> Iterator[Proposal]:
    """Gaussian mixtures at several numbers of components, as far as the items allow."""
    fits = MixtureFits.of(X, RIDGE)
    for k in numbers or numbers_to_try(min(MOST_COMPONENTS, most_groups(len(X)))):
        if 2 * k * (X.shape[1] + 1) > len(X):
            return
        if check is not None:
            check()
        found = fits.best(k, MIXTURE_STARTS, _as_a_step(), check=check)
        yield Proposal("mixtures", k, found.labels)


def _as_a_step() -> np.random.Generator:
    """The stream of a step of its own: it starts alike, and so gives the same groups."""
    return np.random.default_rng(0)


def by_density(
    X: Floats, sizes: Sequence[int] = (), check: Check | None = None
) -> Iterator[Proposal]:
    """Groups of high density at several smallest sizes, from one tree."""
    tree = density_tree(X, min(CORE, len(X) - 1), check=check)
    for size in sizes or smallest_sizes(len(X)):
        yield Proposal("density", size, tree.labels(size))

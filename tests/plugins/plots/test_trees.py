"""Trees that are drawn: the same merges as scipy's, and cuts that give the groups they should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from coterie.core import Affinity, Clustering, Context, DataError, Dataset, Figure
from coterie.core.model.affinity import affinity_of
from coterie.core.numerics.partitions.contingency import contingency
from coterie.core.numerics.partitions.tree_cut import group_counts, height_for, items_of_cut
from coterie.core.testing.inputs import table
from coterie.plugins.clusterers.agglomerative import Agglomerative
from coterie.plugins.clusterers.cut_tree import CutTree
from coterie.plugins.clusterers.dominant_hierarchy import DominantHierarchy
from coterie.plugins.plots.dendrogram import Dendrogram
from coterie.plugins.plots.density_tree import DensityTreePlot
from coterie.plugins.plots.hierarchy import Hierarchy
from tests.refusals import refuses


def run(method: Any, *inputs: Any, **params: Any) -> Any:
    return method().compute(*inputs, params=method.Params(**params), context=Context())


def points(n: int = 120, seed: int = 3) -> Dataset:
    rng = np.random.default_rng(seed)
    return Dataset(features=rng.normal(size=(n, 2)) + 4 * rng.integers(0, 3, size=(n, 1)))


def alike(one: Any, other: Any) -> bool:
    table = contingency(Clustering(labels=one), Clustering(labels=other))
    return table.adjusted_rand() == pytest.approx(1.0)


@pytest.mark.parametrize("link", ["ward", "average", "complete", "single"])
def test_a_cut_gives_the_groups_of_scipy(link: Any) -> None:
    data = points()
    tree = run(Dendrogram, data, linkage=link)
    merges = linkage(data.dense_features(), method=link)
    assert sorted(tree.values[tree.marks :]) == pytest.approx(sorted(merges[:, 2]))
    for height in np.quantile(merges[:, 2], [0.3, 0.8, 0.97]) * 1.0001:
        assert alike(items_of_cut(tree, height), fcluster(merges, height, "distance"))


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_so_many_groups_are_those_of_agglomerative_clustering(k: int) -> None:
    data = points()
    cut = run(CutTree, run(Dendrogram, data), k=k)
    assert cut.labels.tolist() == run(Agglomerative, data, k=k).labels.tolist()


def test_few_leaves_stand_for_many_items_and_cut_the_same() -> None:
    data = points()
    few = run(Dendrogram, data, leaves=10)
    assert few.marks == 10
    assert "9 merges" in few.notes[0]
    assert run(CutTree, few, k=4).labels.tolist() == run(Agglomerative, data, k=4).labels.tolist()


def test_of_many_items_a_sample_is_merged_and_all_are_in_the_tree() -> None:
    data = points(400)
    tree = run(Dendrogram, data, most=50)
    assert "50 of 400 items" in tree.notes[0]
    assert sorted(tree.links[0].tolist()) == list(range(400))
    labels = run(CutTree, tree, k=3).labels
    assert (labels >= 0).all()


def test_a_tree_of_sparse_similarities_uses_their_spanning_tree() -> None:
    X = points(60).dense_features()
    values = np.exp(-cdist(X, X))
    values[values < np.quantile(values, 0.6)] = 0.0
    sparse = affinity_of(csr_array(values))
    dense = Affinity(values=values)
    one = run(CutTree, run(Dendrogram, sparse, linkage="single"), k=4)
    assert alike(one.labels, run(Agglomerative, dense, k=4, linkage="single").labels)


def test_a_cut_of_the_density_tree_is_what_steps_of_that_length_join() -> None:
    data = points(90, seed=5)
    X, min_size, samples = data.dense_features(), 6, 4
    tree = run(DensityTreePlot, data, min_size=min_size, min_samples=samples)
    distances = cdist(X, X)
    core = np.sort(distances, axis=1)[:, samples - 1]
    reach = np.maximum(np.maximum(core[:, None], core), distances)
    levels = np.unique(tree.values)
    for height in [*(levels[:-1] + levels[1:]) / 2, levels[-1] * 1.01]:
        joined = (reach <= height) & ~np.eye(len(X), dtype=bool)
        _, part = connected_components(csr_array(joined))
        sizes = np.bincount(part)
        expected = np.where(sizes[part] >= min_size, part, -1)
        expected[core > height] = -1
        found = items_of_cut(tree, float(height))
        assert ((found >= 0) == (expected >= 0)).all()
        inside = found >= 0
        assert len(np.unique(found[inside])) == len(np.unique(expected[inside]))
        assert len(np.unique(found[inside] * 1000 + expected[inside])) == len(
            np.unique(found[inside])
        )


def test_a_cut_of_the_hierarchy_is_the_groups_of_a_level() -> None:
    X = table(24).dense_features()
    affinity = Affinity(values=np.exp(-(cdist(X, X) ** 2)) - np.eye(24), dataset=table(24))
    groups = run(DominantHierarchy, affinity, levels=4)
    tree = run(Hierarchy, groups)
    assert tree.marks
    for level, alpha in enumerate(level["alpha"] for level in groups.details["levels"]):
        wanted = run(DominantHierarchy, affinity, levels=4, level=level).labels
        found = items_of_cut(tree, alpha)
        assert ((found >= 0) == (wanted >= 0)).all()
        assert alike(found, wanted)


def test_counts_of_groups_follow_the_cuts() -> None:
    tree = run(Dendrogram, points(40))
    heights, counts = group_counts(tree)
    for height, count in zip(heights, counts, strict=True):
        assert items_of_cut(tree, float(height)).max() + 1 == count
    assert items_of_cut(tree, height_for(tree, 7)).max() + 1 == 7


def test_only_trees_of_items_are_cut() -> None:
    with refuses("input-mismatch", DataError, match="'bars'"):
        run(CutTree, Figure(form="bars", values=np.ones(1)))
    tree = Figure(form="tree", values=np.array([0.0, 0, 1]), parents=np.array([2, 2, -1]))
    with refuses("input-mismatch", DataError):
        run(CutTree, tree)

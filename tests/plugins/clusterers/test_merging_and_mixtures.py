"""Consensus, agglomerative clustering and the Gaussian mixture on data with known groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture as Peer

from coterie.core import Affinity, Clustering, Context, DataError, Dataset
from coterie.core.formats.samples import SAMPLES
from coterie.plugins.clusterers.agglomerative import Agglomerative
from coterie.plugins.clusterers.consensus import Consensus
from coterie.plugins.clusterers.gaussian_mixture import GaussianMixture
from coterie.plugins.metrics.error import ClusteringError
from tests.refusals import refuses
from tests.rounding import rounding

from .graphs import same_groups


def run(component: Any, source: Any, **params: Any) -> Clustering:
    result = component().compute(source, params=component.Params(**params), context=Context())
    main: Clustering = getattr(result, "main", result)
    return main


def error(result: Clustering) -> float:
    return (
        ClusteringError().compute(result, params=ClusteringError.Params(), context=Context()).value
    )


def clouds() -> Dataset:
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(3), 20)
    X = rng.normal(0, 0.3, (60, 2)) + np.array([[0, 0], [5, 0], [0, 5]])[truth]
    return Dataset(features=X, truth=truth, truth_names=("a", "b", "c"))


@pytest.mark.parametrize("linkage", ["ward", "average", "complete", "single"])
def test_the_number_of_clouds_is_found_by_merging(linkage: str) -> None:
    result = run(Agglomerative, clouds(), linkage=linkage)
    assert result.details["k"] == 3
    assert error(result) == 0


@pytest.mark.parametrize("linkage", ["single", "average"])
def test_the_consensus_of_partitions_is_their_common_groups(linkage: str) -> None:
    data = clouds()
    rng = np.random.default_rng(1)
    truth = np.asarray(data.truth)
    together = np.zeros((60, 60))
    for _ in range(20):  # each partition splits one of the groups at random
        split = np.where((truth == rng.integers(3)) & (rng.random(60) < 0.5), 3, truth)
        together += split[:, None] == split
    result = run(Consensus, Affinity(values=together / 20, dataset=data), linkage=linkage)
    assert result.details["k"] == 3
    assert error(result) == 0


def test_directed_similarities_are_refused_with_a_way_out() -> None:
    A = Affinity(values=np.triu(np.ones((4, 4))), symmetric=False)
    for component in (Consensus, Agglomerative):
        with refuses("not-symmetric", DataError, match="graph/symmetrise"):
            run(component, A)


def test_the_mixture_is_as_likely_as_the_librarys_and_counts_the_groups() -> None:
    data = clouds()
    result = run(GaussianMixture, data, most_groups=5)
    assert result.details["k"] == 3
    assert error(result) == 0
    assert result.membership is not None
    np.testing.assert_allclose(result.membership.sum(axis=1), 1.0)
    peer = Peer(3, n_init=3, random_state=0, tol=1e-4).fit(data.dense_features())
    expected = peer.score(data.dense_features()) * 60
    assert result.details["log_likelihood"] == pytest.approx(expected, rel=1e-3)


def test_the_growth_of_the_likelihood_is_shown_down_to_the_tolerance() -> None:
    data, context = clouds(), Context()
    params = GaussianMixture.Params(k=3, tolerance=1e-5)
    GaussianMixture().compute(data, params=params, context=context)
    trace = context.trace()
    assert trace is not None
    grown = np.abs(np.diff(trace.objective)) / data.n
    near = rounding(8, float(np.abs(trace.objective).max()) / data.n)  # a difference of sums
    np.testing.assert_allclose(trace.residual[1:], grown, atol=near)
    assert trace.residual[-1] < 1e-5


def test_the_mixture_sees_what_kmeans_does_not() -> None:
    assert error(run(GaussianMixture, SAMPLES["iris"].make(), k=3)) == pytest.approx(1 / 30)


@pytest.mark.parametrize("seed", range(3))
def test_the_mixture_does_not_depend_on_the_order_of_the_file(seed: int) -> None:
    wine = SAMPLES["wine"].make()
    order = np.random.default_rng(seed).permutation(wine.n)
    plain, other = (run(GaussianMixture, data, k=3) for data in (wine, wine.take(order)))
    assert same_groups(plain.labels[order], other.labels)


def test_fewer_items_than_groups_are_refused() -> None:
    with refuses("too-many-groups", DataError, match="'k'.*9.*4"):
        run(GaussianMixture, Dataset(features=np.eye(4)), k=9)
    with refuses("too-many-groups", DataError, match="'k'.*9"):
        run(Agglomerative, Dataset(features=np.eye(4)), k=9)
    with refuses("too-few-items", DataError):
        run(GaussianMixture, Dataset(features=np.eye(1)), k=1)


@pytest.mark.parametrize("component", [Agglomerative, GaussianMixture])
def test_one_group_is_told_as_one(component: Any) -> None:
    same = Dataset(features=np.ones((9, 2)))
    assert run(component, same, k=0).notes[0].startswith("1 group ")


def test_gaussians_without_an_item_of_their_own_are_counted() -> None:
    twice = Dataset(features=np.repeat(np.eye(3), 20, axis=0))
    result = run(GaussianMixture, twice, k=5)
    assert len(set(result.labels.tolist())) == 3
    assert result.notes == ("Only 3 of the 5 groups have members. Choose fewer groups.",)

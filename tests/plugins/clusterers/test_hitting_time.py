"""Hitting-time clustering: against brute force, on directed and broken graphs, on known data."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, Dataset
from coterie.core.formats.samples import SAMPLES
from coterie.core.numerics.walks.hitting import hitting_times
from coterie.core.numerics.walks.markov import random_walk
from coterie.plugins.clusterers.hitting_time import HittingTimeDestinations
from coterie.plugins.graphs.local_gaussian import LocalGaussian
from coterie.plugins.graphs.variable_bandwidth import VariableBandwidth
from coterie.plugins.metrics.error import ClusteringError
from tests.refusals import refuses

from .graphs import same_groups


def cluster(affinity: Affinity, **params: Any) -> Clustering:
    return HittingTimeDestinations().compute(
        affinity, params=HittingTimeDestinations.Params(**params), context=Context()
    )


def local(data: Dataset, **params: Any) -> Affinity:
    return LocalGaussian().compute(data, params=LocalGaussian.Params(**params), context=Context())


def error(result: Clustering) -> float:
    return (
        ClusteringError().compute(result, params=ClusteringError.Params(), context=Context()).value
    )


def test_it_finds_the_best_pair_of_destinations_there_is() -> None:
    A = np.random.default_rng(0).random((12, 12)) ** 6
    affinity = Affinity(values=A, symmetric=False)
    H, _ = hitting_times(random_walk(affinity, teleport=1e-4))
    best = min(H[:, list(pair)].min(axis=1).sum() for pair in combinations(range(12), 2))
    result = cluster(affinity, k=2)
    assert result.details["objective"] == pytest.approx(best)
    assert result.details["teleport"] == 1e-4
    np.testing.assert_array_equal(
        result.labels, H[:, result.details["destinations"]].argmin(axis=1)
    )


@pytest.mark.parametrize("form", ["values", "sparse", "factor"])
def test_separate_blocks_are_separate_groups_in_every_form(form: str) -> None:
    factor = np.kron(np.eye(3), np.ones((5, 1)))
    A = factor @ factor.T
    matrix: Any = {"values": A, "sparse": csr_array(A), "factor": factor}[form]
    labels = cluster(Affinity(**{form: matrix}), k=3).labels
    assert len({tuple(labels[start : start + 5]) for start in (0, 5, 10)}) == 3
    assert all(len(set(labels[start : start + 5])) == 1 for start in (0, 5, 10))


def test_without_teleport_a_graph_of_parts_is_refused_in_words() -> None:
    A = Affinity(values=np.kron(np.eye(2), np.ones((3, 3))))
    with refuses("not-connected", DataError):
        cluster(A, k=2, teleport=0.0)
    with refuses("too-many-groups", DataError, match="'k'.*7.*6"):
        cluster(A, k=7)


def test_items_without_an_edge_are_mentioned() -> None:
    A = np.zeros((5, 5))
    A[0, 1] = A[1, 0] = A[2, 3] = A[3, 2] = 1.0
    result = cluster(Affinity(sparse=csr_array(A)), k=2)
    assert any("Items without an edge" in note for note in result.notes)
    assert (result.labels >= 0).all()


def test_groups_of_different_scale_are_told_apart() -> None:
    errors = {"multi-scale": 0.07, "multi-scale-uneven": 0.07}
    for name, most in errors.items():
        graph = local(SAMPLES[name].make(seed=0), neighbours=10, regularisation=0.01)
        assert error(cluster(graph, k=3)) <= most


def test_iris_at_the_minimum_of_the_objective() -> None:
    graph = local(SAMPLES["iris"].make(), neighbours=10, regularisation=0.01)
    assert error(cluster(graph, k=3)) == pytest.approx(0.0933, abs=1e-3)


@pytest.mark.realdata
def test_ionosphere_comes_out_as_it_was_reproduced(realdata: Any) -> None:
    table = np.genfromtxt(realdata / "ionosphere.csv", delimiter=",", skip_header=1, dtype=str)
    truth = np.unique(table[:, -1], return_inverse=True)[1]
    data = Dataset(features=table[:, :-1].astype(np.float64), truth=truth, truth_names=("b", "g"))
    assert error(cluster(local(data, neighbours=15), k=2)) == pytest.approx(0.225, abs=0.02)


def test_a_destination_that_is_left_alone_is_told() -> None:
    A = np.ones((30, 30))
    A[0] = A[:, 0] = 0.01  # where the walk seldom is, among items that are all alike
    result = cluster(Affinity(values=A), k=2)
    assert np.bincount(result.labels).min() == 1
    assert any("alone" in note for note in result.notes)


@pytest.mark.realdata
def test_few_neighbours_and_some_jumps_group_ionosphere(realdata: Any) -> None:
    table = np.genfromtxt(realdata / "ionosphere.csv", delimiter=",", skip_header=1, dtype=str)
    truth = np.unique(table[:, -1], return_inverse=True)[1]
    X = table[:, :-1].astype(np.float64)
    low, high = X.min(axis=0), X.max(axis=0)
    scaled = (X - low) / np.where(high > low, high - low, 1.0)
    data = Dataset(features=scaled, truth=truth, truth_names=("b", "g"))
    graph = VariableBandwidth().compute(
        data, params=VariableBandwidth.Params(neighbours=5), context=Context()
    )
    assert error(cluster(graph, k=2, teleport=0.01)) <= 0.20


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_items_does_not_matter_even_where_times_tell_nothing(seed: int) -> None:
    # A dense graph without groups: every start ends elsewhere, and the starts must be the same.
    rng = np.random.default_rng(seed)
    A = rng.random((60, 60))
    order = rng.permutation(60)
    straight = cluster(Affinity(values=A, symmetric=False), k=3, restarts=4).labels
    other = Affinity(values=A[order][:, order], symmetric=False)
    shuffled = cluster(other, k=3, restarts=4).labels
    assert same_groups(straight[order], shuffled)


def two_cycles_and_a_way_in() -> np.ndarray:
    """Two closed parts of five and four items, and three items that lead into them."""
    rng = np.random.default_rng(3)
    A = np.zeros((12, 12))
    A[:5, :5], A[5:9, 5:9] = rng.random((5, 5)), rng.random((4, 4))
    A[9, [0, 6, 10]] = 3.0, 1.0, 1.0
    A[10, [9, 11]] = 1.0, 1.0
    A[11, [7, 10]] = 5.0, 1.0
    np.fill_diagonal(A, 0.0)
    return A


@pytest.mark.parametrize("form", ["values", "sparse"])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_closed_parts_are_grouped_on_their_own(form: str, k: int) -> None:
    A = two_cycles_and_a_way_in()
    matrix: Any = {"values": A, "sparse": csr_array(A)}[form]
    found = cluster(Affinity(**{form: matrix}, symmetric=False), k=k, parts="closed")
    P = A / A.sum(axis=1, keepdims=True)
    times = []
    for part in (range(5), range(5, 9)):
        inside = P[np.ix_(part, part)]
        H = np.zeros((len(part), len(part)))
        for j in range(len(part)):  # h(j|i) = 1 + Σ p_il h(j|l), one system for each j
            others = [i for i in range(len(part)) if i != j]
            system = np.eye(len(others)) - inside[np.ix_(others, others)]
            H[others, j] = np.linalg.solve(system, np.ones(len(others)))
        times.append(H)
    # The least J over every way to share k destinations out, and every choice of them.
    least = min(
        sum(
            min(H[:, list(chosen)].min(axis=1).sum() for chosen in combinations(range(len(H)), m))
            for H, m in zip(times, (first, k - first), strict=True)
        )
        for first in range(1, k)
        if k - first <= 4
    )
    assert found.details["objective"] == pytest.approx(least, rel=1e-9)
    assert found.details["parts"] == [5, 4]
    # Where walks from the three others end: powers of the walk, of which 1e-9 is still on its way.
    ends = np.linalg.matrix_power(P, 200)[9:]
    groups = np.array([ends[:, :9][:, found.labels[:9] == g].sum(axis=1) for g in range(k)])
    if k == 2:  # with more groups, walks go on from group to group of the part they end in
        np.testing.assert_array_equal(found.labels[9:], groups.argmax(axis=0))
    assert (found.labels >= 0).all()


def test_closed_parts_beyond_the_number_of_groups_are_left_out_and_said() -> None:
    A = np.kron(np.diag([1.0, 1.0, 1.0]), np.ones((3, 3)))
    A = np.pad(A, (0, 1))
    A[9, 0] = A[0, 9] = 1.0
    found = cluster(Affinity(values=A, symmetric=False), k=2, parts="closed")
    assert found.details["parts"] == [4, 3, 3]
    assert (found.labels == -1).sum() == 3
    assert any("Raise k to 3" in note for note in found.notes)

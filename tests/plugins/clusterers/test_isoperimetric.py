"""The isoperimetric cut of whole graphs: parts, components, directed edges, loners."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import (
    Affinity,
    Clustering,
    Context,
    DataError,
    Dataset,
    Embedding,
    Floats,
    Output,
)
from coterie.core.formats.samples import SAMPLES
from coterie.core.numerics.partitions.contingency import contingency
from coterie.plugins.clusterers.isoperimetric import Isoperimetric
from coterie.plugins.graphs.variable_bandwidth import VariableBandwidth
from coterie.plugins.metrics.error import ClusteringError
from coterie.plugins.metrics.nmi import NMI
from tests.refusals import refuses


def run(affinity: Affinity, **params: Any) -> Output:
    return Isoperimetric().compute(
        affinity, params=Isoperimetric.Params(**params), context=Context()
    )


def cut(affinity: Affinity, **params: Any) -> Clustering:
    groups = run(affinity, **params).main
    assert isinstance(groups, Clustering)
    return groups


def blocks(sizes: list[int], *, between: float = 0.01, seed: int = 0) -> tuple[Floats, Any]:
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    A = np.where(truth[:, None] == truth, 1.0, between) * rng.uniform(0.5, 1.0, (len(truth),) * 2)
    A = (A + A.T) / 2
    np.fill_diagonal(A, 0.0)
    return A, truth


def same_partition(one: Any, other: Any) -> bool:
    pairs = len(set(zip(np.asarray(one).tolist(), np.asarray(other).tolist(), strict=True)))
    return pairs == len(set(np.asarray(one).tolist())) == len(set(np.asarray(other).tolist()))


@pytest.mark.parametrize("form", ["values", "sparse"])
@pytest.mark.parametrize("prior", ["stationary", "degrees"])
def test_blocks_are_found(form: str, prior: str) -> None:
    A, truth = blocks([10, 14, 8, 9])
    matrix: Any = A if form == "values" else csr_array(A)
    result = cut(Affinity(**{form: matrix}), k=4, prior=prior)
    assert same_partition(result.labels, truth)
    first = result.details["cuts"][0]
    assert first["near"] + first["far"] == 41


def test_factors_are_cut_like_the_matrix_they_stand_for() -> None:
    rng = np.random.default_rng(1)
    factor = np.abs(rng.normal(size=(30, 3))) * 0.05
    factor[np.arange(30), np.arange(30) % 3] += 1.0
    one, other = cut(Affinity(factor=factor), k=3), cut(Affinity(values=factor @ factor.T), k=3)
    assert same_partition(one.labels, other.labels)
    assert same_partition(one.labels, np.arange(30) % 3)


def test_a_disconnected_graph_gives_its_components() -> None:
    A, truth = blocks([5, 7, 6], between=0.0)
    assert same_partition(cut(Affinity(sparse=csr_array(A)), k=3).labels, truth)


def test_permuting_the_items_permutes_the_groups() -> None:
    A, _ = blocks([6, 9, 8], between=0.3)
    order = np.random.default_rng(3).permutation(len(A))
    turned = cut(Affinity(values=A[np.ix_(order, order)]), k=3).labels
    assert same_partition(turned, cut(Affinity(values=A), k=3).labels[order])


def test_items_without_an_edge_are_in_no_group_and_said_to_be() -> None:
    A, truth = blocks([6, 6])
    A = np.pad(A, (0, 2))
    result = cut(Affinity(sparse=csr_array(A)), k=2)
    assert same_partition(result.labels[:-2], truth)
    assert result.labels[-2:].tolist() == [-1, -1]
    assert any("Items without any edge, in no group: 2." in note for note in result.notes)


def test_a_graph_that_cannot_be_cut_further_says_so() -> None:
    result = cut(Affinity(sparse=csr_array(np.zeros((3, 3)))), k=2)
    assert (result.labels == -1).all()
    assert any("Only 0 of 2 groups" in note for note in result.notes)


def test_directed_rings_are_cut_along_their_edges() -> None:
    A = np.zeros((20, 20))
    for start in (0, 10):
        for i in range(10):
            for step in (1, 2, 3):
                A[start + i, start + (i + step) % 10] = 1.0
    A[9, 10] = A[19, 0] = 0.05
    result = cut(Affinity(sparse=csr_array(A), symmetric=False), k=2)
    assert same_partition(result.labels, np.arange(20) // 10)
    assert any("jumps with probability 0.0001" in note for note in result.notes)


def test_more_groups_than_items_are_refused() -> None:
    with refuses("too-many-groups", DataError, match="'k'.*5.*3"):
        cut(Affinity(values=np.ones((3, 3))), k=5)


def scores(data: Dataset, result: Clustering) -> tuple[float, float]:
    nmi = NMI().compute(result, params=NMI.Params(average="geometric"), context=Context()).value
    error = (
        ClusteringError().compute(result, params=ClusteringError.Params(), context=Context()).value
    )
    assert contingency(result, None, "exclude").n == data.n
    return nmi, error


@pytest.mark.parametrize(
    ("sample", "least_nmi", "most_error"),
    [("iris", 0.845, 0.053), ("wine", 0.434, 0.281), ("breast-cancer", 0.587, 0.080)],
)
def test_known_tables_are_cut_as_well_as_reported(
    sample: str, least_nmi: float, most_error: float
) -> None:
    data = SAMPLES[sample].make()
    X = data.dense_features()
    scaled = data.with_features((X - X.min(axis=0)) / np.ptp(X, axis=0))
    graph = VariableBandwidth().compute(
        scaled, params=VariableBandwidth.Params(), context=Context()
    )
    nmi, error = scores(data, cut(graph, k=len(data.truth_names)))
    assert nmi >= least_nmi
    assert error <= most_error


def test_the_published_times_are_parted_by_the_published_threshold() -> None:
    A, _ = blocks([10, 14], between=0.01)
    found = run(Affinity(values=A), k=2)
    groups, times = found.main, found.parts["embedding"]
    assert isinstance(groups, Clustering)
    assert isinstance(times, Embedding)
    first = groups.details["cuts"][0]
    line = times.coordinates[:, 0]
    assert line.argmin() == first["ground"]
    near = groups.labels == groups.labels[first["ground"]]
    np.testing.assert_array_equal(line < times.details["cut"], near)
    P = A / A.sum(axis=1, keepdims=True)
    others = np.setdiff1d(np.arange(24), first["ground"])
    steps = np.linalg.solve(np.eye(23) - P[np.ix_(others, others)], np.ones(23))
    shown = 10 ** line[others] * (1 + first["threshold"]) - 1
    np.testing.assert_allclose(shown, steps, rtol=1e-6)


def test_items_without_a_way_to_the_ground_are_shown_beyond_all_others() -> None:
    A, truth = blocks([5, 7], between=0.0)
    times = run(Affinity(values=A), k=2).parts["embedding"]
    assert isinstance(times, Embedding)
    line = times.coordinates[:, 0]
    assert line[truth == 0].min() > line[truth == 1].max()
    assert np.isfinite(line).all()


@pytest.mark.realdata
def test_segment_is_cut_as_well_as_reported(realdata: Any) -> None:
    table = np.genfromtxt(realdata / "segment.csv", delimiter=",", skip_header=1, dtype=str)
    names, truth = np.unique(table[:, -1], return_inverse=True)
    X = table[:, :-1].astype(np.float64)
    spread = np.ptp(X, axis=0)
    scaled = (X - X.min(axis=0)) / np.where(spread > 0, spread, 1.0)
    data = Dataset(features=scaled, truth=truth, truth_names=tuple(map(str, names)))
    graph = VariableBandwidth().compute(
        data, params=VariableBandwidth.Params(neighbours=20), context=Context()
    )
    nmi, error = scores(data, cut(graph, k=7, prior="degrees"))
    assert nmi >= 0.724  # reported .744
    assert error <= 0.292


def test_times_are_counted_from_the_ground_that_is_named() -> None:
    A, truth = blocks([12, 12])
    data = Dataset(items=tuple(f"item {i}" for i in range(24)))
    for asked, place in (("auto", int(A.sum(axis=1).argmax())), (5, 5), ("item 20", 20)):
        output = run(Affinity(values=A, dataset=data), k=2, ground=asked)
        assert isinstance(output.main, Clustering)
        assert same_partition(output.main.labels, truth)
        assert output.main.details["cuts"][0]["ground"] == place
        # By definition: the mean steps of the walk without the ground, (I − P₀) z = 1.
        others = np.delete(np.arange(24), place)
        P = A / A.sum(axis=1, keepdims=True)
        steps = np.linalg.solve(np.eye(23) - P[np.ix_(others, others)], np.ones(23))
        shown = output.parts["embedding"]
        assert isinstance(shown, Embedding)
        threshold = output.main.details["cuts"][0]["threshold"]
        expected = np.log10((1 + steps) / (1 + threshold))
        np.testing.assert_allclose(shown.coordinates[others, 0], expected, atol=1e-8)
    with refuses("unknown-item"):
        run(Affinity(values=A), ground=99)
    A[3] = A[:, 3] = 0.0
    with refuses("no-similarities"):
        run(Affinity(values=A), ground=3)

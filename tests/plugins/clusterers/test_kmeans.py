"""k-means and its kin: known sums to four digits, each other, and their limits."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, Dataset
from coterie.core.api.context import Frame
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.formats.samples import SAMPLES
from coterie.core.model.columns import Column
from coterie.core.numerics.features.euler import euler_features
from coterie.core.numerics.partitions.kernel_kmeans import kernel_kmeans
from coterie.core.numerics.partitions.kmeans import _Starting, lloyd
from coterie.plugins.clusterers.euler_kmeans import EulerKMeans
from coterie.plugins.clusterers.kernel_kmeans import KernelKMeans
from coterie.plugins.clusterers.kmeans import KMeans
from coterie.plugins.metrics.error import ClusteringError
from coterie.plugins.metrics.nmi import NMI
from tests.refusals import refuses
from tests.rounding import rounding


def kmeans(data: Dataset, context: Context | None = None, **params: Any) -> Clustering:
    return KMeans().compute(data, params=KMeans.Params(**params), context=context or Context())


def scores(result: Clustering) -> list[float]:
    nmi = NMI().compute(result, params=NMI.Params(average="geometric"), context=Context())
    error = ClusteringError().compute(result, params=ClusteringError.Params(), context=Context())
    return [nmi.value, error.value]


def same_partition(one: Any, other: Any) -> bool:
    pairs = len(set(zip(np.asarray(one).tolist(), np.asarray(other).tolist(), strict=True)))
    return pairs == len(set(np.asarray(one).tolist())) == len(set(np.asarray(other).tolist()))


@pytest.mark.parametrize(
    ("sample", "nmi", "error"),
    [
        ("iris", 0.7582, 0.1067),
        ("wine", 0.4288, 0.2978),
        ("breast-cancer", 0.4672, 0.1459),
    ],
)
def test_known_tables_give_the_reported_digits(sample: str, nmi: float, error: float) -> None:
    data = SAMPLES[sample].make()
    found = scores(kmeans(data, k=len(data.truth_names)))
    assert found == pytest.approx([nmi, error], abs=5e-5)


@pytest.mark.realdata
def test_ionosphere_gives_the_reported_digits(realdata: Path) -> None:
    table = np.genfromtxt(realdata / "ionosphere.csv", delimiter=",", skip_header=1, dtype=str)
    names, truth = np.unique(table[:, -1], return_inverse=True)
    data = Dataset(features=table[:, :-1].astype(np.float64), truth=truth, truth_names=tuple(names))
    found = scores(kmeans(data, k=2))
    assert found == pytest.approx([0.1349, 0.2877], abs=5e-5)


class Shown:
    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.events: list[str] = []

    def progress(self, done: float, total: float, message: str) -> None: ...
    def frame(self, frame: Frame) -> None:
        self.frames.append(frame)

    def event(self, name: str, details: Any) -> None:
        self.events.append(name)


def test_the_best_start_is_shown_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coterie.core.api.context.FRAMES_PER_SECOND", 1e12)
    shown = Shown()
    result = kmeans(SAMPLES["iris"].make(), Context(listener=shown), k=3, restarts=5)
    objectives = [frame.values["objective"] for frame in shown.frames]
    assert objectives == sorted(objectives, reverse=True)
    assert objectives[-1] == pytest.approx(result.details["objective"])
    np.testing.assert_array_equal(shown.frames[-1].labels, result.labels)
    assert shown.events.count("means") == len(shown.frames)
    moved = [frame.values["residual"] for frame in shown.frames]
    before, after = (np.asarray(shown.frames[i].labels) for i in (0, 1))
    assert np.isnan(moved[0])
    assert moved[1] == np.mean(np.not_equal(before, after))
    assert moved[-1] == 0


def test_the_sum_of_squares_is_that_of_the_labels_whatever_the_form() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)) * (rng.random((60, 4)) < 0.5) + 3.0 * (np.arange(60)[:, None] % 3)
    dense = kmeans(Dataset(features=X), k=3)
    sparse = kmeans(Dataset(features=csr_array(X)), k=3)
    assert same_partition(dense.labels, sparse.labels)
    expected = sum(
        ((X[dense.labels == c] - X[dense.labels == c].mean(axis=0)) ** 2).sum() for c in range(3)
    )
    assert dense.details["objective"] == pytest.approx(expected)
    assert sparse.details["objective"] == pytest.approx(expected)


def test_a_centre_without_items_takes_the_farthest() -> None:
    X = np.array([[0.0], [1.0], [2.0], [50.0]])
    *_, last = lloyd(X, np.array([[0.0], [1000.0]]))
    assert same_partition(last.labels, [0, 0, 0, 1])
    *_, last = lloyd(np.zeros((4, 1)), np.zeros((3, 1)))
    assert set(last.labels.tolist()) == {0, 1, 2}


@pytest.mark.parametrize("form", ["values", "sparse", "factor"])
def test_kernel_kmeans_of_inner_products_is_kmeans(form: str) -> None:
    data = SAMPLES["iris"].make()
    X = data.dense_features() - data.dense_features().mean(axis=0)
    matrix: Any = {"values": X @ X.T, "sparse": csr_array(X @ X.T), "factor": X}[form]
    affinity = Affinity(**{form: matrix}, dataset=data, nonnegative=False)
    result = KernelKMeans().compute(affinity, params=KernelKMeans.Params(k=3), context=Context())
    plain = kmeans(data, k=3)
    assert result.details["objective"] == pytest.approx(plain.details["objective"])
    assert same_partition(result.labels, plain.labels)


@pytest.mark.parametrize("definite", [True, False])
def test_the_objective_of_kernel_kmeans_never_rises(definite: bool) -> None:
    rng = np.random.default_rng(2)
    B = rng.normal(size=(40, 40))
    K = B @ B.T if definite else B + B.T
    rounds = list(kernel_kmeans(Affinity(values=K, nonnegative=False), np.arange(40) % 4, 4))
    objectives = [one.objective for one in rounds]
    assert objectives == sorted(objectives, reverse=True)
    assert rounds[-1].settled
    labels = rounds[-1].labels
    member = (labels[:, None] == np.arange(4)) / np.sqrt(np.bincount(labels))
    assert objectives[-1] == pytest.approx(np.trace(K) - np.trace(member.T @ K @ member))


def test_directed_similarities_are_refused_with_a_way_out() -> None:
    A = Affinity(values=np.triu(np.ones((4, 4))), symmetric=False)
    with refuses("not-symmetric", DataError, match="graph/symmetrise"):
        KernelKMeans().compute(A, params=KernelKMeans.Params(), context=Context())


def test_euler_kmeans_is_kernel_kmeans_of_the_euler_kernel() -> None:
    data = SAMPLES["iris"].make()
    X = data.dense_features()
    scaled = data.with_features((X - X.min(axis=0)) / np.ptp(X, axis=0))
    params = EulerKMeans.Params(k=3, alpha=1.0)
    result = EulerKMeans().compute(scaled, params=params, context=Context())
    phi = euler_features(scaled.dense_features(), 1.0)
    kernel = KernelKMeans().compute(
        Affinity(factor=phi, nonnegative=False),
        params=KernelKMeans.Params(k=3, restarts=50),
        context=Context(),
    )
    assert result.details["objective"] == pytest.approx(kernel.details["objective"])
    with refuses("values-out-of-range", DataError):
        EulerKMeans().compute(data, params=params, context=Context())


def test_more_groups_than_different_items_are_told() -> None:
    twice = Dataset(features=np.repeat([[0.0], [1.0]], 5, axis=0))
    assert kmeans(twice, k=2).notes == ()
    notes = kmeans(twice, k=3).notes
    assert len(notes) == 1
    assert notes[0].startswith("Only 2 of the 3 groups differ")


def test_more_groups_than_items_are_refused() -> None:
    with refuses("too-many-groups", DataError, match="'k'.*4.*3"):
        kmeans(Dataset(features=np.eye(3)), k=4)


def test_an_item_of_weight_two_counts_as_two_equal_items() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)) + 4 * rng.integers(0, 3, size=(60, 1))
    weights = rng.integers(1, 4, 60)
    weighed = Dataset(
        kind="table", features=X, table=(Column("counts", weights * 1.0, role="weight"),)
    )
    copies = np.repeat(np.arange(60), weights)
    one = kmeans(weighed, k=3)
    other = kmeans(Dataset(kind="table", features=X[copies]), k=3)
    assert same_partition(one.labels[copies], other.labels)
    # Weights are divided by their mean. Squared distances are differences of squares of X.
    slack = rounding(20, float((X[copies] ** 2).sum()))
    total = one.details["objective"] * weights.mean()
    assert total == pytest.approx(other.details["objective"], rel=0, abs=slack)


def test_items_without_weight_pull_no_mean() -> None:
    X = np.array([[0.0], [1.0], [9.0], [10.0], [100.0]])
    weights = np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    data = Dataset(kind="table", features=X, table=(Column("w", weights, role="weight"),))
    found = kmeans(data, k=2)
    assert same_partition(found.labels, [0, 0, 1, 1, 1])
    assert sorted(np.ravel(found.details["centres"])) == [0.5, 9.5]


def test_weights_are_refused_where_all_items_would_be_treated_alike() -> None:
    X = np.arange(20.0)[:, None]
    data = Dataset(kind="table", features=X, table=(Column("w", np.ones(20), role="weight"),))
    context = Context(runs=built_in_runs())
    context.run("clusterer/kmeans", data, params={"k": 2, "restarts": 1})
    with refuses("weights-not-heeded", DataError):
        context.run("clusterer/genie", data)
    near = context.run("graph/knn", data).main
    with refuses("weights-not-heeded", DataError):
        context.run("clusterer/ncut", near)


def test_threads_share_one_copy_of_the_items_in_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copies: list[int] = []
    made = _Starting.ordered.func  # type: ignore[attr-defined]

    def counted(starting: _Starting) -> Any:
        copies.append(1)
        return made(starting)

    copied = cached_property(counted)
    copied.__set_name__(_Starting, "ordered")
    monkeypatch.setattr(_Starting, "ordered", copied)
    data = Dataset(features=np.random.default_rng(0).normal(size=(20_000, 8)))
    kmeans(data, Context(workers=4), k=3, restarts=8)
    assert len(copies) == 1


@pytest.mark.parametrize("seed", range(5))
def test_more_groups_than_distinct_items_settle_and_are_said_to_be_the_same(seed: int) -> None:
    X = np.repeat(np.random.default_rng(seed).normal(size=(3, 3)), 20, axis=0)
    found = kmeans(Dataset(kind="table", features=X), k=4)
    assert found.details["settled"]
    assert any("3 of the 4 groups differ" in note for note in found.notes)

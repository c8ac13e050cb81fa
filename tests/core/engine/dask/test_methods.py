"""Methods whose work is shared by a Dask cluster give what they give here."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np
import pytest

from coterie.core import Context, Dataset
from coterie.core.engine.dask.pool import DaskExecutor
from coterie.core.numerics.similarity import approximate
from coterie.core.numerics.similarity import neighbours as search
from coterie.plugins.clusterers.gaussian_mixture import GaussianMixture
from coterie.plugins.clusterers.kmeans import KMeans
from coterie.plugins.graphs.knn import KNN
from tests.core.engine.clusters import TestCluster, cluster

pytest.importorskip("distributed")
T = TypeVar("T")
R = TypeVar("R")


@pytest.fixture(scope="module")
def running() -> Iterator[TestCluster]:
    with cluster() as started:
        yield started


def balls(n: int, d: int) -> Dataset:
    rng = np.random.default_rng(0)
    return Dataset(
        features=3 * rng.normal(size=(5, d))[rng.integers(5, size=n)] + rng.normal(size=(n, d))
    )


def groups(method: Any, **params: Any) -> Callable[[Dataset, Context], Any]:
    def run(data: Dataset, context: Context) -> Any:
        found = method().compute(data, params=method.Params(**params), context=context)
        return found.labels, found.details

    return run


def graph(data: Dataset, context: Context) -> Any:
    found = KNN().compute(
        data, params=KNN.Params(neighbours=7, weights="affinity"), context=context
    )
    assert found.sparse is not None
    edges = found.sparse.tocoo()
    return np.stack([edges.row, edges.col, edges.data]), found.details


METHODS = {
    "kmeans": (groups(KMeans, k=5, restarts=8), 400, 4),
    "gaussian-mixture": (groups(GaussianMixture, most_groups=4, restarts=2), 300, 3),
    "knn, by a tree": (graph, 2500, 3),
    "knn, by comparing": (graph, 2500, 12),
    "knn, by an inverted index": (graph, 20_000, 12),
}


@pytest.mark.parametrize("name", METHODS)
def test_the_result_is_the_same_as_here(
    running: TestCluster, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, n, d = METHODS[name]
    if "index" in name:
        pytest.importorskip("faiss")
        monkeypatch.setattr(approximate, "MANY_COMPARED", 0)
    monkeypatch.setattr(search, "CHUNK_PAIRS", 1 << 21)
    data = balls(n, d)
    here, details = method(data, Context(seed=3))
    with DaskExecutor(running.address) as crew:
        there, same = method(data, Context(seed=3, crew=crew))
    np.testing.assert_array_equal(there, here)
    assert same == details


class _Wounding:
    """A crew of which a worker dies as soon as the first piece of work is done."""

    away = True

    def __init__(self, crew: DaskExecutor, cluster: TestCluster) -> None:
        self._crew, self._cluster = crew, cluster

    def each(
        self, function: Callable[[T], R], values: Iterable[T], check: Callable[[], None]
    ) -> Generator[R, None, None]:
        for found in self._crew.each(function, values, check):
            if len(self._cluster.workers) > 1:
                self._cluster.kill_worker()
            yield found

    def everywhere(self, function: Callable[[], R], check: Callable[[], None]) -> list[R]:
        return self._crew.everywhere(function, check)


@pytest.mark.parametrize("name", ["kmeans", "knn, by a tree"])
def test_a_worker_that_dies_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method, n, d = METHODS[name]
    monkeypatch.setattr(search, "CHUNK_PAIRS", 1 << 19)
    data = balls(n, d)
    here, _ = method(data, Context(seed=3))
    with cluster() as wounded, DaskExecutor(wounded.address) as crew:
        there, _ = method(data, Context(seed=3, crew=_Wounding(crew, wounded)))
        assert len(wounded.workers) == 1
    np.testing.assert_array_equal(there, here)

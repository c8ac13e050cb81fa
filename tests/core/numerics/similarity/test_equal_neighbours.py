"""Which of equally far items are neighbours depends on their order alone, on no processor."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core.numerics.similarity.neighbours import nearest_neighbours

WHOLE: dict[str, tuple[int, Any]] = {
    "by comparing": (12, np.asarray),
    "sparse": (80, csr_array),
}


def first_nearest(X: Any, Y: Any, k: int, *, same: bool, power: int = 2) -> Any:
    """Return the neighbours by the definition, in whole numbers: by distance, then by order."""
    apart = (np.abs(X[:, None] - Y[None]).astype(np.int64) ** power).sum(axis=2)
    if same:
        np.fill_diagonal(apart, np.iinfo(np.int64).max)
    return np.argsort(apart, axis=1, kind="stable")[:, :k]


@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize("how", WHOLE)
def test_of_equals_the_first_are_chosen(how: str, k: int) -> None:
    d, form = WHOLE[how]
    X = np.random.default_rng(k).integers(0, 2, (300, d)).astype(float)
    found = nearest_neighbours(form(X), k).indices
    np.testing.assert_array_equal(found, first_nearest(X, X, k, same=True))
    found = nearest_neighbours(form(X[:40]), k, among=form(X)).indices
    np.testing.assert_array_equal(found, first_nearest(X[:40], X, k, same=False))


@pytest.mark.parametrize("d", [9, 12])
def test_of_equal_sums_of_differences_too(d: int) -> None:
    X = np.random.default_rng(d).integers(0, 3, (300, d)).astype(float)
    found = nearest_neighbours(X, 5, metric="manhattan").indices
    np.testing.assert_array_equal(found, first_nearest(X, X, 5, same=True, power=1))


@pytest.mark.parametrize("d", [9, 12])
def test_thousands_of_copies_are_taken_in_their_order(d: int) -> None:
    X = np.random.default_rng(d).integers(0, 2, (40, d)).astype(float)
    X = X[np.random.default_rng(0).integers(0, 40, 2100)]
    found = nearest_neighbours(X, 4)
    for i in range(0, 2100, 70):
        others = np.delete(np.arange(2100), i)
        wanted = others[first_nearest(X[i : i + 1], X[others], 4, same=False)]
        np.testing.assert_array_equal(found.indices[i], wanted[0])


def test_a_search_that_keeps_the_last_of_equals_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As another number of threads may, or another library of linear algebra."""
    X = np.random.default_rng(1).integers(0, 2, (200, 12)).astype(float)
    wanted = nearest_neighbours(X, 6)

    def contrary(base: Any, workers: int, power: int = 2) -> Any:
        def ask(some: Any, k: int) -> Any:
            apart = np.rint(((some[:, None] - base[None]) ** 2).sum(axis=2))
            return len(base) - 1 - np.argsort(apart[:, ::-1], axis=1, kind="stable")[:, :k]

        return ask

    monkeypatch.setattr("coterie.core.numerics.similarity.neighbours.by_comparing", contrary)
    found = nearest_neighbours(X, 6)
    np.testing.assert_array_equal(found.indices, wanted.indices)
    np.testing.assert_array_equal(found.distances, wanted.distances)

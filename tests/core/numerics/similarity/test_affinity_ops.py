"""Affinities made from affinities."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, DataError
from coterie.core.numerics.similarity.affinity_ops import (
    above_share,
    at_least,
    most_similar,
    require_items,
)
from coterie.core.numerics.similarity.distances import row_blocks
from tests.refusals import refuses
from tests.rounding import rounding

FACTOR = np.random.default_rng(0).random((9, 2))
A = FACTOR @ FACTOR.T
FORMS = [{"values": A}, {"sparse": csr_array(A)}, {"factor": FACTOR}]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_edges(
    form: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_blocks, "__defaults__", (8 * 9 * 2,))
    affinity = Affinity(**form)
    strong = at_least(affinity, 0.4).toarray()
    np.testing.assert_allclose(strong, np.where(A >= 0.4, A, 0))
    others = A - np.diag(np.full(9, np.inf))
    nearest = np.argsort(-others, axis=1)[:, :2]
    found = most_similar(affinity, 2).toarray()
    for i in range(9):
        assert set(np.flatnonzero(found[i])) == set(nearest[i])


def test_equal_similarities_are_taken_in_order() -> None:
    found = most_similar(Affinity(values=np.ones((4, 4))), 2).toarray()
    np.testing.assert_array_equal(found, [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [1, 1, 0, 0]])


def test_no_items_and_missing_similarities_are_refused() -> None:
    with refuses("empty-data", DataError):
        require_items(Affinity(values=np.zeros((0, 0))))
    with refuses("missing-values", DataError):
        require_items(Affinity(values=np.full((2, 2), np.nan)))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5])
def test_entries_above_a_share_of_the_largest_are_the_same_in_every_form(share: float) -> None:
    F = np.random.default_rng(0).random((9, 4)) ** 6
    A = F @ F.T
    expected = np.where(share * A.max() <= A, A, 0.0)
    np.fill_diagonal(expected, np.diag(A))
    for affinity in (Affinity(values=A), Affinity(sparse=csr_array(A)), Affinity(factor=F)):
        found = above_share(affinity, share).to_dense()
        np.testing.assert_allclose(found, expected, atol=rounding(2 * 4, A.max()))

"""Moving items at the borders of groups lowers the normalised cut, and ends where no move helps."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.spectral.cuts import normalised_cut
from coterie.core.numerics.spectral.refining import refined
from tests.rounding import rounding


def graph_and_groups(seed: int, n: int, k: int) -> tuple[Floats, Ints]:
    rng = np.random.default_rng(seed)
    A = rng.random((n, n)) * (rng.random((n, n)) < 0.5)
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    return A + A.T, labels


@given(seed=st.integers(0, 10_000), n=st.integers(4, 14), k=st.integers(1, 4))
def test_the_cut_falls_and_in_the_end_no_single_move_lowers_it(seed: int, n: int, k: int) -> None:
    A, labels = graph_and_groups(seed, n, k)
    assume((A.sum(axis=1) > 0).all())  # an item without an edge is in no group
    affinity = Affinity(values=A)
    states = list(refined(affinity, labels))
    cuts = [cut for _, cut in states]
    assert states[0][0].tolist() == labels.tolist()
    assert all(later < earlier for earlier, later in pairwise(cuts))
    for found, cut in states:
        assert cut == pytest.approx(normalised_cut(affinity, found), abs=rounding(8 * n * n, k))
        assert set(found.tolist()) == set(range(k))  # no group is emptied
    end, least = states[-1]
    for item in range(n):
        if (end == end[item]).sum() == 1:
            continue
        for group in range(k):
            other = end.copy()
            other[item] = group
            assert normalised_cut(affinity, other) >= least - 1e-9


@pytest.mark.parametrize("seed", range(60))
def test_no_group_is_emptied_where_items_of_several_change_places(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.random((7, 7)) * (rng.random((7, 7)) < 0.3)
    labels = np.array([1, 3, 3, 2, 2, 2, 0])
    for found, _ in refined(Affinity(values=A + A.T), labels):
        assert set(found.tolist()) == {0, 1, 2, 3}


def test_a_number_without_members_stays_without() -> None:
    A, labels = graph_and_groups(2, 12, 4)
    labels[labels == 1] = 3
    *_, (found, _) = refined(Affinity(values=A), labels)
    assert set(found.tolist()) == {0, 2, 3}


def test_without_any_group_nothing_moves() -> None:
    (state,) = refined(Affinity(values=np.ones((3, 3))), np.full(3, -1))
    assert state[0].tolist() == [-1, -1, -1]


def test_dense_sparse_and_factor_end_in_the_same_groups() -> None:
    rng = np.random.default_rng(3)
    factor = rng.random((30, 4))
    A = factor @ factor.T
    labels = np.arange(30) % 3
    ends = [
        list(refined(affinity, labels))[-1][0].tolist()
        for affinity in (
            Affinity(values=A),
            Affinity(sparse=csr_array(A)),
            Affinity(factor=factor),
        )
    ]
    assert ends[0] == ends[1] == ends[2]


def test_items_in_no_group_stay_out_and_do_not_count() -> None:
    A, labels = graph_and_groups(8, 20, 3)
    labels[[4, 11]] = -1
    *_, (found, cut) = refined(Affinity(values=A), labels)
    assert found[[4, 11]].tolist() == [-1, -1]
    assert cut == pytest.approx(normalised_cut(Affinity(values=A), found))


def test_what_cannot_be_better_is_left_as_it_is() -> None:
    A = np.kron(np.eye(2), np.ones((3, 3)))
    labels = np.array([0, 0, 0, 1, 1, 1])
    assert [s[0].tolist() for s in refined(Affinity(values=A), labels)] == [labels.tolist()]


def test_a_graph_without_edges_has_nothing_to_move() -> None:
    states = list(refined(Affinity(values=np.zeros((4, 4))), np.array([0, 0, 1, 1])))
    assert len(states) == 1
    assert states[0][1] == 0.0

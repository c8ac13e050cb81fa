"""Certificates, compared with the definition of a dominant set, subset by subset."""

import itertools
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core.model.affinity import Affinity
from coterie.core.numerics.certificates import dominant_sets
from coterie.core.numerics.certificates.dominant_sets import certify_set
from coterie.core.numerics.certificates.labellings import certify_labelling
from tests.refusals import refuses

Weight = Callable[[tuple[int, ...], int], float]


def weights(A: np.ndarray) -> Weight:
    """w_S(i) by its recursion: over the members, how much more similar i is to each."""

    @lru_cache(None)
    def weight(items: tuple[int, ...], item: int) -> float:
        if len(items) == 1:
            return 1.0
        others = tuple(one for one in items if one != item)
        return sum(
            float(A[j, item] - np.mean([A[j, k] for k in others])) * weight(others, j)
            for j in others
        )

    return weight


def is_dominant(A: np.ndarray, items: tuple[int, ...]) -> bool:
    """The definition, word by word."""
    w = weights(A)
    subsets = (
        part for size in range(1, len(items) + 1) for part in itertools.combinations(items, size)
    )
    return (
        all(sum(w(part, i) for i in part) > 0 for part in subsets)
        and all(w(items, i) > 0 for i in items)
        and all(w(tuple(sorted((*items, i))), i) < 0 for i in range(len(A)) if i not in items)
    )


def similarities(seed: int, n: int = 6) -> np.ndarray:
    rng = np.random.default_rng(seed)
    A = rng.random((n, n))
    A = (A + A.T) / 2
    if seed % 3 == 0:
        A[A < 0.4] = 0.0
    if seed % 5 == 0:
        A -= 0.3
    np.fill_diagonal(A, 0.0)
    return A


@pytest.mark.parametrize("seed", range(12))
def test_the_verdict_is_that_of_the_definition_on_every_subset(seed: int) -> None:
    A = similarities(seed)
    affinity = Affinity(values=A, nonnegative=False)
    for size in range(1, len(A) + 1):
        for items in itertools.combinations(range(len(A)), size):
            found = certify_set(affinity, np.array(items))
            assert found.how == "definition"
            assert (found.verdict == "holds") == is_dominant(A, items), items


def test_shares_and_margins_are_the_weights_of_the_definition() -> None:
    A = similarities(1)
    w, items = weights(A), (0, 2, 3)
    found = certify_set(Affinity(values=A), np.array(items))
    total = sum(w(items, i) for i in items)
    assert found.shares == pytest.approx([w(items, i) / total for i in items])
    margins = [w(tuple(sorted((*items, i))), i) / total for i in (1, 4, 5)]
    assert found.largest == pytest.approx(max(margins))


def test_items_taken_away_before_are_not_compared_with() -> None:
    A = np.zeros((4, 4))
    A[0, 1] = A[1, 0] = 1.0
    A[2, 3] = A[3, 2] = 0.4
    A[1, 2] = A[2, 1] = 0.9
    affinity = Affinity(values=A)
    alone = certify_set(affinity, np.array([2, 3]))
    assert alone.verdict == "fails"
    assert alone.joining.tolist() == [1]
    assert certify_set(affinity, np.array([2, 3]), excluded=np.array([0, 1])).verdict == "holds"


def test_equal_items_leave_it_undecided() -> None:
    A = np.ones((3, 3)) - np.eye(3)
    A[1, 2] = A[2, 1] = 0.0  # 1 and 2 are equally good partners of 0, and do not like each other
    found = certify_set(Affinity(values=A), np.array([0, 1]))
    assert found.verdict == "undecided"
    assert found.joining.tolist() == [2]


def test_the_diagonal_does_not_count_and_the_form_does_not_matter() -> None:
    A = similarities(2)
    own = A + 3.0 * np.eye(len(A))
    items = np.array([0, 1, 4])
    dense, sparse, plain = (
        certify_set(given, items)
        for given in (
            Affinity(values=own),
            Affinity(sparse=csr_array(own)),
            Affinity(values=A),
        )
    )
    assert dense.shares == pytest.approx(plain.shares)
    assert sparse.largest == pytest.approx(plain.largest)


def test_large_or_directed_sets_are_tested_as_equilibria(monkeypatch: pytest.MonkeyPatch) -> None:
    A = np.array([[0.0, 2.0, 0.1], [1.0, 0.0, 0.1], [0.2, 0.1, 0.0]])
    directed = Affinity(values=A, symmetric=False)
    found = certify_set(directed, np.array([0, 1]), shares=np.array([2 / 3, 1 / 3]))
    assert (found.how, found.verdict) == ("equilibrium", "holds")
    # Without shares the members find theirs: A x = λ 1 has x = (2, 1) / 3.
    alone = certify_set(directed, np.array([0, 1]))
    assert (alone.how, alone.verdict) == ("equilibrium", "holds")
    assert alone.shares == pytest.approx([2 / 3, 1 / 3])
    with refuses("groups-needed"):
        certify_set(directed, np.array([0, 1]), shares=np.array([1.0]))
    monkeypatch.setattr(dominant_sets, "MOST_MEMBERS", 1)
    even = Affinity(values=np.array([[0.0, 1.0, 0.2], [1.0, 0.0, 0.2], [0.2, 0.2, 0.0]]))
    large = certify_set(even, np.array([0, 1]), shares=np.array([1.0, 1.0]))
    assert (large.how, large.definite, large.verdict) == ("equilibrium", None, "holds")


@pytest.mark.parametrize(
    ("items", "excluded", "code"),
    [
        ([], [], "empty-data"),
        ([0, 9], [], "unknown-item"),
        ([0], [-1], "unknown-item"),
        ([0, 1], [1], "invalid-parameters"),
    ],
)
def test_items_that_make_no_sense_are_refused(
    items: list[int], excluded: list[int], code: str
) -> None:
    with refuses(code):
        certify_set(Affinity(values=similarities(1)), np.array(items), excluded=np.array(excluded))


def test_labels_are_consistent_when_no_free_item_would_gain() -> None:
    A = similarities(4)
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, len(A))
    fixed = np.array([0])
    found = certify_labelling(Affinity(values=A), labels, fixed=fixed)
    expected = []
    for item in range(1, len(A)):
        payoffs = [A[item][labels == group].sum() for group in (0, 1)]
        if payoffs[labels[item]] < max(payoffs) * (1 - 1e-6):
            expected.append(item)
    assert sorted(found.items.tolist()) == expected
    assert found.checked == len(A) - 1
    assert found.verdict == ("fails" if expected else "holds")


def test_labels_of_other_items_are_refused() -> None:
    with refuses("items-mismatch"):
        certify_labelling(
            Affinity(values=similarities(1)), np.array([0, 1]), fixed=np.array([], dtype=int)
        )


def test_a_set_that_is_not_one_loses_those_who_lose_their_share() -> None:
    A = np.array([[0, 4, 3, 0], [4, 0, 3, 0], [3, 3, 0, 1], [0, 0, 1, 0.0]])
    found = certify_set(Affinity(values=A), np.arange(4))
    assert (found.definite, found.verdict, found.leaving.tolist()) == (False, "fails", [3])
    near = certify_set(Affinity(values=A), np.array([2, 3]))
    assert near.nearest.tolist() == [0, 1]
    assert near.margins == pytest.approx([1.5 - 0.5, 1.5 - 0.5])

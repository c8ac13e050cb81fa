"""Overlapping dominant sets: each is one by definition, none twice, and nearly all are found."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError
from coterie.core.api.context import Frame
from coterie.core.numerics.dynamics.equilibria import FoundSet
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.enumeration.extended_game import ExtendedGame
from coterie.plugins.clusterers.dominant_overlapping import DominantOverlapping, same_set
from tests.refusals import refuses
from tests.rounding import rounding


def group(affinity: Affinity, seed: int = 0, **params: Any) -> Clustering:
    return DominantOverlapping().compute(
        affinity, params=DominantOverlapping.Params(**params), context=Context(seed=seed)
    )


def random_similarities(seed: int, n: int) -> np.ndarray:
    A = np.triu(np.random.default_rng(seed).random((n, n)), 1)
    return A + A.T


def dominant_sets_of(A: np.ndarray) -> set[frozenset[int]]:
    """All strict local maxima of xᵀAx on the simplex, support by support.

    On a support S the only candidate solves A_S x = λ 1; it is one when all shares are positive,
    everybody outside earns less, and xᵀAx curves down on S.
    """
    n = len(A)
    found = set()
    for size in range(2, n + 1):
        for S in combinations(range(n), size):
            block = A[np.ix_(S, S)]
            if np.linalg.matrix_rank(block) < size:
                continue
            x = np.linalg.solve(block, np.ones(size))
            x /= x.sum()
            flat = np.eye(size)[:, 1:] - np.eye(size)[:, :1]
            payoff = x @ block @ x
            outside = [i for i in range(n) if i not in S]
            if (
                (x > 0).all()
                and all(A[i, list(S)] @ x < payoff for i in outside)
                and np.linalg.eigvalsh(flat.T @ block @ flat).max() < 0
            ):
                found.add(frozenset(S))
    return found


def sets_of(found: Clustering) -> set[frozenset[int]]:
    return {frozenset(found.members(g).tolist()) for g in range(found.k)}


def stable_sets_of(B: np.ndarray) -> set[frozenset[int]]:
    """Supports of all evolutionarily stable populations of a game, by Haigh's conditions.

    x is one when its members earn the same, everybody else earns less, and yᵀB y < 0 for all y of
    its members that sum to 0.
    """
    n = len(B)
    found = set()
    for size in range(1, n + 1):
        for S in combinations(range(n), size):
            block = B[np.ix_(S, S)]
            bordered = np.block([[np.zeros((1, 1)), np.ones((1, size))],
                                 [-np.ones((size, 1)), block]])  # fmt: skip
            if abs(np.linalg.det(bordered)) < 1e-12:
                continue
            payoff, *x = np.linalg.solve(bordered, np.eye(size + 1)[0])
            flat = np.eye(size)[:, 1:] - np.eye(size)[:, :1]
            curved = size == 1 or np.linalg.eigvalsh(flat.T @ (block + block.T) @ flat).max() < 0
            outside = [i for i in range(n) if i not in S]
            best = max((B[i, list(S)] @ x for i in outside), default=-np.inf)
            if min(x) > 0 and curved and best < payoff - 1e-12:
                found.add(frozenset(S))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_an_extension_makes_the_sets_it_is_for_unstable_and_no_other(seed: int) -> None:
    A = random_similarities(seed, 6)
    game = Game.of(Affinity(values=A))
    stable = stable_sets_of(A)
    assert stable == dominant_sets_of(A)
    extended = ExtendedGame(game)
    for known in sorted(stable, key=sorted):
        extended.add(np.array(sorted(known)))
        stable = stable - {known}
        assert stable_sets_of(extended.to_dense()) == stable
    x = np.random.default_rng(seed).dirichlet(np.ones(extended.n))
    dense = extended.to_dense()
    near = rounding(4 * extended.n, float(np.abs(dense).max()))
    np.testing.assert_allclose(extended.payoffs(x), dense @ x, rtol=0, atol=near)


def test_maximal_cliques_are_enumerated_as_published() -> None:
    A = np.zeros((9, 9))
    cliques = [(0, 1, 2, 3), (2, 3, 4), (4, 5), (5, 6, 7), (7, 8)]
    for clique in cliques:
        for i, j in combinations(clique, 2):
            A[i, j] = A[j, i] = 1.0
    found = group(Affinity(values=A), search="published")
    assert sets_of(found) == set(map(frozenset, cliques))


@pytest.mark.parametrize("search", ["starts", "together", "published"])
def test_what_is_found_is_dominant_and_hardly_any_is_missed(search: str) -> None:
    there = met = 0
    for seed in range(12):
        A = random_similarities(seed, 5 + seed % 4)
        expected, got = dominant_sets_of(A), sets_of(group(Affinity(values=A), search=search))
        assert got <= expected
        there += len(expected)
        met += len(got)
    assert met >= 0.95 * there


def test_groups_that_share_an_item_both_list_it() -> None:
    A = np.zeros((7, 7))
    for clique, weight in (((0, 1, 2, 3), 1.0), ((3, 4, 5, 6), 0.8)):
        for i, j in combinations(clique, 2):
            A[i, j] = A[j, i] = weight
    found = group(Affinity(values=A))
    assert [found.members(g).tolist() for g in range(found.k)] == [[0, 1, 2, 3], [3, 4, 5, 6]]
    assert found.details["in_several"] == 1
    assert found.cohesiveness is not None
    np.testing.assert_allclose(found.cohesiveness, [0.75, 0.6])
    assert found.membership is not None
    np.testing.assert_allclose(found.membership[3], [0.25, 0.25])
    assert found.notes[0] == "2 different sets were found in 27 searches."


def test_every_set_is_an_equilibrium_of_all_items() -> None:
    X = np.random.default_rng(0).random((60, 2))
    A = 5 * np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / 0.02)
    np.fill_diagonal(A, 0)
    found = group(Affinity(values=A), max_sets=200)
    assert found.membership is not None
    assert found.cohesiveness is not None
    assert found.k > 3
    for x, cohesiveness in zip(found.membership.T, found.cohesiveness, strict=True):
        assert x @ A @ x == pytest.approx(cohesiveness, rel=1e-6)
        assert (A @ x).max() <= cohesiveness * (1 + 1e-6)
    assert (np.diff(found.cohesiveness) <= 0).all()
    shared = found.membership.max(axis=1) > 0
    np.testing.assert_array_equal(found.labels[shared], found.membership.argmax(axis=1)[shared])
    assert (found.labels[~shared] == -1).all()


@pytest.mark.parametrize("search", ["starts", "together", "published"])
def test_every_form_gives_the_same_sets(search: str) -> None:
    factor = np.random.default_rng(2).random((20, 3)) ** 4
    A = factor @ factor.T
    one, *others = (
        sets_of(group(form, search=search))
        for form in (
            Affinity(values=A),
            Affinity(sparse=csr_array(A)),
            Affinity(factor=factor),
        )
    )
    for other in others:
        assert one == other


def test_the_search_ends_at_the_most_sets_and_says_so() -> None:
    owner = np.repeat(np.arange(5), 3)
    A = (owner[:, None] == owner[None]).astype(float)
    found = group(Affinity(values=A), max_sets=2)
    assert found.k == 2
    assert "The search ended at the limit of 2 sets; there may be more." in found.notes
    assert "9 items are in no set." in found.notes


def test_small_and_loose_sets_are_left_out() -> None:
    owner = np.repeat([0, 1], [4, 2])
    A = (owner[:, None] == owner[None]).astype(float)
    assert sets_of(group(Affinity(values=A))) == {frozenset(range(4)), frozenset({4, 5})}
    assert sets_of(group(Affinity(values=A), min_size=3)) == {frozenset(range(4))}
    assert sets_of(group(Affinity(values=A), min_cohesiveness=0.6)) == {frozenset(range(4))}


@pytest.mark.parametrize("search", ["starts", "together", "published"])
@pytest.mark.parametrize("A", [np.zeros((4, 4)), np.eye(4), np.ones((1, 1)), -np.ones((3, 3))])
def test_items_that_are_not_similar_form_no_group(A: np.ndarray, search: str) -> None:
    found = group(Affinity(values=A, nonnegative=False), search=search)
    assert found.k == 0
    assert (found.labels == -1).all()
    assert "No group was found" in found.notes[0]


def test_what_is_no_equilibrium_within_the_limit_counts_for_nothing() -> None:
    found = group(Affinity(values=random_similarities(0, 30)), max_iterations=1)
    assert found.details["unsettled"] > 0
    assert any("before reaching an equilibrium" in note for note in found.notes)
    assert not any(details["limit_hit"] for details in found.details["sets"])


@pytest.mark.parametrize("search", ["starts", "together", "published"])
def test_directed_and_negative_similarities_end_in_their_own_equilibria(search: str) -> None:
    rng = np.random.default_rng(3)
    A = np.kron(np.eye(2), np.ones((4, 4))) + 0.2 * rng.standard_normal((8, 8))
    np.fill_diagonal(A, 0.0)
    found = group(Affinity(values=A, symmetric=False, nonnegative=False), search=search)
    assert found.membership is not None
    for x in found.membership.T:
        assert (A @ x).max() <= (x @ A @ x) * (1 + 1e-6)
    assert sets_of(found) <= stable_sets_of(A)
    assert found.k >= 1


def test_missing_similarities_are_refused() -> None:
    A = random_similarities(0, 4)
    A[1, 2] = np.nan
    with refuses("missing-values", DataError):
        group(Affinity(values=A))


@pytest.mark.parametrize(
    ("members", "shares", "same"),
    [
        ([0, 1, 2], [0.4, 0.3, 0.3], True),
        ([0, 1], [0.5, 0.5], True),  # nested
        ([0, 1, 3], [0.4, 0.3, 0.3], False),
        ([0, 1, 2, 3], [0.4, 0.3, 0.2999, 0.0001], True),
        ([4, 5], [0.5, 0.5], False),
    ],
)
def test_when_two_equilibria_are_one(members: list[int], shares: list[float], same: bool) -> None:
    def one(members: list[int], shares: list[float]) -> FoundSet:
        return FoundSet(np.array(members), np.array(shares), 1.0, 0.0, 1, True)

    first = one([0, 1, 2], [0.4, 0.3, 0.3])
    assert same_set(first, one(members, shares)) is same


def test_every_set_is_told_when_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coterie.core.api.context.FRAMES_PER_SECOND", 1e12)  # show every frame
    events: list[Mapping[str, Any]] = []
    iterations: list[int] = []

    class Listener:
        def progress(self, done: float, total: float, message: str) -> None: ...
        def event(self, name: str, details: Mapping[str, Any]) -> None:
            events.append({"name": name, **details})

        def frame(self, frame: Frame) -> None:
            iterations.append(frame.iteration)
            assert frame.shares is not None
            assert frame.shares.sum() == pytest.approx(1)

    found = DominantOverlapping().compute(
        Affinity(values=random_similarities(3, 12)),
        params=DominantOverlapping.Params(),
        context=Context(listener=Listener()),
    )
    assert [event["set"] for event in events] == list(range(1, found.k + 1))
    assert {frozenset(event["members"]) for event in events} == sets_of(found)
    assert iterations == sorted(set(iterations))


def test_one_set_is_counted_as_one() -> None:
    assert group(Affinity(values=np.ones((3, 3)))).notes == ("1 set was found in 23 searches.",)


@pytest.mark.parametrize("search", ["starts", "together", "published"])
def test_searches_that_end_without_an_equilibrium_say_what_to_do(search: str) -> None:
    # Rock, paper, scissors: each is beaten by another, so two steps lead nowhere.
    A = np.array([[0.0, 0.1, 2.0], [2.0, 0.0, 0.1], [0.1, 2.0, 0.0]])
    A = np.kron(A, np.eye(3)) + 0.01 * np.random.default_rng(0).random((9, 9))
    np.fill_diagonal(A, 0.0)
    found = group(
        Affinity(values=A, symmetric=False), search=search, max_iterations=2, tolerance=1e-12
    )
    assert found.k == 0
    assert found.details["unsettled"] > 0
    assert "graph/symmetrise" in found.notes[0]

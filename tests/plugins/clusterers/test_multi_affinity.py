"""Several affinities: what each shows alone is found, what another beats is not kept."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, ParameterError
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.pareto import weighted_sum
from coterie.plugins.clusterers.multi_affinity import MultiAffinity
from tests.refusals import refuses


def group(*affinities: Affinity, **params: Any) -> Clustering:
    return MultiAffinity().compute(
        *affinities, params=MultiAffinity.Params(**params), context=Context()
    )


def clique(n: int, *members: int, weight: float = 1.0) -> np.ndarray:
    A = np.zeros((n, n))
    A[np.ix_(members, members)] = weight
    np.fill_diagonal(A, 0)
    return A


def random_similarities(seed: int, n: int) -> np.ndarray:
    A = np.triu(np.random.default_rng(seed).random((n, n)), 1)
    return A + A.T


def sets_of(found: Clustering) -> list[list[int]]:
    return [found.members(g).tolist() for g in range(found.k)]


def test_the_groups_of_each_affinity_are_found_though_they_overlap() -> None:
    one, other = clique(6, 0, 1, 2, 3), 7.0 * clique(6, 2, 3, 4, 5)
    found = group(Affinity(values=one), Affinity(values=other))
    assert [0, 1, 2, 3] in sets_of(found)
    assert [2, 3, 4, 5] in sets_of(found)
    details = {tuple(found.members(g)): s for g, s in enumerate(found.details["sets"])}
    # In units of the largest entry of each; a clique of four alone earns ¾.
    for members, place in (((0, 1, 2, 3), 0), ((2, 3, 4, 5), 1)):
        payoffs = details[members]["payoffs"]
        assert 0.7 < payoffs[place] <= 0.75
        assert payoffs[1 - place] < 0.3


def test_a_set_that_another_beats_in_all_is_dropped() -> None:
    # Alone, the second affinity prefers {4, 5}; yet {0, 1, 2, 3} is better in both.
    one = clique(6, 0, 1, 2, 3) + clique(6, 4, 5, weight=0.1)
    other = clique(6, 0, 1, 2, 3) + clique(6, 4, 5, weight=0.9)
    found = group(Affinity(values=one), Affinity(values=other), k=1)
    assert sets_of(found) == [[0, 1, 2, 3]]


def test_no_kept_set_of_a_round_beats_another() -> None:
    affinities = [Affinity(values=random_similarities(seed, 12)) for seed in range(3)]
    found = group(*affinities, k=1, steps=4)
    everything = group(*affinities, k=100, steps=4)
    first_round = [s["payoffs"] for s in everything.details["sets"]][: found.k]
    for a in first_round:
        assert not any(
            all(y >= x for x, y in zip(a, b, strict=True)) and a != b for b in first_round
        )


def test_each_set_is_an_equilibrium_of_its_weighing() -> None:
    A, B = random_similarities(0, 15), 3 * random_similarities(1, 15)
    found = group(Affinity(values=A), Affinity(values=B), k=1, steps=3)
    assert found.membership is not None
    assert found.cohesiveness is not None
    for x, cohesiveness, details in zip(
        found.membership.T, found.cohesiveness, found.details["sets"], strict=True
    ):
        one, other = details["weights"]
        M = one * A / A.max() + other * B / B.max()
        assert x @ M @ x == pytest.approx(cohesiveness, rel=1e-6)
        assert (M @ x).max() <= cohesiveness * (1 + 1e-6)
        expected = [x @ A @ x / A.max(), x @ B @ x / B.max()]
        np.testing.assert_allclose(details["payoffs"], expected, rtol=1e-6)


def test_one_affinity_alone_gives_its_dominant_sets() -> None:
    A = clique(7, 0, 1, 2, 3) + clique(7, 4, 5, 6)
    found = group(Affinity(values=A))
    assert sets_of(found) == [[0, 1, 2, 3], [4, 5, 6]]
    assert found.notes[0].endswith("were found with 1 weighting of the affinities.")


@pytest.mark.parametrize("forms", ["ss", "ff", "df", "ds", "sf"])
def test_every_form_and_mixture_of_forms_is_added_up_alike(forms: str) -> None:
    factors = [np.random.default_rng(seed).random((9, 3)) ** 3 for seed in (0, 1)]

    def made(form: str, factor: np.ndarray) -> Affinity:
        A = factor @ factor.T
        if form == "f":
            return Affinity(factor=factor)
        return Affinity(sparse=csr_array(A)) if form == "s" else Affinity(values=A)

    games = [Game.of(made(form, factor)) for form, factor in zip(forms, factors, strict=True)]
    weights = np.array([0.25, 0.75])
    total = weighted_sum(games, weights).to_dense()
    expected = sum(
        w / game.scale * (factor @ factor.T)
        for w, game, factor in zip(weights, games, factors, strict=True)
    )
    off = ~np.eye(9, dtype=bool)
    np.testing.assert_allclose(total[off], np.asarray(expected)[off])
    assert group(*(game.affinity for game in games)).k > 0


def test_affinities_of_different_sizes_are_refused() -> None:
    with refuses("items-mismatch", DataError, match="3.*4"):
        group(Affinity(values=clique(3, 0, 1)), Affinity(values=clique(4, 0, 1)))


def test_missing_similarities_are_refused() -> None:
    with refuses("missing-values", DataError):
        group(Affinity(values=clique(3, 0, 1)), Affinity(values=np.full((3, 3), np.nan)))


def test_too_many_weightings_are_refused() -> None:
    affinities = [Affinity(values=clique(3, 0, 1))] * 6
    with refuses("too-many-runs", ParameterError):
        group(*affinities, steps=20)


@pytest.mark.parametrize("A", [np.zeros((4, 4)), np.eye(4), np.ones((1, 1))])
def test_items_that_are_not_similar_form_no_group(A: np.ndarray) -> None:
    found = group(Affinity(values=A), Affinity(values=A))
    assert (found.labels == -1).all()
    assert found.notes[0] == "No group was found: no two items are similar enough."


def test_more_groups_than_there_are_and_the_rest_are_said() -> None:
    found = group(Affinity(values=clique(5, 0, 1, 2)), k=3)
    assert found.labels.tolist() == [0, 0, 0, -1, -1]
    assert "Only 1 of 3 groups were found: no other set of items is cohesive enough." in found.notes
    assert "2 items belong to no group." in found.notes


def test_searches_that_go_in_circles_are_said() -> None:
    circle = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    found = group(Affinity(values=circle, symmetric=False), max_iterations=50)
    assert found.details["unsettled"] == 1
    assert found.notes[0].startswith("1 search stopped before reaching an equilibrium")
    assert "No group was found." in found.notes


@pytest.mark.parametrize("sparse", [False, True])
def test_the_smallest_of_numbers_count_like_others(sparse: bool) -> None:
    A = 1e-320 * clique(4, 0, 1, 2)
    form = {"sparse": csr_array(A)} if sparse else {"values": A}
    assert group(Affinity(**form)).labels.tolist() == [0, 0, 0, -1]

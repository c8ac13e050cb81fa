"""The hierarchy: one set above the largest eigenvalue, equilibria below, each inside its parent."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, ParameterError
from coterie.core.numerics.dynamics.game import Game
from coterie.plugins.clusterers.dominant_hierarchy import DominantHierarchy, largest_eigenvalue
from tests.refusals import refuses
from tests.rounding import rounding


def group(affinity: Affinity, **params: Any) -> Clustering:
    return DominantHierarchy().compute(
        affinity, params=DominantHierarchy.Params(**params), context=Context()
    )


def random_similarities(seed: int, n: int) -> np.ndarray:
    A = np.triu(np.random.default_rng(seed).random((n, n)), 1)
    return A + A.T


def nested_blocks() -> np.ndarray:
    """Two pairs of tight groups; the pairs are looser, and hardly alike."""
    fine, coarse = np.repeat(np.arange(4), 5), np.repeat(np.arange(2), 10)
    A = np.full((20, 20), 0.01)
    A[coarse[:, None] == coarse] = 0.2
    A[fine[:, None] == fine] = 1.0
    np.fill_diagonal(A, 0)
    return A


@given(n=st.integers(2, 20), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_the_bound_is_never_below_the_largest_eigenvalue(n: int, seed: int) -> None:
    A = random_similarities(seed, n)
    game = Game.of(Affinity(values=A))
    true = np.linalg.eigvalsh(A).max() / game.scale
    near = rounding(10 * n * n)  # of both eigenvalues, by their backward error
    assert true * (1 - near) <= largest_eigenvalue(game, Context()) <= true * 1.01


@given(n=st.integers(3, 12), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_sets_are_equilibria_of_their_scale_and_lie_in_their_parent(n: int, seed: int) -> None:
    A = 3.0 * random_similarities(seed, n)
    found = group(Affinity(values=A), levels=4, min_size=1, level=0, tolerance=1e-8)
    tree = found.details["tree"]
    assert found.members(0).tolist() == list(range(n))
    for level in range(1, 5):
        one = group(Affinity(values=A), levels=4, min_size=1, level=level, tolerance=1e-8)
        assert one.membership is not None
        nodes = one.details["tree"][: one.details["groups_at_level"]]
        for g, node in enumerate(nodes):
            if node["level"] != level or node["limit_hit"]:
                continue
            x, members = one.membership[:, g], one.members(g)
            parent = one.members(node["parent"])
            assert set(members) <= set(parent)
            payoffs = (A - node["alpha"] * np.eye(n)) @ x
            average = x @ payoffs
            unit = abs(average) + A.max() * 1e-3
            np.testing.assert_allclose(payoffs[members], average, atol=1e-5 * unit)
            # Those that were still there when it was found would gain nothing by joining.
            siblings = [h for h in range(g) if nodes[h]["parent"] == node["parent"]]
            earlier = {int(i) for h in siblings for i in one.members(h)}
            there = [i for i in parent if i not in earlier]
            assert (payoffs[there] <= average + 1e-5 * unit).all()
            assert node["cohesiveness"] == pytest.approx(x @ A @ x, rel=1e-6, abs=1e-12)
    assert len(tree) == found.k


def test_nothing_smaller_than_alpha_stands_alone() -> None:
    # With similarities up to 1, m items have eigenvalues up to m − 1: at α only more than α hold.
    A = random_similarities(1, 40)
    found = group(Affinity(values=A), levels=6, shrink=0.6)
    for level in found.details["levels"]:
        sizes = [len(found.members(g)) for g in level["groups"]]
        # The last to be peeled off a group is what is left of it, of whatever size.
        parents = {found.details["tree"][g]["parent"] for g in level["groups"]}
        small = [size for size in sizes if size <= level["alpha"]]
        assert len(small) <= len(parents)


def test_groups_in_groups_are_found_at_their_scales() -> None:
    # A pair of groups has the largest eigenvalue 5, a single one 4: α must pass between them.
    finely: dict[str, Any] = {"shrink": 0.9, "levels": 12}
    found = group(Affinity(values=nested_blocks()), k=2, **finely)
    assert found.labels.tolist() == [0] * 10 + [1] * 10
    finer = group(Affinity(values=nested_blocks()), k=4, **finely)
    np.testing.assert_array_equal(np.bincount(finer.labels), [5, 5, 5, 5])
    assert len(set(finer.labels[::5])) == 4
    parents = [node["parent"] for node in finer.details["tree"][:4]]
    assert sorted(np.unique(parents, return_counts=True)[1]) == [2, 2]
    whole = group(Affinity(values=nested_blocks()), level=0)
    assert whole.labels.tolist() == [0] * 20
    assert whole.details["tree"][0]["parent"] == -1


def test_levels_are_nested_and_only_get_finer() -> None:
    found = group(Affinity(values=random_similarities(5, 60)), levels=6)
    alphas = [level["alpha"] for level in found.details["levels"]]
    assert alphas[-1] == 0
    assert alphas == sorted(alphas, reverse=True)
    before = [set(range(60))]
    for level in found.details["levels"]:
        here = [set(found.members(g).tolist()) for g in level["groups"]]
        for members in here:
            assert sum(members <= parent for parent in before) == 1
        before = here
    assert found.notes[0].startswith("Groups from the coarsest level to the finest: 1, ")


def test_every_form_gives_the_same_tree() -> None:
    factor = np.random.default_rng(2).random((20, 3)) ** 4
    A = factor @ factor.T
    first, *others = (
        group(form, levels=4) for form in (Affinity(values=A), Affinity(sparse=csr_array(A)))
    )
    for other in others:
        np.testing.assert_array_equal(first.labels, other.labels)
    assert group(Affinity(factor=factor), levels=4).details["levels"][0]["groups"]


@pytest.mark.parametrize("A", [np.zeros((4, 4)), np.eye(4), np.ones((1, 1))])
def test_items_that_are_not_similar_form_no_group(A: np.ndarray) -> None:
    found = group(Affinity(values=A))
    assert (found.labels == -1).all()
    assert f"{len(A)} item" in found.notes[-1]


def test_duplicates_stay_one_group_at_every_level() -> None:
    found = group(Affinity(values=np.ones((6, 6))))
    assert found.labels.tolist() == [0] * 6


def test_more_groups_than_any_level_has_are_said() -> None:
    found = group(Affinity(values=nested_blocks()), k=15)
    assert "No level has 15 groups; this is the finest." in found.notes


@pytest.mark.parametrize(
    ("affinity", "code"),
    [
        (Affinity(values=np.full((3, 3), np.nan)), "missing-values"),
        (Affinity(values=-np.ones((3, 3)), nonnegative=False), "not-symmetric"),
        (Affinity(values=np.triu(np.ones((3, 3))), symmetric=False), "not-symmetric"),
        (Affinity(values=np.zeros((0, 0))), "empty-data"),
    ],
)
def test_similarities_that_cannot_be_used_are_refused(affinity: Affinity, code: str) -> None:
    with refuses(code, DataError):
        group(affinity)


def test_a_level_that_is_not_there_is_refused() -> None:
    with refuses("invalid-parameters", ParameterError, match="0.*8"):
        group(Affinity(values=nested_blocks()), level=9)

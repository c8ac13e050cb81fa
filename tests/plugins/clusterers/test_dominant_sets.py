"""Dominant sets: what is found is one by definition, in every form and on every kind of data."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, Dataset
from coterie.core.api.context import Frame
from coterie.core.formats.samples import SAMPLES
from coterie.core.numerics.transduction.second_scale import SecondScale, neighbour_width
from coterie.plugins.clusterers.dominant_sets import DominantSets
from coterie.plugins.kernels.gaussian import Gaussian
from coterie.plugins.metrics.error import ClusteringError
from coterie.plugins.metrics.nmi import NMI
from coterie.plugins.transforms.minmax import MinMax
from tests.refusals import refuses
from tests.rounding import rounding

DYNAMICS = ["infection-immunisation", "replicator", "replicator-continuous", "exponential"]
# Kernel width and transduction width of each shape; the recipes ship the same.
WIDTHS = {"arcs": (0.3, 0.02), "moon": (1.0, 0.02), "rings": (1.0, 0.02), "spirals": (0.1, 0.02)}


def group(affinity: Affinity, context: Context | None = None, **params: Any) -> Clustering:
    return DominantSets().compute(
        affinity, params=DominantSets.Params(**params), context=context or Context()
    )


def gaussian(data: Dataset, sigma: float) -> Affinity:
    return Gaussian().compute(data, params=Gaussian.Params(sigma=sigma), context=Context())


def random_similarities(seed: int, n: int) -> np.ndarray:
    A = np.triu(np.random.default_rng(seed).random((n, n)), 1)
    return A + A.T


def blocks(*sizes: int, inside: float = 1.0, between: float = 0.0) -> np.ndarray:
    owner = np.repeat(np.arange(len(sizes)), sizes)
    A = np.where(owner[:, None] == owner[None], inside, between)
    np.fill_diagonal(A, 0)
    return A


# The definition, by recursion over subsets: Pavan and Pelillo (2007), section 2. Subsets are
# numbers whose bits are their items.


def weights_of(A: np.ndarray) -> np.ndarray:
    """w_S(i) for all subsets S and all i: in S by definition, outside S as w_(S ∪ i)(i)."""
    n = len(A)
    inside = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1 == 1
    w = np.zeros((1 << n, n))
    joining = np.zeros((1 << n, n))
    for S in range(1, 1 << n):
        members = np.flatnonzero(inside[S])
        for i in members:
            rest = S ^ (1 << int(i))
            w[S, i] = joining[rest, i] if rest else 1.0
        average = A[np.ix_(members, members)].mean(axis=1)
        joining[S] = w[S, members] @ (A[members] - average[:, None])
    return np.where(inside, w, joining)


def dominant_sets_of(A: np.ndarray) -> dict[frozenset[int], np.ndarray]:
    """Every dominant set of a small graph, with the weights of its members."""
    n = len(A)
    w = weights_of(A)
    inside = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1 == 1
    totals = np.where(inside, w, 0).sum(axis=1)
    found = {}
    for S in range(1, 1 << n):
        parts = [T for T in range(1, S + 1) if T & S == T]
        if (
            (totals[parts] > 0).all()
            and (w[S, inside[S]] > 0).all()
            and (w[S, ~inside[S]] < 0).all()
        ):
            found[frozenset(np.flatnonzero(inside[S]).tolist())] = w[S, inside[S]] / totals[S]
    return found


def test_the_enumeration_knows_the_textbook_example() -> None:
    A = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    found = dominant_sets_of(A)
    assert list(found) == [frozenset({0, 1})]
    assert weights_of(A)[0b111, 2] == pytest.approx(-3)  # (1 − 3/2) · 3, twice


@pytest.mark.parametrize("dynamics", DYNAMICS)
@given(n=st.integers(2, 8), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_each_set_is_dominant_by_definition_among_the_items_left(
    dynamics: str, n: int, seed: int
) -> None:
    A = random_similarities(seed, n)
    found = group(Affinity(values=A), dynamics=dynamics, max_iterations=5000)
    assert found.membership is not None
    left = np.arange(n)
    for number, details in enumerate(found.details["sets"]):
        members = found.members(number)
        if not details["limit_hit"] and len(left) > 1:
            dominant = dominant_sets_of(A[np.ix_(left, left)])
            places = frozenset(np.flatnonzero(np.isin(left, members)).tolist())
            assert places in dominant
            assert details["strict"]
            # The shares are the weights w_S(i) / W(S).
            np.testing.assert_allclose(
                found.membership[members, number], dominant[places], atol=1e-4
            )
        left = np.setdiff1d(left, members)


@given(n=st.integers(2, 40), seed=st.integers(0, 2**32 - 1))
def test_cohesiveness_and_gap_are_those_of_the_original_similarities(n: int, seed: int) -> None:
    A = 37.0 * random_similarities(seed, n)
    found = group(Affinity(values=A), k=1)
    assert found.membership is not None
    assert found.cohesiveness is not None
    x = found.membership[:, 0]
    assert x.sum() == pytest.approx(1)
    assert found.cohesiveness[0] == pytest.approx(x @ A @ x)
    assert (A @ x).max() <= x @ A @ x * (1 + 1e-7)
    assert found.details["sets"][0]["gap"] <= 1e-8


@pytest.mark.parametrize("dynamics", DYNAMICS)
@pytest.mark.parametrize("start", ["auto", "barycentre", "best-reply", "random"])
def test_clear_groups_are_found_by_every_dynamics_from_every_start(
    dynamics: str, start: str
) -> None:
    A = blocks(5, 4, 3, between=0.05) * np.repeat([1.0, 0.9, 0.8], [5, 4, 3])
    A = np.minimum(A, A.T)
    found = group(Affinity(values=A), dynamics=dynamics, start=start, k=3)
    assert {frozenset(found.members(g).tolist()) for g in range(3)} == {
        frozenset(range(5)),
        frozenset(range(5, 9)),
        frozenset(range(9, 12)),
    }
    assert found.details["dynamics"] == dynamics
    assert dynamics in found.title


@pytest.mark.parametrize("rest", ["none", "nearest", "transduction"])
def test_every_form_gives_the_same_groups(rest: str) -> None:
    rng = np.random.default_rng(0)
    factor = np.concatenate([[1.0, 0, 0.1] + 0.1 * rng.random((8, 3)) for _ in range(1)])
    factor = np.vstack([factor, [0, 1.0, 0.1] + 0.1 * rng.random((8, 3))])
    A = factor @ factor.T
    forms = [Affinity(values=A), Affinity(sparse=csr_array(A)), Affinity(factor=factor)]
    forms += [
        Affinity(values=A, symmetric=False),
        Affinity(sparse=csr_array(A), symmetric=False),
    ]
    first, *others = [group(form, k=2, rest=rest) for form in forms]
    assert first.k == 2
    for other in others:
        np.testing.assert_array_equal(other.labels, first.labels)


# Cliques of 0/1 graphs.


def graph_of(n: int, edges: list[tuple[int, int]]) -> np.ndarray:
    A = np.zeros((n, n))
    for i, j in edges:
        A[i, j] = A[j, i] = 1.0
    return A


def is_maximal_clique(A: np.ndarray, members: np.ndarray, left: np.ndarray) -> bool:
    inside = A[np.ix_(members, members)]
    outside = np.setdiff1d(left, members)
    return bool(
        inside.sum() == len(members) * (len(members) - 1)
        and not A[np.ix_(outside, members)].all(axis=1).any()
    )


@pytest.mark.parametrize("dynamics", DYNAMICS)
@given(n=st.integers(2, 12), seed=st.integers(0, 2**32 - 1), density=st.floats(0.1, 0.95))
@settings(max_examples=30)
def test_on_graphs_each_set_is_a_maximal_clique_of_what_is_left(
    dynamics: str, n: int, seed: int, density: float
) -> None:
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) < density, 1).astype(float)
    A += A.T
    held = Affinity(sparse=csr_array(A)) if seed % 2 else Affinity(values=A + np.eye(n))
    found = group(held, dynamics=dynamics, clique=True)
    left = np.arange(n)
    for number, details in enumerate(found.details["sets"]):
        members = found.members(number)
        assert is_maximal_clique(A, members, left)
        assert details["strict"]
        assert found.membership is not None
        np.testing.assert_allclose(found.membership[members, number], 1 / len(members), atol=1e-4)
        assert details["cohesiveness"] == pytest.approx(1 - 1 / len(members), abs=1e-6)
        left = np.setdiff1d(left, members)
    assert A[np.ix_(left, left)].sum() == 0


@pytest.mark.parametrize("dynamics", DYNAMICS)
@pytest.mark.parametrize(
    ("n", "edges"),
    [
        (5, [(i, (i + 1) % 5) for i in range(5)]),
        (6, [(i, j) for i in range(6) for j in range(i) if i % 3 != j % 3]),
        (8, [(i, j) for i in range(8) for j in range(i) if (i - j) % 8 in (1, 2, 6, 7)]),
    ],
)
def test_where_all_are_alike_at_the_start_the_set_is_a_clique_all_the_same(
    dynamics: str, n: int, edges: list[tuple[int, int]]
) -> None:
    A = graph_of(n, edges)
    found = group(Affinity(values=A), dynamics=dynamics, clique=True, start="barycentre", k=1)
    assert is_maximal_clique(A, found.members(0), np.arange(n))


@pytest.mark.parametrize(
    ("affinity", "code"),
    [
        (Affinity(values=blocks(3, inside=0.37)), "not-binary"),
        (Affinity(sparse=csr_array(blocks(3, inside=2.0))), "not-binary"),
        (Affinity(values=np.triu(np.ones((3, 3))), symmetric=False), "not-symmetric"),
        (Affinity(factor=np.ones((3, 1))), "not-binary"),
    ],
)
def test_cliques_are_sought_in_graphs_alone(affinity: Affinity, code: str) -> None:
    with refuses(code, DataError):
        group(affinity, clique=True)


def test_ties_are_called_not_strict() -> None:
    path = graph_of(3, [(0, 1), (0, 2)])  # 0 pairs with 1 or with 2: equally well
    found = group(Affinity(values=path))
    assert found.details["sets"][0]["strict"] is False
    assert any(note.startswith("Not strict: set 1. ") for note in found.notes)
    clear = group(Affinity(values=blocks(4, 3)))
    assert [details["strict"] for details in clear.details["sets"]] == [True, True]
    assert not any("strict" in note for note in clear.notes)


@pytest.mark.parametrize("dynamics", DYNAMICS)
def test_a_start_that_favours_nobody_does_not_end_between_two_groups(dynamics: str) -> None:
    A = blocks(4, 4, between=0.05)
    found = group(Affinity(values=A), dynamics=dynamics, start="barycentre", k=1)
    members = set(found.members(0).tolist())
    assert members in ({0, 1, 2, 3}, {4, 5, 6, 7})
    assert found.details["sets"][0]["strict"]


@pytest.mark.parametrize("dynamics", DYNAMICS)
@pytest.mark.parametrize("sigma", [0.05, 1.0])
def test_on_large_data_the_objective_never_falls_and_the_end_is_an_equilibrium(
    dynamics: str, sigma: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coterie.core.api.context.FRAMES_PER_SECOND", 1e12)  # show every frame
    X = np.random.default_rng(0).random((400, 2))
    affinity = gaussian(Dataset(features=X), sigma)
    listener = Listener()
    fast = dynamics == "infection-immunisation"
    found = group(
        affinity,
        Context(listener=listener),
        dynamics=dynamics,
        k=3 if fast else 1,
        max_iterations=400,
    )
    for phase in dict.fromkeys(phase for _, _, phase in listener.frames):
        objective = np.array([height for _, height, of in listener.frames if of == phase])
        # The payoffs of 400 items, carried over 400 iterations at a few operations each.
        assert np.diff(objective).min() >= -rounding(8 * 400 + 2 * 400)
    assert found.membership is not None
    A = affinity.to_dense() - np.eye(400)
    left = np.ones(400, dtype=bool)
    for number, details in enumerate(found.details["sets"]):
        x = found.membership[:, number] / found.membership[:, number].sum()
        objective_at_end = float(x @ A @ x)
        assert details["limit_hit"] == (details["gap"] > 1e-8)
        assert fast <= (not details["limit_hit"])
        if not details["limit_hit"]:
            payoffs = A @ x
            assert payoffs[left].max() <= objective_at_end * (1 + 1e-7)
            assert np.abs(payoffs[x > 0] - objective_at_end).max() <= 1e-7 * objective_at_end
        left[found.members(number)] = False


# Sparse graphs.


@given(n=st.integers(5, 60), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_sparse_sets_are_equilibria_of_what_is_left_though_only_neighbours_were_asked(
    n: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.15), 1)
    A += A.T
    found = group(Affinity(sparse=csr_array(A)))
    assert found.membership is not None
    left = np.ones(n, dtype=bool)
    for number, details in enumerate(found.details["sets"]):
        x = found.membership[:, number]
        assert x.sum() == pytest.approx(1)
        payoffs, objective = A @ x, x @ A @ x
        assert payoffs[left].max() <= objective * (1 + 1e-7)
        np.testing.assert_allclose(payoffs[x > 0], objective, rtol=1e-7)
        assert details["cohesiveness"] == pytest.approx(objective)
        left[found.members(number)] = False
    assert A[np.ix_(left, left)].sum() == 0


def test_a_hub_with_very_many_neighbours_is_looked_at_in_parts() -> None:
    n = 1600
    # All are similar to 0, the later the more. That 1, the least of them, belongs to the best
    # pair comes out only when the neighbours of both are asked.
    similar = np.append(np.linspace(0.1, 0.2, n - 1), 1.0)
    ends = (np.append(np.zeros(n - 1, dtype=int), 1), np.append(np.arange(1, n), n - 1))
    upper = csr_array((similar, ends), (n, n))
    found = group(Affinity(sparse=(upper + upper.T).tocsr()), k=1)
    assert found.members(0).tolist() == [1, n - 1]
    assert found.details["sets"][0]["strict"]


def test_a_sparse_peel_off_shows_each_iteration_once() -> None:
    rng = np.random.default_rng(3)
    A = np.triu(rng.random((80, 80)) * (rng.random((80, 80)) < 0.1), 1)
    context = Context()
    found = group(Affinity(sparse=csr_array(A + A.T)), context)
    trace = context.trace()
    assert trace is not None
    np.testing.assert_array_equal(trace.iterations, np.arange(len(trace.iterations)))
    assert trace.shares is not None
    np.testing.assert_allclose(trace.shares.sum(axis=1), 1, atol=1e-5)
    assert [mark["set"] for mark in trace.marks] == list(range(1, found.k + 1))


def test_the_diagonal_does_not_matter() -> None:
    A = random_similarities(1, 20)
    with_ones = A + np.eye(20)
    np.testing.assert_array_equal(
        group(Affinity(values=A)).labels, group(Affinity(values=with_ones)).labels
    )


def test_k_zero_goes_on_until_nothing_coherent_is_left() -> None:
    A = blocks(4, 3, 1, 1)
    found = group(Affinity(values=A))
    assert found.k == 2
    assert found.labels.tolist() == [0] * 4 + [1] * 3 + [-1] * 2
    assert "2 items belong to no group." in found.notes


def test_more_groups_asked_for_than_there_are() -> None:
    found = group(Affinity(values=blocks(4, 3)), k=5)
    assert found.k == 2
    assert "Only 2 of 5 groups were found: no other set of items is cohesive enough." in found.notes


@pytest.mark.parametrize("A", [np.zeros((4, 4)), np.eye(4), np.ones((1, 1))])
@pytest.mark.parametrize("dynamics", DYNAMICS)
def test_items_that_are_not_similar_form_no_group(A: np.ndarray, dynamics: str) -> None:
    found = group(Affinity(values=A), dynamics=dynamics, rest="transduction")
    assert found.k == 0
    assert (found.labels == -1).all()
    why = "only one item" if len(A) == 1 else "no two items are similar"
    assert found.notes[0].startswith("No group was found: ")
    assert why in found.notes[0]


@pytest.mark.parametrize("dynamics", DYNAMICS)
def test_duplicates_are_one_group(dynamics: str) -> None:
    found = group(Affinity(values=np.ones((6, 6))), dynamics=dynamics, start="barycentre")
    assert found.labels.tolist() == [0] * 6
    assert found.cohesiveness is not None
    assert found.cohesiveness[0] == pytest.approx(5 / 6)


@pytest.mark.parametrize("dynamics", DYNAMICS)
def test_negative_similarities_keep_items_apart(dynamics: str) -> None:
    A = blocks(3, 3, inside=1.0, between=-1.0)
    A[0, 1] = A[1, 0] = 1.1  # so that the barycentre is no equilibrium
    found = group(Affinity(values=A, nonnegative=False), dynamics=dynamics, support=1e-3)
    assert {frozenset(found.members(g).tolist()) for g in range(found.k)} == {
        frozenset({0, 1, 2}),
        frozenset({3, 4, 5}),
    }
    assert found.cohesiveness is not None
    assert found.cohesiveness.min() == pytest.approx(2 / 3, abs=0.1)


def test_nothing_but_negative_similarities_form_no_group() -> None:
    found = group(Affinity(values=-blocks(5), nonnegative=False))
    assert found.k == 0


def test_asymmetric_similarities_end_with_a_group_or_say_they_did_not() -> None:
    A = np.random.default_rng(4).random((30, 30))
    found = group(Affinity(values=A, symmetric=False), max_iterations=2000)
    for number, details in enumerate(found.details["sets"], 1):
        if details["limit_hit"]:
            assert any(note.startswith(f"Set {number} stopped") for note in found.notes)
        else:
            assert details["gap"] <= 1e-8


def test_a_strict_set_is_called_so_though_the_whole_sparse_graph_was_looked_at() -> None:
    # The best item to start from has all others as neighbours, in another order than theirs.
    A = np.triu(np.random.default_rng(1).random((5, 5)) < 0.75, 1).astype(float)
    A += A.T
    for held in (Affinity(values=A), Affinity(sparse=csr_array(A))):
        assert [one["strict"] for one in group(held, clique=True).details["sets"]] == [True]


def test_a_search_that_goes_in_circles_is_said_though_it_leaves_no_group() -> None:
    circle = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    found = group(Affinity(values=circle, symmetric=False), max_iterations=50)
    assert found.k == 0
    assert found.details["unsettled"] > 0
    assert found.notes[0] == "No group was found: no set of items is cohesive enough."
    assert "before reaching an equilibrium" in found.notes[1]


@pytest.mark.parametrize("dynamics", DYNAMICS)
def test_the_shares_of_each_set_sum_to_one(dynamics: str) -> None:
    # The third item all but ties with the others, so that the replicators hardly get rid of it.
    A = np.array([[0, 1.0, 0.4999], [1.0, 0, 0.4999], [0.4999, 0.4999, 0]])
    found = group(Affinity(values=A), dynamics=dynamics, tolerance=1e-3, support=0.1)
    assert found.membership is not None
    np.testing.assert_allclose(found.membership.sum(axis=0), 1.0, rtol=0, atol=rounding(1000))


def test_hitting_the_iteration_limit_is_never_silent() -> None:
    found = group(Affinity(values=random_similarities(0, 30)), k=1, max_iterations=2)
    assert found.details["sets"][0]["limit_hit"]
    assert "Set 1 stopped at the iteration limit of 2, with a relative gap of" in found.notes[0]


def test_small_and_loose_sets_are_left_as_clutter() -> None:
    A = blocks(5, 2) * np.repeat([1.0, 2.0], [5, 2])
    A = np.minimum(A, A.T)
    A[5, 6] = A[6, 5] = 2.0
    assert group(Affinity(values=A)).k == 2
    assert group(Affinity(values=A), min_size=3).labels.tolist() == [0] * 5 + [-1] * 2
    loose = group(Affinity(values=A), min_cohesiveness=0.9)
    assert loose.labels.tolist() == [-1] * 5 + [0] * 2
    assert "1 set was too small or not cohesive enough" in loose.notes[0]


@pytest.mark.parametrize("dynamics", DYNAMICS)
@pytest.mark.parametrize(("inside", "between"), [(1e-290, 1e-295), (1e-310, 1e-315)])
def test_similarities_that_nearly_underflow_still_tell_groups_apart(
    dynamics: str, inside: float, between: float
) -> None:
    A = blocks(4, 3, inside=inside, between=between) + np.eye(7)
    for affinity in (Affinity(values=A), Affinity(sparse=csr_array(A))):
        found = group(affinity, k=2, dynamics=dynamics, max_iterations=3000, support=1e-3)
        groups = {frozenset(found.members(g).tolist()) for g in range(2)}
        assert groups == {frozenset(range(4)), frozenset(range(4, 7))}


def test_missing_similarities_are_refused() -> None:
    A = blocks(3)
    A[0, 1] = np.nan
    with refuses("missing-values", DataError):
        group(Affinity(values=A))


def test_a_second_width_needs_features() -> None:
    affinity = Affinity(values=blocks(3, 3, 1, between=0.01))
    with refuses("features-needed", DataError, match="'rest_sigma'"):
        group(affinity, k=1, rest="transduction", rest_sigma=0.1)


def test_nearest_by_affinity_where_there_are_no_features() -> None:
    A = blocks(3, 3, 1, 1)
    A[6, 1] = A[1, 6] = 0.1
    found = group(Affinity(values=A), k=2, rest="nearest")
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1, 0, -1]


def test_a_second_width_that_would_underflow_still_reaches_a_far_item() -> None:
    # exp(−3² / 2·0.02²) is zero: a plain Gaussian would leave the far item without a neighbour.
    close = np.random.default_rng(0).normal(0, 0.02, (40, 2))
    data = Dataset(features=np.vstack([close[:20], close[20:] + 1.0, [[4.0, 1.0]]]))
    found = group(gaussian(data, 0.2), k=2, rest="transduction", rest_sigma=0.02)
    assert len(set(found.labels[:20])) == len(set(found.labels[20:])) == 1
    assert found.labels[40] == found.labels[20] >= 0


def test_a_front_that_stalls_leaves_items_unassigned_and_says_so() -> None:
    # So narrow that each item hears its nearest neighbour alone, and two hear only each other.
    data = Dataset(features=np.array([[0.0], [0.1], [0.21], [5.0], [5.01]]))
    found = group(gaussian(data, 0.1), k=1, rest="transduction", rest_sigma=1e-6)
    assert found.labels.tolist() == [0, 0, 0, -1, -1]
    assert "2 items belong to no group." in found.notes
    assert "No group's labels reached them, or several did so equally." in found.notes


def test_zero_rows_stay_unassigned_in_transduction_and_are_counted() -> None:
    A = blocks(4, 3, 1)
    A[4, 0] = A[0, 4] = 0.1
    found = group(Affinity(values=A), k=1, rest="transduction")
    assert found.labels[7] == -1
    assert found.details["unassigned"] == 1
    assert "1 item belongs to no group." in found.notes
    assert "1 item is similar to no other item: its row is all zero." in found.notes


class Listener:
    def __init__(self) -> None:
        self.frames: list[tuple[int, float, str]] = []
        self.labelled: list[int] = []
        self.events: list[tuple[str, dict[str, Any]]] = []

    def progress(self, done: float, total: float, message: str) -> None: ...

    def frame(self, frame: Frame) -> None:
        self.frames.append((frame.iteration, frame.values.get("objective", np.nan), frame.phase))
        if frame.shares is not None:
            assert frame.shares.sum() == pytest.approx(1)
        if frame.labels is not None:
            self.labelled.append(int((frame.labels >= 0).sum()))

    def event(self, name: str, details: Mapping[str, Any]) -> None:
        self.events.append((name, dict(details)))


def test_it_can_be_watched_from_the_first_iteration_to_the_last_label(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("coterie.core.api.context.FRAMES_PER_SECOND", 1e12)  # show every frame
    listener = Listener()
    data = SAMPLES["arcs"].make()
    found = group(
        gaussian(data, 0.3),
        Context(listener=listener),
        k=2,
        rest="transduction",
        rest_sigma=0.02,
    )
    iterations = [iteration for iteration, _, _ in listener.frames]
    assert iterations == list(range(len(iterations)))
    assert list(dict.fromkeys(phase for _, _, phase in listener.frames)) == [
        "set 1",
        "set 2",
        "transduction",
    ]
    assert [name for name, _ in listener.events] == ["peeled", "peeled", "rest"]
    peeled = [details for name, details in listener.events if name == "peeled"]
    assert all(len(details["members"]) == details["size"] for details in peeled)
    assert [details["set"] for details in peeled] == [1, 2]
    assert found.cohesiveness is not None
    last_of_first = [f for f in listener.frames if f[2] == "set 1"][-1]
    assert last_of_first[1] == pytest.approx(found.cohesiveness[0])
    assert listener.labelled[0] == found.details["in_sets"]
    assert listener.labelled[-1] == 400
    assert len(set(listener.labelled)) > 5  # the colour spreads, it does not jump


@pytest.mark.parametrize("name", WIDTHS)
def test_transduction_labels_every_shape_right_where_nearest_does_not(name: str) -> None:
    sigma, rest_sigma = WIDTHS[name]
    for seed in range(10):
        data = SAMPLES[name].make(seed=seed)
        affinity = gaussian(data, sigma)
        errors = {}
        for rest in ("transduction", "nearest"):
            found = group(affinity, k=2, rest=rest, rest_sigma=rest_sigma)
            errors[rest] = (
                ClusteringError()
                .compute(
                    found,
                    params=ClusteringError.Params(unassigned="own-class"),
                    context=Context(),
                )
                .value
            )
        assert errors["transduction"] == 0, f"seed {seed}"
        assert 0.2 <= errors["nearest"] <= 0.41, f"seed {seed}"


@pytest.mark.parametrize(
    ("sigma", "rest", "rest_sigma", "expected"),
    [(0.175, "transduction", 0.05, 0.885), (0.2, "nearest", 0.0, 0.900)],
)
def test_iris_as_the_source_reports_it(
    sigma: float, rest: str, rest_sigma: float, expected: float
) -> None:
    iris = MinMax().compute(SAMPLES["iris"].make(), params=MinMax.Params(), context=Context()).main
    assert isinstance(iris, Dataset)
    found = group(gaussian(iris, sigma), k=3, rest=rest, rest_sigma=rest_sigma)
    score = NMI().compute(found, params=NMI.Params(), context=Context())
    assert score.value == pytest.approx(expected, abs=0.01)


def test_the_estimate_counts_the_rows_that_transduction_copies() -> None:
    affinity = Affinity(values=np.zeros((500, 500)))
    plain = DominantSets().estimate(affinity, params=DominantSets.Params())
    spread = DominantSets().estimate(affinity, params=DominantSets.Params(rest="transduction"))
    assert spread.bytes - plain.bytes >= 8 * 500**2
    assert spread.alternatives


def test_published_selection_and_stopping_can_be_chosen() -> None:
    A = Affinity(values=random_similarities(5, 40))
    ours = group(A, k=1)
    for params in (
        {"selection": "published"},
        {"stop": "movement", "tolerance": 1e-12},
        {"dynamics": "replicator", "stop": "movement", "tolerance": 1e-12},
    ):
        theirs = group(A, k=1, **params)
        sets = theirs.details["sets"]
        assert not sets[0]["limit_hit"]
        assert sets[0]["cohesiveness"] >= 0.9 * ours.details["sets"][0]["cohesiveness"]
    early = group(A, k=1, dynamics="replicator", stop="movement", tolerance=1e-3)
    assert any("stopped moving with a relative gap" in note for note in early.notes)


def test_by_default_the_rest_follows_a_width_of_its_own_where_all_pairs_are_compared() -> None:
    data = SAMPLES["iris"].make()
    affinity = gaussian(data, 1.0)
    found = group(affinity, k=3, rest="transduction")
    width = neighbour_width(data.dense_features())
    by_hand = group(affinity, k=3, rest="transduction", rest_sigma=width)
    np.testing.assert_array_equal(found.labels, by_hand.labels)
    assert found.details["rest"]["sigma"] == pytest.approx(width)
    assert any("second similarity of width" in note for note in found.notes)


@pytest.mark.parametrize("form", ["sparse", "relation"])
def test_without_all_pairs_or_features_the_rest_follows_the_given_similarities(form: str) -> None:
    A = random_similarities(0, 12)
    if form == "sparse":
        X = np.random.default_rng(0).random((12, 2))
        affinity = Affinity(sparse=csr_array(A), dataset=Dataset(features=X))
    else:
        affinity = Affinity(values=A)
    found = group(affinity, k=1, rest="transduction")
    same = group(affinity, k=1, rest="transduction", rest_sigma=0.0)
    np.testing.assert_array_equal(found.labels, same.labels)
    assert found.details["rest"].get("sigma", 0.0) == 0.0


def test_missing_numbers_and_categories_are_not_taken_for_a_second_width() -> None:
    X = np.random.default_rng(0).random((6, 2))
    X[0, 0] = np.nan
    auto = SecondScale("auto")
    assert not auto.forms(Affinity(values=np.ones((6, 6)), dataset=Dataset(features=X)))


def test_the_second_similarity_may_be_wound_and_normalised() -> None:
    X = np.random.default_rng(3).random((30, 4))
    affinity = gaussian(Dataset(features=X), 0.5)
    items = np.arange(5)
    rows, sigma = SecondScale("auto", euler=1.9).rows(affinity, items)
    wound = np.hstack([np.cos(1.9 * np.pi * X), np.sin(1.9 * np.pi * X)]) / np.sqrt(2)
    assert sigma == pytest.approx(neighbour_width(wound))
    squared = ((wound[items, None] - wound[None]) ** 2).sum(-1)
    squared[items, items] = np.inf
    by_hand = np.exp(-(squared - squared.min(axis=1, keepdims=True)) / (2 * sigma**2))
    np.testing.assert_allclose(np.asarray(rows), by_hand, atol=1e-9)
    A = np.exp(-(((X[:, None] - X[None]) ** 2).sum(-1)) / (2 * 0.3**2))
    np.fill_diagonal(A, 0.0)
    degrees = A.sum(axis=1)
    normalised = A / np.sqrt(degrees[:, None] * degrees[None])
    normalised /= normalised.max(axis=1, keepdims=True)
    rows, _ = SecondScale(0.3, normalise=True).rows(affinity, items)
    np.testing.assert_allclose(np.asarray(rows), normalised[items], atol=1e-9)


def test_a_wound_similarity_asks_for_scaled_features() -> None:
    affinity = gaussian(Dataset(features=np.arange(10.0)[:, None]), 3.0)
    with pytest.raises(DataError) as caught:
        group(affinity, k=1, rest="transduction", rest_euler=1.9)
    assert caught.value.code == "values-out-of-range"

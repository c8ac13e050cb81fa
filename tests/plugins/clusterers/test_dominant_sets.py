"""Dominant sets: what is found is one by definition, in every form and on every kind of data."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, DataError, Dataset
from coterie.core.context import Frame
from coterie.core.samples import SAMPLES
from coterie.plugins.clusterers.dominant_sets import DominantSets
from coterie.plugins.kernels.gaussian import Gaussian
from coterie.plugins.metrics.error import ClusteringError
from coterie.plugins.metrics.nmi import NMI
from coterie.plugins.transforms.minmax import MinMax

DYNAMICS = ["infection-immunisation", "replicator", "exponential"]
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


# The definition, by recursion over subsets: Pavan and Pelillo (2007), section 2.


def weights_of(A: np.ndarray) -> Callable[[frozenset[int], int], float]:
    """w_S(i): how coherent i is with the rest of S."""

    @cache
    def w(S: frozenset[int], i: int) -> float:
        rest = S - {i}
        if not rest:
            return 1.0
        differences = {j: float(A[j, i] - np.mean([A[j, m] for m in rest])) for j in rest}
        return sum(difference * w(rest, j) for j, difference in differences.items())

    return w


def is_dominant(A: np.ndarray, S: frozenset[int], among: frozenset[int]) -> bool:
    w = weights_of(A)

    def total(T: frozenset[int]) -> float:
        return sum(w(T, i) for i in T)

    def subsets(items: tuple[int, ...]) -> list[frozenset[int]]:
        return [
            frozenset(item for bit, item in enumerate(items) if code >> bit & 1)
            for code in range(1, 1 << len(items))
        ]

    return (
        all(total(T) > 0 for T in subsets(tuple(S)))
        and all(w(S, i) > 0 for i in S)
        and all(w(S | {i}, i) < 0 for i in among - S)
    )


@pytest.mark.parametrize("dynamics", DYNAMICS)
@given(n=st.integers(2, 8), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=60)
def test_each_set_is_dominant_by_definition_among_the_items_left(
    dynamics: str, n: int, seed: int
) -> None:
    A = random_similarities(seed, n)
    found = group(Affinity(values=A), dynamics=dynamics)
    assert found.membership is not None
    w = weights_of(A)
    left = frozenset(range(n))
    for number, details in enumerate(found.details["sets"]):
        members = frozenset(int(i) for i in found.members(number))
        if not details["limit_hit"]:
            assert is_dominant(A, members, left)
            # The shares are the weights w_S(i) / W(S), and xᵀAx the cohesiveness.
            total = sum(w(members, i) for i in members)
            for i in members:
                assert found.membership[i, number] == pytest.approx(w(members, i) / total, abs=1e-4)
        left -= members


@given(n=st.integers(2, 40), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None)
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
    assert "Only 2 of 5 groups were found: nothing coherent was left." in found.notes


@pytest.mark.parametrize("A", [np.zeros((4, 4)), np.eye(4), np.ones((1, 1))])
@pytest.mark.parametrize("dynamics", DYNAMICS)
def test_items_that_are_not_similar_form_no_group(A: np.ndarray, dynamics: str) -> None:
    found = group(Affinity(values=A), dynamics=dynamics, rest="transduction")
    assert found.k == 0
    assert (found.labels == -1).all()
    assert "No group was found" in found.notes[0]


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
    assert "1 set was too small or not coherent enough" in loose.notes[0]


def test_similarities_that_nearly_underflow_still_tell_groups_apart() -> None:
    A = blocks(4, 3, inside=1e-290, between=1e-295) + np.eye(7)
    assert group(Affinity(values=A), k=2).labels.tolist() == [0] * 4 + [1] * 3


def test_missing_similarities_are_refused() -> None:
    A = blocks(3)
    A[0, 1] = np.nan
    with pytest.raises(DataError, match="missing or infinite"):
        group(Affinity(values=A))


def test_a_second_width_needs_features() -> None:
    affinity = Affinity(values=blocks(3, 3, 1, between=0.01))
    with pytest.raises(DataError, match="'rest_sigma' needs features"):
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


class Listener:
    def __init__(self) -> None:
        self.frames: list[tuple[int, float, str]] = []
        self.labelled: list[int] = []
        self.events: list[tuple[str, dict[str, Any]]] = []

    def progress(self, done: float, total: float, message: str) -> None: ...

    def frame(self, frame: Frame) -> None:
        self.frames.append((frame.iteration, frame.objective, frame.phase))
        if frame.shares is not None:
            assert frame.shares.sum() == pytest.approx(1)
        if frame.labels is not None:
            self.labelled.append(int((frame.labels >= 0).sum()))

    def event(self, name: str, details: Mapping[str, Any]) -> None:
        self.events.append((name, dict(details)))


def test_it_can_be_watched_from_the_first_iteration_to_the_last_label(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("coterie.core.context.FRAMES_PER_SECOND", 1e12)  # show every frame
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
    for name, details in listener.events:
        assert name == "peeled"
        assert len(details["members"]) == details["size"]
    assert [details["set"] for _, details in listener.events] == [1, 2]
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

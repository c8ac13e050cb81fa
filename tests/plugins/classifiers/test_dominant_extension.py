"""Extension of dominant sets: the rule by its definition; members stay, clutter stays out."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Clustering, Context, DataError, Dataset, Model, Ranking
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.formats.samples import SAMPLES
from coterie.core.numerics.partitions.dominant_extension import bordered_inverse, would_be_shares
from coterie.plugins.classifiers.dominant_extension import DominantExtension
from coterie.plugins.clusterers.dominant_sets import DominantSets
from coterie.plugins.kernels.gaussian import Gaussian
from tests.refusals import refuses


def learn(
    data: Dataset, clustering: Clustering, ranking: Ranking | None = None, **params: Any
) -> Model:
    return DominantExtension().compute(
        data,
        clustering,
        ranking,
        params=DominantExtension.Params(**params),
        context=Context(runs=built_in_runs()),
    )


def apply(model: Model, X: Any) -> Clustering:
    data = X if isinstance(X, Dataset) else Dataset(features=np.asarray(X))
    return DominantExtension().apply(model, data, Context(runs=built_in_runs()))


def kernel(X: np.ndarray, Y: np.ndarray, sigma: float) -> np.ndarray:
    return np.asarray(np.exp(-((X[:, None] - Y[None]) ** 2).sum(2) / (2 * sigma**2)))


def clouds(n: int = 15, seed: int = 0) -> tuple[Dataset, Clustering]:
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(0, 0.3, (n, 2)), rng.normal(3, 0.3, (n, 2))])
    data = Dataset(features=X)
    return data, Clustering(labels=np.repeat([0, 1], n), dataset=data)


def grouped(data: Dataset, sigma: float, k: int) -> tuple[Affinity, Clustering]:
    affinity = Gaussian().compute(data, params=Gaussian.Params(sigma=sigma), context=Context())
    found = DominantSets().compute(affinity, params=DominantSets.Params(k=k), context=Context())
    return affinity, found


def test_it_is_the_rule_by_its_definition() -> None:
    data, _ = clouds()
    _, found = grouped(data, 1.0, 2)
    model = learn(data, found, sigma=1.0)
    new = np.random.default_rng(1).uniform(-2, 5, (200, 2))
    X, membership = data.dense_features(), found.membership
    assert membership is not None
    A = kernel(X, X, 1.0) - np.eye(len(X))
    margins = kernel(new, X, 1.0) @ membership - [x @ A @ x for x in membership.T]
    expected = np.where(margins.max(axis=1) > 0, margins.argmax(axis=1), -1)
    got = apply(model, new)
    np.testing.assert_array_equal(got.labels, expected)
    assert set(expected) == {-1, 0, 1}
    assert f"{(expected < 0).sum()} items belong to no group." in got.notes


def test_members_stay_where_they_were_and_the_far_is_clutter() -> None:
    data, _ = clouds()
    _, found = grouped(data, 0.5, 2)
    model = learn(data, found, sigma=0.5)
    members = found.labels >= 0
    again = apply(model, data.dense_features()).labels
    np.testing.assert_array_equal(again[members], found.labels[members])
    assert apply(model, [[30.0, -20.0]]).labels.tolist() == [-1]


def test_the_cohesiveness_is_that_of_the_sets_it_extends() -> None:
    data, _ = clouds()
    _, found = grouped(data, 0.5, 2)
    assert found.cohesiveness is not None
    model = learn(data, found, sigma=0.5)
    np.testing.assert_allclose(model.arrays["cohesiveness"], found.cohesiveness, rtol=1e-5)


def test_without_memberships_the_replicator_gives_the_shares() -> None:
    data, groups = clouds()
    model = learn(data, groups, sigma=1.0)
    X = data.dense_features()
    for group in (0, 1):
        here = model.arrays["groups"] == group
        x, members = model.arrays["shares"][here], model.arrays["features"][here]
        inside = X[groups.labels == group]
        payoffs = (kernel(inside, members, 1.0) - (inside[:, None] == members).all(2)) @ x
        average = model.arrays["cohesiveness"][group]
        assert x.sum() == pytest.approx(1, abs=1e-3)
        assert payoffs.max() <= average * (1 + 1e-3)
    assert apply(model, [[0.0, 0.0], [3.0, 3.0]]).labels.tolist() == [0, 1]


def test_iris_is_extended_from_half_of_it() -> None:
    iris = SAMPLES["iris"].make()
    assert iris.truth is not None
    half = iris.take(np.arange(0, 150, 2))
    _, found = grouped(half, 1.0, 0)
    model = learn(half, found, sigma=1.0)
    rest = iris.take(np.arange(1, 150, 2))
    labels = DominantExtension().apply(model, rest, Context()).labels
    assert rest.truth is not None
    # Setosa stands apart: whatever group its flowers are in holds no other.
    setosa = set(labels[rest.truth == 0].tolist()) - {-1}
    others = set(labels[rest.truth > 0].tolist()) - {-1}
    assert setosa
    assert others
    assert not setosa & others


def test_only_the_best_ranked_are_kept_when_asked() -> None:
    data, groups = clouds()
    ranking = Ranking(scores=-np.arange(30.0))
    model = learn(data, groups, ranking, sigma=1.0, top_per_cluster=4)
    kept = {tuple(row) for row in model.arrays["features"]}
    X = data.dense_features()
    assert kept <= {tuple(row) for row in X[[0, 1, 2, 3, 15, 16, 17, 18]]}
    with refuses("ranking-needed"):
        learn(data, groups, top_per_cluster=4)


def test_names_of_groups_are_kept() -> None:
    data, groups = clouds()
    named = Clustering(labels=groups.labels, names=("near", "far"))
    assert apply(learn(data, named), [[0.0, 0.0]]).names == ("near", "far")


def test_members_that_joined_afterwards_have_no_say() -> None:
    data = Dataset(features=np.array([[0.0], [0.1], [0.2], [5.0]]))
    membership = np.array([[0.3], [0.4], [0.3], [0.0]])
    model = learn(data, Clustering(labels=np.zeros(4, np.int64), membership=membership), sigma=0.5)
    assert model.details["members"] == [3]
    assert apply(model, [[5.0], [0.1]]).labels.tolist() == [-1, 0]


def test_groups_that_are_empty_or_single_do_no_harm() -> None:
    data = Dataset(features=np.array([[0.0], [0.1], [0.2], [5.0]]))
    model = learn(data, Clustering(labels=np.array([0, 0, 0, 2])), sigma=0.5)
    assert model.details["members"] == [3, 0, 1]
    assert "1 group has a single member, which takes in what no other group claims." in (
        model.notes
    )
    assert apply(model, [[0.1], [4.9]]).labels.tolist() == [0, 2]


def test_duplicates_take_in_their_like() -> None:
    data = Dataset(features=np.ones((5, 2)))
    model = learn(data, Clustering(labels=np.zeros(5, np.int64)))
    assert any("All items coincide" in note for note in model.notes)
    assert apply(model, [[1.0, 1.0], [9.0, 9.0]]).labels.tolist() == [0, -1]


@pytest.mark.parametrize("sigma", [1e-6, 1e-3])
def test_members_that_are_not_alike_at_all_still_know_themselves(sigma: float) -> None:
    data, groups = clouds()
    again = apply(learn(data, groups, sigma=sigma), data.dense_features())
    np.testing.assert_array_equal(again.labels, groups.labels)


def test_other_columns_and_missing_values_are_refused() -> None:
    data, groups = clouds()
    model = learn(data, groups)
    with refuses("columns-mismatch"):
        apply(model, [[1.0]])
    with refuses("missing-values"):
        apply(model, [[np.nan, 1.0]])
    with refuses("items-mismatch"):
        learn(Dataset(features=np.ones((3, 2))), groups)
    with refuses("no-groups", DataError):
        learn(data, Clustering(labels=np.full(30, -1)))


def weights(A: np.ndarray, S: tuple[int, ...]) -> dict[int, float]:
    """w_S(i) of every member, by the recursion of the definition."""
    if len(S) == 1:
        return {S[0]: 1.0}
    found = {}
    for i in S:
        rest = tuple(j for j in S if j != i)
        inner = weights(A, rest)
        found[i] = sum((A[j, i] - A[j, list(rest)].sum() / len(rest)) * inner[j] for j in rest)
    return found


def test_the_published_ratio_is_that_of_the_definition() -> None:
    rng = np.random.default_rng(5)
    X = np.vstack([rng.normal(0, 0.4, (4, 2)), rng.normal(1.2, 0.4, (4, 2))])
    data = Dataset(features=X)
    members = [[0, 1, 2, 3], [4, 5, 6, 7]]
    membership = np.zeros((8, 2))
    A = kernel(X, X, 1.5) - np.eye(8)
    for group, S in enumerate(members):
        w = weights(A, tuple(S))
        membership[S, group] = [w[i] / sum(w.values()) for i in S]
    groups = Clustering(labels=np.repeat([0, 1], 4), membership=np.maximum(membership, 0))
    kept = [np.flatnonzero(column > 1e-5 * column.max()).tolist() for column in membership.T]
    model = learn(data, groups, sigma=1.5, rule="share")
    for point in rng.uniform(-0.3, 1.5, (60, 2)):
        all_points = np.vstack([X, point])
        B = kernel(all_points, all_points, 1.5) - np.eye(9)
        ratios, margins = [], []
        for S in kept:
            alone, together = weights(B, tuple(S)), weights(B, (*S, 8))
            margins.append(together[8] / sum(alone.values()))
            ratios.append(together[8] / sum(together.values()) if sum(together.values()) > 0 else 1)
        joinable = [r if m > 0 else -np.inf for r, m in zip(ratios, margins, strict=True)]
        expected = int(np.argmax(joinable)) if max(margins) > 0 else -1
        assert apply(model, point[None]).labels[0] == expected
    for S in kept:
        inner = A[np.ix_(S, S)]
        similar = kernel(X[[1]] + 0.1, X[S], 1.5)
        x = np.linalg.solve(inner, np.ones(len(S)))
        x /= x.sum()
        margin = similar @ x - x @ inner @ x
        got = would_be_shares(bordered_inverse(inner), similar, margin)
        more = np.vstack([X[S], X[[1]] + 0.1])
        w = weights(kernel(more, more, 1.5) - np.eye(len(S) + 1), tuple(range(len(S) + 1)))
        if sum(w.values()) > 0:
            np.testing.assert_allclose(got, min(1.0, w[len(S)] / sum(w.values())), rtol=1e-8)


@pytest.mark.parametrize(
    ("use", "params"),
    [
        ("kernel/euler-gaussian", {"alpha": 0.5, "sigma": 0.6}),
        ("kernel/laplacian", {}),
        ("kernel/cosine", {}),
        ("kernel/tversky", {"first": 0.3}),
        ("kernel/histogram-intersection", {}),
    ],
)
def test_any_kernel_of_two_items_extends_groups(use: str, params: dict[str, Any]) -> None:
    rng = np.random.default_rng(2)
    X = (
        np.vstack(
            [
                rng.random((12, 4)) + np.array([1, 0, 1, 0]),
                rng.random((12, 4)) + np.array([0, 1, 0, 1]),
            ]
        )
        / 2
    )
    data, groups = Dataset(features=X), Clustering(labels=np.repeat([0, 1], 12))
    context = Context(runs=built_in_runs())
    model = learn(data, groups, kernel=use, kernel_params=params)
    new = rng.random((30, 4))
    settled = model.settings["params"]
    both = context.run(use, Dataset(features=np.vstack([model.arrays["features"], new])),
                       params=settled).main.to_dense()  # type: ignore[union-attr]  # fmt: skip
    m = len(model.arrays["features"])
    shares = np.zeros((m, 2))
    shares[np.arange(m), model.arrays["groups"]] = model.arrays["shares"]
    A = both[:m, :m] - np.diag(np.diag(both[:m, :m]))
    margins = both[m:, :m] @ shares - [x @ A @ x for x in shares.T]
    expected = np.where(margins.max(axis=1) > 0, margins.argmax(axis=1), -1)
    # The thresholds are those of the replicator, right to 1e-6 of the cohesiveness.
    clear = np.abs(margins).min(axis=1) > 1e-4
    np.testing.assert_array_equal(apply(model, new).labels[clear], expected[clear])
    if use == "kernel/laplacian":
        assert settled["sigma"] == model.details["sigma"]


def test_texts_join_groups_by_their_letters() -> None:
    german = ("der Hund und die Katze", "und der Mann", "die Frau und der Hund", "der alte Hund")
    french = ("le chien et le chat", "la femme et le chien", "et le chat", "le vieux chien")
    data = Dataset(kind="texts", texts=german + french)
    groups = Clustering(labels=np.repeat([0, 1], 4))
    model = learn(data, groups, kernel="kernel/spectrum", kernel_params={"length": 2})
    new = Dataset(
        kind="texts", texts=("der Hund und die Katze und der Mann", "le chien et le chat")
    )
    assert apply(model, new).labels.tolist() == [0, 1]


def test_kernels_that_learn_from_all_items_cannot_be_extended() -> None:
    data, groups = clouds()
    with refuses("invalid-parameters"):
        learn(data, groups, kernel="kernel/cluster",
              kernel_params={"initialisations": 2, "max_components": 4})  # fmt: skip
    with refuses("invalid-parameters"):
        learn(data, groups, kernel="graph/knn")


@pytest.mark.parametrize("apart", [0.0, 1e-15, 1e-13])
def test_members_that_can_replace_each_other_leave_the_shares_finite(apart: float) -> None:
    """Of a ring of four, the two pairs of opposite items can take each other's shares."""
    ring = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0.0]])
    ring[0, 1] = ring[1, 0] = 1.0 + apart
    inverse = bordered_inverse(ring)
    exact = bordered_inverse(np.round(ring))
    # The pseudo-inverse moves by what A does, times the square of its norm, which is below 10.
    assert np.abs(inverse - exact).max() <= 100 * apart + 1e-13
    assert np.linalg.norm(inverse, 2) < 10

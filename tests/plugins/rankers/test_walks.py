"""Rankers that walk on the graph: PageRank, personalised, stationary, manifold, hitting time."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Clustering, Column, Context, DataError, Dataset, Ranking
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.numerics.walks.markov import random_walk
from coterie.plugins.rankers.hitting_time import HittingTime
from coterie.plugins.rankers.manifold import Manifold
from coterie.plugins.rankers.pagerank import PageRank
from coterie.plugins.rankers.personalised_pagerank import PersonalisedPageRank
from coterie.plugins.rankers.salsa import Salsa
from coterie.plugins.rankers.stationary import Stationary
from tests.refusals import refuses
from tests.rounding import rounding

RNG = np.random.default_rng(4)
TRUTH = np.repeat([0, 1], 10)
X = RNG.normal(size=(20, 2)) + 4 * TRUTH[:, None]
A = np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / 2)
GROUPS = Clustering(labels=TRUTH)
WALKERS = [PageRank, PersonalisedPageRank, Stationary, Manifold, HittingTime]


def rank(
    ranker: Any, affinity: Affinity, groups: Clustering | None = None, **params: Any
) -> Ranking:
    given = [affinity] if groups is None else [affinity, groups]
    found = ranker().compute(*given, params=ranker.Params(**params), context=Context())
    assert isinstance(found, Ranking)
    return found


def order(ranking: Ranking) -> list[int]:
    assert ranking.order is not None
    return [int(i) for i in ranking.order]


# Not by hitting time, which puts the popular first wherever they are.
@pytest.mark.parametrize("ranker", WALKERS[:-1])
def test_relative_to_an_item_its_own_cloud_comes_first(ranker: Any) -> None:
    ranking = rank(ranker, Affinity(values=A), scope="items", items=[3])
    assert set(order(ranking)[:10]) == set(range(10))
    assert ranking.relative_to == "item 4", "by the name it has everywhere: its number from 1"


@pytest.mark.parametrize("ranker", WALKERS)
def test_every_group_alone_is_each_group_after_another(ranker: Any) -> None:
    affinity = Affinity(values=A)
    together = rank(ranker, affinity, GROUPS, scope="within-cluster")
    for group in (0, 1):
        alone = rank(ranker, affinity, GROUPS, scope="within-cluster", cluster=group)
        assert order(together)[10 * group : 10 * group + 10] == order(alone)
        members = GROUPS.members(group)
        np.testing.assert_allclose(together.scores[members], alone.scores[members], rtol=1e-9)


@pytest.mark.parametrize("ranker", WALKERS)
def test_across_groups_the_nearest_of_the_others_come_first(ranker: Any) -> None:
    ranking = rank(ranker, Affinity(values=A), GROUPS, scope="across-cluster", cluster=0)
    assert sorted(order(ranking)) == list(range(10, 20))
    if ranker is not HittingTime:
        towards = X[10:].sum(axis=1)
        best = order(ranking)[0] - 10
        assert towards[best] <= np.median(towards)


@pytest.mark.parametrize("ranker", WALKERS)
def test_dense_sparse_and_factored_similarities_rank_alike(ranker: Any) -> None:
    from scipy.sparse import csr_array

    F = np.random.default_rng(0).random((12, 5))
    dense, *others = (
        rank(ranker, affinity, scope="items", items=[1, 5]).scores
        for affinity in (
            Affinity(values=F @ F.T),
            Affinity(sparse=csr_array(F @ F.T)),
            Affinity(factor=F),
        )
    )
    for scores in others:
        np.testing.assert_allclose(scores, dense, rtol=1e-6)


@pytest.mark.parametrize("ranker", WALKERS)
def test_missing_and_negative_similarities_are_refused(ranker: Any) -> None:
    for value, sentence in ((np.nan, "missing"), (-1.0, "negative")):
        bad = A.copy()
        bad[0, 1] = bad[1, 0] = value
        with pytest.raises(DataError, match=sentence):
            rank(ranker, Affinity(values=bad))


def test_stationary_is_the_degree_over_the_volume() -> None:
    ranking = rank(Stationary, Affinity(values=A))
    np.testing.assert_allclose(ranking.scores, A.sum(axis=1) / A.sum(), rtol=rounding(4 * A.size))


def test_stationary_in_a_group_is_that_of_the_group_alone() -> None:
    ranking = rank(Stationary, Affinity(values=A), GROUPS, scope="within-cluster", cluster=1)
    inside = A[10:, 10:]
    np.testing.assert_allclose(ranking.scores[10:], inside.sum(axis=1) / inside.sum())


def test_stationary_of_a_directed_graph_is_a_left_eigenvector() -> None:
    B = RNG.random((8, 8))
    P = B / B.sum(axis=1, keepdims=True)
    pi = rank(Stationary, Affinity(values=B, symmetric=False)).scores
    np.testing.assert_allclose(pi @ P, pi, atol=1e-10)
    # Told to be directed, a symmetric graph gives the same inside a group and next to it.
    plain = rank(Stationary, Affinity(values=A), GROUPS, scope="across-cluster", cluster=0)
    directed = rank(
        Stationary, Affinity(values=A, symmetric=False), GROUPS, scope="across-cluster", cluster=0
    )
    np.testing.assert_allclose(directed.scores, plain.scores, rtol=1e-7)


def test_pagerank_agrees_with_repeated_steps_and_counts_dangling_items() -> None:
    B = np.triu(A, 1)  # directed; the last item has no way out
    ranking = rank(PageRank, Affinity(values=B, symmetric=False))
    assert ranking.details["dangling"] == 1
    P = np.vstack([B[:-1] / B[:-1].sum(axis=1, keepdims=True), np.full((1, 20), 1 / 20)])
    pi = np.full(20, 1 / 20)
    for _ in range(300):
        pi = 0.85 * P.T @ pi + 0.15 / 20
    np.testing.assert_allclose(ranking.scores, pi, atol=1e-10)


def test_manifold_is_the_limit_of_its_iteration_without_the_diagonal() -> None:
    W = A - np.diag(np.diag(A))
    roots = np.sqrt(W.sum(axis=1))
    S = W / roots[:, None] / roots
    y = np.zeros(20)
    y[[3, 4]] = 1
    f = y.copy()
    for _ in range(4000):
        f = 0.99 * S @ f + 0.01 * y
    plain = rank(Manifold, Affinity(values=A), scope="items", items=[3, 4])
    np.testing.assert_allclose(plain.scores, f, atol=1e-9)
    directed = rank(Manifold, Affinity(values=A, symmetric=False), scope="items", items=[3, 4])
    np.testing.assert_allclose(directed.scores, f, atol=1e-7)


def test_manifold_leaves_an_isolated_item_with_what_the_query_gives_it() -> None:
    B = A.copy()
    B[0, 1:] = B[1:, 0] = 0
    ranking = rank(Manifold, Affinity(values=B), scope="items", items=[0])
    assert ranking.details["alone"] == 1
    np.testing.assert_allclose(ranking.scores[0], 0.01)
    assert not ranking.scores[1:].any()


def test_hitting_time_puts_the_destination_of_a_group_first() -> None:
    from coterie.core.numerics.walks.hitting import hitting_times
    from coterie.core.numerics.walks.markov import random_walk

    affinity = Affinity(values=A)
    H, _ = hitting_times(random_walk(affinity, teleport=1e-4))
    ranking = rank(HittingTime, affinity, GROUPS, scope="within-cluster", cluster=1)
    assert order(ranking)[0] == 10 + int(H[10:, 10:].sum(axis=0).argmin())


def test_two_pieces_do_not_trouble_a_walk_that_begins_again() -> None:
    B = np.kron(np.eye(2), np.ones((3, 3)))
    scores = rank(PersonalisedPageRank, Affinity(values=B), scope="items", items=[0]).scores
    assert not scores[3:].any()
    np.testing.assert_allclose(scores.sum(), 1)


TIMES = np.array([1, 3, 2, 1, 2])
COPIES = np.repeat(np.arange(5), TIMES)


def twice_and_once(similar: Any, form: str, **kind: Any) -> tuple[Affinity, Affinity]:
    """Five weighed items, and the nine that they stand for."""
    from scipy.sparse import csr_array

    weights = Column("times", TIMES.astype(float), role="weight")
    data = Dataset(features=np.zeros((5, 1)), table=(weights,))
    once: dict[str, Any] = {form: csr_array(similar) if form == "sparse" else similar}
    if form == "factor":
        return Affinity(**once, **kind, dataset=data), Affinity(factor=similar[COPIES], **kind)
    every = Affinity(values=similar[np.ix_(COPIES, COPIES)], **kind)
    return Affinity(**once, **kind, dataset=data), every


@pytest.mark.parametrize("ranker", [PageRank, PersonalisedPageRank, Stationary, Salsa])
@pytest.mark.parametrize("form", ["values", "sparse", "factor", "directed"])
@pytest.mark.parametrize("scope", ["global", "items", "within-cluster"])
def test_an_item_of_weight_two_is_visited_as_two_equal_items(
    ranker: Any, form: str, scope: str
) -> None:
    if ranker is Salsa and scope != "global":
        pytest.skip("ranks the whole set only")
    directed = form == "directed"
    similar = RNG.random((5, 3) if form == "factor" else (5, 5))
    if not directed and form != "factor":
        similar = similar + similar.T
    weighed, every = twice_and_once(similar, "values" if directed else form, symmetric=not directed)
    labels = np.array([0, 0, 1, 1, 0])
    given: list[dict[str, Any]] = [{"scope": scope}, {"scope": scope}]
    groups: list[Clustering | None] = [None, None]
    if scope == "items":
        given[0]["items"] = [1, 3]
        given[1]["items"] = np.flatnonzero(np.isin(COPIES, [1, 3])).tolist()
    if scope == "within-cluster":
        groups = [Clustering(labels=labels), Clustering(labels=labels[COPIES])]
    if ranker is Salsa:
        given = [{}, {}]
    if ranker is Stationary and directed:
        given = [{**one, "teleport": 0.2} for one in given]
    few = rank(ranker, weighed, groups[0], **given[0]).scores
    many = rank(ranker, every, groups[1], **given[1]).scores
    np.testing.assert_allclose(few, np.bincount(COPIES, many), rtol=1e-8)


def test_jumps_from_items_without_a_way_out_go_by_weight() -> None:
    similar = np.triu(np.ones((5, 5)), 1)
    weighed, every = twice_and_once(similar, "values", symmetric=False)
    few, many = (rank(PageRank, graph).scores for graph in (weighed, every))
    np.testing.assert_allclose(few, np.bincount(COPIES, many), rtol=1e-8)


def test_the_first_meeting_with_any_copy_is_the_hitting_time_of_a_weighed_item() -> None:
    similar = RNG.random((5, 5))
    weighed, every = twice_and_once(similar + similar.T, "values")
    few = rank(HittingTime, weighed, scope="items", items=[0], teleport=0.1).scores
    P = random_walk(every, teleport=0.1).to_dense()
    for item in range(1, 5):
        others = np.flatnonzero(item != COPIES)
        steps = np.linalg.solve(
            np.eye(len(others)) - P[np.ix_(others, others)], np.ones(len(others))
        )
        assert -few[item] == pytest.approx(steps[0], rel=1e-9)


def test_hitting_times_of_items_without_weight_are_refused_with_what_helps() -> None:
    affinity = Affinity(
        values=np.ones((3, 3)),
        dataset=Dataset(
            features=np.eye(3), table=(Column("w", np.array([1.0, 0.0, 2.0]), role="weight"),)
        ),
    )
    with refuses("not-connected", DataError, match="item 2"):
        rank(HittingTime, affinity, scope="items", items=[0], teleport=0.1)


@pytest.mark.parametrize("use", ["manifold", "hits", "outliers"])
def test_rankers_that_would_treat_all_items_alike_refuse_weights(use: str) -> None:
    weighed, _ = twice_and_once(np.ones((5, 5)), "values")
    context = Context(runs=built_in_runs())
    context.run("ranker/pagerank", weighed)
    with refuses("weights-not-heeded", DataError):
        context.run(f"ranker/{use}", weighed)

"""What is near to one item, by rank and by distance."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from coterie.core.model.affinity import Affinity
from coterie.core.model.recipes import Step
from coterie.core.model.results import Embedding
from coterie.gui.views.ranking.query import FIRST, NeighbourRequest, wish_of, work_out


def wish(session: Any, **changes: Any) -> NeighbourRequest:
    session.selection.update([7])
    found = wish_of(session, "")
    assert found is not None
    return replace(found, **changes)


def test_only_a_single_item_is_a_question(session: Any) -> None:
    assert wish_of(session, "") is None
    session.selection.update([1, 2])
    assert wish_of(session, "") is None
    session.selection.update([7])
    asked = wish_of(session, "")
    assert asked is not None
    assert asked.item == 7
    assert asked.same_as(wish_of(session, ""))


def test_distances_are_those_of_the_features_dense_or_sparse(session: Any) -> None:
    data = session.results.artefact("data")
    X = np.nan_to_num(data.features)
    expected = np.argsort(((X - X[7]) ** 2).sum(axis=1), kind="stable")
    expected = expected[expected != 7][:FIRST]
    for features in (X, sparse.csr_array(X)):
        answer = work_out(wish(session, dataset=replace(data, features=features)))
        np.testing.assert_array_equal(answer.by_distance, expected)
        assert 7 not in answer.by_rank


def test_an_item_with_a_missing_value_is_near_to_nothing(session: Any) -> None:
    answer = work_out(wish(session))
    assert 4 not in answer.by_distance  # it has a missing value


def test_ranks_come_from_a_joint_embedding_that_has_all_coordinates(session: Any) -> None:
    rng = np.random.default_rng(0)
    Z = rng.random((300, 300))
    A = Affinity(values=Z @ Z.T)
    embedding = Embedding(coordinates=Z, details={"restart_probability": 0.15})
    answer = work_out(wish(session, affinity=A, embedding=embedding))
    assert answer.how == "joint ranking"
    scores = A.degrees() * (Z @ Z[7])
    scores[7] = -1
    assert answer.by_rank[0] == int(np.argmax(scores))


def test_of_a_few_coordinates_the_walk_knows_better_while_there_are_not_too_many_items(
    session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    X = rng.random((300, 5))
    A = Affinity(values=X @ X.T)
    few = Embedding(coordinates=rng.random((300, 3)), details={"restart_probability": 0.4})
    exact = work_out(wish(session, affinity=A, embedding=few))
    assert exact.how == "personalised PageRank, α = 0.4"
    P = A.to_dense() / A.degrees()[:, None]
    solved = np.linalg.solve(np.eye(300) - 0.6 * P.T, 0.4 * np.eye(300)[7])
    np.testing.assert_allclose(exact.scores, solved[exact.by_rank], atol=1e-9)
    monkeypatch.setattr("coterie.gui.views.ranking.query._MOST_WALKED", 299)
    rough = work_out(wish(session, affinity=A, embedding=few))
    assert rough.how == "joint ranking in 3 of 300 coordinates"


def test_coordinates_are_taken_where_they_are_all_whatever_is_shown(session: Any) -> None:
    similarities = next(step.name for step in session.recipe.steps if "kernel/" in step.use)
    joint = Step("map", "embedder/joint", (similarities,), {"components": 0})
    session.edits.replace(session.recipe.with_step(joint), "a test")
    whole = Embedding(coordinates=np.eye(300), details={"restart_probability": 0.15})
    session.put("map", whole)
    session.selection.update([7])
    found = wish_of(session, "plane")
    assert found is not None
    assert found.embedding is session.results.artefact("map")
    session.put("map", replace(whole, details={"restart_probability": 0.9}))
    other = wish_of(session, "plane")
    assert other is not None
    assert other.embedding is None


def test_without_one_the_walk_itself_is_taken(session: Any) -> None:
    A = np.zeros((300, 300))
    A[7, 8] = A[8, 7] = 1.0
    A[8, 9] = A[9, 8] = 1.0
    answer = work_out(wish(session, affinity=Affinity(values=A), embedding=None))
    assert answer.how == "personalised PageRank"
    assert answer.by_rank[:2].tolist() == [8, 9]


def test_without_similarities_there_are_no_ranks(session: Any) -> None:
    answer = work_out(wish(session, affinity=None))
    assert len(answer.by_rank) == 0
    assert len(answer.by_distance) == FIRST

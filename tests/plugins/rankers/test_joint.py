"""Ranking by projection in the joint embedding."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Clustering, Context, Embedding, Ranking
from coterie.core.numerics.spectral.adjusted_laplacian import Form
from coterie.plugins.embedders.joint import JointEmbedding
from coterie.plugins.rankers.joint import JointRanking
from coterie.plugins.rankers.personalised_pagerank import PersonalisedPageRank
from tests.refusals import refuses
from tests.rounding import rounding

RNG = np.random.default_rng(0)
LABELS = np.repeat([0, 1, 2], 10)
X = RNG.normal(size=(30, 2)) + 3 * np.array([[0, 0], [1, 0], [0, 1.0]])[LABELS]
AFFINITY = Affinity(values=np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / 2))
GROUPS = Clustering(labels=LABELS)


def embedding(components: int, form: Form = "normalised") -> Embedding:
    params = JointEmbedding.Params(components=components, form=form)
    output = JointEmbedding().compute(AFFINITY, params=params, context=Context())
    assert isinstance(output.main, Embedding)
    return output.main


def rank(of: Embedding, affinity: Affinity = AFFINITY, **params: Any) -> Ranking:
    return JointRanking().compute(
        of, affinity, GROUPS, params=JointRanking.Params(**params), context=Context()
    )


@pytest.mark.parametrize("form", ["normalised", "document"])
@pytest.mark.parametrize(
    "scope",
    [
        {},
        {"scope": "within-cluster"},
        {"scope": "within-cluster", "cluster": 1},
        {"scope": "across-cluster", "cluster": 2, "of_cluster": 0},
        {"scope": "items", "items": [4, 17]},
    ],
)
def test_with_all_coordinates_it_is_personalised_pagerank(
    scope: dict[str, Any], form: Form
) -> None:
    joint = rank(embedding(0, form), **scope)
    walked = PersonalisedPageRank().compute(
        AFFINITY, GROUPS, params=PersonalisedPageRank.Params(**scope), context=Context()
    )
    np.testing.assert_allclose(joint.scores, walked.scores, atol=1e-10)
    np.testing.assert_array_equal(joint.order, walked.order)
    assert joint.relative_to == walked.relative_to
    assert not joint.notes


def test_what_0_1_embedded_is_ranked_in_the_form_of_then() -> None:
    now = embedding(0, "document")
    details = {name: value for name, value in now.details.items() if name != "form"}
    then = replace(now, details=details)
    np.testing.assert_array_equal(rank(then).scores, rank(now, form="normalised").scores)


@pytest.mark.parametrize("form", ["normalised", "document"])
def test_with_a_few_coordinates_the_error_is_bounded_and_said(form: Form) -> None:
    few = rank(embedding(3, form), scope="items", items=[4])
    exact = rank(embedding(0, form), scope="items", items=[4])
    error = np.abs(few.scores - exact.scores).sum()
    assert 0 < error <= few.details["most_error"] + 1e-10
    assert "3 of 30 coordinates" in few.notes[0]


def test_other_coordinates_are_ranked_but_not_called_pagerank() -> None:
    ranking = rank(Embedding(coordinates=X), form="document")
    assert "not those of the joint embedding" in ranking.notes[0]
    degrees = AFFINITY.degrees()
    expected = degrees / degrees.sum() * (X @ X.mean(axis=0))
    near = rounding(4 * X.size, float(np.abs(X).max()) ** 2)
    np.testing.assert_allclose(ranking.scores, expected, rtol=0, atol=near)


def test_what_does_not_fit_is_refused() -> None:
    with refuses("not-symmetric"):
        rank(embedding(3), Affinity(values=np.triu(np.ones((30, 30))), symmetric=False))
    with refuses("items-mismatch"):
        rank(embedding(3), Affinity(values=np.ones((2, 2))))
    with refuses("missing-values"):
        rank(embedding(3), Affinity(values=np.full((30, 30), np.nan)))

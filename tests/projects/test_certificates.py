"""Certificates of steps, as projects hold them."""

import json
from typing import Any

import numpy as np
import pytest

from coterie.core import Context
from coterie.core.formats.samples import SAMPLES
from coterie.core.model.affinity import Affinity
from coterie.core.model.results import Clustering
from coterie.core.numerics.certificates.dominant_sets import certify_set
from coterie.plugins.clusterers.dominant_constrained import DominantConstrained
from coterie.plugins.clusterers.dominant_sets import DominantSets
from coterie.plugins.clusterers.transduction import Transduction
from coterie.plugins.kernels.gaussian import Gaussian
from coterie.projects.certificates import certify_items, certify_step
from tests.refusals import refuses

# Two pairs that hold together, and an item between them.
A = np.array(
    [
        [0, 9, 0, 0, 1],
        [9, 0, 0, 0, 1],
        [0, 0, 0, 6, 2],
        [0, 0, 6, 0, 1],
        [1, 1, 2, 1, 0.0],
    ]
)
PAIRS = np.array([[0.5, 0], [0.5, 0], [0, 0.5], [0, 0.5], [0, 0]])


@pytest.fixture
def similarity() -> Affinity:
    return Affinity(values=A)


def test_peeled_sets_are_compared_with_what_was_left(similarity: Affinity) -> None:
    result = Clustering(labels=np.array([0, 0, 1, 1, 1]), membership=PAIRS)
    found = certify_step("clusterer/dominant-sets", {"k": 2}, result, [similarity])
    assert found.holds
    assert [one.members.tolist() for one in found.sets] == [[0, 1], [2, 3]]
    assert [one.excluded.tolist() for one in found.sets] == [[], [0, 1]]
    assert json.loads(json.dumps(found.as_json()))["sets"][1]["verdict"] == "holds"


def test_overlapping_sets_are_compared_with_all_others(similarity: Affinity) -> None:
    result = Clustering(labels=np.array([0, 0, 1, 1, -1]), membership=PAIRS)
    found = certify_step("clusterer/dominant-overlapping", {}, result, [similarity])
    assert found.holds
    assert [one.excluded.tolist() for one in found.sets] == [[], []]


def test_a_wrong_set_fails(similarity: Affinity) -> None:
    wrong = Clustering(labels=np.array([0, 1, 0, 1, -1]), details={"in_sets": 4})
    assert not certify_step("clusterer/dominant-sets", {}, wrong, [similarity]).holds


def test_labels_spread_from_groups_are_checked(similarity: Affinity) -> None:
    start = Clustering(labels=np.array([0, -1, 1, -1, -1]))
    right = Clustering(labels=np.array([0, 0, 1, 1, 1]))
    found = certify_step("clusterer/transduction", {}, right, [similarity, start])
    assert found.holds
    assert found.labelling is not None
    assert found.labelling.checked == 3
    wrong = Clustering(labels=np.array([0, 1, 1, 1, 1]))
    assert not certify_step("clusterer/transduction", {}, wrong, [similarity, start]).holds


def test_chosen_items_are_asked_about(similarity: Affinity) -> None:
    assert certify_items(similarity, [0, 1]).holds
    assert certify_items(similarity, [0, 4]).sets[0].joining[0] == 1


@pytest.mark.parametrize(
    ("use", "params", "code"),
    [
        ("clusterer/kmeans", {}, "wrong-type"),
        ("clusterer/dominant-sets", {"clique": True}, "wrong-type"),
        ("clusterer/dominant-sets", {}, "groups-needed"),
        ("clusterer/transduction", {"farthest": 3.0}, "wrong-type"),
        ("clusterer/transduction", {"labelled": "truth"}, "groups-needed"),
    ],
)
def test_what_cannot_be_certified_is_said(
    similarity: Affinity, use: str, params: dict[str, object], code: str
) -> None:
    filled = Clustering(labels=np.array([0, 0, 1, 1, 1]), details={"in_sets": 4})
    with refuses(code):
        certify_step(use, params, filled, [similarity])


@pytest.mark.parametrize("sigma", [0.0, 0.15, "auto"])
@pytest.mark.parametrize("normalise", [False, True])
def test_a_transduction_of_its_own_width_is_tested_by_its_own_similarities(
    sigma: Any, normalise: bool
) -> None:
    data = SAMPLES["moon"].make(n=60)
    kernel = Gaussian()
    A = kernel.compute(data, params=Gaussian.Params(sigma=1.0), context=Context())
    start = Clustering(
        labels=np.where(np.arange(60) % 10 == 0, np.asarray(data.truth), -1), dataset=data
    )
    method = Transduction()
    asked: dict[str, Any] = {"sigma": sigma, "normalise": normalise}
    found = method.compute(A, start, params=method.Params(**asked), context=Context())
    certified = certify_step("clusterer/transduction", asked, found, [A, start])
    assert certified.labelling is not None
    assert certified.holds
    if sigma == 0.15:
        # Against the payoffs written out.
        X = data.dense_features()
        W = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2 * sigma**2))
        np.fill_diagonal(W, 0)
        if normalise:
            d = W.sum(axis=1)
            W = W / np.sqrt(np.outer(d, d))
        paid = W @ (found.labels[:, None] == np.arange(2))
        free = start.labels < 0
        gain = paid.max(axis=1) - paid[np.arange(60), found.labels]
        expected = (gain / paid.max(axis=1))[free].max()
        assert certified.labelling.largest == pytest.approx(expected, abs=1e-10)


def test_the_rest_of_dominant_sets_is_tested_as_a_transduction() -> None:
    data = SAMPLES["moon"].make(n=80)
    A = Gaussian().compute(data, params=Gaussian.Params(sigma=1.0), context=Context())
    asked: dict[str, Any] = {"k": 2, "rest": "transduction", "rest_sigma": 0.1}
    method = DominantSets()
    found = method.compute(A, params=method.Params(**asked), context=Context())
    certified = certify_step("clusterer/dominant-sets", asked, found, [A])
    assert certified.labelling is not None
    assert certified.labelling.checked == 80 - found.details["in_sets"]
    assert certified.holds


@pytest.mark.parametrize("seed", range(6))
def test_constrained_sets_are_certified_with_their_price(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 20 + 10 * seed
    X = rng.random((n, 2))
    similar = np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / rng.choice([0.02, 0.5]))
    affinity = Affinity(values=similar)
    groups = np.full(n, -1)
    groups[:3] = 0, 0, 1
    seeds = Clustering(labels=groups)
    component = DominantConstrained()
    cases: list[tuple[dict[str, Any], list[Any]]] = [
        ({"items": [4, 7]}, [affinity]),
        ({}, [affinity, seeds]),
    ]
    for params, inputs in cases:
        result = component.compute(*inputs, params=component.Params(**params), context=Context())
        found = certify_step("clusterer/dominant-constrained", params, result, inputs)
        assert found.holds
        assert [one.seeds.tolist() for one in found.sets] == ([[4, 7]] if params else [[0, 1], [2]])
        for number, one in enumerate(found.sets):
            assert one.alpha == result.details["sets"][number]["alpha"]
            # The shares are those of the linear equations, and are those that were found.
            shares = np.asarray(result.membership)[one.members, number]
            assert np.abs(one.shares - shares).max() < 1e-6
        alone = found.sets[0]
        fewer = certify_set(
            affinity, alone.members[alone.members != alone.members[alone.shares.argmax()]],
            alpha=alone.alpha, seeds=alone.seeds,
        )  # fmt: skip
        assert fewer.verdict == "fails"

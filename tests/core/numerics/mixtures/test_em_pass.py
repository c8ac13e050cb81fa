"""One pass over the items, against the definition."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

from coterie.core import Cancelled
from coterie.core.numerics.mixtures import em_pass
from coterie.core.numerics.mixtures.em_pass import shares_of, sweep


@pytest.fixture(params=[(512, 256), (5, 3)], ids=["one block", "many blocks"])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, items = request.param
    monkeypatch.setattr(em_pass, "ROWS", rows)
    monkeypatch.setattr(em_pass, "ITEMS", items)


@pytest.mark.usefixtures("blocks")
def test_soft_shares_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(0)
    theta, features, counted = (rng.normal(size=s) for s in ((3, 7, 4), (11, 4), (11, 2)))
    scores = np.einsum("gfr,nr->gfn", theta, features)
    expected = softmax(scores, axis=0)
    moments, objective = sweep(theta, features, counted, soft=True)
    np.testing.assert_allclose(moments, np.einsum("gfn,np->gfp", expected, counted))
    np.testing.assert_allclose(objective, logsumexp(scores, axis=0).mean(axis=1))
    out = np.empty((11, 7, 3))
    np.testing.assert_allclose(shares_of(theta, features, out, soft=True), objective)
    np.testing.assert_allclose(out, expected.transpose(2, 1, 0))


@pytest.mark.usefixtures("blocks")
def test_hard_shares_go_to_the_best() -> None:
    rng = np.random.default_rng(1)
    theta, features = rng.normal(size=(4, 6, 3)), rng.normal(size=(13, 3))
    scores = np.einsum("gfr,nr->gfn", theta, features)
    out = np.empty((13, 6, 4))
    objective = shares_of(theta, features, out, soft=False)
    np.testing.assert_array_equal(out.argmax(axis=2), scores.argmax(axis=0).T)
    np.testing.assert_array_equal(out.sum(axis=2), 1.0)
    np.testing.assert_allclose(objective, scores.max(axis=0).mean(axis=1))


def test_of_components_that_coincide_the_first_takes_all() -> None:
    theta = np.zeros((3, 1, 2))
    theta[2] = -1.0
    out = np.empty((4, 1, 3))
    shares_of(theta, np.ones((4, 2)), out, soft=False)
    np.testing.assert_array_equal(out[:, 0], [[1.0, 0.0, 0.0]] * 4)


def test_scores_far_apart_or_huge_stay_numbers() -> None:
    theta = np.array([[[1e8]], [[-1e8]]])
    out = np.empty((1, 1, 2))
    objective = shares_of(theta, np.ones((1, 1)), out, soft=True)
    np.testing.assert_allclose(out[0, 0], [1.0, 0.0], atol=1e-80)
    np.testing.assert_allclose(objective, 1e8)


def test_every_block_can_be_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(em_pass, "ITEMS", 4)
    seen = []

    def check() -> None:
        seen.append(1)
        if len(seen) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        sweep(np.zeros((2, 1, 1)), np.ones((100, 1)), np.ones((100, 1)), soft=True, check=check)

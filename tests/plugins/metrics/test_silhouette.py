"""Silhouette."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Clustering, Context, Dataset, Score
from coterie.core.numerics.partitions import silhouettes as module
from coterie.plugins.metrics.silhouette import Silhouette
from tests.refusals import refuses


def score(labels: Any, features: Any, **params: Any) -> Score:
    dataset = Dataset(title="d", features=np.asarray(features, dtype=np.float64))
    clustering = Clustering(labels=np.asarray(labels), dataset=dataset)
    return Silhouette().compute(clustering, params=Silhouette.Params(**params), context=Context())


@given(st.integers(4, 40), st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_it_agrees_with_scikit_learn(n: int, seed: int) -> None:
    from sklearn.metrics import silhouette_score

    rng = np.random.default_rng(seed)
    labels = np.r_[0, 0, 1, rng.integers(0, 4, n - 3)]
    features = rng.normal(size=(n, 2)) + labels[:, None]
    if len(np.unique(labels)) == n:
        return
    expected = silhouette_score(features, labels)
    assert score(labels, features).value == pytest.approx(expected, abs=1e-6)


def test_blocks_give_what_one_piece_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    labels, features = rng.integers(0, 3, 50), rng.normal(size=(50, 4))
    at_once = score(labels, features).value
    monkeypatch.setattr(module, "BLOCK_BYTES", 8 * 50 * 7)
    assert score(labels, features).value == pytest.approx(at_once)


def test_scale_does_not_matter_nor_overflow() -> None:
    labels, features = [0, 0, 1, 1], np.array([[0.0], [1], [5], [6]])
    assert score(labels, features * 1e200).value == pytest.approx(score(labels, features).value)
    assert score(labels, np.ones((4, 1))).value == 0


def test_another_dataset_of_the_same_items() -> None:
    clustering = Clustering(labels=np.array([0, 0, 1, 1]))
    other = Dataset(title="o", features=np.array([[0.0], [0], [9], [9]]))
    got = Silhouette().compute(clustering, other, params=Silhouette.Params(), context=Context())
    assert got.value == pytest.approx(1)
    with refuses("features-needed"):
        Silhouette().compute(clustering, params=Silhouette.Params(), context=Context())


def test_unassigned_items_are_left_out_or_a_group() -> None:
    features = np.array([[0.0], [0.1], [5], [5.1], [99]])
    left_out = score([0, 0, 1, 1, -1], features)
    assert left_out.value > 0.95
    assert left_out.notes == ("1 items in no group left out.",)
    assert score([0, 0, 1, 1, -1], features, unassigned="own-class").rows[0] == "unassigned"


def test_each_mistake_gets_one_sentence() -> None:
    with refuses("too-few-groups"):
        score([0, 0], [[0], [1]])
    with refuses("too-few-groups"):
        score([-1, -1], [[0], [1]])
    with refuses("missing-values"):
        score([0, 1], [[0], [np.nan]])

"""Silhouettes and certainty of groups, compared with scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_samples

from coterie.core.model.results import Clustering
from coterie.projects.report.group_quality import ItemQuality, group_certainty, group_quality

RNG = np.random.default_rng(1)
LABELS = np.r_[np.repeat([0, 1, 2], 30), -1, -1]
X = RNG.normal(size=(92, 3)) + 3 * LABELS[:, None]


def test_silhouettes_agree_with_scikit_learn() -> None:
    found = group_quality(X, Clustering(labels=LABELS))
    inside = X[:90]
    each = silhouette_samples((inside - inside.mean(axis=0)) / inside.std(axis=0), LABELS[:90])
    for group in range(3):
        assert found[group].silhouette == pytest.approx(each[LABELS[:90] == group].mean(), abs=1e-9)


def test_a_group_among_others_is_less_stable_than_one_apart() -> None:
    rng = np.random.default_rng(3)
    apart = np.r_[rng.normal(size=(60, 2)), rng.normal(size=(40, 2)) + 50]
    labels = np.r_[rng.integers(0, 2, 60), np.full(40, 2)]  # the first two are one cloud
    found = group_quality(apart, Clustering(labels=labels))
    assert found[2].stability == 1.0
    assert max(found[0].stability or 0, found[1].stability or 0) < 0.8


def test_where_there_is_nothing_to_say() -> None:
    assert group_quality(X, Clustering(labels=np.zeros(92, dtype=np.int64))) == {}
    assert group_quality(np.ones((92, 2)), Clustering(labels=LABELS)) == {}
    assert group_quality(np.full((92, 1), np.nan), Clustering(labels=LABELS)) == {}
    assert group_certainty(Clustering(labels=LABELS)) == {}


def test_certainty_is_the_mean_share() -> None:
    shares = np.array([[0.9, 0.1], [0.7, 0.3], [0.2, 0.8]])
    groups = Clustering(labels=np.array([0, 0, 1]), membership=shares)
    assert group_certainty(groups) == pytest.approx({0: 0.8, 1: 0.8})


def test_weights_of_a_dominant_set_are_not_certainty() -> None:
    inside = np.eye(3)[LABELS] * (LABELS >= 0)[:, None]
    weights = inside / inside.sum(axis=0)
    assert group_certainty(Clustering(labels=LABELS, membership=weights)) == {}


def test_each_item_has_its_silhouette_and_stability() -> None:
    quality = ItemQuality(X, LABELS)
    inside = X[:90]
    each = silhouette_samples((inside - inside.mean(axis=0)) / inside.std(axis=0), LABELS[:90])
    for item in (0, 31, 77):
        found = quality.of(item)
        assert found is not None
        assert found.silhouette == pytest.approx(each[item], abs=1e-9)
    assert quality.of(91) is None  # in no group
    assert ItemQuality(X, np.zeros(92, dtype=np.int64)).of(3) is None


def test_an_item_between_two_groups_is_less_stable_than_one_in_the_middle() -> None:
    rng = np.random.default_rng(3)
    points = np.r_[rng.normal(size=(60, 2)), rng.normal([4, 0], 1, (60, 2)), [[2.0, 0.0]]]
    quality = ItemQuality(points, np.r_[np.repeat([0, 1], 60), 0])
    middle, between = quality.of(int(np.abs(points[:60]).sum(axis=1).argmin())), quality.of(120)
    assert middle is not None
    assert middle.stability == 1.0
    assert between is not None
    assert between.stability is not None
    assert between.stability < 0.95
    assert between.silhouette < middle.silhouette

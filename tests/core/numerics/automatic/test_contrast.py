"""Whether two neighbouring groups are two."""

import numpy as np
import pytest

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.automatic.contrast import NAMES, contrasts, moments_of
from coterie.core.numerics.automatic.surroundings import surroundings_of


def contrast(X: Floats, labels: Ints, partner: list[int]) -> dict[str, float]:
    around = surroundings_of(X)
    members = [np.flatnonzero(labels == group) for group in range(int(labels.max()) + 1)]
    moments = [moments_of(around, items) for items in members]
    found = contrasts(around, labels, members, moments, np.array(partner))
    return dict(zip(NAMES, found.tolist(), strict=True))


def cloud(n: int = 400, d: int = 2) -> Floats:
    return np.random.default_rng(0).normal(size=(n, d))


def test_halves_of_one_gaussian_are_worth_nothing_and_have_no_valley_between() -> None:
    X = cloud(3000)
    found = contrast(X, (X[:, 0] > 0).astype(np.int64), [1, 0])
    assert found["mean worth of a group"] < 0
    assert found["mean saddle"] <= 0.3  # what chance makes of the counts in a bin


def test_two_clouds_are_worth_something_and_have_a_valley_between() -> None:
    X = np.concatenate([cloud(200), cloud(200) + 7.0])
    found = contrast(X, np.repeat([0, 1], 200), [1, 0])
    assert found["mean worth of a group"] > 0.3
    assert found["mean saddle"] > 1.5
    assert found["worst gap"] > 0


def test_the_worth_is_the_difference_of_the_gaussian_likelihoods() -> None:
    """By the definition: each group under its own Gaussian, against both under one."""
    from scipy.stats import multivariate_normal as gaussian

    X = np.concatenate([cloud(150, 3), 0.5 * cloud(250, 3) + 3.0])
    labels = np.repeat([0, 1], [150, 250])

    def likelihood(items: Floats, share: float) -> float:
        spread = np.cov(items.T, bias=True)
        return float(
            gaussian(items.mean(axis=0), spread).logpdf(items).sum() + len(items) * np.log(share)
        )

    gain = likelihood(X[:150], 150 / 400) + likelihood(X[150:], 250 / 400) - likelihood(X, 1.0)
    expected = (gain - 0.5 * (1 + 3 + 6) * np.log(400)) / 400
    found = contrast(X, labels, [1, 0])["mean worth of a group"]
    assert found == pytest.approx(expected, abs=0.02)  # some variance is added to every direction


def test_a_group_in_two_pieces_shows_along_the_tree() -> None:
    X = np.concatenate([cloud(100), cloud(100) + 30.0, cloud(100) + 60.0])
    whole = contrast(X, np.repeat([0, 1, 2], 100), [1, 2, 1])
    joined = contrast(X, np.repeat([0, 0, 1], 100), [1, 0])
    pieces = contrast(X, np.repeat([0, 1, 0], 100), [1, 0])
    assert whole["fragments"] == 0
    assert pieces["fragments"] > 0
    assert joined["loosest group"] > whole["loosest group"]


def test_a_single_group_has_no_contrast() -> None:
    found = contrast(cloud(), np.zeros(400, dtype=np.int64), [-1])
    assert found["mean worth of a group"] == found["mean saddle"] == found["worst gap"] == 0


def test_groups_that_share_no_edge_are_as_far_apart_as_can_be() -> None:
    X = np.concatenate([cloud(100), cloud(100) + 1000.0])
    found = contrast(X, np.repeat([0, 1], 100), [-1, -1])
    assert found["least worth of a group"] == 3.0

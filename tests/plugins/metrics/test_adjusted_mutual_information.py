"""Adjusted mutual information, compared with its definition by permutations."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Clustering, Context
from coterie.plugins.metrics.adjusted_mutual_information import AdjustedMutualInformation


def score(first: list[int], second: list[int], **params: Any) -> float:
    found = AdjustedMutualInformation().compute(
        Clustering(labels=np.array(first)),
        Clustering(labels=np.array(second)),
        params=AdjustedMutualInformation.Params(**params),
        context=Context(),
    )
    return float(found.value)


def information(a: np.ndarray, b: np.ndarray) -> float:
    joint = np.histogram2d(a, b, bins=(a.max() + 1, b.max() + 1))[0] / len(a)
    apart = np.outer(joint.sum(1), joint.sum(0))
    return float((joint[joint > 0] * np.log(joint[joint > 0] / apart[joint > 0])).sum())


def entropy(a: np.ndarray) -> float:
    shares = np.bincount(a) / len(a)
    return float(-(shares[shares > 0] * np.log(shares[shares > 0])).sum())


def test_it_is_the_information_beyond_that_of_permuted_labels() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 3, 40)
    b = np.where(rng.random(40) < 0.6, a, rng.integers(0, 4, 40))
    chance = [information(a, rng.permutation(b)) for _ in range(4000)]
    expected = np.mean(chance)
    full = (entropy(a) + entropy(b)) / 2
    value = (information(a, b) - expected) / (full - expected)
    # Five standard errors of the mean over the permutations.
    error = 5 * np.std(chance) / np.sqrt(len(chance)) / (full - expected)
    assert score(a.tolist(), b.tolist()) == pytest.approx(value, abs=error)


def test_the_same_groups_by_other_numbers_agree_fully() -> None:
    assert score([0, 0, 1, 1, 2], [2, 2, 0, 0, 1]) == pytest.approx(1)
    assert score([0, 0, 1, 1, 2], [2, 2, 0, 0, 1], average="max") == pytest.approx(1)

"""Partitions of parts of the items, against loops over pairs and scikit-learn's information."""

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from coterie.core import Affinity, Clustering, Context, Dataset
from coterie.core.numerics.mixtures.resampling import (
    Partition,
    consensus_matrix,
    resampled_partitions,
    shared_information,
)
from coterie.plugins.clusterers.consensus import Consensus
from tests.refusals import refuses
from tests.rounding import rounding


def clouds(k: int = 4, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(k), 15)
    angle = 2 * np.pi * truth / k
    X = 6 * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(0, 0.5, (15 * k, 2))
    return Dataset(features=X, truth=truth, truth_names=tuple("abcdefgh"[:k]))


def consensus(data: Any, **params: Any) -> tuple[Clustering, Any]:
    output = Consensus().compute(data, params=Consensus.Params(**params), context=Context(seed=1))
    assert isinstance(output.main, Clustering)
    return output.main, output.parts.get("affinity")


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_the_matrix_counts_pairs_that_were_drawn_together(share: float) -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    made = resampled_partitions(X, 12, 5, share, np.random.default_rng(1))
    assert {len(one.items) for one in made} == {round(20 * share)}
    found = consensus_matrix(made, 20)
    for i in range(20):
        for j in range(20):
            both = together = 0
            for one in made:
                where = dict(zip(one.items, one.labels, strict=True))
                if i in where and j in where:
                    both += 1
                    together += where[i] == where[j]
            expected = 1.0 if i == j else together / both if both else 0.0
            assert found[i, j] == pytest.approx(expected, rel=rounding(4))


def test_shared_information_equals_the_librarys_on_the_items_drawn() -> None:
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 4, 40)
    made = [Partition(np.sort(rng.permutation(40)[:25]), rng.integers(0, k, 25)) for k in (2, 3, 5)]
    expected = np.mean(
        [
            normalized_mutual_info_score(labels[p.items], p.labels, average_method="geometric")
            for p in made
        ]
    )
    assert shared_information(labels, made) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("rule", ["lifetime", "information"])
@pytest.mark.parametrize("linkage", ["single", "average"])
def test_both_rules_find_the_number_of_clouds(rule: str, linkage: str) -> None:
    groups, matrix = consensus(clouds(), rule=rule, linkage=linkage, max_components=8)
    assert groups.details["k"] == 4
    assert len({tuple(groups.labels[15 * c : 15 * c + 15]) for c in range(4)}) == 4
    assert isinstance(matrix, Affinity)
    assert matrix.to_dense().diagonal().min() == 1.0


def test_what_partitions_are_of_similarities_is_not_known() -> None:
    with refuses("features-needed"):
        consensus(Affinity(values=np.ones((4, 4))), rule="information")


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_few_items_are_grouped_too(n: int) -> None:
    data = Dataset(features=np.arange(float(n))[:, None])
    for rule in ("lifetime", "information"):
        groups, _ = consensus(data, rule=rule, share=0.5)
        assert len(groups.labels) == n

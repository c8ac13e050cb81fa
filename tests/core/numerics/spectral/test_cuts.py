"""Costs of cuts: every threshold as its definition says, the cut as the metric says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context
from coterie.core.numerics.spectral.cuts import normalised_cut, threshold_cuts
from coterie.plugins.metrics.bayes_risk import BayesRisk


def forms(seed: int = 0) -> dict[str, Affinity]:
    factor = np.random.default_rng(seed).random((9, 3))
    A = factor @ factor.T
    return {
        "dense": Affinity(values=A),
        "sparse": Affinity(sparse=csr_array(A)),
        "factor": Affinity(factor=factor),
    }


def by_definition(A: Any, left: Any) -> float:
    cut = A[left][:, ~left].sum()
    return float(cut / A[left].sum() + cut / A[~left].sum())


@pytest.mark.parametrize("form", ["dense", "sparse", "factor"])
def test_every_threshold_costs_what_the_definition_says(form: str) -> None:
    affinity = forms()[form]
    scores = np.random.default_rng(1).normal(size=9)
    order, cuts = threshold_cuts(affinity, scores)
    for t, cut in enumerate(cuts):
        left = np.isin(np.arange(9), order[: t + 1])
        np.testing.assert_allclose(cut, by_definition(affinity.to_dense(), left))


def test_no_threshold_passes_between_equal_scores() -> None:
    _, cuts = threshold_cuts(forms()["dense"], np.array([0.0, 0, 0, 1, 1, 1, 2, 2, 2]))
    assert np.flatnonzero(np.isfinite(cuts)).tolist() == [2, 5]


@pytest.mark.parametrize("form", ["dense", "sparse", "factor"])
def test_the_cut_of_groups_is_their_bayes_risk(form: str) -> None:
    affinity = forms()[form]
    labels = np.array([0, 1, 2, 0, 1, 2, -1, 0, 0])
    risk = BayesRisk().compute(
        Clustering(labels=labels), affinity, params=BayesRisk.Params(), context=Context()
    )
    np.testing.assert_allclose(normalised_cut(affinity, labels), risk.value)
    assert normalised_cut(affinity, np.full(9, -1)) == 0.0

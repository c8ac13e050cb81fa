"""Atoms of a mixture in groups: against the definition, every partition, and bent groups."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from coterie.core import Clustering, Context, Dataset
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.formats.samples import SAMPLES
from coterie.core.numerics.mixtures.atoms import atom_graph, posteriors
from coterie.core.numerics.spectral.cuts import normalised_cut
from coterie.plugins.clusterers.mixture_cuts import MixtureCuts
from coterie.plugins.metrics.error import ClusteringError
from tests.refusals import refuses
from tests.rounding import rounding


def group(data: Dataset, **params: Any) -> Clustering:
    context = Context(runs=built_in_runs())
    found = MixtureCuts().compute(data, params=MixtureCuts.Params(**params), context=context).main
    assert isinstance(found, Clustering)
    return found


def confusion(shares: np.ndarray, groups: np.ndarray) -> float:
    """The mean over groups of how often an item drawn by its posteriors is called another."""
    p = np.column_stack([shares[:, groups == g].sum(axis=1) for g in range(int(groups.max()) + 1)])
    return float(((p * (1 - p)).sum(axis=0) / p.sum(axis=0)).mean())


def test_the_cut_of_the_atoms_is_the_chance_of_confusing_groups() -> None:
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.full(7, 0.3), 200)
    for _ in range(10):
        groups = np.unique(rng.integers(0, 3, 7), return_inverse=True)[1]
        cut = normalised_cut(atom_graph(shares), groups)
        assert cut == pytest.approx(confusion(shares, groups), abs=rounding(8 * 200))
    np.testing.assert_allclose(atom_graph(shares).degrees(), shares.sum(axis=0))


def test_no_partition_of_the_atoms_in_two_is_better() -> None:
    data = SAMPLES["moon"].make(n=300)
    found = group(data, k=2, atoms=8)
    context = Context(runs=built_in_runs())
    # The posteriors of the same mixture, by the same way.
    seed = int(context.rng.integers(2**31 - 1))
    asked = {"k": 8, "covariance": "full", "restarts": 3}
    mixture: Any = context.run("clusterer/gaussian-mixture", data, params=asked, seed=seed).main
    shares = np.asarray(mixture.membership)
    best = min(
        confusion(shares, np.array([0, *rest])) for rest in product((0, 1), repeat=7) if any(rest)
    )
    atoms = np.array(found.details["atoms"])
    assert confusion(shares, atoms) == pytest.approx(best, rel=1e-9)
    assert found.membership is not None
    np.testing.assert_allclose(found.membership, posteriors(shares, atoms))
    np.testing.assert_array_equal(found.labels, found.membership.argmax(axis=1))


@pytest.mark.parametrize("sample", ["arcs", "moon"])
def test_bent_groups_are_found_where_one_gaussian_each_is_not_enough(sample: str) -> None:
    data = SAMPLES[sample].make(n=400)

    def mistakes(found: Any) -> float:
        metric = ClusteringError()
        return float(metric.compute(found, params=metric.Params(), context=Context()).value)

    context = Context(runs=built_in_runs())
    plain: Any = context.run("clusterer/gaussian-mixture", data, params={"k": 2}).main
    assert mistakes(group(data, k=2, atoms=12)) < 0.5 * mistakes(plain)


def test_fewer_atoms_than_groups_are_refused() -> None:
    with refuses("too-many-groups"):
        group(SAMPLES["iris"].make(), k=5, atoms=3)

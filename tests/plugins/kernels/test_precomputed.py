"""Given similarities come through as they are."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.precomputed import Precomputed
from tests.refusals import refuses


def similarities(relation: Any) -> Affinity:
    data = Dataset(title="given", kind="relation", relation=relation)
    return Precomputed().compute(data, params=Precomputed.Params(), context=Context())


@pytest.mark.parametrize("sparse", [False, True])
def test_a_symmetric_relation_is_kept(sparse: bool) -> None:
    A = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])
    affinity = similarities(csr_array(A) if sparse else A)
    assert affinity.form == ("sparse" if sparse else "dense")
    np.testing.assert_array_equal(affinity.to_dense(), A)
    assert affinity.symmetric
    assert affinity.nonnegative
    assert not affinity.notes


@pytest.mark.parametrize("sparse", [False, True])
def test_a_directed_or_negative_relation_says_so(sparse: bool) -> None:
    A = np.array([[0.0, 0.5], [-0.25, 0.0]])
    affinity = similarities(csr_array(A) if sparse else A)
    assert not affinity.symmetric
    assert not affinity.nonnegative
    assert "not symmetric" in affinity.notes[0]
    assert "down to -0.25" in affinity.notes[1]


def test_what_cannot_be_similarities_is_refused() -> None:
    with refuses("missing-values"):
        similarities(np.array([[1.0, np.nan], [np.nan, 1.0]]))
    with refuses("wrong-type"):
        similarities(np.array([[1.0, 1j], [1j, 1.0]]))
    with refuses("no-similarities"):
        Precomputed().compute(
            Dataset(features=np.ones((2, 1))), params=Precomputed.Params(), context=Context()
        )

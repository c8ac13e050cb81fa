"""Busy items count less."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context
from coterie.plugins.graphs.normalise_degrees import NormaliseDegrees
from tests.refusals import refuses

FACTOR = np.random.default_rng(0).random((6, 3))
A = FACTOR @ FACTOR.T


def normalised(**form: Any) -> Affinity:
    return NormaliseDegrees().compute(
        Affinity(**form), params=NormaliseDegrees.Params(), context=Context()
    )


@pytest.mark.parametrize("form", [{"values": A}, {"sparse": csr_array(A)}, {"factor": FACTOR}])
def test_the_largest_eigenvalue_is_one(form: dict[str, Any]) -> None:
    found = normalised(**form).to_dense()
    root = np.sqrt(A.sum(axis=1))
    np.testing.assert_allclose(found, A / np.outer(root, root))
    assert np.linalg.eigvalsh(found)[-1] == pytest.approx(1.0)


def test_an_item_alone_keeps_zeros() -> None:
    found = normalised(values=np.diag([1.0, 0.0]))
    np.testing.assert_array_equal(found.to_dense(), np.diag([1.0, 0.0]))
    assert found.notes == ("Items without any similarity, not changed: 1.",)


def test_negative_degrees_are_refused() -> None:
    with refuses("negative-similarities"):
        normalised(values=np.array([[0.0, -1.0], [-1.0, 0.0]]))

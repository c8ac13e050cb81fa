"""Weak similarities are forgotten."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context
from coterie.plugins.graphs.threshold import Threshold

A = np.array([[1.0, 0.2, 0.6], [0.2, 1.0, -0.5], [0.6, -0.5, 1.0]])


@pytest.mark.parametrize("form", [{"values": A}, {"sparse": csr_array(A)}])
@pytest.mark.parametrize("minimum", [-1.0, 0.0, 0.2, 0.5])
def test_it_keeps_what_is_strong_enough(form: dict[str, Any], minimum: float) -> None:
    found = Threshold().compute(
        Affinity(nonnegative=False, **form),
        params=Threshold.Params(minimum=minimum),
        context=Context(),
    )
    assert found.form == "sparse"
    np.testing.assert_array_equal(found.to_dense(), np.where(minimum <= A, A, 0.0))
    assert found.nonnegative == (minimum >= 0)


def test_nothing_left_is_said() -> None:
    found = Threshold().compute(
        Affinity(values=A), params=Threshold.Params(minimum=0.9), context=Context()
    )
    assert "nothing is left" in found.notes[0]

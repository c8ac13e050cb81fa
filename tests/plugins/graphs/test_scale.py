"""Scaling a kernel."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.graphs.scale import Scale
from tests.refusals import refuses

X = np.random.default_rng(0).random((5, 2))
DATA = Dataset(features=X, columns=("size", "age"))
A = X @ X.T


@pytest.mark.parametrize("form", [{"values": A}, {"sparse": csr_array(A)}, {"factor": X}])
def test_by_a_number_and_by_a_feature_of_both_items(form: dict[str, Any]) -> None:
    params = Scale.Params(factor=3.0, column="age")
    given = Affinity(dataset=DATA, positive_semidefinite=True, **form)
    found = Scale().compute(given, params=params, context=Context())
    np.testing.assert_allclose(found.to_dense(), 3 * A * np.outer(X[:, 1], X[:, 1]))
    assert found.form == given.form


def test_an_unknown_column_is_refused() -> None:
    with refuses("unknown-column"):
        Scale().compute(
            Affinity(values=A, dataset=DATA),
            params=Scale.Params(column="weight"),
            context=Context(),
        )

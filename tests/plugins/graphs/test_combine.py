"""Several similarities of the same items in one."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context
from coterie.plugins.graphs.combine import Combine
from tests.refusals import refuses

RNG = np.random.default_rng(0)
F, G = RNG.random((6, 2)), RNG.random((6, 3)) * (RNG.random((6, 3)) < 0.4)
A, B = F @ F.T, G @ G.T


def combined(*forms: dict[str, Any], **params: Any) -> Affinity:
    given = (Affinity(positive_semidefinite=True, **form) for form in forms)
    return Combine().compute(*given, params=Combine.Params(**params), context=Context())


@pytest.mark.parametrize("first", [{"values": A}, {"sparse": csr_array(A)}, {"factor": F}])
@pytest.mark.parametrize("second", [{"values": B}, {"sparse": csr_array(B)}])
def test_sums_and_products_of_any_forms(first: dict[str, Any], second: dict[str, Any]) -> None:
    total = combined(first, second, weights=[2.0, 0.5])
    np.testing.assert_allclose(total.to_dense(), 2 * A + 0.5 * B)
    product = combined(first, second, how="product", weights=[2.0, 1.0])
    np.testing.assert_allclose(product.to_dense(), A**2 * B)
    for found in (total, product):
        assert found.positive_semidefinite
        assert np.linalg.eigvalsh(found.to_dense()).min() > -1e-9
    assert (product.form == "sparse") == ("sparse" in first or "sparse" in second)


def test_broken_powers_promise_no_definiteness() -> None:
    found = combined({"values": A}, how="product", weights=[0.5])
    np.testing.assert_allclose(found.to_dense(), np.sqrt(A))
    assert not found.positive_semidefinite


def test_what_cannot_be_combined_is_refused() -> None:
    with refuses("items-mismatch"):
        combined({"values": A}, {"values": np.eye(2)})
    with refuses("invalid-parameters"):
        combined({"values": A}, {"values": B}, weights=[1.0])
    with refuses("negative-similarities"):
        combined(
            {"values": -A, "nonnegative": False}, {"values": B}, how="product", weights=[0.5, 1]
        )
    with refuses("invalid-parameters"):
        combined({"values": A}, how="product", weights=[0.0])

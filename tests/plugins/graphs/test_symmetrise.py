"""Both directions alike."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context
from coterie.core.numerics.similarity import tiles
from coterie.plugins.graphs.symmetrise import Symmetrise

HOW = {"mean": lambda A: (A + A.T) / 2, "max": lambda A: np.maximum(A, A.T)}
HOW["min"] = lambda A: np.minimum(A, A.T)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("sparse", [False, True])
def test_it_equals_its_definition(how: str, sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "TILE", 4)
    rng = np.random.default_rng(0)
    A = rng.random((11, 11)) * (rng.random((11, 11)) < 0.5)
    given = Affinity(sparse=csr_array(A), symmetric=False) if sparse else Affinity(values=A)
    params = Symmetrise.Params.model_validate({"how": how})
    found = Symmetrise().compute(given, params=params, context=Context())
    np.testing.assert_allclose(found.to_dense(), HOW[how](A))
    assert found.symmetric
    assert found.form == given.form

"""It keeps the promises that every method makes, and its own."""

from pathlib import Path

import numpy as np
from coterie_fcs import methods

from coterie.core import Context
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words.
test_conformance = conformance(methods)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(100, 3)).astype("f4")
    file = methods.write_fcs(tmp_path / "a.fcs", X, ("FSC-A", "SSC-A", "CD4"))
    method = methods.FcsReader()
    found = method.compute(file, params=method.Params(), context=Context())
    np.testing.assert_array_equal(found.features, X)
    assert found.columns == ("FSC-A", "SSC-A", "CD4")

"""It keeps the promises that every method makes, and its own."""

from pathlib import Path

import h5py
import numpy as np
from coterie_h5ad import methods

from coterie.core import Clustering, Context, Dataset
from coterie.core.testing import conformance

# One test for each promise; `coterie plugin check .` tells the same in words.
test_conformance = conformance(methods)


def test_the_matrix_and_the_groups_are_in_the_file(tmp_path: Path) -> None:
    data = Dataset(features=np.eye(3), columns=("a", "b", "c"), items=("x", "y", "z"))
    groups = Clustering(labels=np.array([0, 1, -1]), names=("first",), dataset=data)
    method = methods.H5adWriter()
    method.compute(groups, tmp_path / "a.h5ad", params=method.Params(), context=Context())
    with h5py.File(tmp_path / "a.h5ad") as file:
        np.testing.assert_array_equal(file["X"][()], np.eye(3))
        assert file["obs/group"].asstr()[()].tolist() == ["first", "group 2", ""]
        assert file["var/_index"].asstr()[()].tolist() == ["a", "b", "c"]

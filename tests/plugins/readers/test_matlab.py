"""Matrices that MATLAB saved, in either of its formats."""

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import csc_matrix

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.matlab import Matlab
from tests.refusals import refuses

X = np.arange(12.0).reshape(4, 3)


def read(path: Path, **params: Any) -> Dataset:
    return Matlab().compute(path, params=Matlab.Params(**params), context=Context())


@pytest.fixture
def old(tmp_path: Path) -> Path:
    cells = np.array(["anna", "bert", "carl", "dora"], dtype=object)
    values = {"X": X, "y": np.array([[2, 1, 1, 2]]), "names": cells, "S": csc_matrix(np.eye(4))}
    savemat(tmp_path / "old.mat", values)
    return tmp_path / "old.mat"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        file["X"] = X.T  # MATLAB keeps its matrices by columns
        file["y"] = np.array([[2.0, 1, 1, 2]]).T
        text = file.create_dataset("names", data=np.array([[97, 98, 99, 100]], dtype=np.uint16))
        text.attrs["MATLAB_class"] = np.bytes_("char")
        sparse = csc_matrix(np.eye(4)[:, :3])
        group = file.create_group("S")
        group.attrs["MATLAB_sparse"] = np.uint64(4)
        group["data"], group["ir"], group["jc"] = sparse.data, sparse.indices, sparse.indptr
        file["#refs#/a"] = X
        file["away"] = h5py.ExternalLink("other.h5", "/X")
    return path


def test_both_formats_give_the_same_matrix(old: Path, new: Path) -> None:
    for path in (old, new):
        data = read(path, variable="X", truth="y", items="names")
        np.testing.assert_array_equal(data.dense_features(), X)
        assert data.truth_names == ("1", "2")
        assert data.truth is not None
        assert data.truth.tolist() == [1, 0, 0, 1]
        assert read(path, variable="X", items_in="columns").n == 3
    assert read(old, variable="X", items="names").items == ("anna", "bert", "carl", "dora")
    assert read(new, variable="X", items="names").items == ("a", "b", "c", "d")


@pytest.mark.parametrize("items_in", ["rows", "columns"])
def test_sparse_matrices_that_lead_out_of_the_file_are_refused(new: Path, items_in: str) -> None:
    with h5py.File(new, "a") as file:
        file["S/jc"][...] = [0, 10**6, 10**6, 0]
    with refuses("file-damaged", DataError):
        read(new, variable="S", items_in=items_in)


def test_sparse_matrices_stay_sparse(old: Path, new: Path) -> None:
    for path, width in ((old, 4), (new, 3)):
        data = read(path, variable="S")
        assert hasattr(data.features, "tocsr")
        np.testing.assert_array_equal(data.dense_features(), np.eye(4)[:, :width])


def test_classes_may_be_numbers_in_cells(tmp_path: Path) -> None:
    cells = np.array([2.0, 1.0, 2.0, 1.5], dtype=object)
    savemat(tmp_path / "cells.mat", {"X": X, "kind": cells})
    assert read(tmp_path / "cells.mat", variable="X", truth="kind").truth_names == ("1", "1.5", "2")


def test_a_type_that_there_is_not_is_refused(old: Path) -> None:
    content = bytearray(old.read_bytes())
    at = content.index(b"X\0\0\0") + 4  # the type of the numbers follows the name
    assert content[at] == 9
    content[at] = 200
    old.write_bytes(content)
    with refuses("file-damaged", DataError):
        read(old, variable="X")


def test_mistakes_get_one_sentence(old: Path, tmp_path: Path) -> None:
    with refuses("ambiguous-array", DataError, match="'variable'"):
        read(old)
    with refuses("unknown-array", DataError, match="'z'"):
        read(old, variable="X", truth="z")
    with refuses("unknown-array", DataError, match="'names'"):
        read(old, variable="names")
    savemat(tmp_path / "c.mat", {"C": np.ones((2, 2)) * 1j})
    with refuses("complex-numbers", DataError):
        read(tmp_path / "c.mat")
    (tmp_path / "text.mat").write_text("hello " * 50)
    with refuses("file-damaged", DataError):
        read(tmp_path / "text.mat")
    (tmp_path / "cut.mat").write_bytes(old.read_bytes()[:200])
    with refuses("file-damaged", DataError):
        read(tmp_path / "cut.mat")
    with refuses("file-not-found", DataError):
        read(tmp_path / "nowhere.mat")

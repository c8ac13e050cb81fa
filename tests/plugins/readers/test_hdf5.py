"""Matrices in HDF5 files."""

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.hdf5 import HDF5
from tests.refusals import refuses

X = np.arange(12.0).reshape(4, 3)


def read(path: Path, **params: Any) -> Dataset:
    return HDF5().compute(path, params=HDF5.Params(**params), context=Context())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "data.h5"
    with h5py.File(path, "w") as file:
        file["study/X"] = X
        file["study/y"] = [0, 1, 1, 0]
        file["study/names"] = np.array([b"a", b"b", b"c", b"d"])
        file["study/long names"] = ["anna", "bert", "carl", "dora"]
    return path


def test_the_only_matrix_is_found(path: Path) -> None:
    data = read(path)
    np.testing.assert_array_equal(data.dense_features(), X)
    assert data.details["dataset"] == "/study/X"


def test_datasets_by_path(path: Path) -> None:
    data = read(path, dataset="/study/X", truth="study/y", items="study/names")
    assert data.truth_names == ("0", "1")
    assert data.truth_column == "y"
    assert data.items == ("a", "b", "c", "d")
    assert read(path, dataset="study/X", items="study/long names").items[0] == "anna"
    assert read(path, items_in="columns").n == 3


def test_packed_data_is_read(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "p.h5", "w") as file:
        file.create_dataset("zeros", data=np.zeros((500, 500)), compression="gzip", shuffle=True)
    assert read(tmp_path / "p.h5").n == 500


def test_links_to_elsewhere_are_not_followed(path: Path) -> None:
    with h5py.File(path, "a") as file:
        file["outside"] = h5py.ExternalLink("other.h5", "/X")
        file["inside"] = h5py.SoftLink("/study/X")
    for name in ("outside", "inside"):
        with refuses("outside-folder", DataError, match=f"'/{name}'"):
            read(path, dataset=name)
    assert read(path).n == 4  # they are passed over when looking for the matrix


def test_what_lies_elsewhere_or_is_no_number_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.h5"
    layout = h5py.VirtualLayout((4, 3), "f8")
    layout[:] = h5py.VirtualSource(tmp_path / "other.h5", "X", (4, 3))
    with h5py.File(path, "w") as file:
        file.create_virtual_dataset("virtual", layout)
        file.create_dataset("apart", (4, 3), "f8", external=[(str(tmp_path / "raw"), 0, 96)])
        file.create_dataset("lists", (2,), h5py.vlen_dtype("f8"))
        file["pointers"] = np.array([file.ref], dtype=h5py.ref_dtype)
        file.create_dataset("hollow", (10**6, 10**3), "f8", chunks=(1000, 1000))
        file["nothing"] = h5py.Empty("f8")
    for name, why in {
        "virtual": "a virtual dataset",
        "apart": "kept in another file",
        "lists": "references, lists or stored objects",
        "pointers": "references, lists or stored objects",
        "hollow": "promises 8000000000 bytes",
        "nothing": "has no value",
    }.items():
        with refuses("wrong-type", DataError, match=why):
            read(path, dataset=name)
    with refuses("no-numbers", DataError):
        read(path)


def test_a_group_that_holds_itself_ends(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "loop.h5", "w") as file:
        file["a/X"] = X
        file["a/again"] = file["a"]
    with refuses("ambiguous-array", DataError):
        read(tmp_path / "loop.h5")


def test_mistakes_get_one_sentence(path: Path, tmp_path: Path) -> None:
    with refuses("unknown-array", DataError, match="'/study/Z'.*'/study/Z'"):
        read(path, dataset="study/Z")
    with refuses("unknown-array", DataError, match="'/study'.*'data.h5'"):
        read(path, dataset="study")
    with refuses("file-not-found", DataError):
        read(tmp_path / "nowhere.h5")
    (tmp_path / "text.h5").write_text("hello")
    with refuses("wrong-format", DataError):
        read(tmp_path / "text.h5")
    (tmp_path / "cut.h5").write_bytes(path.read_bytes()[:3000])
    with refuses("file-damaged", DataError, match="cut.h5"):
        read(tmp_path / "cut.h5")

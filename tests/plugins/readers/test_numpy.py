"""Arrays that numpy saved."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.numpy import Numpy
from tests.refusals import refuses

X = np.arange(12.0).reshape(4, 3)


def read(path: Path, **params: Any) -> Dataset:
    return Numpy().compute(path, params=Numpy.Params(**params), context=Context())


def test_one_array(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    data = read(tmp_path / "x.npy")
    np.testing.assert_array_equal(data.dense_features(), X)
    assert (data.title, data.truth) == ("x", None)
    assert read(tmp_path / "x.npy", items_in="columns").n == 3


def test_arrays_by_name(tmp_path: Path) -> None:
    path = tmp_path / "several.npz"
    np.savez(path, data=X, label=np.array([1, 0, 1, 2]), names=np.array(["a", "b", "c", "d"]))
    data = read(path, truth="label", items="names")
    np.testing.assert_array_equal(data.dense_features(), X)
    assert data.truth_names == ("0", "1", "2")
    assert data.truth_column == "label"
    assert data.items == ("a", "b", "c", "d")
    assert read(path, array="label").d == 1


def test_a_table_of_named_fields(tmp_path: Path) -> None:
    rows = np.array([(1, 2.5, "x"), (3, 4.5, "y")], dtype=[("a", "i4"), ("b", "f8"), ("c", "U3")])
    np.save(tmp_path / "t.npy", rows)
    data = read(tmp_path / "t.npy", truth="c")
    assert data.columns == ("a", "b")
    assert data.truth_names == ("x", "y")


def test_pickles_are_never_loaded(tmp_path: Path) -> None:
    ran = tmp_path / "ran"

    class Program:
        def __reduce__(self) -> Any:
            return (Path.touch, (ran,))

    np.save(tmp_path / "o.npy", np.array([Program()], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "o.npz", a=np.array([Program()], dtype=object))
    for name in ("o.npy", "o.npz"):
        with refuses("pickled-data", DataError):
            read(tmp_path / name)
    assert not ran.exists()


def test_mistakes_get_one_sentence(tmp_path: Path) -> None:
    np.savez(tmp_path / "two.npz", a=X, b=X)
    with refuses("ambiguous-array", DataError, match="'array'"):
        read(tmp_path / "two.npz")
    with refuses("unknown-array", DataError, match="'z'"):
        read(tmp_path / "two.npz", array="a", truth="z")
    with refuses("file-not-found", DataError):
        read(tmp_path / "nowhere.npy")
    (tmp_path / "cut.npy").write_bytes((tmp_path / "two.npz").read_bytes()[:100])
    with refuses("file-damaged", DataError):
        read(tmp_path / "cut.npy")
    np.save(tmp_path / "header.npy", X)
    header = (tmp_path / "header.npy").read_bytes().replace(b"'descr'", b"('escr'", 1)
    (tmp_path / "header.npy").write_bytes(header)
    with refuses("file-damaged", DataError):
        read(tmp_path / "header.npy")
    (tmp_path / "text.npy").write_text("hello")
    with refuses("file-damaged", DataError):
        read(tmp_path / "text.npy")


@pytest.mark.realdata
def test_a_scene_is_pointed_elsewhere(realdata: Path) -> None:
    with refuses("wrong-shape", DataError, match="512.*512.*6"):
        read(realdata / "cloud_scene_sentinel2.npz", array="img")


def test_what_is_packed_is_counted_as_it_unfolds(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "zeros.npz", x=np.zeros((1000, 1000)))
    assert (tmp_path / "zeros.npz").stat().st_size < 20_000
    assert Numpy().estimate(tmp_path / "zeros.npz", params=Numpy.Params()).bytes > 8_000_000
    assert Numpy().estimate(tmp_path / "gone.npz", params=Numpy.Params()).bytes < 10_000_000

"""Arrays are brought to their declared type and made read-only, whatever a plugin gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import read_only
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Model, Ranking
from tests.refusals import refuses

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0], [0.0, 0.0, 4.0]])


def test_a_read_only_view_leaves_the_owner_free() -> None:
    mine = np.zeros(3)
    view = read_only(mine)
    mine[0] = 1
    assert view[0] == 1
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 2


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("family", ["array", "matrix"])
def test_any_sparse_matrix_becomes_the_same_csr(form: str, family: str) -> None:
    given = getattr(sparse, f"{form}_{family}")(DENSE)
    held: Any = Affinity(sparse=given, symmetric=False).sparse
    assert held.format == "csr"
    np.testing.assert_array_equal(held.toarray(), DENSE)


def test_a_sparse_matrix_is_read_only_but_the_one_given_is_not() -> None:
    given = sparse.csr_array(DENSE)
    held: Any = Dataset(features=given).features
    given.data[0] = 7.0
    for part in (held.data, held.indices, held.indptr):
        assert not part.flags.writeable


def test_entries_stored_twice_are_added_up() -> None:
    rows, columns, entries = [0, 0, 1], [1, 1, 0], [1.0, 2.0, 5.0]
    given: Any = sparse.coo_array((entries, (rows, columns)), shape=(2, 2))
    held: Any = Affinity(sparse=given, symmetric=False).sparse
    assert held.nnz == 2
    assert held.has_canonical_format


def test_indices_out_of_range_are_refused_before_they_can_crash() -> None:
    bad: Any = sparse.csr_array(DENSE)
    bad.indices[0] = 99
    with refuses("file-damaged", DataError):
        Affinity(sparse=bad)


MOST, LEAST = np.iinfo(np.int64).max, np.iinfo(np.int64).min


@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
@pytest.mark.parametrize(
    "pointers",
    [(0, 10**6, 0), (0, 5, LEAST), (0, -3, 2), (0, 1, 10**6), (0, MOST, -2), (1, 1, 2)],
    ids=str,
)
def test_pointers_that_lead_elsewhere_are_refused_before_scipy_follows_them(
    form: str, pointers: tuple[int, ...]
) -> None:
    bad = getattr(sparse, f"{form}_array")(np.eye(2))
    bad.indptr = np.array(pointers, dtype=np.int64)
    with refuses("file-damaged", DataError):
        Affinity(sparse=bad)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, bool, np.float16, np.float32, np.longdouble])
def test_numbers_become_floats_where_floats_belong(dtype: Any) -> None:
    features: Any = Dataset(features=np.ones((2, 2), dtype=dtype)).features
    assert features.dtype.kind == "f"
    assert features.dtype.itemsize <= 8


@pytest.mark.parametrize("labels", [[0, 1], np.array([0, 1], dtype=np.uint8), np.array([0, 1])])
def test_whole_numbers_become_signed(labels: Any) -> None:
    held = Clustering(labels=labels).labels
    assert held.dtype.kind == "i"
    assert held.tolist() == [0, 1]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Clustering(labels=np.array([0.5, 1.0])),
        lambda: Clustering(labels=np.array(["a", "b"])),
        lambda: Clustering(labels=np.array([2**63], dtype=np.uint64)),
        lambda: Ranking(scores=np.array([1j])),
        lambda: Dataset(features=np.array([["a"]])),
        lambda: Dataset(features=[[1.0], [1.0, 2.0]]),  # type: ignore[arg-type]
        lambda: Affinity(sparse=DENSE),  # type: ignore[arg-type]
        lambda: Affinity(values=sparse.csr_array(DENSE)),  # type: ignore[arg-type]
        lambda: Model(arrays={"odd": np.array([object()])}),
    ],
)
def test_what_cannot_be_such_an_array_is_refused(make: Any) -> None:
    with pytest.raises(DataError):
        make()


def test_the_arrays_of_a_model_are_read_only() -> None:
    model = Model(arrays={"mean": np.zeros(2)})
    assert not model.arrays["mean"].flags.writeable

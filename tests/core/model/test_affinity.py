"""Dense, sparse and factored similarities answer every question alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_array

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset
from tests.refusals import refuses

factors = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=6),
    elements=st.floats(-4, 4, width=32),
)


def assert_close(one: Floats, other: Floats) -> None:
    np.testing.assert_allclose(one, other, atol=1e-9, rtol=1e-9)


def forms(factor: Floats) -> list[Affinity]:
    dense = factor @ factor.T
    dense = (dense + dense.T) / 2
    return [
        Affinity(values=dense, nonnegative=False),
        Affinity(sparse=csr_array(dense), nonnegative=False),
        Affinity(factor=factor, nonnegative=False),
    ]


@given(factors, st.data())
def test_all_forms_agree(factor: Floats, data: st.DataObject) -> None:
    n = len(factor)
    x = data.draw(hnp.arrays(np.float64, n, elements=st.floats(-2, 2, width=32)))
    j = data.draw(st.integers(0, n - 1))
    some = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=1, unique=True)))
    dense, *others = forms(factor)
    for other in others:
        assert_close(other.matvec(x), dense.matvec(x))
        assert_close(other.column(j), dense.column(j))
        assert_close(other.rows(some), dense.rows(some))
        assert_close(other.degrees(), dense.degrees())
        assert_close(other.diagonal(), dense.diagonal())
        assert_close(other.to_dense(), dense.to_dense())
        part = other.submatrix(some)
        assert part.form == other.form
        assert_close(part.to_dense(), dense.submatrix(some).to_dense())


@pytest.mark.parametrize("sparse", [False, True])
def test_a_column_of_an_unsymmetric_matrix_is_no_row(sparse: bool) -> None:
    matrix = np.array([[0.0, 1.0], [2.0, 0.0]])
    held = {"sparse": csr_array(matrix)} if sparse else {"values": matrix}
    affinity = Affinity(**held, symmetric=False)
    assert affinity.column(0).tolist() == [0.0, 2.0]


def test_exactly_one_form_is_given() -> None:
    with refuses("wrong-shape", DataError):
        Affinity()
    with refuses("wrong-shape", DataError):
        Affinity(values=np.eye(2), factor=np.eye(2))


def test_a_matrix_that_is_not_square_is_refused() -> None:
    with refuses("wrong-shape", DataError):
        Affinity(values=np.zeros((2, 3)))
    assert Affinity(factor=np.zeros((2, 3))).n == 2


def test_similarities_must_fit_their_dataset() -> None:
    with refuses("items-mismatch", DataError):
        Affinity(values=np.eye(2), dataset=Dataset(features=np.zeros((3, 1))))


def test_a_submatrix_knows_the_items_it_is_about() -> None:
    data = Dataset(features=np.zeros((3, 1)), items=("a", "b", "c"))
    part = Affinity(values=np.eye(3), dataset=data).submatrix(np.array([2, 1]))
    assert part.dataset is not None
    assert part.dataset.items == ("c", "b")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("form", [0, 1, 2])
def test_values_that_are_no_numbers_are_found_in_every_form(bad: float, form: int) -> None:
    factor = np.ones((3, 2))
    affinity = forms(factor)[form]
    affinity.require_finite()
    broken = np.ones((3, 3))
    broken[2, 1] = bad
    held = ({"values": broken}, {"sparse": csr_array(broken)}, {"factor": broken})[form]
    with refuses("missing-values", DataError):
        Affinity(**held).require_finite()


def test_similarities_are_read_only() -> None:
    for affinity in forms(np.ones((2, 2))):
        arrays = [affinity.stored.data] if affinity.form == "sparse" else [affinity.stored]
        assert not any(array.flags.writeable for array in arrays)

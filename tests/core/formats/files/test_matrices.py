"""Matrices out of files of several arrays."""

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_array

from coterie.core import DataError
from coterie.core.formats.files.matrices import (
    SeveralArraysError,
    choose_matrix,
    matrix_dataset,
    words_of,
)

FILE = Path("f.npz")


def test_the_only_matrix_is_chosen_and_several_are_listed() -> None:
    assert choose_matrix(FILE, {"X": (4, 3), "y": (4,), "one": ()}, "", "array") == "X"
    assert choose_matrix(FILE, {"y": (4,)}, "", "array") == "y"
    assert choose_matrix(FILE, {"A": (4, 3), "B": (2, 2)}, "B", "array") == "B"
    with pytest.raises(DataError, match=r"A \(4 × 3\), B \(2 × 2\). Name the one to read as 'arr"):
        choose_matrix(FILE, {"A": (4, 3), "B": (2, 2)}, "", "array")
    with pytest.raises(DataError, match=r"no array of numbers 'C'. It has: A \(4 × 3\)"):
        choose_matrix(FILE, {"A": (4, 3)}, "C", "array")
    with pytest.raises(DataError, match=r"holds no array of numbers"):
        choose_matrix(FILE, {}, "", "array")


def test_the_mask_of_a_cube_is_not_taken_for_the_matrix() -> None:
    shapes = {"img": (40, 50, 6), "mask": (40, 50)}
    with pytest.raises(SeveralArraysError, match=r"img \(40 × 50 × 6\), mask"):
        choose_matrix(FILE, shapes, "", "array")
    assert choose_matrix(FILE, {**shapes, "table": (9, 3)}, "", "array") == "table"


def test_either_way_round_dense_or_sparse() -> None:
    matrix = np.arange(6).reshape(2, 3)
    for given in (matrix, coo_array(matrix)):
        assert matrix_dataset(FILE, given).features.shape == (2, 3)  # type: ignore[union-attr]
        turned = matrix_dataset(FILE, given, items_in="columns")
        np.testing.assert_array_equal(turned.dense_features(), matrix.T)


def test_floats_of_half_the_size_stay_so() -> None:
    made = matrix_dataset(FILE, np.ones((2, 2), dtype=np.float32))
    assert np.asarray(made.features).dtype == np.float32


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(DataError, match=r"complex"):
        matrix_dataset(FILE, np.ones((2, 2), dtype=complex))
    with pytest.raises(DataError, match=r"Got 2 × 2 × 2"):
        matrix_dataset(FILE, np.ones((2, 2, 2)))
    with pytest.raises(DataError, match=r"empty"):
        matrix_dataset(FILE, np.ones((0, 2)))
    with pytest.raises(DataError, match=r"has 3 entries, but there are 2 items. Are the items in"):
        matrix_dataset(FILE, np.ones((2, 3)), truth=["a", "b", "c"])
    with pytest.raises(DataError, match=r"must hold numbers"):
        matrix_dataset(FILE, np.array([["a"]]))


def test_words() -> None:
    assert words_of(FILE, "y", np.array([[1.0], [np.nan], [2.5]])) == ["1", "", "2.5"]
    assert words_of(FILE, "y", np.array([b"a ", "ü".encode()])) == ["a", "ü"]
    with pytest.raises(DataError, match=r"one list of classes or names. Got 2 × 2"):
        words_of(FILE, "y", np.ones((2, 2)))

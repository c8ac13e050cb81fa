"""Matrices out of files of several arrays."""

from pathlib import Path

import numpy as np
from scipy.sparse import coo_array

from coterie.core import DataError
from coterie.core.formats.files.matrices import (
    SeveralArraysError,
    choose_matrix,
    matrix_dataset,
    words_of,
)
from tests.refusals import refuses

FILE = Path("f.npz")


def test_the_only_matrix_is_chosen_and_several_are_listed() -> None:
    assert choose_matrix(FILE, {"X": (4, 3), "y": (4,), "one": ()}, "", "array") == "X"
    assert choose_matrix(FILE, {"y": (4,)}, "", "array") == "y"
    assert choose_matrix(FILE, {"A": (4, 3), "B": (2, 2)}, "B", "array") == "B"
    with refuses("ambiguous-array", DataError):
        choose_matrix(FILE, {"A": (4, 3), "B": (2, 2)}, "", "array")
    with refuses("unknown-array", DataError):
        choose_matrix(FILE, {"A": (4, 3)}, "C", "array")
    with refuses("no-numbers", DataError):
        choose_matrix(FILE, {}, "", "array")


def test_the_mask_of_a_cube_is_not_taken_for_the_matrix() -> None:
    shapes = {"img": (40, 50, 6), "mask": (40, 50)}
    with refuses("ambiguous-array", SeveralArraysError, match="40"):
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
    with refuses("complex-numbers", DataError):
        matrix_dataset(FILE, np.ones((2, 2), dtype=complex))
    with refuses("wrong-shape", DataError):
        matrix_dataset(FILE, np.ones((2, 2, 2)))
    with refuses("empty-data", DataError):
        matrix_dataset(FILE, np.ones((0, 2)))
    with refuses("items-mismatch", DataError):
        matrix_dataset(FILE, np.ones((2, 3)), truth=["a", "b", "c"])
    with refuses("wrong-type", DataError):
        matrix_dataset(FILE, np.array([["a"]]))


def test_words() -> None:
    assert words_of(FILE, "y", np.array([[1.0], [np.nan], [2.5]])) == ["1", "", "2.5"]
    assert words_of(FILE, "y", np.array([b"a ", "ü".encode()])) == ["a", "ü"]
    with refuses("wrong-shape", DataError):
        words_of(FILE, "y", np.ones((2, 2)))

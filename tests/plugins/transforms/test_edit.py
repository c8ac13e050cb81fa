"""Corrected names and classes."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Dataset
from coterie.core.api.context import Context
from coterie.plugins.transforms.edit import Edit
from tests.refusals import refuses

DATA = Dataset(
    title="plants",
    features=np.array([[1.0, 2.0], [3.0, np.nan], [5.0, 6.0]]),
    items=("rose", "oak", "fern"),
    truth=np.array([0, 1, -1]),
    truth_names=("flower", "tree"),
    truth_column="kind",
)


def edited(data: Dataset = DATA, **params: Any) -> Dataset:
    return Edit().compute(data, params=Edit.Params(**params), context=Context())


def test_only_what_is_named_changes() -> None:
    found = edited(names={"2": "elm"}, truth={"3": "tree"})
    assert found.items == ("rose", "elm", "fern")
    assert found.truth is not None
    assert found.truth.tolist() == [0, 1, 1]
    assert found.features is DATA.features  # missing values and all
    assert (found.truth_names, found.truth_column) == (DATA.truth_names, "kind")
    assert DATA.truth is not None
    assert DATA.truth.tolist() == [0, 1, -1]


def test_nothing_to_correct_changes_nothing() -> None:
    assert edited() is DATA


def test_a_new_class_is_added_and_an_empty_one_is_unknown() -> None:
    found = edited(truth={"1": "fern", "2": ""})
    assert found.truth_names == ("flower", "tree", "fern")
    assert found.truth is not None
    assert found.truth.tolist() == [2, -1, -1]


def test_items_without_names_or_classes_get_some() -> None:
    plain = Dataset(features=np.zeros((3, 1)))
    found = edited(plain, names={"2": "two"}, truth={"1": "a"})
    assert found.items == ("1", "two", "3")
    assert found.truth is not None
    assert found.truth.tolist() == [0, -1, -1]


def test_classes_without_names_keep_their_numbers() -> None:
    numbered = Dataset(features=np.zeros((2, 1)), truth=np.array([0, 1]))
    found = edited(numbered, truth={"1": "class 2"})
    assert found.truth is not None
    assert found.truth.tolist() == [1, 1]
    assert found.truth_names == ("class 1", "class 2")


@pytest.mark.parametrize("number", ["0", "4", "-1", "x", ""])
def test_an_item_that_is_not_there_is_told(number: str) -> None:
    with refuses("unknown-item"):
        edited(names={number: "elm"})

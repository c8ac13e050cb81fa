"""Keeping the items of some classes, or those that fulfil a condition."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from coterie.core import Context, CoterieError, Dataset
from coterie.plugins.transforms.keep import Keep
from tests.refusals import refuses

VALUES = np.arange(12.0).reshape(6, 2)
DATA = Dataset(
    title="six",
    features=VALUES,
    columns=("width", "height (cm)"),
    items=tuple("abcdef"),
    truth=np.array([0, 1, 2, 2, -1, 1]),
    truth_names=("one", "four", "nine"),
    truth_column="digit",
)


def keep(data: Dataset = DATA, **params: object) -> Dataset:
    return Keep().compute(data, params=Keep.Params.model_validate(params), context=Context())


def test_items_of_the_chosen_classes_are_kept_and_other_classes_forgotten() -> None:
    kept = keep(classes=["nine", "four"])
    assert kept.items == ("b", "c", "d", "f")
    assert kept.truth_names == ("four", "nine")
    assert kept.truth is not None
    assert kept.truth.tolist() == [0, 1, 1, 0]
    assert kept.details["positions"] == [1, 2, 3, 5]


@pytest.mark.parametrize(
    ("where", "items"),
    [
        ("width >= 4", "cdef"),
        ("`height (cm)` < 4 or item == 'f'", "abf"),
        ("digit == 'four'", "bf"),
        ("truth in ('one', 'nine') and width > 0", "cd"),
        ("digit != 'four'", "acd"),  # what is unknown differs from nothing
    ],
)
def test_items_that_fulfil_a_condition_are_kept(where: str, items: str) -> None:
    assert keep(where=where).items == tuple(items)


def test_sparse_data_give_the_same_items() -> None:
    thin = replace(DATA, features=sparse.csr_array(VALUES))
    kept = keep(thin, where="width > 4", classes=["nine"])
    assert kept.items == ("d",)
    assert sparse.issparse(kept.features)


def test_leaving_out_keeps_the_others_and_nothing_said_keeps_all() -> None:
    assert keep(classes=["four"], leave_out=True).items == tuple("acde")
    assert keep().n == keep(leave_out=True).n == 6


def test_items_are_kept_with_the_names_of_their_classes() -> None:
    unnamed = replace(DATA, truth_names=())
    kept = keep(unnamed, classes=["class 3"])
    assert kept.items == ("c", "d")
    assert kept.truth_names == ("class 3",)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"classes": ["five"]}, "unknown-class"),
        ({"where": "width > 99"}, "nothing-left"),
        ({"where": "widht > 9"}, "unknown-column"),
        ({"where": "width"}, "invalid-query"),
    ],
)
def test_what_cannot_be_kept_is_said(params: dict[str, object], code: str) -> None:
    with refuses(code, CoterieError):
        keep(DATA, **params)


def test_classes_are_asked_of_data_that_have_some() -> None:
    with refuses("known-classes-needed"):
        keep(replace(DATA, truth=None, truth_names=()), classes=["four"])

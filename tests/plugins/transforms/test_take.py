"""Taking chosen items."""

import numpy as np
import pytest

from coterie.core import Context, Dataset
from coterie.plugins.transforms.take import Take
from tests.refusals import refuses

DATA = Dataset(
    title="five",
    features=np.arange(10.0).reshape(5, 2),
    items=tuple("abcde"),
    truth=np.array([0, 0, 1, 1, 1]),
    details={"positions": [10, 20, 30, 40, 50], "height": 1},
)


def take(**params: object) -> Dataset:
    return Take().compute(DATA, params=Take.Params(**params), context=Context())  # type: ignore[arg-type]


def test_the_chosen_items_keep_their_order_names_and_classes() -> None:
    taken = take(items=[3, 1, 3])
    assert taken.items == ("b", "d")
    assert taken.truth is not None
    assert taken.truth.tolist() == [0, 1]
    assert taken.details["positions"] == [20, 40]
    assert "height" not in taken.details


def test_the_chosen_items_can_be_left_out_and_none_means_all() -> None:
    assert take(items=[0, 4], leave_out=True).items == ("b", "c", "d")
    assert take().n == 5


@pytest.mark.parametrize("items", [[5], [-1], [0, 99]])
def test_positions_that_are_not_there_are_refused(items: list[int]) -> None:
    with refuses("unknown-item"):
        take(items=items)


def test_leaving_all_out_is_refused() -> None:
    with refuses("nothing-left"):
        take(items=[0, 1, 2, 3, 4], leave_out=True)

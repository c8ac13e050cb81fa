"""Partial affinities."""

import numpy as np
import pytest

from coterie.core.api.partial_affinity import MOST_ITEMS, Glimpse, evenly_drawn
from coterie.core.errors import DataError
from tests.refusals import refuses


@pytest.mark.parametrize("n", [1, 2, MOST_ITEMS, MOST_ITEMS + 1, 10_000])
def test_items_are_drawn_evenly_and_once_each(n: int) -> None:
    drawn = evenly_drawn(n)
    assert len(drawn) == min(n, MOST_ITEMS)
    assert drawn[0] == 0
    assert drawn[-1] == n - 1
    gaps = np.diff(drawn)
    assert (gaps > 0).all()
    assert np.ptp(gaps) <= 1 if len(gaps) else True


@pytest.mark.parametrize(
    ("values", "items", "n", "sentence"),
    [
        (np.zeros((2, 3)), [0, 1], 5, "2 × 2"),
        (np.zeros((2, 2)), [0, 5], 5, "from 0 to 4"),
        (np.zeros((200, 200)), range(200), 200, "at most 128"),
    ],
)
def test_what_is_no_glimpse_is_refused(
    values: np.ndarray, items: list[int], n: int, sentence: str
) -> None:
    with refuses("wrong-shape", DataError, match=sentence):
        Glimpse(values, np.array(items), n)

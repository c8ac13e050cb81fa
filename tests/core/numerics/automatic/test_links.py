"""Groups keep to what belongs together and apart, and change no more than they must."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Dataset, ParameterError
from coterie.core.numerics.automatic.links import kept_to, links_of
from tests.refusals import refuses

PAIRS = st.lists(st.lists(st.integers(0, 19), min_size=2, max_size=4), max_size=4)


@given(PAIRS, PAIRS, st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_every_link_holds_afterwards(
    together: list[list[int]], apart: list[list[int]], k: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    try:
        links = links_of(together, apart, 20)
    except ParameterError:
        return  # what belongs together and apart at once
    labels = kept_to(links, rng.normal(size=(20, 2)), rng.integers(-1, k, 20))
    for items in together:
        assert len(np.unique(labels[items])) == 1
        assert labels[items[0]] >= 0 or len(set(items)) == 1
    for items in apart:
        one = [label for label in labels[list(dict.fromkeys(items))].tolist() if label >= 0]
        assert len(one) == len(set(one))
    assert links.broken(labels) == 0 or (labels < 0).any()


def test_groups_stay_where_no_link_speaks_of_them() -> None:
    X = np.arange(12.0)[:, None]
    labels = np.repeat([0, 1, 2, 3], 3)
    links = links_of([[0, 3]], [[9, 11]], 12)
    found = kept_to(links, X, labels)
    assert found.tolist() == [0] * 6 + [1] * 3 + [2, 2, 3]
    assert kept_to(links, X, found).tolist() == found.tolist()


def test_a_few_items_move_to_the_many_they_belong_to() -> None:
    X = np.arange(20.0)[:, None]
    labels = np.repeat([0, 1], 10)
    found = kept_to(links_of([[0, 1, 2, 3, 4, 5, 19]], [], 20), X, labels)
    assert found.tolist() == [0] * 10 + [1] * 9 + [0]


def test_items_are_named_as_the_data_name_them() -> None:
    data = Dataset(kind="table", features=np.zeros((3, 1)), items=("Oslo", "Bergen", "Bodø"))
    assert links_of([["Oslo", 2]], [], 3, data).parts[0].tolist() == [0, 2]
    with refuses("unknown-item", ParameterError):
        links_of([["Paris", "Oslo"]], [], 3, data)

"""One selection: the four ways to combine it, as sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.projects.selection import Mode, Selection

ITEMS = st.sets(st.integers(0, 9))


@given(ITEMS, ITEMS, st.sampled_from(["replace", "add", "subtract", "intersect"]))
def test_modes_are_the_operations_on_sets(first: set[int], second: set[int], mode: Mode) -> None:
    selection = Selection(10)
    selection.update(sorted(first))
    selection.update(sorted(second), mode)
    expected = {
        "replace": second,
        "add": first | second,
        "subtract": first - second,
        "intersect": first & second,
    }[mode]
    assert set(selection.items.tolist()) == expected
    assert selection.count == len(expected)


def test_changed_is_told_only_when_something_changed() -> None:
    selection, told = Selection(4), []
    selection.changed.connect(lambda: told.append(selection.count))
    selection.update([1])
    selection.update(np.array([False, True, False, False]))
    selection.invert()
    selection.clear()
    selection.clear()
    assert told == [1, 3, 0]


def test_another_size_clears_and_the_mask_cannot_be_written() -> None:
    selection = Selection(3)
    selection.update([0, 2])
    selection.set_size(3)
    assert selection.count == 2
    with pytest.raises(ValueError, match="read-only"):
        selection.mask[0] = False
    selection.set_size(5)
    assert selection.count == 0

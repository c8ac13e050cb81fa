"""Numbers of groups by several rules."""

import numpy as np
import pytest

from coterie.core.numerics.spectral.group_counts import GroupCounts, group_counts


def test_where_groups_touch_the_gap_says_one_and_the_other_rules_count_them() -> None:
    # Seven balls, seen by mixtures of too few components.
    values = np.array([1, 0.54, 0.51, 0.49, 0.42, 0.38, 0.27, 0.027, 0.02])
    assert group_counts(values) == GroupCounts(gap=1, ratio=7, at_least_two=7)


def test_where_a_gap_is_clear_all_rules_agree() -> None:
    counts = group_counts(np.array([1, 0.999, 0.998, 0.2, 0.1]))
    assert counts == GroupCounts(3, 3, 3)
    assert not counts.differ
    assert counts.in_words() == "All rules suggest 3 groups."


@pytest.mark.parametrize("pieces", [2, 25])
def test_no_rule_gives_fewer_groups_than_there_are_pieces(pieces: int) -> None:
    counts = group_counts(np.ones(20), pieces=pieces)
    assert counts == GroupCounts(pieces, pieces, pieces)


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 0.2], [1.0, 0.0, 0.0, 0.0]])
def test_one_group_is_the_answer_when_there_is_no_other(values: list[float]) -> None:
    assert group_counts(np.array(values)) == GroupCounts(1, 1, 1)


def test_what_a_kernel_is_multiplied_by_does_not_matter() -> None:
    values = np.array([9.0, 8.0, 7.0, 1.0, 0.5])
    small = group_counts(1e-9 * values, kernel=True)
    assert small == group_counts(1e9 * values, kernel=True) == GroupCounts(3, 3, 3)

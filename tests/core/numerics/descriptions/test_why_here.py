"""Why an item is in its group, compared with the definition on small tables."""

import numpy as np
import pytest

from coterie.core.numerics.descriptions.why_here import MOST_REASONS, GroupMeans

RNG = np.random.default_rng(3)
LABELS = np.repeat([0, 1, 2], 40)
X = RNG.normal(size=(120, 5))
X[:, 0] += 6 * (LABELS == 1)
X[:, 1] += 6 * (LABELS == 2)
NAMES = list("abcde")


def test_the_weights_are_by_the_definition() -> None:
    found = GroupMeans(X, NAMES, LABELS)
    why = found.why(X[45], 1)
    assert why is not None
    assert (why.group, why.reasons[0].measure.name) == (1, "a")
    within = np.sqrt(
        sum(((X[g == LABELS] - X[g == LABELS].mean(axis=0)) ** 2).sum(axis=0) for g in range(3))
        / 120
    )
    own, other = (X[g == LABELS].mean(axis=0) for g in (1, why.other))
    weights = ((X[45] - other) ** 2 - (X[45] - own) ** 2) / within**2
    expected = dict(zip(NAMES, weights.tolist(), strict=True))
    for reason in (*why.reasons, *why.against):
        assert reason.weight == pytest.approx(expected[reason.measure.name])
    assert all(reason.weight > 0 for reason in why.reasons)
    assert all(reason.weight < 0 for reason in why.against)
    assert len(why.reasons) <= MOST_REASONS


def test_an_item_in_the_wrong_group_has_more_against_than_for_it() -> None:
    why = GroupMeans(X, NAMES, LABELS).why(X[45], 0)
    assert why is not None
    assert why.other == 1
    assert why.against[0].measure.name == "a"


@pytest.mark.parametrize("group", [-1, 7])
def test_items_in_no_group_have_no_reasons(group: int) -> None:
    assert GroupMeans(X, NAMES, LABELS).why(X[0], group) is None


def test_one_group_missing_values_and_equal_columns() -> None:
    assert GroupMeans(X, NAMES, np.zeros(120, dtype=np.int64)).why(X[0], 0) is None
    holes = X.copy()
    holes[:, 2] = np.nan
    holes[:, 3] = 5.0
    holes[45, 0] = np.nan
    why = GroupMeans(holes, NAMES, LABELS).why(holes[45], 1)
    assert why is not None
    assert {r.measure.name for r in (*why.reasons, *why.against)} <= {"b", "e"}

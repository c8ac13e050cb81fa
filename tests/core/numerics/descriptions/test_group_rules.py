"""Groups in words: rules and effects against their definitions."""

import numpy as np
import pytest

from coterie.core.model.arrays import Array
from coterie.core.model.columns import Column, category
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.descriptions.group_rules import (
    GroupInWords,
    Rule,
    groups_in_words,
    short_between,
)
from coterie.core.numerics.descriptions.measures import measured
from tests.rounding import rounding


def _two_blobs(n: int = 60) -> tuple[Array, Array]:
    rng = np.random.default_rng(4)
    labels = np.arange(n) % 2
    X = np.column_stack([rng.normal(size=n) + 20 * labels, rng.normal(size=n)])
    return X, labels


def _rule(one: GroupInWords) -> Rule:
    assert one.rule is not None
    return one.rule


def _met(rule: Rule, X: Array, columns: list[str]) -> Array:
    met = np.ones(len(X), dtype=bool)
    for one in rule.conditions:
        values = X[:, columns.index(one.column)]
        met &= (values > one.threshold) if one.above else (values <= one.threshold)
    return met


def test_a_rule_names_the_column_that_separates_and_is_scored_on_held_out_items() -> None:
    X, labels = _two_blobs()
    first, second = groups_in_words(X, ["weight", "noise"], labels)
    assert [one.column for one in _rule(first).conditions] == ["weight"]
    assert not _rule(first).conditions[0].above
    assert _rule(second).conditions[0].above
    assert (_rule(first).coverage, _rule(first).purity) == (1.0, 1.0)


def test_coverage_and_purity_are_shares_of_every_third_item_of_each_group() -> None:
    rng = np.random.default_rng(1)
    columns = ["a", "b", "c"]
    X = rng.normal(size=(240, 3))
    labels = (X[:, 0] + 0.7 * rng.normal(size=240) > 0).astype(int)
    held = np.zeros(240, dtype=bool)
    for group in (0, 1):
        held[np.flatnonzero(labels == group)[2::3]] = True
    for one in groups_in_words(X, columns, labels):
        met, own = _met(_rule(one), X[held], columns), labels[held] == one.group
        assert _rule(one).coverage == (met & own).sum() / own.sum()
        assert _rule(one).purity == (met & own).sum() / met.sum()


def test_the_first_condition_has_the_best_f1_of_all_thresholds() -> None:
    rng = np.random.default_rng(7)
    X, labels = rng.normal(size=(90, 2)), rng.integers(0, 2, 90)
    labels[X[:, 1] > 0.4] = 1
    made = np.ones(90, dtype=bool)
    for group in (0, 1):
        made[np.flatnonzero(labels == group)[2::3]] = False
    own, best = labels[made] == 1, 0.0
    for values in X[made].T:
        for at in np.sort(values)[:-1]:
            for met in (values <= at, values > at):
                best = max(best, 2 * (met & own).sum() / (met.sum() + own.sum()))
    rule = groups_in_words(X, ["a", "b"], labels)[1]
    one = _rule(rule).conditions[0]
    values = X[made][:, ["a", "b"].index(one.column)]
    met = values > one.threshold if one.above else values <= one.threshold
    assert 2 * (met & own).sum() / (met.sum() + own.sum()) == pytest.approx(best, rel=rounding(4))


def test_an_effect_is_the_difference_of_means_in_pooled_deviations() -> None:
    X, labels = _two_blobs()
    effect = groups_in_words(X, ["weight", "noise"], labels)[1].effects[0]
    first, other = X[labels == 1, 0], X[labels == 0, 0]
    pooled = np.sqrt(
        (((first - first.mean()) ** 2).sum() + ((other - other.mean()) ** 2).sum()) / 58
    )
    assert effect.column == "weight"
    # Two centrings and a scaling of 60 numbers, amplified by mean / deviation.
    assert effect.size == pytest.approx((first.mean() - other.mean()) / pooled, rel=1e-11)


def test_typical_items_are_in_the_midst_and_border_items_towards_another_group() -> None:
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [20.0], [21.0], [22.0], [23.0], [24.0]])
    first, second = groups_in_words(X, ["x"], np.repeat([0, 1], 5), shown=1)
    assert (first.typical, first.border) == ((2,), (4,))
    assert (second.typical, second.border) == ((7,), (5,))


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e150])
def test_the_unit_of_a_column_does_not_matter(scale: float) -> None:
    X, labels = _two_blobs()
    found = groups_in_words(X * scale, ["weight", "noise"], labels)[0]
    assert _rule(found).coverage == 1.0


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((6, 2)),
        np.full((6, 2), np.nan),
        np.column_stack([np.arange(6.0), np.full(6, np.nan)]),
        np.full((6, 1), np.inf),
        np.zeros((6, 0)),
    ],
)
@pytest.mark.parametrize("labels", [[0] * 6, [-1] * 6, [0, 0, 0, 2, 2, 2], [0, 1, 2, 3, 4, 5]])
def test_poor_data_are_no_error(X: Array, labels: list[int]) -> None:
    found = groups_in_words(X, [f"x{j}" for j in range(X.shape[1])], np.array(labels))
    assert [one.group for one in found] == list(range(max(labels) + 1))


def test_missing_values_meet_no_condition() -> None:
    X, labels = _two_blobs()
    X[labels == 0, 0] = np.nan
    first, second = groups_in_words(X[:, :1], ["weight"], labels)
    assert first.rule is None or first.rule.coverage == 0.0
    assert second.size == 30


@pytest.mark.parametrize(("low", "high"), [(1.0, np.nextafter(1.0, 2)), (-3.7, -3.1), (0.0, 1e-9)])
def test_a_short_threshold_lies_between_two_values(low: float, high: float) -> None:
    assert low <= short_between(low, high) < high


def test_categories_steps_and_dates_are_described_in_their_own_words() -> None:
    labels = np.repeat([0, 1], 30)
    rng = np.random.default_rng(2)
    day = 86400.0
    table = (
        category("island", ["Dream"] * 30 + ["Biscoe", "Torgersen"] * 15),
        category("sex", ["f", "m"] * 30),
        Column(
            "size", np.r_[np.zeros(30), rng.integers(1, 3, 30)], "ordered", categories=tuple("SML")
        ),
        Column("seen", np.r_[np.zeros(30), np.full(30, 9.0)] * day, "date"),
        Column("code", ["a"] * 60, "identifier"),
    )
    X, measures = measured(Dataset(features=np.zeros((60, 1)), columns=("x",), table=table))
    assert [measure.title for measure in measures] == [
        *("island is Biscoe", "island is Dream", "island is Torgersen"),
        *("sex is f", "size", "seen"),
    ]
    first, _ = groups_in_words(X[:, :3], measures[:3], labels)
    assert _rule(first).in_words == "island is Dream"
    assert str(first.effects[0]).startswith("island is Dream (100%, elsewhere 0%)")
    assert len({effect.column for effect in first.effects}) == len(first.effects)
    by_size, _ = groups_in_words(X[:, [4]], [measures[4]], labels)
    by_day, later = groups_in_words(X[:, [5]], [measures[5]], labels)
    assert _rule(by_size).in_words == "size is S"
    assert _rule(by_day).in_words.startswith("seen ≤ 1970-01-0")
    assert "SD" in str(by_day.effects[0])
    assert max(abs(effect.size) for effect in (*by_day.effects, *later.effects)) < 10

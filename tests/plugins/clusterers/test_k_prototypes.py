"""Groups around means and commonest categories."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Column, Context, CoterieError, Dataset
from coterie.core.model.columns import category
from coterie.plugins.clusterers.k_prototypes import KPrototypes
from tests.rounding import rounding
from tests.typed_tables import data_of, two_kinds


def run(data: Dataset, seed: int = 0, **params: Any) -> Any:
    context = Context(seed=seed)
    return KPrototypes().compute(data, params=KPrototypes.Params(**params), context=context)


def same_groups(one: Any, other: Any) -> bool:
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


@pytest.mark.parametrize("weights", ["equal", "learned"])
def test_it_finds_kinds_that_differ_in_numbers_and_categories(weights: str) -> None:
    data = two_kinds(60, missing=0.1)
    found = run(data, weights=weights).main
    assert (found.labels == data.truth).mean() in (0.0, 1.0)


def test_no_item_is_nearer_to_another_prototype() -> None:
    data = two_kinds(60, sides=3)
    output = run(data, k=3)
    again = KPrototypes().apply(output.parts["model"], data, Context())
    np.testing.assert_array_equal(again.labels, output.main.labels)


def test_prototypes_are_means_and_modes_of_their_groups() -> None:
    data = two_kinds(60)
    found = run(data).main
    for group, prototype in enumerate(found.details["prototypes"]):
        own = found.labels == group
        size, _, colour, _ = data.table
        assert prototype["size"] == pytest.approx(size.values[own].mean())
        counts = np.bincount(colour.values[own], minlength=len(colour.categories))
        assert counts[colour.categories.index(prototype["colour"])] == counts.max()


def test_categories_alone_are_k_modes() -> None:
    words = np.array(list("aabb" * 10))
    data = data_of(category("x", list(words)), category("y", list(np.char.upper(words))))
    found = run(data).main
    assert found.title.startswith("k-modes")
    assert found.details["objective"] == pytest.approx(0.0, abs=rounding(2 * 40))
    assert same_groups(found.labels.tolist(), words.tolist())


def test_learned_weights_prefer_the_column_that_tells_the_groups() -> None:
    rng = np.random.default_rng(0)
    kind = np.arange(80) % 2
    data = data_of(
        Column("tells", 5.0 * kind + rng.normal(0, 0.3, 80)), Column("noise", rng.normal(size=80))
    )
    weights = run(data, weights="learned").main.details["column_weights"]
    assert weights["tells"] > weights["noise"]


def test_a_weight_of_two_is_the_item_twice() -> None:
    data = two_kinds(30)
    twice = np.repeat(np.arange(30), 1 + np.arange(30) % 2)
    weighted = data_of(
        *data.table, Column("counts", 1.0 + np.arange(30) % 2, role="weight"), truth=data.truth
    )
    one, other = run(weighted).main, run(data.take(twice)).main
    # The sums differ by the standardisation alone, which is of the rows as they stand.
    first = np.unique(twice, return_index=True)[1]
    assert same_groups(one.labels.tolist(), other.labels[first].tolist())


def test_bad_weights_and_too_many_groups_are_refused() -> None:
    data = data_of(Column("a", np.arange(4.0)), Column("w", -np.ones(4), role="weight"))
    with pytest.raises(CoterieError) as caught:
        run(data)
    assert caught.value.code == "missing-values"
    with pytest.raises(CoterieError) as caught:
        run(two_kinds(4), k=5)
    assert caught.value.code == "too-many-groups"


def test_items_of_which_nothing_is_known_are_in_no_group() -> None:
    data = data_of(category("x", ["a", "b", "", "a"]), Column("y", np.array([0, 1, np.nan, 0])))
    found = run(data).main
    assert found.labels.tolist()[2] == -1
    assert (found.labels[[0, 1, 3]] >= 0).all()

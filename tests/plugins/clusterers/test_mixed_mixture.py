"""A mixture of Gaussian and categorical columns, with missing values integrated out."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from coterie.core import Column, Context, Dataset
from coterie.core.model.columns import category
from coterie.plugins.clusterers.mixed_mixture import MixedMixture
from tests.typed_tables import data_of, two_kinds


def run(data: Dataset, **params: Any) -> Any:
    values = MixedMixture.Params(**params)
    return MixedMixture().compute(data, params=values, context=Context(seed=0))


@pytest.mark.parametrize("sides", [2, 3])
def test_the_number_of_groups_is_found_and_each_item_is_in_its_own(sides: int) -> None:
    data = two_kinds(150, sides=sides, missing=0.1)
    found = run(data).main
    assert found.details["k"] == sides
    table = np.zeros((sides, sides))
    np.add.at(table, (np.asarray(data.truth), found.labels), 1)
    assert table.max(axis=1).sum() >= 0.97 * data.n


def test_noise_is_one_group() -> None:
    rng = np.random.default_rng(1)
    data = data_of(
        Column("a", rng.normal(size=80)), category("b", list(rng.choice(["x", "y"], 80)))
    )
    assert run(data, most_groups=4).main.details["k"] == 1


def test_shares_are_those_of_bayes_rule_with_missing_factors_left_out() -> None:
    data = two_kinds(60, missing=0.2)
    output = run(data, k=2)
    arrays = output.parts["model"].arrays
    expected = np.tile(np.log(arrays["group_weights"]), (data.n, 1))
    for j, column in enumerate(data.table[:2]):
        scaled = (column.values - arrays["mean"][j]) / arrays["deviation"][j]
        for group in range(2):
            centre, spread = arrays["means"][group, j], np.sqrt(arrays["variances"][group, j])
            log = norm.logpdf(scaled, centre, spread)
            expected[:, group] += np.where(column.missing, 0.0, log)
    start = 0
    for column in data.table[2:]:
        logs = arrays["log_shares"][:, start : start + len(column.categories)]
        np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1.0)
        for item in np.flatnonzero(~column.missing):
            expected[item] += logs[:, column.values[item]]
        start += len(column.categories)
    shares = np.exp(expected - expected.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    # The shares shown are those of the mixture before its last step, which moved them by the
    # tolerance for an item, 1e-6, at most in the log.
    np.testing.assert_allclose(output.main.membership, shares, atol=1e-3)
    again = MixedMixture().apply(output.parts["model"], data, Context())
    assert again.membership is not None
    np.testing.assert_allclose(again.membership, shares, atol=1e-9)


def test_the_column_that_tells_the_groups_gains_most() -> None:
    rng = np.random.default_rng(2)
    kind = np.arange(100) % 2
    data = data_of(
        Column("tells", 6.0 * kind + rng.normal(size=100)),
        category("noise", list(rng.choice(["x", "y", "z"], 100))),
    )
    gains = run(data, k=2).main.details["column_gains"]
    # Knowing the group of two equal, distant ones is worth log 2 more than the spread it saves.
    assert gains["tells"] > 0.5
    assert gains["noise"] < 0.1


def test_a_weight_of_zero_leaves_an_item_out_of_the_fit() -> None:
    data = two_kinds(60)
    stray = [*data.table[0].values[:-1], 1e3]
    weights = np.r_[np.ones(59), 0.0]
    table = (Column("size", np.array(stray)), *data.table[1:])
    kept = run(data_of(*table, Column("w", weights, role="weight")), k=2).main
    assert (kept.labels[:59] == np.asarray(data.truth)[:59]).mean() in (0.0, 1.0)


def test_a_value_that_many_items_share_says_no_more_than_a_category_would() -> None:
    rng = np.random.default_rng(3)
    spent = np.maximum(rng.normal(0.3, 1.0, 200), 0.0)
    data = data_of(
        Column("spent", spent),
        Column("age", rng.normal(size=200)),
        category("town", list(rng.choice(["x", "y"], 200))),
    )
    zero = float((spent == 0).mean())
    says = -zero * np.log(zero) - (1 - zero) * np.log(1 - zero)
    assert run(data, k=2).main.details["column_gains"]["spent"] <= says

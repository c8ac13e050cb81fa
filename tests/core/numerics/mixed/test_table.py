"""Tables of numbers and categories, compared with plain loops and independent computations."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import pytest

from coterie.core import DataError, Dataset
from coterie.core.numerics.automatic.classes import class_criterion
from coterie.core.numerics.mixed.columns import table_of
from coterie.core.numerics.mixed.factors import fit_encoder
from coterie.core.numerics.mixed.gower import GowerSpace, gower_scale
from coterie.core.numerics.mixed.mixture import MixtureData, hard_shares, rounds
from coterie.core.numerics.mixed.mixture_starts import MixtureStarts
from coterie.core.numerics.mixed.prototypes import (
    PrototypeData,
    learned_weights,
    spread_start,
)
from coterie.core.numerics.mixed.prototypes import rounds as prototype_rounds
from coterie.core.numerics.mixed.table import MixedTable, mixed_table, most_shared
from tests.rounding import rounding


def example(n: int = 40, *, missing: float = 0.2, seed: int = 0) -> MixedTable:
    rng = np.random.default_rng(seed)
    group = np.arange(n) % 2
    numbers = rng.normal(group[:, None] * 3.0, 1.0, (n, 3))
    codes = np.where(rng.random((n, 2)) < 0.8, group[:, None], rng.integers(0, 3, (n, 2)))
    numbers[rng.random((n, 3)) < missing] = np.nan
    codes[rng.random((n, 2)) < missing] = -1
    return mixed_table(numbers, codes, [3, 3])


def gower_by_loops(table: MixedTable, weights: np.ndarray) -> np.ndarray:
    spans = np.nanmax(table.numbers, axis=0) - np.nanmin(table.numbers, axis=0)
    found = np.full((table.n, table.n), np.nan)
    for i in range(table.n):
        for j in range(table.n):
            total = weight = 0.0
            for c in range(table.p):
                away = abs(table.numbers[i, c] - table.numbers[j, c]) / spans[c]
                if not np.isnan(away):
                    total, weight = total + weights[c] * away, weight + weights[c]
            for c in range(table.q):
                a, b = table.codes[i, c], table.codes[j, c]
                if a >= 0 and b >= 0:
                    own = weights[table.p + c]
                    total, weight = total + own * (a != b), weight + own
            found[i, j] = total / weight if weight else np.nan
    np.fill_diagonal(found, 0.0)
    return found


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_gower_distances_are_those_of_the_definition(missing: float) -> None:
    table = example(missing=missing)
    weights = np.array([1.0, 2.0, 0.5, 1.0, 3.0])
    space = GowerSpace(table, gower_scale(table, weights))
    found = space.distances()
    # Sums of five numbers below 10, each rounded a few times.
    np.testing.assert_allclose(found, gower_by_loops(table, weights), atol=rounding(20, 10.0))
    assert np.array_equal(found, found.T, equal_nan=True)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_nearest_items_are_those_of_all_distances(missing: float) -> None:
    table = example(missing=missing)
    space = GowerSpace(table)
    every = np.nan_to_num(space.distances(), nan=1.0)
    np.fill_diagonal(every, np.inf)
    _, found = space.neighbours(4)
    np.testing.assert_allclose(found, np.sort(every, axis=1)[:, :4], atol=rounding(20, 10.0))


def test_distances_to_other_items_continue_those_of_the_same() -> None:
    table = example()
    space = GowerSpace(table)
    some = np.arange(7)
    both = space.distances(table.take(some))
    away = space.distances()[:, some]
    off = ~np.eye(table.n, 7, dtype=bool)
    np.testing.assert_allclose(both[off], away[off], atol=rounding(20, 10.0))


def test_each_category_column_weighs_as_much_as_one_number() -> None:
    table = example(n=200, missing=0.0)
    encoded = fit_encoder(table).encoded(table)
    variances = encoded.var(axis=0)
    near = rounding(4 * 200)  # a mean of 200 squares, divided by another
    np.testing.assert_allclose(variances[:3], 1.0, atol=near)
    np.testing.assert_allclose([variances[3:6].sum(), variances[6:].sum()], 1.0, atol=near)


def test_rare_weighting_gives_the_inertia_of_multiple_correspondence_analysis() -> None:
    table = mixed_table(np.zeros((30, 0)), example(n=30, missing=0.0).codes, [3, 3])
    encoded = fit_encoder(table, "rare").encoded(table)
    values = np.linalg.svd(encoded / np.sqrt(30), compute_uv=False) ** 2 / table.q
    marks = np.hstack([np.eye(3)[column] for column in table.codes.T])
    marks = marks[:, marks.any(axis=0)]
    shares = marks / marks.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    apart = (shares - np.outer(rows, columns)) / np.sqrt(np.outer(rows, columns))
    expected = np.linalg.svd(apart, compute_uv=False) ** 2
    # Singular values err by a small multiple of the largest, their squares by twice that.
    near = rounding(4 * encoded.size, float(expected[0]))
    np.testing.assert_allclose(values[:4], expected[:4], atol=near)


def test_likelihood_is_that_of_a_plain_loop_over_what_is_known() -> None:
    table = example(n=25)
    data = MixtureData(table)
    found = data.expected(data.fitted(hard_shares(np.arange(25) % 2, 2)))
    mixture, total = found.mixture, 0.0
    scaled = (table.numbers - data.mean) / data.deviation
    for i in range(table.n):
        density = 0.0
        for g in range(2):
            own = float(mixture.weights[g])
            for j in range(table.p):
                if not np.isnan(scaled[i, j]):
                    v = mixture.variances[g, j]
                    own *= np.exp(-((scaled[i, j] - mixture.means[g, j]) ** 2) / (2 * v))
                    own /= np.sqrt(2 * np.pi * v)
            for j in range(table.q):
                if table.codes[i, j] >= 0:
                    own *= np.exp(mixture.log_shares[g, 3 * j + table.codes[i, j]])
            density += own
        total += np.log(density)
    assert found.likelihood == pytest.approx(total, rel=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_the_posterior_never_falls(seed: int) -> None:
    table = example(n=60, seed=seed)
    weights = np.random.default_rng(seed).random(60) + 0.1
    data = MixtureData(table, weights)
    start = np.random.default_rng(seed).dirichlet(np.ones(3), 60)
    reached = [found.posterior for found in rounds(data, start, max_iterations=60)]
    # Each is a sum of 60 terms of some hundred at most: rounding stays far below this.
    assert min(np.diff(reached)) > -1e-8


def test_two_groups_are_found_and_preferred_by_the_criterion() -> None:
    table = example(n=200)
    starts, scores = MixtureStarts(table), {}
    for k in (1, 2, 3, 4):
        found, _ = starts.best(k, 3, np.random.default_rng(0))
        scores[k] = starts.data.criterion(found)
        if k == 2:
            labels = found.shares.argmax(axis=1)
    assert min(scores, key=lambda k: scores[k]) == 2
    same = (labels == np.arange(200) % 2).mean()
    assert max(same, 1 - same) > 0.9


def test_an_item_of_weight_two_counts_as_two_items() -> None:
    table = example(n=20)
    twice = table.take(np.concatenate([np.arange(20), np.arange(5)]))
    weights = np.ones(20)
    weights[:5] = 2.0
    start = np.arange(20) % 2
    # The same units, as weights do not count in the standardisation.
    one, other = MixtureData(table, weights), MixtureData(twice)
    other.values = np.concatenate([one.values, one.values[:5]])
    other.squares = other.values**2
    a = one.fitted(hard_shares(start, 2))
    b = other.fitted(hard_shares(np.concatenate([start, start[:5]]), 2))
    near = rounding(4 * 25, 10.0)  # means and shares of 25 items, all below 10
    np.testing.assert_allclose(a.means, b.means, atol=near)
    np.testing.assert_allclose(a.log_shares, b.log_shares, atol=near)


def test_prototypes_lower_their_objective_and_end_at_a_fixed_point() -> None:
    table = example(n=80)
    data = PrototypeData(table)
    labels = np.random.default_rng(1).integers(0, 3, 80)
    every = list(prototype_rounds(data, labels, 3))
    assert max(np.diff([found.objective for found in every]), default=0.0) < 1e-9
    last = every[-1]
    means, modes = data.centres(last.labels, 3)
    assert np.array_equal(data.costs(means, modes, last.weights).argmin(axis=1), last.labels)


def test_prototypes_of_categories_alone_are_modes() -> None:
    codes = np.array([[0, 0], [0, 0], [0, 1], [2, 2], [2, 2], [1, 2]])
    data = PrototypeData(mixed_table(np.zeros((6, 0)), codes, [3, 3]))
    rng = np.random.default_rng(0)
    starts = [spread_start(data, 2, np.arange(6), rng) for _ in range(5)]
    found = min(
        (list(prototype_rounds(data, start, 2))[-1] for start in starts), key=lambda f: f.objective
    )
    assert sorted(map(tuple, found.modes.tolist())) == [(0, 0), (2, 2)]


def test_learned_weights_are_larger_where_groups_are_tight() -> None:
    weights = learned_weights(np.array([0.1, 1.0, 0.0]), 4.0)
    assert weights[0] > weights[1] > weights[2] == 0.0
    assert weights.mean() == pytest.approx(1.0)


def test_features_without_typed_columns_are_numbers() -> None:
    table = table_of(Dataset(features=np.array([[1.0, np.inf], [2.0, 3.0]])))
    assert (table.p, table.q) == (2, 0)
    assert np.isnan(table.numbers[0, 1])


def test_nothing_known_is_refused() -> None:
    with pytest.raises(DataError) as refusal:
        table_of(Dataset(features=np.full((3, 2), np.nan)))
    assert refusal.value.code == "missing-values"


def spiked(n: int = 300) -> tuple[MixedTable, np.ndarray, np.ndarray]:
    """Two groups in two categories and a number; another number is 0 for every third item."""
    rng = np.random.default_rng(5)
    group, zero = np.arange(n) % 2, np.arange(n) % 3 == 0
    numbers = np.column_stack(
        [group + rng.normal(size=n), np.where(zero, 0.0, rng.gamma(2.0, size=n))]
    )
    codes = np.where(rng.random((n, 2)) < 0.85, group[:, None], 1 - group[:, None])
    return mixed_table(numbers, codes, [2, 2]), group, zero.astype(np.int64)


def test_a_value_that_many_share_saves_no_more_than_a_category_would() -> None:
    table, group, zero = spiked()
    assert class_criterion(table, group) < class_criterion(table, zero)
    data = MixtureData(table)
    states = list(islice(rounds(data, hard_shares(zero, 2)), 30))
    posteriors = [state.posterior for state in states]
    assert all(b >= a - 1e-9 * abs(a) for a, b in pairwise(posteriors))
    share = np.count_nonzero(table.numbers[:, 1] == 0) / table.n
    assert states[-1].mixture.variances[:, 1].min() >= np.e * share**2 * (1 - 1e-12)
    # Two equal values among three hundred different ones change nothing.
    assert most_shared(table.numbers)[0] == pytest.approx(1 / table.n)

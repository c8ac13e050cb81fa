"""Accuracies of a map against the published example, definitions and a simulation."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.errors import DataError
from coterie.core.numerics.partitions.accuracy import accuracy_of, matched, merged_rows
from tests.refusals import refuses

# The worked example of Olofsson et al. (2014), tables 8 and 9: deforestation, forest gain, stable
# forest, stable non-forest.
COUNTS = np.array([[66, 0, 5, 4], [0, 55, 8, 12], [1, 0, 153, 11], [2, 1, 9, 313]])
MAPPED = [200_000, 150_000, 3_200_000, 6_450_000]


def half(limits: Any) -> Any:
    """Half the width of intervals."""
    return np.asarray(limits)[..., 1] / 2 - np.asarray(limits)[..., 0] / 2


def test_the_published_example_comes_out() -> None:
    found = accuracy_of(COUNTS, ["loss", "gain", "forest", "other"], MAPPED)
    assert found.overall == pytest.approx(0.95, abs=0.005)
    np.testing.assert_allclose(found.users, [0.88, 0.73, 0.93, 0.96], atol=0.005)
    np.testing.assert_allclose(found.producers, [0.75, 0.85, 0.93, 0.96], atol=0.005)
    assert half(found.overall_range) == pytest.approx(0.02, abs=0.005)
    np.testing.assert_allclose(half(found.users_range), [0.07, 0.10, 0.04, 0.02], atol=0.005)
    # In hectares: 235,086 ± 68,418 of deforestation.
    total = sum(MAPPED)
    assert found.areas[0] * total == pytest.approx(235_086, rel=1e-3)
    # One place of 165 and two of 325: for so few, Wilson's intervals are wider.
    assert 68_418 < half(found.areas_range[0]) * total < 1.3 * 68_418
    assert found.unseen == 0


def test_intervals_of_map_classes_are_those_of_scipy() -> None:
    from scipy.stats import binomtest

    found = accuracy_of(COUNTS, mapped=MAPPED)
    for row, limits in zip(COUNTS, found.users_range, strict=True):
        at = int(np.flatnonzero(row == row.max())[0])
        peer = binomtest(int(row[at]), int(row.sum())).proportion_ci(0.95, method="wilson")
        np.testing.assert_allclose(limits, (peer.low, peer.high), rtol=1e-9)


def test_of_many_pixels_the_intervals_are_those_of_large_samples() -> None:
    n = 10_000 * COUNTS
    found = accuracy_of(n, mapped=MAPPED)
    W, rows = np.array(MAPPED) / sum(MAPPED), n.sum(axis=1)
    share = n / rows[:, None]
    spread = W[:, None] ** 2 * share * (1 - share) / (rows - 1)[:, None]
    right = 1.959964 * np.sqrt(np.trace(spread))
    np.testing.assert_allclose(half(found.overall_range), right, rtol=1e-3)
    areas = 1.959964 * np.sqrt(spread.sum(axis=0))
    np.testing.assert_allclose(half(found.areas_range), areas, rtol=5e-3)
    # Formula (7) of the paper, for producer's accuracy.
    own, others = np.diag(spread), spread.sum(axis=0) - np.diag(spread)
    P, truth = found.producers, found.areas
    producers = 1.959964 * np.sqrt((1 - P) ** 2 * own + P**2 * others) / truth
    np.testing.assert_allclose(half(found.producers_range), producers, rtol=5e-3)


@settings(max_examples=40)
@given(st.integers(2, 5), st.integers(0, 2**16))
def test_without_areas_they_are_plain_ratios(k: int, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 40, (k, k)) + np.eye(k, dtype=np.int64)
    found = accuracy_of(counts)
    assert found.overall == pytest.approx(np.trace(counts) / counts.sum())
    np.testing.assert_allclose(found.users, np.diag(counts) / counts.sum(1))
    np.testing.assert_allclose(found.producers, np.diag(counts) / counts.sum(0))
    np.testing.assert_allclose(found.areas, counts.sum(0) / counts.sum())
    assert found.areas.sum() == pytest.approx(1)


def test_kappa_agrees_with_scikit_learn() -> None:
    from sklearn.metrics import cohen_kappa_score, jaccard_score

    rng = np.random.default_rng(3)
    truth, said = rng.integers(0, 3, 500), rng.integers(0, 3, 500)
    said[:300] = truth[:300]
    counts = np.zeros((3, 3), dtype=np.int64)
    np.add.at(counts, (said, truth), 1)
    found = accuracy_of(counts)
    assert found.kappa == pytest.approx(cohen_kappa_score(truth, said))
    peer = jaccard_score(truth, said, average=None)
    np.testing.assert_allclose(found.intersection_over_union(), peer)


@settings(max_examples=40)
@given(st.integers(2, 5), st.integers(0, 2**16))
def test_by_area_a_sample_tells_what_the_whole_map_would(k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    looked_at = rng.integers(0, 9, (k, k)) + np.eye(k, dtype=np.int64)
    whole = looked_at * rng.integers(1, 30, k)[:, None]  # classes were looked at unevenly
    found, wanted = accuracy_of(looked_at, mapped=whole.sum(axis=1)), accuracy_of(whole)
    assert found.overall == pytest.approx(wanted.overall)
    assert found.kappa == pytest.approx(wanted.kappa)
    np.testing.assert_allclose(found.producers, wanted.producers)
    unions = np.diag(whole) / (whole.sum(0) + whole.sum(1) - np.diag(whole))
    np.testing.assert_allclose(found.intersection_over_union(), unions)


@pytest.mark.parametrize(
    ("share", "places"),
    [
        ([[0.9, 0.1], [0.2, 0.8]], (200, 200)),
        ([[0.99, 0.01], [0.005, 0.995]], (40, 60)),  # most samples have no error at all
        ([[0.97, 0.03], [0.03, 0.97]], (20, 10)),
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(
    share: list[list[float]], places: tuple[int, int]
) -> None:
    rng = np.random.default_rng(0)
    of_class = np.array(share)  # of each map class, how much is truly what
    W = np.array([0.3, 0.7])
    overall, area = float(W @ np.diag(of_class)), float(W @ of_class[:, 0])
    producer = float(W[0] * of_class[0, 0] / area)
    inside = np.zeros(3)
    for _ in range(400):
        rows = zip(places, of_class, strict=True)
        found = accuracy_of(np.stack([rng.multinomial(n, row) for n, row in rows]), mapped=W)
        ranges = (found.overall_range, found.areas_range[0], found.producers_range[0])
        truths = (overall, area, producer)
        inside += [low <= true <= high for (low, high), true in zip(ranges, truths, strict=True)]
    # Three standard deviations of 400 draws are .033.
    assert (inside / 400 > 0.91).all()


def test_sixty_right_answers_are_not_certainty() -> None:
    found = accuracy_of(np.diag([40, 20]), mapped=[800, 200])
    assert found.overall == 1
    assert found.overall_range[1] == 1
    assert 0.9 < found.overall_range[0] < 0.96
    assert found.areas_range[0, 0] < 0.8 < found.areas_range[0, 1]
    assert (found.producers_range[:, 0] < 1).all()


def test_a_class_nobody_looked_at_is_left_out_and_spoils_nothing() -> None:
    found = accuracy_of(np.array([[5, 0], [0, 0]]), mapped=[10, 30])
    assert (found.overall, found.unseen) == (1.0, 0.75)
    assert np.isnan(found.users[1])
    assert np.isnan(found.users_range[1]).all()
    assert np.isnan(found.producers[1])
    assert np.isfinite(found.areas).all()


def test_a_single_pixel_says_next_to_nothing() -> None:
    found = accuracy_of(np.array([[1, 0], [2, 8]]), mapped=(50, 50))
    assert found.users[0] == 1.0
    assert found.users_range[0, 0] == pytest.approx(1 / (1 + 1.959964**2), rel=1e-6)


def test_nothing_to_compare_is_said() -> None:
    with refuses("nothing-to-compare", DataError):
        accuracy_of(np.zeros((2, 2)))


def test_map_classes_stand_for_the_class_of_their_name_or_of_most_pixels() -> None:
    counts = np.array([[50, 1], [2, 30], [0, 9]])
    into = matched(counts, ["Cloud", "group 1", "group 2"], ["land", "cloud"])
    assert into.tolist() == [1, 1, 1]
    assert merged_rows(counts, into, 2).tolist() == [[0, 0], [52, 40]]

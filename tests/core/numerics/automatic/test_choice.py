"""The choice follows quality and agreement, and says how sure it is."""

import numpy as np

from coterie.core.numerics.automatic.choice import (
    choose,
    is_finer,
    memberships,
    verdict_on,
)

APART = np.eye(3)


def test_one_candidate_far_better_than_the_others_is_sure() -> None:
    choice = choose(np.array([0.95, 0.2, 0.1]), APART, np.array([3, 5, 1]))
    assert choice.answers[0] == 0
    assert verdict_on(0.95, 3, choice.shared[0]) == "sure"


def test_candidates_as_good_as_each_other_are_all_answers_and_not_sure() -> None:
    choice = choose(np.array([0.5, 0.5, 0.5]), APART, np.array([3, 5, 7]))
    assert sorted(choice.answers) == [0, 1, 2]
    assert np.allclose(choice.shared, 1 / 3)


def test_good_groups_that_most_likely_ones_differ_from_are_not_sure() -> None:
    """Two of many groups touch: with them joined or not, nine tenths agree."""
    agreement = np.array([[1.0, 0.9, 0.8], [0.9, 1.0, 0.9], [0.8, 0.9, 1.0]])
    choice = choose(np.array([0.9, 0.9, 0.9]), agreement, np.array([6, 7, 8]))
    assert choice.answers[0] == 1
    assert verdict_on(0.9, 7, choice.shared[1]) == "unsure"
    assert verdict_on(0.9, 7, 0.6) == "sure"


def test_the_whole_as_best_candidate_means_no_groups() -> None:
    assert choose(np.array([0.1, 0.9]), np.eye(2), np.array([4, 1])).answers[0] == 1


def test_of_similar_candidates_the_one_in_the_middle_wins() -> None:
    agreement = np.array([[1.0, 0.8, 0.5], [0.8, 1.0, 0.8], [0.5, 0.8, 1.0]])
    assert choose(np.array([0.7, 0.7, 0.7]), agreement, np.array([3, 3, 3])).answers[0] == 1


def test_shares_sum_to_one_and_follow_the_weights() -> None:
    chosen = np.array([0, 0, 1, 1])
    shares = memberships(chosen, [chosen, np.array([0, 1, 1, 1])], np.array([0.6, 0.4]))
    assert np.allclose(shares.sum(axis=1), 1)
    assert np.allclose(shares[1], [0.6, 0.4])


def test_crossing_groups_are_not_finer() -> None:
    assert not is_finer(np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]))


def test_what_is_hardly_right_is_not_claimed_but_offered() -> None:
    agreement = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])
    found = choose(np.array([0.3, 0.2, 0.1]), agreement, np.array([3, 4, 1]))
    assert found.answers[:2] == (2, 0)

"""Counts of words and runs."""

import numpy as np

from coterie.core.numerics.features.counts import count_runs, count_words


def test_runs_never_reach_from_one_text_into_the_next() -> None:
    counts, runs = count_runs(["ab", "cd", "", "d"], 2)
    assert runs == ("ab", "cd")
    np.testing.assert_array_equal(counts.toarray(), [[1, 0], [0, 1], [0, 0], [0, 0]])


def test_texts_shorter_than_any_run_have_no_columns() -> None:
    counts, runs = count_runs(["a", ""], 5)
    assert counts.shape == (2, 0)
    assert runs == ()


def test_no_words_at_all() -> None:
    counts, words = count_words(["", "…"])
    assert counts.shape == (2, 0)
    assert words == ()

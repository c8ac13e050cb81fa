"""The answer in words."""

import numpy as np
import pytest

from coterie.core.numerics.automatic.answer import Candidate
from coterie.core.numerics.automatic.words import _all_instead

COARSE = np.arange(12) % 2
FINE = np.arange(12) % 4
OTHER = np.arange(12) // 4
FOUR = np.arange(12) // 3


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ([FINE], "4 within them"),
        ([OTHER, FOUR], "3 or 4 other groups"),
        ([OTHER, FINE, FOUR], "3 or 4 other groups or 4 within them"),
        ([OTHER, OTHER[::-1]], "3 other groups"),
        ([np.arange(12) // 6], "2 different groups"),
        ([np.zeros(12, int), FINE], "no groups at all or 4 within them"),
    ],
)
def test_other_answers_are_named_once_by_how_they_relate(
    others: list[np.ndarray], words: str
) -> None:
    best = Candidate("means", 0, COARSE, 0.0)
    assert _all_instead(best, [Candidate("means", 0, labels, 0.0) for labels in others]) == words

"""Amounts as people read them."""

import numpy as np
import pytest

from coterie.core.api.components import Cost
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Score
from coterie.projects.formatting import cost_in_words, shape_in_words, time_in_words


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.002, "2 ms"), (0.4, "0.4 s"), (12.2, "12 s"), (185, "3 min 5 s"), (7800, "2 h 10 min")],
)
def test_times(seconds: float, said: str) -> None:
    assert time_in_words(seconds) == said


def test_costs() -> None:
    assert cost_in_words(Cost(1000, 0.1)) == "Takes less than a second, hardly any memory"
    assert cost_in_words(Cost(32_000_000, 90)) == "Takes about 1 min 30 s, 32 MB of memory"


def test_shapes() -> None:
    assert shape_in_words(Dataset(features=np.zeros((5, 2)))) == "5 × 2"
    assert shape_in_words(Clustering(labels=np.array([0, 0, -1]))) == "1 group"
    assert shape_in_words(Score(value=0.87654)) == "0.8765"
    assert shape_in_words(None) == ""

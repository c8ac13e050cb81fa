"""The bag of words counts shared words."""

from typing import Any

import numpy as np

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.bag_of_words import BagOfWords
from tests.refusals import refuses


def similarities(texts: Any, **params: Any) -> Affinity:
    data = Dataset(kind="texts", texts=tuple(texts))
    return BagOfWords().compute(data, params=BagOfWords.Params(**params), context=Context())


def test_it_equals_counting_by_hand() -> None:
    K = similarities(["A rose is a rose.", "Is it a rose?", "Nothing"]).to_dense()
    np.testing.assert_array_equal(K, [[9, 5, 0], [5, 4, 0], [0, 0, 1]])


def test_capitals_can_be_kept_apart() -> None:
    assert similarities(["A", "a"], lower_case=False).to_dense()[0, 1] == 0


def test_a_text_without_words_is_named() -> None:
    with refuses("no-texts"):
        similarities(["word", "…", ""])

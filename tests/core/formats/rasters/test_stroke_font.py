"""Letters of a quick look."""

import numpy as np
import pytest

from coterie.core.formats.rasters.stroke_font import lettered


@pytest.mark.parametrize(
    ("text", "same"), [("Straße", "STRASSE"), ("forêt", "FORET"), ("e\u0301", "E"), ("ﬁr", "fir")]
)
def test_letters_with_accents_and_double_ones_are_drawn_by_plain_ones(text: str, same: str) -> None:
    np.testing.assert_array_equal(lettered(text), lettered(same))


def test_a_letter_without_a_drawing_is_a_question_mark() -> None:
    np.testing.assert_array_equal(lettered("水"), lettered("?"))
    assert lettered("").shape == (7, 6)

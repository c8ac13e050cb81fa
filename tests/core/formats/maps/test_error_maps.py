"""Errors as numbers: against a plain loop over the pixels."""

import numpy as np
import pytest

from coterie.core.errors import DataError
from coterie.core.formats.maps.error_maps import (
    FALSE,
    MISSED,
    RIGHT,
    WRONG,
    class_called,
    compared,
)
from tests.refusals import refuses


@pytest.mark.parametrize("of", [-1, 0, 2])
def test_every_pixel_is_judged_as_a_person_would(of: int) -> None:
    rng = np.random.default_rng(0)
    made, known = rng.integers(-1, 4, 400), rng.integers(-1, 3, 400)
    into = (0, 1, 2, 2)
    for verdict, m, k in zip(compared(made, known, into, of), made, known, strict=True):
        if m < 0 or k < 0:
            expected = -1
        elif of < 0:
            expected = RIGHT if into[m] == k else WRONG
        elif k == of:
            expected = RIGHT if into[m] == of else MISSED
        else:
            expected = FALSE if into[m] == of else -1
        assert verdict == expected


def test_a_class_is_found_by_its_name() -> None:
    assert class_called(" Cloud ", ("land", "cloud")) == 1
    assert class_called("", ("land", "cloud")) == -1
    with refuses("unknown-class", DataError):
        class_called("snow", ("land", "cloud"))

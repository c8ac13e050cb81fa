"""What is chosen among equals does not depend on the processor."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.numerics.similarity.ties import smallest


@given(st.integers(1, 40), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_the_smallest_are_the_first_of_a_stable_sort(n: int, kinds: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.choice([np.inf, -np.inf, np.nan, 0.0, 1.0, 2.0][-kinds:], (3, n))
    count = int(rng.integers(1, n + 1))
    known = np.where(np.isnan(values), np.inf, values)
    wanted = np.sort(np.argsort(known, axis=1, kind="stable")[:, :count], axis=1)
    np.testing.assert_array_equal(smallest(values, count), wanted)
    np.testing.assert_array_equal(smallest(values[0], count), wanted[0])

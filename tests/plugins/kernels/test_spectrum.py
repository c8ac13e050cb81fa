"""The spectrum kernel counts shared runs of characters."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.spectrum import SpectrumKernel
from tests.refusals import refuses


def similarities(texts: Any, length: int = 2) -> Affinity:
    data = Dataset(title="speech", kind="texts", texts=tuple(texts))
    params = SpectrumKernel.Params(length=length)
    return SpectrumKernel().compute(data, params=params, context=Context())


@given(
    st.lists(st.text(alphabet="ab é\n𝄞", min_size=4, max_size=12), min_size=1, max_size=6),
    st.integers(1, 4),
)
def test_it_equals_brute_force_counts(texts: list[str], length: int) -> None:
    counts = [Counter(t[i : i + length] for i in range(len(t) - length + 1)) for t in texts]
    expected = [[sum(a[run] * b[run] for run in a) for b in counts] for a in counts]
    K = similarities(texts, length).to_dense()
    np.testing.assert_array_equal(K, expected)
    assert np.linalg.eigvalsh(K).min() > -1e-8


def test_long_runs_over_many_letters_do_not_overflow() -> None:
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 3000)))
    K = similarities([letters, letters[:1500]], length=40).to_dense()
    np.testing.assert_array_equal(K, [[2961, 1461], [1461, 1461]])


@pytest.mark.parametrize("texts", [["ab", ""], ["ab", "a"]])
def test_a_text_without_any_run_is_named(texts: list[str]) -> None:
    with refuses("no-texts"):
        similarities(texts)


def test_data_without_texts_is_refused() -> None:
    with refuses("no-texts"):
        SpectrumKernel().compute(
            Dataset(title="numbers", features=np.ones((2, 2))),
            params=SpectrumKernel.Params(),
            context=Context(),
        )

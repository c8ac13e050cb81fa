"""Numbers in sentences."""

import pytest

from coterie.core.wording import counted, size_in_words


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (1, "1 byte"),
        (999, "999 bytes"),
        (1500, "1.5 kB"),
        (9_960, "10 kB"),
        (32_000_000, "32 MB"),
        (999_600_000, "1.0 GB"),
        (8e10, "80 GB"),
        (1e12, "1.0 TB"),
    ],
)
def test_sizes_are_decimal(size: float, said: str) -> None:
    assert size_in_words(size) == said


def test_counts_have_their_plural() -> None:
    assert counted(1, "class") == "1 class"
    assert counted(2000, "class") == "2,000 classes"

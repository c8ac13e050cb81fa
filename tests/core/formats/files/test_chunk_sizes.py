"""What a chunk of an HDF5 file may take in the file, by its filters."""

from __future__ import annotations

import random
import zlib

import pytest

from coterie.core.formats.files.chunk_sizes import DEFLATE, FLETCHER32, SHUFFLE, size_problem

UNKNOWN = 32000


@pytest.mark.parametrize(
    ("filters", "mask", "exactly"),
    [
        ([], 0, 96),
        ([], 0xFF, 96),
        ([SHUFFLE], 0, 96),
        ([SHUFFLE, FLETCHER32], 0, 100),
        ([SHUFFLE, FLETCHER32], 0b10, 96),
        ([SHUFFLE, DEFLATE], 0b10, 96),
        ([SHUFFLE, DEFLATE, FLETCHER32], 0b010, 100),
        ([UNKNOWN, FLETCHER32], 0b01, 100),
    ],
)
def test_without_packing_one_size_alone_is_true(
    filters: list[int], mask: int, exactly: int
) -> None:
    assert size_problem(exactly, 96, filters, mask) == ""
    for size in (0, exactly - 1, exactly + 1, 1 << 40):
        assert f"{size} bytes instead of {exactly}" in size_problem(size, 96, filters, mask)


@pytest.mark.parametrize("nbytes", [1, 8, 1000, 1 << 20])
@pytest.mark.parametrize("level", range(10))
def test_whatever_deflate_makes_of_a_chunk_is_allowed(nbytes: int, level: int) -> None:
    rng = random.Random(0)
    for raw in (bytes(nbytes), rng.randbytes(nbytes)):
        assert size_problem(len(zlib.compress(raw, level)), nbytes, [DEFLATE]) == ""


def test_packing_does_not_allow_any_size() -> None:
    for size in (0, 2000):
        assert f"a chunk stored in {size} bytes" in size_problem(size, 1000, [DEFLATE])


def test_filters_that_are_not_known_may_make_anything_of_a_chunk_but_nothing() -> None:
    assert size_problem(5000, 96, [UNKNOWN]) == ""
    assert size_problem(0, 96, [UNKNOWN]) == "a chunk stored in no bytes"

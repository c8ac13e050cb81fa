"""A matrix filled tile by tile is the matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Context
from coterie.core.numerics.similarity import tiles
from coterie.core.numerics.similarity.tiles import (
    products_by_tiles,
    slices,
    symmetric_by_tiles,
    tile_progress,
)


@settings(max_examples=30)
@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_products_by_tiles_are_the_products(n: int, m: int, side: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(n, 3)), rng.normal(size=(m, 3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiles, "TILE", side)
        np.testing.assert_allclose(products_by_tiles(X, Y, symmetric=False), X @ Y.T)
        square = products_by_tiles(X, X, symmetric=True)
    np.testing.assert_allclose(square, X @ X.T)
    np.testing.assert_array_equal(square, square.T)


def test_a_finished_tile_knows_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "TILE", 4)
    numbers = np.arange(10.0)

    def add_positions(rows: slice, columns: slice, tile: np.ndarray) -> None:
        tile += numbers[rows, None] + numbers[None, columns]

    zero = np.zeros((10, 1))
    found = products_by_tiles(zero, zero, add_positions, symmetric=True)
    np.testing.assert_array_equal(found, numbers[:, None] + numbers)


def test_progress_counts_the_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "TILE", 2)
    told: list[float] = []
    context = Context()
    monkeypatch.setattr(context, "progress", lambda done, total, _: told.append(done / total))
    symmetric_by_tiles(9, lambda rows, columns, tile: tile.fill(0), check=tile_progress(context, 9))
    assert told == [k / 15 for k in range(15)]
    assert [part.start for part in slices(9)] == [0, 2, 4, 6, 8]

"""Local mean and variance against their definitions, pixel by pixel."""

import numpy as np
import pytest

from coterie.core.numerics.features.local_statistics import local_mean, local_variance
from tests.rounding import rounding


@pytest.mark.parametrize("shape", [(2, 7, 5), (1, 1, 9), (1, 2, 2)])
@pytest.mark.parametrize("window", [3, 5])
def test_every_pixel_sees_its_square(shape: tuple[int, int, int], window: int) -> None:
    bands = np.random.default_rng(0).normal(5, 2, shape)
    reach = window // 2
    padded = np.pad(bands, ((0, 0), (reach, reach), (reach, reach)), mode="symmetric")
    for i, j in np.ndindex(shape[1:]):
        square = padded[:, i : i + window, j : j + window]
        np.testing.assert_allclose(local_mean(bands, window)[:, i, j], square.mean(axis=(1, 2)))
        np.testing.assert_allclose(local_variance(bands, window)[:, i, j], square.var(axis=(1, 2)))


def test_a_window_with_its_halo_gives_what_the_whole_gives() -> None:
    bands = np.random.default_rng(1).random((1, 20, 30))
    part = local_variance(bands[:, 5:17, 8:25], 5)[:, 2:-2, 2:-2]
    np.testing.assert_allclose(
        part, local_variance(bands, 5)[:, 7:15, 10:23], atol=rounding(8 * (20 + 30))
    )


def test_even_surfaces_far_from_zero_do_not_vary() -> None:
    flat = local_variance(np.full((1, 6, 6), 1e8), 3)
    assert (flat == 0).all()
    steps = 1e8 + np.arange(36.0).reshape(1, 6, 6) % 2
    np.testing.assert_allclose(local_variance(steps, 3)[0, 1:-1, 1:-1], 2 / 9, rtol=1e-6)

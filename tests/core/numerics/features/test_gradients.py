"""Dense descriptors against their definition, patch by patch."""

import numpy as np
import pytest

from coterie.core.numerics.features.gradients import (
    PatchGrid,
    dense_descriptors,
    pyramid_histograms,
    pyramid_parts,
)


def by_hand(picture: np.ndarray, y: float, x: float, patch: int) -> np.ndarray:
    """The descriptor of one patch, pixel by pixel and cell by cell."""
    down, right = np.gradient(picture)
    side = patch / 4
    found = np.zeros((4, 4, 8))
    for (i, j), gy in np.ndenumerate(down):
        strength, turn = np.hypot(gy, right[i, j]), np.arctan2(gy, right[i, j]) / (np.pi / 4) % 8
        for a, b in np.ndindex(4, 4):
            offset = (a - 1.5) * side, (b - 1.5) * side
            apart = abs(i + 0.5 - y - offset[0]) / side, abs(j + 0.5 - x - offset[1]) / side
            if max(apart) >= 1:
                continue
            weight = (1 - apart[0]) * (1 - apart[1])
            weight *= np.exp(-(offset[0] ** 2 + offset[1] ** 2) / 2 / (patch / 2) ** 2)
            low = int(turn)
            found[a, b, low % 8] += strength * weight * (1 - (turn - low))
            found[a, b, (low + 1) % 8] += strength * weight * (turn - low)
    flat = found.ravel() / np.linalg.norm(found)
    flat = np.minimum(flat, 0.2)
    return np.asarray(flat / np.linalg.norm(flat))


def test_a_descriptor_is_what_its_patch_holds() -> None:
    picture = np.random.default_rng(0).random((12, 16))
    grid = PatchGrid(12, 16, patch=8, step=4)
    found = dense_descriptors(picture[None], grid)[0]
    assert found.shape == (grid.count, 128) == (12, 128)
    patches = [(y, x) for y in grid.rows for x in grid.columns]
    for descriptor, (y, x) in zip(found, patches, strict=True):
        np.testing.assert_allclose(descriptor, by_hand(picture, y, x, 8), atol=1e-5)


def test_brightness_and_contrast_do_not_matter() -> None:
    pictures = np.random.default_rng(1).random((2, 8, 8))
    grid = PatchGrid(8, 8, patch=4, step=2)
    plain, changed = dense_descriptors(pictures, grid), dense_descriptors(3 + 7 * pictures, grid)
    np.testing.assert_allclose(plain, changed, atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(plain, axis=2), 1, atol=1e-5)


def test_even_pictures_have_no_directions() -> None:
    assert not dense_descriptors(np.full((2, 8, 8), 0.3), PatchGrid(8, 8, 4, 2)).any()
    assert not dense_descriptors(np.zeros((1, 1, 4)), PatchGrid(1, 4, 4, 1)).any()


def test_a_mirrored_picture_has_mirrored_patches() -> None:
    picture = np.random.default_rng(2).random((8, 8))
    grid = PatchGrid(8, 8, patch=4, step=2)
    plain = dense_descriptors(picture[None], grid).reshape(4, 4, 4, 4, 8)
    turned = dense_descriptors(picture[None, :, ::-1], grid).reshape(4, 4, 4, 4, 8)
    # Right becomes left: direction d becomes 4 − d.
    np.testing.assert_allclose(
        turned, plain[:, ::-1, :, ::-1][..., (4 - np.arange(8)) % 8], atol=1e-5
    )


def test_every_part_of_the_pyramid_has_its_patches() -> None:
    grid = PatchGrid(20, 28, patch=8, step=2)
    for level, parts in enumerate(pyramid_parts(grid, 3)):
        assert set(parts.tolist()) == set(range(4**level))


def test_each_level_counts_every_patch_once() -> None:
    rng = np.random.default_rng(3)
    grid = PatchGrid(8, 8, patch=4, step=1)
    words = rng.integers(0, 5, (3, grid.count))
    found = pyramid_histograms(words, 5, grid, 3)
    assert found.shape == (3, 5 * 21)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    whole, quarters, sixteenths = found[:, :5], found[:, 5:25], found[:, 25:]
    np.testing.assert_allclose(quarters.reshape(3, 4, 5).sum(axis=1), whole)
    np.testing.assert_allclose(sixteenths.reshape(3, 16, 5).sum(axis=1), whole)
    counted = [np.count_nonzero(words[0] == word) / grid.count / 3 for word in range(5)]
    np.testing.assert_allclose(whole[0], counted)
    corner = words[0].reshape(8, 8)[:2, 2:4]  # the second sixteenth
    assert sixteenths[0, 5 + 2] == pytest.approx(np.count_nonzero(corner == 2) / 64 / 3)

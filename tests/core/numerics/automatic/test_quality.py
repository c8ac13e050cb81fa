"""Trees that are added up, and the file they are kept in."""

from pathlib import Path

import numpy as np
import pytest

from coterie.core.numerics.automatic.evidence import NAMES
from coterie.core.numerics.automatic.quality import (
    MERIT,
    QUALITY,
    Trees,
    expected_quality,
    learned_trees,
    read_trees,
    write_trees,
)


def two_trees() -> Trees:
    """1 up to .5 in the first column, else 2; and .25 whatever comes."""
    return Trees(
        feature=np.array([[0, -1, -1], [-1, -1, -1]]),
        threshold=np.array([[0.5, 0.0, 0.0], [0.0, 0.0, 0.0]]),
        left=np.array([[1, 0, 0], [0, 0, 0]]),
        right=np.array([[2, 0, 0], [0, 0, 0]]),
        value=np.array([[0.0, 1.0, 2.0], [0.25, 0.0, 0.0]]),
        start=0.1,
    )


def test_trees_are_added_up() -> None:
    assert np.allclose(two_trees().predict(np.array([[0.5], [0.6]])), [1.35, 2.35])


def test_trees_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "trees.txt"
    write_trees(path, two_trees(), "For a test.\nIn two lines.")
    table = np.array([[0.0], [0.5], [0.51], [9.0]])
    assert np.allclose(read_trees(path).predict(table), two_trees().predict(table))


@pytest.mark.parametrize("path", [QUALITY, MERIT])
def test_what_was_learned_fits_the_evidence(path: Path) -> None:
    trees = learned_trees(path)
    assert trees.feature.max() < len(NAMES)
    inner = trees.feature >= 0
    assert (trees.left[inner] > 0).all()
    assert (trees.right[inner] < inner.shape[1]).all()
    found = expected_quality(np.zeros((2, len(NAMES))))
    assert ((found >= 0) & (found <= 1)).all()

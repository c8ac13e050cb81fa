"""Handwritten digits as small pictures, from scikit-learn."""

from __future__ import annotations

import numpy as np

from coterie.core.formats.samples.shipped import shipped
from coterie.core.model.dataset import Dataset

SIDE = 8  # pixels
BRIGHTEST = 16.0
# As words: groups have numbers already.
NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def make(seed: int, n: int) -> Dataset:  # noqa: ARG001 - what every maker takes
    """Return the 1,797 digits; there are no others to draw."""
    rows = np.loadtxt(shipped("data", "digits.csv.gz"), delimiter=",", dtype=np.float64)
    pixels = rows[:, :-1] / BRIGHTEST
    return Dataset(
        title="Handwritten digits",
        kind="images",
        features=pixels,
        columns=tuple(f"pixel {i + 1}.{j + 1}" for i in range(SIDE) for j in range(SIDE)),
        truth=rows[:, -1].astype(np.int64),
        truth_names=NAMES,
        truth_column="digit",
        thumbnails=np.rint(255 * pixels).astype(np.uint8).reshape(-1, SIDE, SIDE),
        details={
            "height": SIDE,
            "width": SIDE,
            "source": "Alpaydin, Kaynak (1998), UCI, as distributed by scikit-learn",
        },
    )

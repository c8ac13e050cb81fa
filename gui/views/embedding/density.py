"""Many points as an image: how many fall on each pixel, in the mixture of their colours."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing.palette import Bytes, rgb
from coterie.gui.views.shown_items.colouring import Colouring

Box = tuple[float, float, float, float]


def density_image(
    x: Array, y: Array, colouring: Colouring, box: Box, size: tuple[int, int]
) -> Bytes:
    """Return a (height, width, 4) picture of the points in `box` = (x0, y0, x1, y1).

    A pixel's colour is the mean of its points' colours; how opaque it is grows with the logarithm
    of their number, so single points stay visible beside crowds. Row 0 is at y0.
    """
    width, height = size
    x0, y0, x1, y1 = box
    inside = (x >= x0) & (x < x1) & (y >= y0) & (y < y1)
    column = ((x[inside] - x0) * (width / (x1 - x0))).astype(np.int64).clip(0, width - 1)
    row = ((y[inside] - y0) * (height / (y1 - y0))).astype(np.int64).clip(0, height - 1)
    cell = row * width + column
    cells = width * height
    counts = np.bincount(cell, minlength=cells)
    image = np.zeros((cells, 4), dtype=np.uint8)
    filled = counts > 0
    if not filled.any():
        return image.reshape(height, width, 4)
    table = np.stack([rgb(colour) for colour in colouring.colours]).astype(float)
    codes = colouring.codes[inside]
    for channel in range(3):
        total = np.bincount(cell, weights=table[codes, channel], minlength=cells)
        image[filled, channel] = np.round(total[filled] / counts[filled])
    opaque = np.log1p(counts[filled]) / np.log1p(counts.max())
    image[filled, 3] = np.round(255 * (0.35 + 0.65 * opaque))
    return image.reshape(height, width, 4)

"""A photograph to be cut into regions, from scikit-learn; its pixels are the items."""

from __future__ import annotations

from coterie.core.formats.samples.shipped import shipped
from coterie.core.model.dataset import Dataset

HEIGHT, WIDTH = 42, 64  # a tenth of the photograph's, so every pair of pixels can be compared


def make(seed: int, n: int) -> Dataset:  # noqa: ARG001 - what every maker takes
    """Return the pixels of the photograph, row by row, made small."""
    from coterie.core.numerics.features.pictures import read_picture

    colours = read_picture(shipped("images", "china.jpg"), (HEIGHT, WIDTH)) / 255.0
    return Dataset(
        title="A palace in China",
        features=colours.reshape(-1, 3),
        columns=("red", "green", "blue"),
        items=tuple(f"row {i + 1}, column {j + 1}" for i in range(HEIGHT) for j in range(WIDTH)),
        details={
            "height": HEIGHT,
            "width": WIDTH,
            "source": "danielbuechele (Flickr), CC BY 2.0, as distributed by scikit-learn",
        },
    )

"""Data whose items are the pixels of one picture: their arrangement."""

from __future__ import annotations

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats
from coterie.core.model.dataset import Dataset

# In the details of segments that are never kept: (n,) the segment of each pixel, −1 for none.
MEMBERS = "members"
VALID = "valid"  # in the details of a window that is never kept: (n,) whether a pixel holds data


def grid_of(data: Dataset, height: int = 0) -> tuple[int, int]:
    """Return height and width of the picture whose pixels, row by row, are the items.

    Parameters
    ----------
    height : when the data do not say it themselves (0: they do)

    >>> grid_of(Dataset(features=np.zeros((6, 1)), details={"height": 2, "width": 3}))
    (2, 3)
    """
    known, wide = (int(data.details.get(name, 0)) for name in ("height", "width"))
    if not (height or known):
        raise DataError(
            f"'{data.title}' does not say how its {data.n} items are arranged in a picture. "
            "Give the height of the picture, in pixels.",
            code="picture-size-needed",
        )
    if not height and wide and known * wide != data.n:
        # Some of the pixels, or small pictures that are each an item.
        raise DataError(
            f"The {data.n} items of '{data.title}' are not the pixels of one picture of "
            f"{known} × {wide}. Take all pixels of a picture, row by row.",
            code="picture-size-mismatch",
        )
    height = height or known
    width, over = divmod(data.n, height)
    if over or not width:
        raise DataError(
            f"{data.n} pixels cannot fill a picture of {height} rows.", code="picture-size-mismatch"
        )
    return height, width


def valid_of(data: Dataset) -> Array | None:
    """Return which pixels of a window hold data, (n,), or None when all do.

    A window of a scene that is worked through in parts has pixels without data among the others,
    filled with something finite; they must not count for their neighbours.
    """
    valid = data.details.get(VALID)
    return valid if isinstance(valid, np.ndarray) and valid.shape == (data.n,) else None


def as_bands(features: Floats, grid: tuple[int, int]) -> Floats:
    """Return n × d features of pixels as d × height × width.

    >>> as_bands(np.array([[1.0, 5.0], [2.0, 6.0]]), (1, 2)).tolist()
    [[[1.0, 2.0]], [[5.0, 6.0]]]
    """
    return np.ascontiguousarray(features.T).reshape(-1, *grid)


def as_items(bands: Array) -> Floats:
    """Return d × height × width as n × d features: `as_bands` backwards."""
    flat: Floats = np.asarray(bands, dtype=np.float64).reshape(len(bands), -1)
    return np.ascontiguousarray(flat.T)

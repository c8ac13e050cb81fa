"""Some of the items of a data set, with the properties that they keep."""

from __future__ import annotations

from dataclasses import replace

from coterie.core.model.arrays import Ints
from coterie.core.model.dataset import Dataset

_BY_ITEM = ("positions", "rows", "columns")  # of the pixels of a sample


def chosen_items(data: Dataset, chosen: Ints) -> Dataset:
    """Return the items at the positions `chosen`, with a note on how many those are.

    They know where among the first items they were: `details["positions"]`.

    >>> import numpy as np
    >>> some = chosen_items(Dataset(features=np.eye(3)), np.array([0, 2]))
    >>> some.details["positions"], some.notes
    ([0, 2], ('2 chosen of 3 items.',))
    """
    note = f"{len(chosen)} chosen of {data.n} items."
    # Pixels without their neighbours are no picture.
    details = {k: v for k, v in data.details.items() if k not in ("height", "width")}
    for name in _BY_ITEM:
        if isinstance(details.get(name), list) and len(details[name]) == data.n:
            details[name] = [details[name][i] for i in chosen]
    details.setdefault("positions", chosen.tolist())
    return replace(data.take(chosen), notes=(*data.notes, note), details=details)

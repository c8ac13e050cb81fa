"""The files of samples that scikit-learn brings along.

They are read in place. Its own functions for that would first import all of it, pandas and
scipy's statistics besides: two seconds for a hundred rows.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints


def shipped(*parts: str) -> Path:
    """Return the path of a file below `sklearn/datasets`."""
    spec = find_spec("sklearn")  # finding a top-level package does not import it
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        file = Path(place, "datasets", *parts)
        if file.is_file():
            return file
    raise DataError(
        f"The sample needs the file {parts[-1]} of scikit-learn, which is missing. "
        "Reinstall scikit-learn.",
        code="missing-package",
    )


def labelled(name: str) -> tuple[Floats, Ints, tuple[str, ...]]:
    """Return the values, the class of each row and the names of the classes.

    The first line of such a file has the numbers of rows and columns, then the names.
    """
    with shipped("data", name).open(encoding="utf-8") as file:
        names = tuple(file.readline().strip().split(",")[2:])
        rows = np.loadtxt(file, delimiter=",", dtype=np.float64)
    return rows[:, :-1].copy(), rows[:, -1].astype(np.int64), names

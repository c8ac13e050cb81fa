"""A small file for each reader whose format is not text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pyarrow
from pyarrow import parquet
from scipy.io import savemat

from tests.plugins.readers.conftest import write_workbook

NUMBERS = np.array([[1.0, 2.0], [3.0, 4.5], [0.5, -1.0]])


def _excel(folder: Path) -> Path:
    rows: list[list[Any]] = [["name", "a", "b"], ["one", 1, 2], ["two", 3, 4.5], ["three", 0.5, -1]]
    return write_workbook(folder / "table.xlsx", Sheet=rows)


def _hdf5(folder: Path) -> Path:
    with h5py.File(folder / "table.h5", "w") as file:
        file["data"] = NUMBERS
    return folder / "table.h5"


def _images(folder: Path) -> Path:
    np.save(folder / "images.npy", np.arange(24, dtype=np.uint8).reshape(2, 3, 4))
    return folder / "images.npy"


def _matlab(folder: Path) -> Path:
    savemat(folder / "table.mat", {"data": NUMBERS})
    return folder / "table.mat"


def _numpy(folder: Path) -> Path:
    np.save(folder / "table.npy", NUMBERS)
    return folder / "table.npy"


def _parquet(folder: Path) -> Path:
    table = pyarrow.table({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1]})
    parquet.write_table(table, folder / "table.parquet")
    return folder / "table.parquet"


def _raster(folder: Path) -> Path:
    np.save(folder / "scene.npy", np.arange(60, dtype=np.float32).reshape(4, 5, 3))
    return folder / "scene.npy"


def _similarity(folder: Path) -> Path:
    file = folder / "similar.csv"
    file.write_text("name,a,b\na,1,0.5\nb,0.5,1\n", encoding="utf-8")
    return file


def _statistics(folder: Path) -> Path:
    import pandas
    import pyreadstat

    frame = pandas.DataFrame({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1], "c": [1.0, 2.0, 1.0]})
    labels = {"c": {1.0: "low", 2.0: "high"}}
    pyreadstat.write_sav(frame, folder / "table.sav", variable_value_labels=labels)
    return folder / "table.sav"


def _triplets(folder: Path) -> Path:
    file = folder / "counts.triplets"
    file.write_text("doc,word,count\n1,1,5\n1,3,1\n2,2,7\n", encoding="utf-8")
    return file


FILES: dict[str, Callable[[Path], Path]] = {
    "reader/excel": _excel,
    "reader/hdf5": _hdf5,
    "reader/images": _images,
    "reader/matlab": _matlab,
    "reader/numpy": _numpy,
    "reader/parquet": _parquet,
    "reader/raster": _raster,
    "reader/similarity": _similarity,
    "reader/statistics": _statistics,
    "reader/triplets": _triplets,
}

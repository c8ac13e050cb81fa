"""Write data, or groups of data, as AnnData (.h5ad)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Clustering, Context, Cost, DataError, Dataset, Writer


class H5adWriter(Writer):
    """Items as observations and columns as variables, in an AnnData file.

    Of a clustering the groups are a column of the observations. Read it by anndata.read_h5ad.
    """

    id, title = "h5ad", "AnnData (h5ad)"
    reference = "Virshup and others (2024). anndata: annotated data matrices. JOSS 9."
    extensions = (".h5ad",)

    def compute(self, artefact: Any, path: Path, *, params: Any, context: Context) -> None:
        """Write the file."""
        import h5py

        context.check()
        data = artefact if isinstance(artefact, Dataset) else getattr(artefact, "dataset", None)
        if data is None or data.features is None:
            raise DataError("An AnnData file needs items with columns. Choose data.")
        groups = artefact if isinstance(artefact, Clustering) else None
        with h5py.File(path, "w", track_order=False) as file:
            _says(file, "anndata", "0.1.0")
            X = file.create_dataset("X", data=data.dense_features(), track_times=False)
            _says(X, "array", "0.2.0")
            columns = {} if groups is None else {"group": _named(groups)}
            _frame(file, "obs", data.item_names, columns)
            _frame(file, "var", data.columns, {})
            for name in ("layers", "obsm", "obsp", "uns", "varm", "varp"):
                _says(file.create_group(name), "dict", "0.1.0")
        context.check()

    def estimate(self, artefact: Any, path: Path, *, params: Any) -> Cost:
        """A copy of the features."""
        data = artefact if isinstance(artefact, Dataset) else getattr(artefact, "dataset", None)
        return Cost(bytes=(1 << 20) + (0 if data is None else 16 * data.n * max(1, data.d)))


def _named(groups: Clustering) -> list[str]:
    names = groups.group_names
    return [names[label] if label >= 0 else "" for label in groups.labels.tolist()]


def _says(where: Any, kind: str, version: str) -> None:
    where.attrs["encoding-type"], where.attrs["encoding-version"] = kind, version


def _frame(file: Any, name: str, index: Any, columns: dict[str, list[str]]) -> None:
    import h5py

    frame = file.create_group(name)
    _says(frame, "dataframe", "0.2.0")
    frame.attrs["_index"] = "_index"
    text = h5py.string_dtype()
    frame.attrs.create("column-order", np.array(list(columns), dtype=object), dtype=text)
    for key, values in {"_index": list(index), **columns}.items():
        made = frame.create_dataset(
            key, data=np.array(values, dtype=object), dtype=text, track_times=False
        )
        _says(made, "string-array", "0.2.0")

"""Read a matrix out of an HDF5 file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from h5py import h5d, h5t

from coterie.core import Array, Context, DataError, Dataset, Field, Reader
from coterie.core.errors import no_file
from coterie.core.formats.files.matrices import ItemsIn, choose_matrix, matrix_dataset, words_of

MOST_OBJECTS = 10_000  # looked at in search of a matrix
MOST_PACKING = 1100  # deflate packs at most 1032 bytes into one
SMALL = 1 << 20  # what a dataset may promise without holding it
_READABLE = (h5t.INTEGER, h5t.FLOAT, h5t.ENUM, h5t.STRING, h5t.COMPOUND)


class HDF5(Reader):
    """A dataset of an HDF5 file as a matrix, one item per row.

    Only what is in the file itself is read: links to elsewhere, virtual datasets, references and
    stored objects are refused.
    """

    id, title = "hdf5", "HDF5 matrix"
    extensions = (".h5", ".hdf5", ".he5")

    class Params(Reader.Params):
        """Which datasets, and which way round."""

        dataset: str = Field(
            "", description="Path of the dataset in the file; empty: the only matrix."
        )
        items_in: ItemsIn = Field("rows", description="Whether rows or columns are the items.")
        truth: str = Field(
            "", description="Path of the dataset that holds the known class of each item."
        )
        items: str = Field("", description="Path of the dataset that holds the name of each item.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the matrix in the file at `path`."""
        path = Path(path)
        context.check()
        with open_plain(path) as file:
            roles = {role: name.strip("/") for role, name in _roles(params) if name}
            chosen = params.dataset.strip("/")
            if not chosen:
                shapes = {
                    name: found.shape
                    for name, found in plain_datasets(path, file, context)
                    if found.dtype.kind in "biufc" and name not in roles.values()
                }
                chosen = choose_matrix(path, shapes, "", "dataset")
            matrix = read_array(path, find(path, file, chosen))
            context.check()
            words = {
                role: words_of(path, name, read_array(path, find(path, file, name)))
                for role, name in roles.items()
            }
        return matrix_dataset(
            path,
            matrix,
            items_in=params.items_in,
            truth=words.get("truth"),
            truth_column=roles.get("truth", "").rpartition("/")[2],
            items=words.get("items"),
            details={"dataset": f"/{chosen}"},
        )


def _roles(params: HDF5.Params) -> tuple[tuple[str, str], ...]:
    return ("truth", params.truth), ("items", params.items)


@contextmanager
def open_plain(path: Path) -> Iterator[h5py.File]:
    """Open an HDF5 file for reading; whatever the library finds wrong becomes one sentence."""
    if not path.is_file():
        raise no_file(path)
    if not h5py.is_hdf5(path):
        raise DataError(
            f"'{path.name}' is not an HDF5 file, or its beginning is damaged.", code="wrong-format"
        )
    try:
        with h5py.File(path, "r", locking=False) as file:
            yield file
    except (OSError, RuntimeError, KeyError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise DataError(
            f"'{path.name}' cannot be read: {reason:.160}. Save it again.", code="file-damaged"
        ) from error


def find(path: Path, file: h5py.File, name: str) -> h5py.Dataset:
    """Return the dataset at a path inside, following no link that leads elsewhere."""
    group: Any = file
    done = ""
    for part in name.strip("/").split("/"):
        done += f"/{part}"
        link = group.get(part, getlink=True) if isinstance(group, h5py.Group) else None
        if link is None:
            raise DataError(
                f"'{path.name}' has no dataset '/{name}'. There is no '{done}'.",
                code="unknown-array",
            )
        if not isinstance(link, h5py.HardLink):
            raise DataError(
                f"'{done}' of '{path.name}' is a link to another file, which is not followed. "
                "Copy the data into the file.",
                code="outside-folder",
            )
        group = group[part]
    if not isinstance(group, h5py.Dataset):
        raise DataError(
            f"'/{name}' of '{path.name}' is a group. Name a dataset in it.", code="unknown-array"
        )
    return group


def plain_datasets(
    path: Path, file: h5py.File, context: Context
) -> Iterator[tuple[str, h5py.Dataset]]:
    """Return the datasets that can be read, by path; links to elsewhere are passed over."""
    waiting: list[tuple[str, Any]] = [("", file)]
    seen = 0
    while waiting:
        place, group = waiting.pop()
        for name in group:
            seen += 1
            context.check()
            if seen > MOST_OBJECTS:
                raise DataError(
                    f"'{path.name}' holds more than {MOST_OBJECTS} objects. "
                    "Name the dataset to read.",
                    code="file-too-large",
                )
            # HDF5 allows a group to hold itself; nobody keeps a matrix this deep.
            if place.count("/") > 16 or not isinstance(
                group.get(name, getlink=True), h5py.HardLink
            ):
                continue
            inner = f"{place}/{name}".lstrip("/")
            found = group[name]
            if isinstance(found, h5py.Group):
                waiting.append((inner, found))
            elif isinstance(found, h5py.Dataset) and not _why_not(found):
                yield inner, found


def read_array(path: Path, dataset: h5py.Dataset) -> Array:
    """Return all of a dataset, or say why it is not read."""
    if why := _why_not(dataset):
        raise DataError(
            f"'{dataset.name}' of '{path.name}' {why}, which is not read.", code="wrong-type"
        )
    if dataset.dtype.kind == "O":  # texts of varying length; `_why_not` has refused all others
        return np.array([str(word) for word in dataset.asstr()[()].reshape(-1)], dtype=np.str_)
    return np.asarray(dataset[()])


def _why_not(dataset: h5py.Dataset) -> str:
    """Why a dataset is not safe to read. Its layout comes first: of a virtual one, even the shape
    would be looked up in other files."""
    plan = dataset.id.get_create_plist()
    if plan.get_layout() == h5d.VIRTUAL:
        return "is a virtual dataset, made of other files"
    if plan.get_external_count():
        return "is kept in another file"
    kind = dataset.id.get_type()
    if kind.get_class() not in _READABLE or (
        dataset.dtype.kind == "O" and kind.get_class() != h5t.STRING
    ):
        return "holds references, lists or stored objects"
    if dataset.shape is None:
        return "has no value"
    promised, stored = prod(dataset.shape) * dataset.dtype.itemsize, dataset.id.get_storage_size()
    if promised > max(SMALL, MOST_PACKING * stored):
        return f"promises {promised} bytes where {stored} are stored"
    return ""

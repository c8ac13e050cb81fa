"""Scenes that are HDF5 files, NetCDF among them, hold all of their values themselves.

GDAL would follow links and values kept in other files to whatever the reader may read. So each
file is looked through before GDAL opens it, also when a project describes its scene already.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from coterie.core.errors import DataError

MOST_OBJECTS = 10_000
_SIGNATURE = b"\x89HDF\r\n\x1a\n"


def require_self_contained(path: Path) -> None:
    """Refuse an HDF5 file with a link, or a dataset that is kept in other files, anywhere in it.

    Files that are not HDF5 pass.
    """
    try:
        about = path.stat()
        if path.is_file() and _is_hdf5(path, about.st_size):
            _look_through(str(path), about.st_mtime_ns, about.st_size)
    except OSError:
        return  # who opens it says what is wrong


def _is_hdf5(path: Path, size: int) -> bool:
    """Whether the signature is at one of the places where the library looks for it."""
    with path.open("rb") as file:
        at = 0
        while at + len(_SIGNATURE) <= size:
            file.seek(at)
            if file.read(len(_SIGNATURE)) == _SIGNATURE:
                return True
            at = 2 * at or 512
    return False


@lru_cache(maxsize=64)
def _look_through(name: str, _changed: int, _size: int) -> None:
    """Look at every object; what was found in order is not looked at again until it changes."""
    import h5py
    from h5py import h5d, h5o

    path = Path(name)
    try:
        with h5py.File(path, "r", locking=False) as file:
            waiting: list[h5py.Group] = [file]
            seen: set[int] = set()  # a group may hold itself
            while waiting:
                group = waiting.pop()
                for member in group:
                    if not isinstance(group.get(member, getlink=True), h5py.HardLink):
                        raise _leads_outside(path, member, "is a link")
                    found = group[member]
                    address = int(h5o.get_info(found.id).addr)
                    if address in seen:
                        continue
                    seen.add(address)
                    if len(seen) > MOST_OBJECTS:
                        raise DataError(
                            f"'{path.name}' holds more than {MOST_OBJECTS} objects. "
                            "Convert it to GeoTIFF.",
                            code="file-too-large",
                        )
                    if isinstance(found, h5py.Group):
                        waiting.append(found)
                    elif isinstance(found, h5py.Dataset):
                        plan = found.id.get_create_plist()
                        if plan.get_layout() == h5d.VIRTUAL or plan.get_external_count():
                            raise _leads_outside(path, member, "is kept in other files")
    except (OSError, RuntimeError, KeyError, TypeError) as error:
        if isinstance(error, DataError):
            raise
        reason = " ".join(str(error).split())
        raise DataError(
            f"'{path.name}' cannot be read: {reason:.160}. Save it again.", code="file-damaged"
        ) from error


def _leads_outside(path: Path, name: str, why: str) -> DataError:
    return DataError(
        f"'{name:.80}' in '{path.name}' {why}, which is not followed. Copy the data into the file.",
        code="outside-folder",
    )

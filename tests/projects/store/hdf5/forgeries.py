"""Opens projects whose stored sizes and pointers were forged, in a process that may crash.

Run as a program: python -m tests.projects.store.hdf5.forgeries LIBRARY FOLDER. It makes every
forgery in an old or new form of HDF5, reads all of it, and prints one line of JSON: for each the
sentence with which it was refused, or "" when it was read. The last name on stderr is the one that
crashed it.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.model.encoding import decode
from coterie.projects.store.hdf5.reading import ProjectFile
from tests.projects.store.hdf5 import samples

# The old form keeps the size of every chunk, in a B-tree without checksums; the new form keeps it
# only where filters may change it.
OLD, NEW = "earliest", "v110"
CHUNK = 128 * 2 * 8  # bytes, 0x0800
LONG, SHORT = 0xF800, 0x0700  # with one byte changed
POINTS = f"data/{samples.points().key}"
GRAPH = f"graphs/{samples.key_of('sparse')}"
WORDS = f"data/{samples.key_of('words')}/features"
# Each pointer is 2⁶², or 2³⁰, more than the one before, when counted as the processor does.
WRAPPED = np.array([0, 2**62, -(2**63), -(2**62), 4])
WRAPPED_32 = np.array([0, 2**30, -(2**31), -(2**30), 4], dtype=np.int32)

Forge = Callable[[Path, str], None]


def project(folder: Path, library: str) -> Path:
    """Return a new project, written in the form of `library`."""
    whole, path = folder / "whole.coterie.h5", folder / "forged.coterie.h5"
    samples.save(whole)
    with h5py.File(whole) as old, h5py.File(path, "w", libver=(library, "latest")) as new:
        for name, value in old.attrs.items():
            new.attrs.create(name, value, dtype=old.attrs.get_id(name).dtype)
        for name in old:
            old.copy(name, new)
    return path


def chunk(size: int, mask: int = 0, **packing: Any) -> Forge:
    """Store the first chunk of the points in `size` bytes, its other bytes those that follow it."""

    def forge(path: Path, library: str) -> None:
        with h5py.File(path, "r+", libver=(library, "latest")) as file:
            del file[f"{POINTS}/features"]
            x = file.create_dataset(
                f"{POINTS}/features", (256, 2), "f8", chunks=(128, 2), **packing
            )
            x[...] = np.random.default_rng(0).random(x.shape)
            if library == NEW:
                x.id.write_direct_chunk((0, 0), bytes(size), filter_mask=mask)
            file.flush()
            file[f"{POINTS}/relation"] = np.full((256, 256), 1e300)  # enough bytes to read on
            first = x.id.get_chunk_info(0)
        if library == OLD:
            raw = bytearray(path.read_bytes())
            # An entry of the tree: size, skipped filters, three offsets, and where the chunk is.
            entry = struct.pack("<II4Q", first.size, 0, 0, 0, 0, first.byte_offset)
            assert raw.count(entry) == 1
            place = raw.index(entry)
            raw[place : place + 8] = struct.pack("<II", size, mask)
            path.write_bytes(raw)

    return forge


def part(name: str, array: Any) -> Forge:
    """Put another array in the place of one."""

    def forge(path: Path, library: str) -> None:
        with h5py.File(path, "r+", libver=(library, "latest")) as file:
            del file[name]
            file[name] = array

    return forge


FORGERIES: dict[str, tuple[Forge, str]] = {
    "shuffled, longer": (chunk(LONG, shuffle=True), f"{LONG} bytes instead of {CHUNK}"),
    "shuffled, shorter": (chunk(SHORT, shuffle=True), f"{SHORT} bytes instead of {CHUNK}"),
    "checked, longer": (chunk(LONG, fletcher32=True), f"{LONG} bytes instead of {CHUNK + 4}"),
    "packed, longer": (chunk(LONG, compression=1), f"{LONG} bytes (at most"),
    "packing skipped": (chunk(LONG, mask=1, compression=1), "was not packed"),
    "pointers that wrap": (part(f"{GRAPH}/indptr", WRAPPED), "do not rise from 0 to 4"),
    "pointers that wrap in 32 bits": (part(f"{GRAPH}/indptr", WRAPPED_32), "do not rise from 0"),
    "features whose pointers wrap": (part(f"{WORDS}/indptr", WRAPPED), "do not rise from 0 to 4"),
    "pointers that end early": (part(f"{GRAPH}/indptr", [0, 1, 2, 2, 2]), "do not rise from 0"),
    "pointers that fall": (part(f"{GRAPH}/indptr", [0, 3, 2, 3, 4]), "do not rise from 0 to 4"),
    "a column too far": (part(f"{GRAPH}/indices", [0, 1, 2, 4]), "not all from 0 to 3"),
    "a column below 0": (part(f"{GRAPH}/indices", [0, 1, -1, 3]), "not all from 0 to 3"),
    "fewer rows than none": (part(f"{GRAPH}/shape", [-1, 4]), "5 row pointers for -1 rows"),
    "one index too few": (part(f"{GRAPH}/indices", [0, 1, 2]), "3 indices for 4 entries"),
}
# The new form does not keep these sizes.
ONLY_OLD: dict[str, tuple[Forge, str]] = {
    "longer": (chunk(LONG), f"{LONG} bytes instead of {CHUNK}"),
    "shorter": (chunk(SHORT), f"{SHORT} bytes instead of {CHUNK}"),
}


def forgeries(library: str) -> dict[str, tuple[Forge, str]]:
    """Return every forgery for a form of HDF5, each with a part of the sentence to expect."""
    return FORGERIES | ONLY_OLD if library == OLD else FORGERIES


def said(path: Path) -> str:
    """Return the sentence with which the project at `path` is refused, "" when it can be used."""
    try:
        with ProjectFile.open(path) as file:
            for key in file.entries:
                decode(file.read(key).encoded, None)
    except CoterieError as error:
        return str(error)
    return ""


def main() -> None:
    library, folder = sys.argv[1], Path(sys.argv[2])
    whole = project(folder, library).read_bytes()
    heard = {}
    for name, (forge, _) in forgeries(library).items():
        print(name, file=sys.stderr, flush=True)
        path = folder / "forged.coterie.h5"
        path.write_bytes(whole)
        forge(path, library)
        heard[name] = said(path)
    print(json.dumps(heard))


if __name__ == "__main__":
    main()

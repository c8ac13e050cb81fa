"""Opens damaged copies of a project file, in a process of its own: a crash must be seen.

Run as a program: damage.py FILE WAY SEED COUNT. It prints how many copies were refused and how
many could be read in spite of the damage; anything else that happens is its exit code.
"""

from __future__ import annotations

import io
import random
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import h5py

from coterie.core.errors import ProjectFileError
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.validation import validate


def truncated(whole: bytes, rng: random.Random, count: int) -> Iterator[bytes]:
    """Cut at even distances, and at random places near both ends."""
    for i in range(count):
        yield whole[: len(whole) * i // count]
    for _ in range(20):
        yield whole[: rng.randrange(600)]
        yield whole[: len(whole) - rng.randrange(1, 600)]


def flipped(whole: bytes, rng: random.Random, count: int) -> Iterator[bytes]:
    """Change one to eight bytes, near each other as damage is, or anywhere."""
    for _ in range(count):
        copy = bytearray(whole)
        centre = rng.randrange(len(whole))
        for _ in range(rng.choice((1, 1, 2, 8))):
            near = centre + rng.randrange(64) if rng.random() < 0.7 else rng.randrange(len(whole))
            copy[near % len(whole)] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        yield bytes(copy)


def blanked(whole: bytes, rng: random.Random, count: int) -> Iterator[bytes]:
    """Lose a whole block, as a failing disk does."""
    for _ in range(count):
        start, size = rng.randrange(len(whole)), rng.choice((16, 512, 4096))
        lost = rng.choice((b"\0", b"\xff")) * min(size, len(whole) - start)
        yield whole[:start] + lost + whole[start + len(lost) :]


def repaired(whole: bytes, rng: random.Random, count: int) -> Iterator[bytes]:
    """Change bytes within descriptions of objects, and make their checksums right again.

    So may somebody who means harm; a failing disk does not. Most of a description is padding, which
    is seldom changed; a message that becomes padding is as if it had never been there.
    """
    blocks = list(header_blocks(whole))
    for _ in range(count):
        copy = bytearray(whole)
        for start, end in rng.sample(blocks, rng.choice((1, 1, 2))):
            used = len(whole[start:end].rstrip(b"\0")) if rng.random() < 0.9 else end - start
            messages = list(message_places(whole, start, end))
            for _ in range(rng.choice((1, 1, 2, 4))):
                if messages and rng.random() < 0.15:
                    copy[rng.choice(messages)] = 0
                    continue
                copy[start + rng.randrange(6, used)] = rng.choice(
                    (0, 1, 2, 0x7F, 0x80, 0xFF, rng.randrange(256))
                )
            copy[end : end + 4] = struct.pack("<I", lookup3(bytes(copy[start:end])))
        yield bytes(copy)


def old(whole: bytes, rng: random.Random, count: int) -> Iterator[bytes]:
    """Change bytes of the same project in the first format of HDF5, which has no checksums.

    Every other one keeps its beginning, and has objects in that format inside.
    """
    outside, inside = in_old_format(whole), with_old_objects(whole)
    for number, changed in enumerate(flipped(outside, rng, count)):
        yield next(flipped(inside, rng, 1)) if number % 2 else changed


def in_old_format(whole: bytes) -> bytes:
    """Return a project as HDF5 1.6 would have written it."""
    made = io.BytesIO()
    with (
        h5py.File(io.BytesIO(whole)) as source,
        h5py.File(made, "w", libver=("earliest", "v108")) as target,
    ):
        for name, value in source.attrs.items():
            target.attrs[name] = value
        for name in source:
            source.copy(name, target)
    return made.getvalue()


def with_old_objects(whole: bytes) -> bytes:
    """Return a project with a group and an array as HDF5 1.6 would have added them."""
    made = io.BytesIO(whole)
    with h5py.File(made, "r+", libver=("earliest", "latest")) as file:
        file.create_group("old")["numbers"] = [1.0, 2.0]
    return made.getvalue()


def header_blocks(whole: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each description of an object starts, and where its checksum does."""
    at = whole.find(b"OHDR")
    while at >= 0:
        flags = whole[at + 5]
        head = 6 + 16 * bool(flags & 0x20) + 4 * bool(flags & 0x10)
        width = 1 << (flags & 3)
        size = int.from_bytes(whole[at + head : at + head + width], "little")
        end = at + head + width + size
        if whole[end : end + 4] == struct.pack("<I", lookup3(whole[at:end])):
            yield at, end
        at = whole.find(b"OHDR", at + 4)


def message_places(whole: bytes, start: int, end: int) -> Iterator[int]:
    """Yield where the messages of a description begin, padding left out."""
    flags = whole[start + 5]
    at = start + 6 + 16 * bool(flags & 0x20) + 4 * bool(flags & 0x10) + (1 << (flags & 3))
    while at + 4 <= end:
        if whole[at]:
            yield at
        at += 4 + 2 * bool(flags & 4) + int.from_bytes(whole[at + 1 : at + 3], "little")


def lookup3(data: bytes) -> int:
    """Return the checksum that HDF5 puts on its bookkeeping: Bob Jenkins' hash of 2006."""
    mask = 0xFFFFFFFF

    def turned(value: int, by: int) -> int:
        return ((value << by) | (value >> (32 - by))) & mask

    a = b = c = (0xDEADBEEF + len(data)) & mask
    if not data:
        return c
    pieces = [data[i : i + 12] for i in range(0, len(data), 12)]
    for piece in pieces[:-1]:
        x, y, z = struct.unpack("<3I", piece)
        a, b, c = (a + x) & mask, (b + y) & mask, (c + z) & mask
        a = (a - c & mask) ^ turned(c, 4)
        c = (c + b) & mask
        b = (b - a & mask) ^ turned(a, 6)
        a = (a + c) & mask
        c = (c - b & mask) ^ turned(b, 8)
        b = (b + a) & mask
        a = (a - c & mask) ^ turned(c, 16)
        c = (c + b) & mask
        b = (b - a & mask) ^ turned(a, 19)
        a = (a + c) & mask
        c = (c - b & mask) ^ turned(b, 4)
        b = (b + a) & mask
    x, y, z = struct.unpack("<3I", pieces[-1].ljust(12, b"\0"))
    a, b, c = (a + x) & mask, (b + y) & mask, (c + z) & mask
    c = ((c ^ b) - turned(b, 14)) & mask
    a = ((a ^ c) - turned(c, 11)) & mask
    b = ((b ^ a) - turned(a, 25)) & mask
    c = ((c ^ b) - turned(b, 16)) & mask
    a = ((a ^ c) - turned(c, 4)) & mask
    b = ((b ^ a) - turned(a, 14)) & mask
    found: int = ((c ^ b) - turned(b, 24)) & mask
    return found


WAYS = {
    "truncated": truncated,
    "flipped": flipped,
    "blanked": blanked,
    "repaired": repaired,
    "old": old,
}


def read_all(path: Path) -> None:
    """Read everything there is."""
    with ProjectFile.open(path) as file:
        _ = file.steps, file.recipe, file.view
        for key in file.entries:
            file.provenance(key)
            file.read(key)


def main() -> None:
    name, way, seed, count = sys.argv[1:]
    whole = Path(name).read_bytes()
    refused = read = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.coterie.h5"
        for copy in WAYS[way](whole, random.Random(int(seed)), int(count)):
            path.write_bytes(copy)
            validate(path)  # never raises
            try:
                read_all(path)
                read += 1
            except ProjectFileError as error:
                refused += 1
                if "\n" in str(error):
                    raise SystemExit(f"more than one sentence: {error}") from error
            except BaseException:
                path.rename(Path(name).with_name(f"{way}-{seed}-{refused + read}.h5"))
                raise
    print(refused, read)


if __name__ == "__main__":
    main()

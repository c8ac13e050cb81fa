"""Opens damaged copies of a project file, in a process of its own: a crash must be seen.

Run as a program: damage.py FILE WAY SEED COUNT. It prints how many copies were refused and how
many could be read in spite of the damage; anything else that happens is its exit code.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

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


WAYS = {"truncated": truncated, "flipped": flipped, "blanked": blanked}


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

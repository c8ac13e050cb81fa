"""Opens damaged and mutated files of all kinds, round after round, each with a seed of its own.

Run as a program: python -m tests.hostile.fuzz [--cases N] [--kinds A,B] [--seconds S] [--seed X];
`./dev fuzz` does so. A round is one process that opens its share of files of one kind. The first
file that is neither refused with a sentence nor read ends the campaign; it is kept in build/fuzz,
or its folder is. It prints a tally.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.hostile import parsers
from tests.hostile.capped import RELEASED
from tests.projects.store.hdf5 import damage, samples

ROOT = Path(__file__).resolve().parents[2]
MUTATED, READERS = "mutated", "readers"
# Files in a round, of each kind. Projects: bytes flipped, blocks lost, descriptions changed with
# their checksums repaired, the first format of HDF5, and what is well-formed and wrong; the files
# of every reader; and what our own parsers are given.
FILES = {
    **dict.fromkeys(("flipped", "blanked", "repaired", "old"), 100),
    MUTATED: 25,
    READERS: 100,
    **dict.fromkeys(parsers.targets(), 500),
}
LONGEST_ROUND = 1800.0
# A library that writes beyond what Python gave it is noticed at once, not by luck.
NOTICE_OVERRUNS = {"PYTHONMALLOC": "debug"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Open damaged and mutated files of all kinds.")
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--kinds", default=",".join(FILES), help=f"some of {', '.join(FILES)}")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = random.randrange(1 << 30) if asked.seed is None else asked.seed
    print(f"seed {seed}", flush=True)
    rng, began = random.Random(seed), time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="coterie-fuzz-"))
    whole = folder / "whole.coterie.h5"
    samples.save(whole)
    opened = dict.fromkeys(asked.kinds.split(","), 0)
    tally: Counter[str] = Counter()
    while tally.total() < asked.cases and time.monotonic() - began < asked.seconds:
        # As many files of each kind, though rounds of some are shorter.
        kind, own_seed = min(opened, key=opened.__getitem__), rng.randrange(1 << 30)
        said, error = open_files(kind, own_seed, whole)
        opened[kind] += FILES[kind]
        if error:
            print(f"{kind} files of seed {own_seed}:\n{error}\nKept: {folder}", flush=True)
            sys.exit(1)
        tally.update(said)
        print(f"{tally.total()} files, each refused or read", flush=True)
    shutil.rmtree(folder)
    print(f"{tally.total()} files in {time.monotonic() - began:.0f} s, each refused or read:")
    for what, count in sorted(tally.items()):
        print(f"  {count:6d}  {what}")


def open_files(kind: str, seed: int, whole: Path) -> tuple[dict[str, int], str]:
    """Open one round's files; return how many were refused and read, and what went wrong."""
    count = FILES[kind]
    if kind == MUTATED:
        command = ["-m", "tests.hostile.capped", str(whole.parent), str(seed), str(count)]
    elif kind == READERS:
        command = ["-m", "tests.hostile.readers", str(seed), str(count)]
    elif kind in damage.WAYS:
        file = random.Random(seed).choice((whole, *RELEASED))
        command = [damage.__file__, str(file), kind, str(seed), str(count)]
    else:
        command = ["-m", "tests.hostile.parsers", kind, str(seed), str(count)]
    try:
        ended = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=os.environ | NOTICE_OVERRUNS,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_ROUND,
        )
    except subprocess.TimeoutExpired:
        return {}, f"still at it after {LONGEST_ROUND:.0f} seconds"
    if ended.returncode:
        said = ended.stderr  # which file it was comes first, what went wrong last
        said = said if len(said) < 4000 else f"{said[:1000]}\n…\n{said[-3000:]}"
        return {}, f"ended with {ended.returncode}: {said}"
    if kind in damage.WAYS:
        refused, read = map(int, ended.stdout.split())
    else:
        found = json.loads(ended.stdout[ended.stdout.index("{") :])
        refused, read = found["refused"], found["read"]
    if refused + read != count:
        return {}, f"{count} files were asked for, {refused} were refused and {read} read"
    return {f"{kind}, refused": refused, f"{kind}, read": read}, ""


if __name__ == "__main__":
    main()

"""Opens damaged and mutated projects, round after round, each with a seed of its own.

Run as a program: python -m tests.hostile.fuzz --rounds N [--seconds S] [--seed X]; `./dev fuzz`
does so. A round is one process that opens its share of files of one kind. The first file that is
neither refused with a sentence nor read ends the campaign, and its folder is kept. It prints a
tally.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.projects.store.hdf5 import damage, samples

ROOT = Path(__file__).resolve().parents[2]
MUTATED = "mutated"
# Files in a round, of each kind: each takes a few seconds.
FILES = {"flipped": 100, "blanked": 100, MUTATED: 25}


def main() -> None:
    parser = argparse.ArgumentParser(description="Open damaged and mutated projects.")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = random.randrange(1 << 30) if asked.seed is None else asked.seed
    print(f"seed {seed}", flush=True)
    rng, began = random.Random(seed), time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="coterie-fuzz-"))
    whole = folder / "whole.coterie.h5"
    samples.save(whole)
    tally: Counter[str] = Counter()
    for number in range(1, asked.rounds + 1):
        if time.monotonic() - began > asked.seconds:
            break
        kind, own_seed = rng.choice(list(FILES)), rng.randrange(1 << 30)
        said, error = open_files(kind, own_seed, whole)
        if error:
            print(f"{kind} files of seed {own_seed}:\n{error}\nKept: {folder}", flush=True)
            sys.exit(1)
        tally.update(said)
        if number % 10 == 0:
            print(f"{number} rounds, every file refused or read", flush=True)
    shutil.rmtree(folder)
    print(f"{tally.total()} files in {time.monotonic() - began:.0f} s, each refused or read:")
    for what, count in sorted(tally.items()):
        print(f"  {count:6d}  {what}")


def open_files(kind: str, seed: int, whole: Path) -> tuple[dict[str, int], str]:
    """Open one round's files; return how many were refused and read, and what went wrong."""
    count = FILES[kind]
    if kind == MUTATED:
        command = ["-m", "tests.hostile.capped", str(whole.parent), str(seed), str(count)]
    else:
        command = [damage.__file__, str(whole), kind, str(seed), str(count)]
    ended = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        return {}, f"ended with {ended.returncode}: {ended.stderr[-3000:]}"
    if kind == MUTATED:
        found = json.loads(ended.stdout[ended.stdout.index("{") :])
        refused, read = found["refused"], found["read"]
    else:
        refused, read = map(int, ended.stdout.split())
    if refused + read != count:
        return {}, f"{count} files were asked for, {refused} were refused and {read} read"
    return {f"{kind}, refused": refused, f"{kind}, read": read}, ""


if __name__ == "__main__":
    main()

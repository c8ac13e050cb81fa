"""Damaged files are refused with a sentence, or read; they never crash or hang the reader."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from . import samples

PROGRAM = Path(__file__).with_name("damage.py")


def survive(path: Path, way: str, seed: int, count: int) -> tuple[int, int]:
    samples.save(path)
    done = subprocess.run(
        [sys.executable, PROGRAM, path, way, str(seed), str(count)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    refused, read = map(int, done.stdout.split())
    return refused, read


def test_a_project_cut_anywhere_is_refused(tmp_path: Path) -> None:
    refused, read = survive(tmp_path / "p.coterie.h5", "truncated", 1, 100)
    assert (refused, read) == (140, 0)


@pytest.mark.parametrize("way", ["flipped", "blanked", "repaired", "old"])
def test_a_damaged_project_is_refused_or_read(tmp_path: Path, way: str) -> None:
    refused, read = survive(tmp_path / "p.coterie.h5", way, 1, 25)
    assert refused + read == 25
    assert refused == 25 if way == "old" else refused > 3

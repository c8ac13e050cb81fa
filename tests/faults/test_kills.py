"""A process killed at any file operation loses nothing that was promised."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .everywhere import SCENES

ROOT = Path(__file__).resolve().parents[2]


def killed_everywhere(folder: Path, *most: str) -> dict[str, list[int]]:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.faults.everywhere", folder, *most],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stderr
    tally: dict[str, list[int]] = json.loads(ended.stdout)
    return tally


def test_a_window_killed_in_the_midst_of_saving_or_finding_loses_nothing(tmp_path: Path) -> None:
    scenes = ("saving", "autosaving", "relinking")
    tally = killed_everywhere(tmp_path, "--most=2", *(f"--scene={name}" for name in scenes))
    assert {name: tried for name, (_, tried) in tally.items()} == dict.fromkeys(scenes, 2)


@pytest.mark.slow
def test_a_window_killed_on_its_way_loses_nothing_promised(tmp_path: Path) -> None:
    tally = killed_everywhere(tmp_path, "--most=3")
    assert set(tally) == set(SCENES)
    assert all(tried >= 2 for _, tried in tally.values())


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_window_killed_at_every_file_operation_loses_nothing_promised(tmp_path: Path) -> None:
    tally = killed_everywhere(tmp_path)
    assert all(tried == total for total, tried in tally.values())

"""Forged sizes and pointers are refused with one sentence, before they reach compiled code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from coterie.projects.store.hdf5.reading import ProjectFile

from . import samples
from .forgeries import NEW, OLD, forgeries, project

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.parametrize("library", [OLD, NEW])
def test_every_forged_project_is_refused(tmp_path: Path, library: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.projects.store.hdf5.forgeries", library, tmp_path],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    heard = json.loads(ended.stdout)
    for name, (_, problem) in forgeries(library).items():
        assert problem in heard[name], name
        assert "\n" not in heard[name], name


@pytest.mark.parametrize("library", [OLD, NEW])
def test_a_project_in_any_form_of_hdf5_is_read(tmp_path: Path, library: str) -> None:
    with ProjectFile.open(project(tmp_path, library)) as file:
        for made in samples.artefacts():
            assert samples.same(file.read(made.key), made)

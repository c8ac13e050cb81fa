"""The window starts, computes, saves and reopens whatever the user's language."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    shutil.which("localedef") is None, reason="locales cannot be made here"
)
OTHERS = ("az_AZ", "ar_EG", "de_DE", "C")
LOCALES = ["tr_TR", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]


@pytest.fixture
def variables(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """The environment of a user of that language; the locale is made for the test."""
    name: str = request.param
    own = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("STATE", "CACHE", "CONFIG")}
    own |= {"QT_QPA_PLATFORM": "offscreen"}
    if name == "C":
        return os.environ | own | {"LC_ALL": "C"}
    folder = tmp_path / "locales"
    folder.mkdir()
    command = ["localedef", "-i", name, "-f", "UTF-8", str(folder / f"{name}.UTF-8")]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip(f"The locale {name} cannot be made here.")
    return os.environ | own | {"LOCPATH": str(folder), "LC_ALL": f"{name}.UTF-8"}


def _coterie(variables: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "-m", "coterie.projects.cli.main", *arguments]
    done = subprocess.run(
        command, env=variables, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("variables", LOCALES, indirect=True)
def test_a_sample_runs_in_the_window_and_is_saved_and_reopened(
    variables: dict[str, str], tmp_path: Path
) -> None:
    said = json.loads(_coterie(variables, "--probe-window", "sample"))
    assert said["failures"] == []
    assert said["steps"] > 1
    project = tmp_path / "ıİiI.coterie.h5"
    _coterie(variables, "run", "three-gaussians", "-o", str(project))
    _coterie(variables, "validate", str(project))
    assert json.loads(_coterie(variables, "info", str(project), "--json"))

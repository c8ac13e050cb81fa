"""Nobody may read what is printed; work is done and saved all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coterie.projects.store.hdf5.validation import validate

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="asks a POSIX shell")
COTERIE = f"'{sys.executable}' -m coterie.projects.cli.main"
RECIPE = """format = 2
[data]
open = "arcs"
params = { n = 30 }
[[step]]
name = "groups"
use = "clusterer/kmeans"
of = "data"
params = { k = 2 }
"""


def _shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "r.toml").write_text(RECIPE, encoding="utf-8")
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=folder,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.mark.parametrize(
    "streams",
    ["| true", *(pytest.param(each, marks=pytest.mark.slow) for each in (">&-", "<&- >&- 2>&-"))],
)
def test_a_run_that_nobody_listens_to_is_saved(streams: str, tmp_path: Path) -> None:
    done = _shell(f"{COTERIE} run r.toml {streams}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert validate(tmp_path / "r.coterie.h5") == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_for_what_is_printed_is_an_error_after_the_work(tmp_path: Path) -> None:
    done = _shell(f"{COTERIE} run r.toml > /dev/full", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("No space left on device.")
    assert validate(tmp_path / "r.coterie.h5") == []

"""Work of a session that died is found again and can be restored."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from coterie.projects.jobs import Status
from coterie.projects.recovery import discard, orphans

DYING = """
import os, signal, sys
from pathlib import Path
from coterie.core.engine.options import EngineOptions
from coterie.projects.session import Session

session = Session(root=Path(sys.argv[1]), options=EngineOptions(plugin_folders=(), workers=1))
session.start()
session.open("arcs")
session.run("groups")
session.wait(60)
print(session.key("groups"), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_window_leaves_work_that_can_be_restored(new_session: Any, tmp_path: Path) -> None:
    root = tmp_path / "workspaces"
    root.mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", DYING, str(root)],
        capture_output=True,
        text=True,
        timeout=100,
        env=os.environ,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    key = ended.stdout.strip()

    found = orphans(root)
    assert [orphan.path for orphan in found] == [None]
    assert found[0].steps >= 3

    session = new_session()
    session.recover(found[0].folder)
    assert session.key("groups") == key
    assert session.modified
    while not session.catalogue.methods:
        session.wait(0.1)
    assert session.status("groups") is Status.FRESH
    assert np.unique(session.artefact("groups").labels).size >= 2
    assert orphans(root) == []


def test_the_workspace_of_a_running_session_is_no_orphan(new_session: Any, tmp_path: Path) -> None:
    session = new_session()
    session.open("arcs")
    assert orphans(tmp_path / "workspaces") == []
    session.close()
    assert list((tmp_path / "workspaces").iterdir()) == []


def test_remains_without_work_are_removed_and_unwanted_work_can_be(tmp_path: Path) -> None:
    empty = tmp_path / "workspace-empty"
    (empty / "artefacts").mkdir(parents=True)
    assert orphans(tmp_path) == []
    assert not empty.exists()
    wanted = tmp_path / "workspace-work"
    wanted.mkdir()
    (wanted / "session.json").write_text(
        '{"title": "T", "path": "", "steps": {}, "modified": true, "recipe": ""}'
    )
    (orphan,) = orphans(tmp_path)
    discard(orphan.folder)
    assert orphans(tmp_path) == []

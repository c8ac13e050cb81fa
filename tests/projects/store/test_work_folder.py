"""The folders that sessions work in."""

import os
from pathlib import Path

import pytest

from coterie.core.errors import WorkspaceError
from coterie.projects.store.work_folder import WorkFolder
from tests.refusals import refuses


def test_a_folder_that_cannot_be_used_gets_a_sentence(tmp_path: Path) -> None:
    with refuses("workspace-unusable", WorkspaceError):
        WorkFolder(tmp_path / "gone")


def test_the_state_is_on_the_disk_before_it_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = WorkFolder(tmp_path)
    did: list[tuple[str, int]] = []
    replace = Path.replace

    def synced(handle: int) -> None:
        did.append(("sync", os.fstat(handle).st_size))

    def replaced(path: Path, target: Path) -> Path:
        did.append(("replace", path.stat().st_size))
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    folder.keep_state({"title": "a"})
    assert [what for what, _ in did] == ["sync", "replace"]
    assert did[0][1] == did[1][1] > 0  # all of it
    folder.close(remove=True)

"""What is to last is written through: the file itself, then its name in the folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from coterie.core.io.platform import durable


def test_files_and_folders_are_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    file = tmp_path / "a"
    file.touch()
    durable.sync_path(file)
    durable.sync_folder(tmp_path)
    assert synced == [file.stat().st_ino, tmp_path.stat().st_ino]


def test_no_handle_is_left_when_the_disk_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def refuse(handle: int) -> None:
        seen.append(handle)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="Input/output"):
        durable.sync_folder(tmp_path)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(seen[0])


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP, errno.ENOSYS])
def test_a_folder_that_cannot_be_synced_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(_handle: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    durable.sync_folder(tmp_path)
    with pytest.raises(OSError, match=os.strerror(code)):  # of a file it is
        durable.sync_path(tmp_path / "a", os.O_RDWR | os.O_CREAT)

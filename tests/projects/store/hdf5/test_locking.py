"""One window for one project, and no lock that outlives its process."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from coterie.core.errors import ProjectFileError
from coterie.core.io.platform.file_locks import try_lock
from coterie.projects.store.hdf5.locking import ProjectInUseError, ProjectLock
from coterie.projects.store.hdf5.temporary import TemporaryFile, remove_stale
from tests.refusals import refuses

HOLDER = """
import sys
from coterie.projects.store.hdf5.locking import ProjectLock
from coterie.projects.store.hdf5.temporary import TemporaryFile
from pathlib import Path
lock = ProjectLock.acquire(sys.argv[1])
temporary = TemporaryFile(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "p.coterie.h5"


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@contextmanager
def another_window(path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_second_window_is_told_who_has_the_project(path: Path) -> None:
    with another_window(path) as other:
        with pytest.raises(ProjectInUseError) as caught:
            ProjectLock.acquire(path)
        assert str(caught.value) == (
            f"'p.coterie.h5' is open in another window (process {other.pid}). "
            "Close it there, or open it read-only."
        )
        assert caught.value.process == other.pid


def test_a_lock_ends_with_its_process_and_so_do_its_temporary_files(path: Path) -> None:
    with another_window(path) as other:
        remove_stale(path)
        assert [name[-7:] for name in names(path.parent)] == [".saving", "h5.lock"]
        other.send_signal(signal.SIGKILL)
        other.wait()
        with ProjectLock.acquire(path):
            assert names(path.parent) == [".p.coterie.h5.lock"]
    assert names(path.parent) == []


def test_one_process_cannot_open_a_project_twice(path: Path) -> None:
    lock = ProjectLock.acquire(path)
    with refuses("project-in-use", ProjectInUseError, match=f"process {os.getpid()}"):
        ProjectLock.acquire(path)
    lock.release()
    lock.release()
    with ProjectLock.acquire(path):
        pass


def test_two_names_of_one_project_share_the_lock(path: Path, tmp_path: Path) -> None:
    path.touch()
    link = tmp_path / "link.coterie.h5"
    link.symlink_to(path)
    with ProjectLock.acquire(path), pytest.raises(ProjectInUseError):
        ProjectLock.acquire(link)


@pytest.mark.parametrize("record", [b"", b"{", b"[]", b'{"process": "x", "host": 3}'])
def test_an_owner_that_cannot_be_read_is_left_out(path: Path, record: bytes) -> None:
    with ProjectLock.acquire(path):
        path.with_name(f".{path.name}.lock").write_bytes(record)
        with refuses("project-in-use", ProjectInUseError):
            ProjectLock.acquire(path)


def test_a_link_in_place_of_the_lock_does_not_empty_another_file(path: Path) -> None:
    precious = path.with_name("precious")
    precious.write_text("mine")
    path.with_name(f".{path.name}.lock").symlink_to(precious)
    with refuses("file-access", ProjectFileError):
        ProjectLock.acquire(path)
    assert precious.read_text() == "mine"


def test_a_folder_that_is_gone_gets_a_sentence(tmp_path: Path) -> None:
    with refuses("file-access", ProjectFileError):
        ProjectLock.acquire(tmp_path / "gone" / "p.coterie.h5")


def test_a_disk_without_locks_is_worked_on_without(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*values: object) -> None:
        raise OSError(37, "No locks available")

    temporary = TemporaryFile(path)
    monkeypatch.setattr("fcntl.flock", refuse)
    with ProjectLock.acquire(path):
        remove_stale(path)
        assert temporary.path.exists(), "nobody knows whether it is in use, so it stays"
    handle = os.open(temporary.path, os.O_RDWR)
    assert try_lock(handle, without=True)
    os.close(handle)
    temporary.discard()


def test_only_what_a_save_left_behind_is_removed(path: Path) -> None:
    strangers = [f".{path.name}.saving", f"{path.name}.12345678.saving", ".q.coterie.h5.1.saving"]
    for name in strangers:
        path.with_name(name).touch()
    stale = path.with_name(f".{path.name}.12345678.saving")
    stale.touch()
    remove_stale(path)
    assert names(path.parent) == sorted(strangers)


@pytest.mark.skipif(sys.platform == "win32", reason="locks are made otherwise there")
@pytest.mark.parametrize("number", [errno.EIO, errno.EINTR, errno.ENOSPC])
def test_an_error_of_the_disk_is_not_another_window(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("coterie.core.io.platform.file_locks.fcntl.flock", fail)
    before = sum(1 for _ in Path("/proc/self/fd").iterdir()) if sys.platform == "linux" else 0
    with refuses("file-access", ProjectFileError) as caught:
        ProjectLock.acquire(path)
    assert not isinstance(caught.value, ProjectInUseError)
    if sys.platform == "linux":
        assert sum(1 for _ in Path("/proc/self/fd").iterdir()) == before

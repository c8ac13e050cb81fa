"""A lock keeps others out for as long as its holder lives, and not a moment longer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from coterie.core.io.locks import FileLock, is_same_file

HOLD = """
import sys
from pathlib import Path
from coterie.core.io.locks import FileLock
lock = FileLock(Path(sys.argv[1]))
print(lock.acquire("the other process"), flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    one, other = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert one.acquire("me")
    assert (one.held, other.held) == (True, False)
    assert not other.acquire()
    assert not one.acquire()  # nor twice by the same
    assert other.holder() == "me"
    one.release()
    assert other.acquire()
    assert (one.held, other.held) == (False, True)
    other.release()


def test_a_released_lock_leaves_no_file_unless_asked_to(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "lock")
    assert lock.acquire()
    lock.release(remove=False)
    assert (tmp_path / "lock").exists()
    assert lock.acquire()
    lock.release()
    assert not (tmp_path / "lock").exists()
    lock.release()


def test_the_death_of_the_process_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with held_by_another_process(path) as process:
        mine = FileLock(path)
        assert not mine.acquire()
        assert mine.inherit() is None
        assert mine.holder() == "the other process"
        process.kill()
        process.wait()
        assert mine.inherit() == "the other process"
        mine.release()
    assert not path.exists()


def test_there_is_nothing_to_inherit_where_nothing_was_held(tmp_path: Path) -> None:
    assert FileLock(tmp_path / "lock").inherit() is None
    assert list(tmp_path.iterdir()) == []


def test_a_longer_text_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("what was written by somebody long ago")
    lock = FileLock(path)
    assert lock.acquire("short")
    assert lock.holder() == "short"
    lock.release()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "lock").symlink_to(precious)
    with pytest.raises(OSError, match="symbolic"):
        FileLock(tmp_path / "lock").acquire()
    assert precious.read_text() == "mine"


def test_a_replaced_file_is_another_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("w") as file:
        assert is_same_file(file.fileno(), path)
        path.unlink()
        assert not is_same_file(file.fileno(), path)
        path.touch()
        assert not is_same_file(file.fileno(), path)


def test_a_lock_holds_on_a_full_disk_without_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    lock, other = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    with monkeypatch.context() as patched:
        patched.setattr("os.write", full)
        assert lock.acquire("me")
    assert not other.acquire()
    lock.release()

"""A process that was kept ready is as confined as one that was started for its file."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from coterie.core.errors import CostError
from coterie.core.io import clock
from coterie.core.io.confined import process as asking
from coterie.core.io.confined import starting
from coterie.core.io.confined.process import ConfinedProcess, ReaderLostError
from coterie.core.io.confined.starting import SPARE
from coterie.core.io.platform.confinement import can_keep_to_files

ESCAPES = Path(__file__).parent / "escapes"
PATIENCE = 60.0
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows processes as files")
# Both parse files; the second takes the place of what a person's file would be read by.
LOADED = ("h5py", "attempts")


@pytest.fixture
def spare(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The number of a process that is ready."""
    monkeypatch.setenv("PYTHONPATH", str(ESCAPES))
    SPARE.keep(LOADED)
    until(lambda: SPARE.ready)
    assert SPARE.pid is not None
    yield SPARE.pid
    SPARE.close()


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for folder in ("named", "inbox"):
        (tmp_path / folder).mkdir()
    (tmp_path / "named" / "file.txt").write_text("for all", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("for nobody", encoding="utf-8")
    return tmp_path


def until(holds: Callable[[], bool]) -> None:
    for _ in range(1200):
        if holds():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it never came")


def opened(top: Path) -> ConfinedProcess:
    return ConfinedProcess(
        "attempts:Attempts",
        "file.txt",
        read=[top / "named" / "file.txt"],
        write=[top / "inbox"],
        memory=256 << 20,
    )


def fails(process: ConfinedProcess, attempt: str, **values: Any) -> bool:
    try:
        process.call(attempt, patience=PATIENCE, **values)
    except (ReaderLostError, CostError):
        return process.alive
    return False


@linux
@pytest.mark.skipif(not can_keep_to_files(), reason="this kernel has no Landlock")
def test_a_process_that_is_confined_late_escapes_nowhere(spare: int, top: Path) -> None:
    process = opened(top)
    try:
        assert process.pid == spare
        assert process.confinement.files
        assert process.confinement.network
        # What it was given, it has.
        named = top / "named" / "file.txt"
        assert process.call("read", patience=PATIENCE, path=str(named)).value == "for all"
        process.call("write", patience=PATIENCE, path=str(top / "inbox" / "new.txt"))
        # All else, it has not.
        for attempt in ("read", "write", "remove"):
            assert fails(process, attempt, path=str(top / "secret.txt")), attempt
        for attempt in ("write", "remove", "chmod"):
            assert fails(process, attempt, path=str(named)), attempt
        assert fails(process, "listed", path=str(top))
        assert fails(process, "link", path=str(top / "secret.txt"), new=str(top / "inbox" / "in"))
        assert fails(process, "look_into", pid=os.getpid())
        assert fails(process, "signal", pid=os.getpid())
        for attempt in ("run", "fork", "send_datagram"):
            assert fails(process, attempt), attempt
        with socket.create_server(("127.0.0.1", 0)) as server:
            assert fails(process, "connect", port=server.getsockname()[1])
        assert fails(process, "memory", count=1 << 30)
        if os.getuid() != 0:
            assert fails(process, "raise_limit")
        assert (top / "secret.txt").read_text(encoding="utf-8") == "for nobody"
    finally:
        process.close()


@linux
def test_a_process_that_waits_holds_no_file_and_is_off_the_network(spare: int) -> None:
    """What is there to be read of a stranger? Its files are the program's, and it has no others."""
    handles = [str(handle.readlink()) for handle in Path(f"/proc/{spare}/fd").iterdir()]
    others = [name for name in handles if not name.startswith(("socket:", "pipe:", "/dev/null"))]
    assert not others
    status = Path(f"/proc/{spare}/status").read_text(encoding="ascii")
    assert "Seccomp:\t2" in status  # a filter of system calls
    assert "NoNewPrivs:\t1" in status
    assert "Threads:\t1\n" in status  # so nothing is left out when its files are named
    maps = Path(f"/proc/{spare}/maps").read_text(encoding="utf-8")
    assert "h5py" in maps
    files = {line.split(maxsplit=5)[5] for line in maps.splitlines() if len(line.split()) > 5}
    ours = (sys.prefix, sys.base_prefix, "/usr/lib", "/lib")
    assert not [file for file in files if file.startswith("/") and not file.startswith(ours)]


def test_a_process_that_waits_does_nothing_before_its_files_are_named(spare: int) -> None:
    from coterie.core.io.confined.wire import Parcel, pack

    waiting = SPARE.take()
    assert waiting is not None
    assert waiting.process.pid == spare
    secret = Path(__file__)
    waiting.connection.recv_bytes()  # that it is ready
    waiting.connection.send_bytes(pack(Parcel(["read", {"path": str(secret)}])))
    until(lambda: not waiting.alive)
    assert not waiting.connection.poll() or _ended(waiting.connection)
    waiting.kill()
    waiting.close()


def _ended(connection: object) -> bool:
    try:
        connection.recv_bytes()  # type: ignore[attr-defined]
    except (EOFError, OSError):
        return True
    return False


@pytest.mark.parametrize("how", ["SIGKILL", "SIGSTOP"])
def test_a_process_that_ended_or_hangs_is_replaced(
    spare: int, top: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform == "win32":
        pytest.skip("there are no such signals")
    monkeypatch.setattr(asking, "_SPARE_PATIENCE", 0.2)
    os.kill(spare, getattr(signal, how))
    if how == "SIGKILL":
        until(lambda: not SPARE.ready)
    process = opened(top)
    try:
        named = top / "named" / "file.txt"
        assert process.call("read", patience=PATIENCE, path=str(named)).value == "for all"
        assert process.pid != spare
    finally:
        process.close()


def test_the_next_one_waits_until_whoever_took_the_last_had_its_turn(
    spare: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(clock, "seconds", lambda: now[0])
    taken = SPARE.take()
    assert taken is not None
    SPARE.renew()
    assert not SPARE.waits()
    now[0] += 60
    SPARE.renew()
    assert SPARE.waits()
    taken.kill()
    taken.close()


def test_one_that_cannot_load_is_not_started_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    started: list[starting.StartedProcess] = []

    def make(loaded: tuple[str, ...]) -> starting.StartedProcess:
        started.append(starting.StartedProcess(["no_such_module"]))
        return started[-1]

    monkeypatch.setattr(clock, "seconds", lambda: now[0])
    spare = starting.Spare(make)
    spare.keep(LOADED)
    until(lambda: not started[0].alive)
    for _ in range(20):
        now[0] += 2.0
        spare.renew()
    assert len(started) == 1
    spare.close()


@linux
def test_none_is_left_when_its_window_is_killed() -> None:
    script = (
        "from coterie.core.io.confined.starting import SPARE\n"
        "import os, sys\n"
        "assert 'numpy' not in sys.modules\n"  # it costs the start of a window nothing
        "SPARE.keep(())\n"
        "print(SPARE.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    pid = int(done.stdout)
    until(lambda: not Path(f"/proc/{pid}").exists() or _is_zombie(pid))


def _is_zombie(pid: int) -> bool:
    try:
        return ") Z" in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return True

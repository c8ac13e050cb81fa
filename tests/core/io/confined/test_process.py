"""A confined process reaches what it was given, and nothing else; whatever it does, we live on."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from coterie.core.errors import Cancelled, CostError, DataError
from coterie.core.io.confined.process import ConfinedProcess, ReaderLostError
from coterie.core.io.platform.confinement import can_keep_to_files
from tests.refusals import refuses

ESCAPES = Path(__file__).parent / "escapes"
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux refuses calls")
landlock = pytest.mark.skipif(not can_keep_to_files(), reason="this kernel has no Landlock")
PATIENCE = 60.0


@pytest.fixture
def given(tmp_path: Path) -> Path:
    file = tmp_path / "named" / "file.txt"
    file.parent.mkdir()
    file.write_text("for all", encoding="utf-8")
    (tmp_path / "inbox").mkdir()
    (tmp_path / "secret.txt").write_text("for nobody", encoding="utf-8")
    return file


@pytest.fixture
def confined(given: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ConfinedProcess]:
    monkeypatch.setenv("PYTHONPATH", str(ESCAPES))
    process = ConfinedProcess(
        "attempts:Attempts",
        given.name,
        read=[given],
        write=[given.parent.parent / "inbox"],
        memory=256 << 20,
    )
    yield process
    process.close()


def test_what_was_named_can_be_read_and_the_inbox_filled(
    confined: ConfinedProcess, given: Path
) -> None:
    inbox = given.parent.parent / "inbox"
    assert confined.call("read", patience=PATIENCE, path=str(given)).value == "for all"
    confined.call("write", patience=PATIENCE, path=str(inbox / "new.txt"))
    assert (inbox / "new.txt").read_text(encoding="utf-8") == "mine"
    assert (inbox / "new.txt").stat().st_mode & 0o077 == 0


def test_arrays_travel_both_ways(confined: ConfinedProcess) -> None:
    sent = {"numbers": np.arange(6.0).reshape(2, 3)}
    answer = confined.call("double", patience=PATIENCE, arrays=sent)
    assert answer.value == 2
    np.testing.assert_array_equal(answer.arrays["doubled"], 2 * sent["numbers"])


def test_progress_is_told(confined: ConfinedProcess) -> None:
    heard: list[tuple[float, str]] = []
    confined.call("tell", patience=PATIENCE, report=lambda *news: heard.append(news))
    assert heard == [(0.5, "half")]


def test_progress_that_is_no_number_is_an_invalid_answer(confined: ConfinedProcess) -> None:
    with refuses("reader-lost", ReaderLostError):
        confined.call("boast", patience=PATIENCE, report=lambda *_news: None)
    assert not confined.alive


@landlock
@pytest.mark.parametrize(
    ("attempt", "name"),
    [
        ("read", "secret.txt"),
        ("read", "named/../secret.txt"),
        ("listed", "."),
        ("write", "new.txt"),
        ("write", "secret.txt"),
        ("write", "named/file.txt"),
        ("remove", "secret.txt"),
        ("remove", "named/file.txt"),
    ],
)
def test_no_other_file_is_reached(
    confined: ConfinedProcess, given: Path, attempt: str, name: str
) -> None:
    top = given.parent.parent
    before = sorted(path.name for path in top.iterdir())
    with pytest.raises(ReaderLostError):
        confined.call(attempt, patience=PATIENCE, path=str(top / name))
    assert sorted(path.name for path in top.iterdir()) == before
    assert (top / "secret.txt").read_text(encoding="utf-8") == "for nobody"
    assert given.read_text(encoding="utf-8") == "for all"
    assert confined.alive


@landlock
def test_a_link_in_the_inbox_leads_nowhere(confined: ConfinedProcess, given: Path) -> None:
    top = given.parent.parent
    with pytest.raises(ReaderLostError):
        confined.call(
            "link", patience=PATIENCE, path=str(top / "secret.txt"), new=str(top / "inbox" / "in")
        )
    (top / "inbox" / "in").symlink_to(top / "secret.txt")
    with pytest.raises(ReaderLostError):
        confined.call("read", patience=PATIENCE, path=str(top / "inbox" / "in"))


@linux
def test_no_server_is_reached(confined: ConfinedProcess) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with pytest.raises(ReaderLostError):
            confined.call("connect", patience=PATIENCE, port=server.getsockname()[1])
        server.settimeout(0.2)
        with pytest.raises(TimeoutError):
            server.accept()
    with pytest.raises(ReaderLostError):
        confined.call("send_datagram", patience=PATIENCE)


@linux
@pytest.mark.parametrize("attempt", ["run", "fork", "raise_limit"])
def test_no_program_is_started_and_no_limit_raised(confined: ConfinedProcess, attempt: str) -> None:
    if attempt == "raise_limit" and os.getuid() == 0:
        pytest.skip("root may raise limits")
    with pytest.raises(ReaderLostError):
        confined.call(attempt, patience=PATIENCE)


@linux
def test_other_processes_and_modes_of_files_are_left_alone(
    confined: ConfinedProcess, given: Path
) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        with pytest.raises(ReaderLostError):
            confined.call("signal", patience=PATIENCE, pid=other.pid)
        assert other.poll() is None
        other.kill()
    mode = given.stat().st_mode
    with pytest.raises(ReaderLostError):
        confined.call("chmod", patience=PATIENCE, path=str(given))
    assert given.stat().st_mode == mode


@landlock
def test_the_memory_and_environment_of_others_stay_their_own(confined: ConfinedProcess) -> None:
    with pytest.raises(ReaderLostError):
        confined.call("look_into", patience=PATIENCE, pid=os.getpid())


@linux
def test_memory_is_bounded(confined: ConfinedProcess) -> None:
    with pytest.raises(CostError) as caught:
        confined.call("memory", patience=PATIENCE, count=1 << 30)
    assert caught.value.code == "out-of-memory"
    assert confined.alive


def test_our_errors_arrive_as_they_were_raised(confined: ConfinedProcess) -> None:
    with pytest.raises(DataError) as caught:
        confined.call("refuse", patience=PATIENCE)
    assert (caught.value.code, caught.value.offer) == ("missing-values", ("transform/impute",))


def test_other_errors_become_a_sentence_about_the_file(confined: ConfinedProcess) -> None:
    with refuses("reader-lost", ReaderLostError, match=r"file\.txt"):
        confined.call("stumble", patience=PATIENCE)
    assert confined.alive


def test_a_crash_is_survived(confined: ConfinedProcess) -> None:
    for _ in range(2):
        with pytest.raises(ReaderLostError) as caught:
            confined.call("crash", patience=PATIENCE)
        assert caught.value.code == "reader-lost"
    assert not confined.alive


def test_a_process_that_hangs_is_ended(confined: ConfinedProcess) -> None:
    _ = confined.confinement
    with pytest.raises(ReaderLostError):
        confined.call("hang", patience=0.2)
    assert not confined.alive


def test_whoever_asks_may_give_up(confined: ConfinedProcess) -> None:
    def check() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        confined.call("hang", patience=PATIENCE, check=check)
    assert not confined.alive


def test_it_can_be_closed_while_it_is_asked(confined: ConfinedProcess) -> None:
    _ = confined.confinement
    threading.Timer(0.2, confined.close).start()
    with pytest.raises(ReaderLostError):
        confined.call("hang", patience=PATIENCE)


@linux
def test_it_ends_with_the_process_that_started_it() -> None:
    script = (
        "from coterie.core.io.confined.process import ConfinedProcess\n"
        "one = ConfinedProcess('attempts:Attempts', 'x')\n"
        "one.confinement\n"
        "print(one.pid, flush=True)\n"
        "import os; os.kill(os.getpid(), 9)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ESCAPES)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=env)
    pid = int(done.stdout)
    for _ in range(200):
        if not Path(f"/proc/{pid}").exists() or _is_zombie(pid):
            return
        threading.Event().wait(0.05)
    raise AssertionError("it is still there")


def _is_zombie(pid: int) -> bool:
    try:
        return ") Z" in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return True

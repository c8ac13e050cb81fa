"""Real processes that crash, hang, hoard and print; the window's side outlives them all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.engine import client, process
from coterie.core.engine.client import ProcessEngine
from coterie.core.engine.messages import (
    CancelledMessage,
    CatalogueMessage,
    EngineState,
    Event,
    Failed,
    Finished,
    FrameMessage,
    LogMessage,
    Message,
    Pause,
    Resume,
    Started,
)
from coterie.core.io.workspace import Workspace

from .acting import Driver, acting_folder, filled_workspace, is_alive, options, until

Make = Callable[..., Driver]

HANG = "import time\nwhile True:\n    time.sleep(0.001)"
CHILD = "import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', {code!r}])\n"


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make an engine that acts as told; all are closed at the end."""
    made: list[ProcessEngine] = []
    filled_workspace(tmp_path / "work")
    plugins = acting_folder(tmp_path / "plugins")

    def make_one(**changes: Any) -> Driver:
        engine = ProcessEngine(tmp_path / "work", options(plugins, **changes))
        made.append(engine)
        engine.start()
        return Driver(engine)

    yield make_one
    for engine in made:
        engine.close()


@pytest.fixture
def driver(make: Make) -> Driver:
    return make()


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """An engine for all tests that leave it as it was."""
    folder = tmp_path_factory.mktemp("lasting")
    filled_workspace(folder / "work")
    engine = ProcessEngine(folder / "work", options(acting_folder(folder / "plugins")))
    engine.start()
    driver = Driver(engine)
    driver.ready()
    yield driver
    engine.close()


@pytest.fixture
def lasting(started: Driver) -> Iterator[Driver]:
    """The engine that outlives the test, with nothing heard of it yet."""
    started.heard.clear()
    before = pid(started)
    yield started
    assert pid(started) == before


def pid(driver: Driver) -> int:
    assert isinstance(driver.engine, ProcessEngine)
    assert driver.engine.pid is not None
    return driver.engine.pid


def test_a_job_runs_in_another_process_and_its_result_is_mapped_here(
    driver: Driver, tmp_path: Path
) -> None:
    code = "import os\ncontext.event('here', pid=os.getpid())\nresult = np.full((n, n), 3.0)"
    done = driver.answer(driver.run(code))
    assert isinstance(done, Finished)
    assert driver.wait(Event).details["pid"] == pid(driver) != os.getpid()
    np.testing.assert_array_equal(Workspace(tmp_path / "work").load(done.key).values, 3.0)
    states = [m.state for m in driver.heard if isinstance(m, EngineState)]
    assert states == ["starting", "ready"]


def test_files_in_the_folder_one_works_in_are_not_imported(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "mine"
    here.mkdir()
    for name in ("random", "copy", "numpy"):  # scripts of people have such names
        (here / f"{name}.py").write_text("raise SystemExit(1)", encoding="utf-8")
    monkeypatch.chdir(here)
    assert isinstance(make().works(), Finished)


CRASHES = {
    "abort": ("import os\nos.abort()", "it aborted."),
    "segmentation fault": ("import ctypes\nctypes.string_at(0)", "it crashed."),
    "exit": ("import os\nos._exit(7)", "it exited with code 7"),
    "kill": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        "most often for lack of memory",
    ),
    "closed files": ("import os\nos.closerange(3, 256)", "it lost its connection to the window"),
    "fork and abort": (
        "import os, time\nif os.fork() == 0:\n    time.sleep(600)\nos.abort()",
        "it aborted.",
    ),
}


USUAL = ("abort", "kill")


@pytest.mark.parametrize(
    "crash",
    [pytest.param(one, marks=() if one in USUAL else pytest.mark.slow) for one in CRASHES],
)
def test_a_crash_costs_the_engine_only(driver: Driver, crash: str) -> None:
    code, words = CRASHES[crash]
    driver.ready()
    first = pid(driver)
    job = driver.run(code)
    failed = driver.answer(job)
    assert isinstance(failed, Failed)
    assert failed.kind == "EngineLost"
    assert failed.error.startswith("The engine ended while kernel/local:act ran: ")
    assert words in failed.error
    if crash in ("abort", "segmentation fault"):
        assert "acting.py" in failed.traceback  # the lines of Python that led there
    driver.works()
    assert pid(driver) != first
    assert not is_alive(first)
    assert len(driver.answers(job)) == 1
    restarts = [m for m in driver.heard if isinstance(m, EngineState) and m.state == "restarting"]
    assert len(restarts) == 1


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(HANG, marks=pytest.mark.slow),
        pytest.param("while True:\n    pass", marks=pytest.mark.slow),
        "import re\nre.match('(a+)+b', 'a' * 40)",  # in C, without letting others run
    ],
    ids=["sleeping", "busy", "in native code"],
)
def test_a_job_that_does_not_stop_is_killed_and_the_next_one_works(
    driver: Driver, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PATIENCE", 0.5)
    job = driver.run(f"import time\ncontext.event('begun')\ntime.sleep(0.1)\n{code}")
    driver.wait(Event)
    first = pid(driver)
    driver.cancel(job)
    driver.cancel(job)
    assert driver.answer(job) == CancelledMessage(job=job, killed=True)
    driver.works()
    assert not is_alive(first)
    assert len(driver.answers(job)) == 1


def test_a_job_that_stops_when_asked_is_not_killed(lasting: Driver) -> None:
    job = lasting.run("import time\nwhile True:\n    context.check()\n    time.sleep(0.001)")
    lasting.wait(Started)
    first = pid(lasting)
    lasting.cancel(job)
    assert lasting.answer(job) == CancelledMessage(job=job, killed=False)
    lasting.works()
    assert pid(lasting) == first


def test_cancelling_what_waits_leaves_what_runs(
    lasting: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PATIENCE", 0.2)
    running = lasting.run("import time\nfor _ in range(100):\n    time.sleep(0.01)")
    lasting.wait(Started)
    waiting = lasting.run()
    lasting.cancel(waiting)
    assert lasting.answer(waiting) == CancelledMessage(job=waiting)
    assert isinstance(lasting.answer(running), Finished)


def test_orders_that_wait_survive_a_death(driver: Driver) -> None:
    crash = driver.run("import os, time\ntime.sleep(0.2)\nos.abort()")
    waiting = [driver.run(f"result[:] = {i}") for i in range(3)]
    assert isinstance(driver.answer(crash), Failed)
    for job in waiting:
        assert isinstance(driver.answer(job), Finished)
    assert all(len(driver.answers(job)) == 1 for job in [crash, *waiting])


def test_a_question_that_kills_is_asked_twice_and_then_answered(driver: Driver) -> None:
    failed = driver.answer(driver.estimate("import os\nos.abort()"))
    assert isinstance(failed, Failed)
    assert "engine ended while" in failed.error
    driver.works()


@pytest.mark.parametrize(
    "code",
    [
        "hoard = np.ones(1 << 32)",
        "hoard = []\nwhile True:\n    hoard.append(bytearray(1 << 20))",
        pytest.param(
            "hoard = []\nwhile True:\n    hoard.append(bytearray(1 << 12))", marks=pytest.mark.slow
        ),
    ],
    ids=["one array", "many blocks", "small blocks"],
)
def test_a_hoarder_is_told_and_the_engine_lives_on(make: Make, code: str) -> None:
    driver = make(memory=1_000_000_000)
    driver.ready()
    first = pid(driver)
    failed = driver.answer(driver.run(code))
    assert isinstance(failed, Failed)
    assert failed.error.startswith("kernel/local:act ran out of memory. Use fewer items")
    driver.works()
    assert pid(driver) == first


def test_what_a_plugin_prints_is_logged_and_harms_no_message(lasting: Driver) -> None:
    job = lasting.run(
        """
        import os, sys
        print("printed", flush=True)
        print("to the error stream", file=sys.stderr)
        os.write(1, b"\\xff\\x00 raw bytes\\n")
        os.system("echo from a child")
        print("no end of line", end="", flush=True)
        """
    )
    assert isinstance(lasting.answer(job), Finished)
    for text in ("printed", "to the error stream", "raw bytes", "from a child"):
        lasting.wait(LogMessage, lambda m, text=text: text in m.text)  # type: ignore[misc]
    lasting.works()


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.close(1)\nos.close(2)",
        "import sys\nsys.stdout.close()\nsys.stderr.close()",
        "import sys\nsys.stdout = sys.stderr = None",
        "import os, sys\nos.dup2(os.open(os.devnull, os.O_WRONLY), 1)",
    ],
)
def test_a_plugin_may_close_what_it_prints_to(driver: Driver, code: str) -> None:
    assert isinstance(driver.answer(driver.run(code)), Finished)
    driver.works()


@pytest.mark.parametrize("code", ["import sys\nsys.exit(1)", "raise KeyboardInterrupt"])
def test_an_exit_in_a_method_is_a_failure_and_no_more(lasting: Driver, code: str) -> None:
    first = pid(lasting)
    assert isinstance(lasting.answer(lasting.run(code)), Failed)
    lasting.works()
    assert pid(lasting) == first


def test_threads_that_never_end_do_not_hold_up_closing(driver: Driver) -> None:
    code = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()"
    assert isinstance(driver.answer(driver.run(code)), Finished)
    engine_pid = pid(driver)
    driver.engine.close()
    assert not is_alive(engine_pid)


def test_a_forked_child_neither_answers_nor_outlives(driver: Driver) -> None:
    code = "import os\ncontext.event('child', pid=os.fork())"
    job = driver.run(code)
    assert isinstance(driver.answer(job), Finished)
    child = driver.wait(Event, lambda m: m.details["pid"] != 0).details["pid"]
    driver.works()
    assert len(driver.answers(job)) == 1
    driver.engine.close()
    until(lambda: not is_alive(child))


def test_workers_are_killed_with_the_engine(driver: Driver) -> None:
    code = CHILD.format(code="import time; time.sleep(600)")
    driver.answer(driver.run(code + "context.event('child', pid=child.pid)"))
    child = driver.wait(Event).details["pid"]
    assert is_alive(child)
    os.kill(pid(driver), signal.SIGKILL)
    until(lambda: not is_alive(child))
    driver.works()


PARENT = """
import sys, time
from pathlib import Path
from coterie.core.engine.client import ProcessEngine
from coterie.core.engine.options import EngineOptions
from coterie.core.engine.messages import Run, Started
engine = ProcessEngine(
    Path(sys.argv[1]), EngineOptions(plugin_folders=(Path(sys.argv[2]),), memory=4 << 30, workers=1)
)
engine.start()
engine.send(Run(job=1, use="kernel/local:act", params={"code": sys.argv[3]}, inputs=["d" * 64]))
while not isinstance(engine.inbox.take(), Started):
    pass
print(engine.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize(
    "code",
    [
        "pass",
        "while True:\n    pass",
        "import time\ntime.sleep(600)",
        "import re\nre.match('(a+)+b', 'a' * 40)",
        CHILD.format(code="import time; time.sleep(600)") + "child.wait()",
    ],
    ids=["idle", "busy", "asleep", "in native code", "with a child"],
)
def test_the_engine_dies_with_its_window(tmp_path: Path, code: str) -> None:
    filled_workspace(tmp_path / "work")
    plugins = acting_folder(tmp_path / "plugins")
    command = [sys.executable, "-c", PARENT, str(tmp_path / "work"), str(plugins), code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        engine = int(parent.stdout.readline())
        assert is_alive(engine)
        parent.kill()
        parent.wait()
    until(lambda: not is_alive(engine))
    until(lambda: not _group(engine))


def _group(leader: int) -> list[int]:
    """The living processes of a process group."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[2]) == leader and words[0] not in ("Z", "X"):
            found.append(int(status.parent.name))
    return found


def test_an_engine_that_does_not_start_is_given_up_after_three_tries(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", "print('no such luck'); raise SystemExit(7)"]
    monkeypatch.setattr(process, "engine_command", lambda: command)
    driver = make()
    job = driver.run()
    stopped = driver.wait(EngineState, lambda m: m.state == "stopped")
    assert stopped.reason == (
        "The engine does not start: it exited with code 7. Start Coterie with --safe-mode."
    )
    failed = driver.answer(job)
    assert isinstance(failed, Failed)
    states = [m.state for m in driver.heard if isinstance(m, EngineState)]
    assert states.count("starting") == client.MOST_FALSE_STARTS
    assert driver.wait(LogMessage).text == "no such luck"

    monkeypatch.undo()  # once mended, the next order starts it
    driver.works()


def test_any_number_of_plugins_that_end_the_engine_are_left_out_one_by_one(
    make: Make, tmp_path: Path
) -> None:
    killers = [f"killer{i}" for i in range(client.MOST_FALSE_STARTS + 1)]
    for name in killers:
        (tmp_path / "plugins" / f"{name}.py").write_text("import os\nos._exit(3)\n")
    driver = make()
    driver.works()  # though it was asked for before the first of them did so
    told = driver.wait(CatalogueMessage).catalogue
    assert sorted(plugin["name"] for plugin in told["broken"]) == [
        f"local file {name}.py" for name in killers
    ]


def test_an_engine_that_dies_idle_is_not_started_for_ever(make: Make, tmp_path: Path) -> None:
    folder = acting_folder(tmp_path / "plugins")
    dying = "import os, threading\nthreading.Timer(0.2, os.abort).start()\n"
    (folder / "dying.py").write_text(dying)
    driver = make()
    driver.wait(EngineState, lambda m: m.state == "stopped")


def test_an_engine_that_cannot_be_started_at_all_is_told(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = make()
    driver.ready()
    monkeypatch.setattr(process, "engine_command", lambda: ["/nowhere/at/all"])
    os.kill(pid(driver), signal.SIGKILL)
    stopped = driver.wait(EngineState, lambda m: m.state == "stopped")
    assert "did not start" in stopped.reason


@pytest.mark.parametrize("fault", ["abort", pytest.param("hang", marks=pytest.mark.slow)])
def test_a_plugin_that_takes_the_engine_down_at_import_is_left_out(
    make: Make, tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "START_PATIENCE", 6.0 if fault == "hang" else 60.0)
    folder = acting_folder(tmp_path / "plugins")
    code = {"abort": "import os\nos.abort()\n", "hang": "import time\ntime.sleep(600)\n"}[fault]
    (folder / f"bad_{fault}.py").write_text(code)
    driver = make()
    catalogue = driver.wait(CatalogueMessage).catalogue
    (broken,) = catalogue["broken"]
    assert broken["name"] == f"local file bad_{fault}.py"
    assert "is disabled" in broken["error"]
    driver.works()


def test_closing_while_a_plugin_is_imported_does_not_blame_it(tmp_path: Path, make: Make) -> None:
    folder = acting_folder(tmp_path / "plugins")
    (folder / "slow.py").write_text(
        "print('importing', flush=True)\nimport time\ntime.sleep(600)\n"
    )
    driver = make()
    driver.wait(LogMessage, lambda m: m.text == "importing")
    driver.engine.close()
    (folder / "slow.py").touch()
    (folder / "slow.py").write_text("x = 1\n")
    catalogue = make().wait(CatalogueMessage).catalogue
    assert "provides no methods" in catalogue["broken"][0]["error"]


def test_a_flood_of_frames_stays_small_here_and_there(lasting: Driver) -> None:
    job = lasting.run(
        """
        import resource
        shares = np.zeros(20_000)
        from coterie.core.api.context import Frame
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for i in range(3000):
            shares[0] = i
            context._listener.frame(Frame(i, shares=shares))
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used
        context.event("end", kilobytes=used)
        """
    )
    until(lambda: any(isinstance(m, Finished) for m in lasting.engine.inbox._messages))
    assert len(lasting.engine.inbox._messages) < 20
    lasting.answer(job)
    newest = [m for m in lasting.heard if isinstance(m, FrameMessage)][-1]
    assert newest.frame.iteration == 2999
    assert newest.frame.shares is not None
    assert newest.frame.shares[0] == 2999
    assert lasting.wait(Event).details["kilobytes"] < 50_000  # 3,000 frames are 240 MB


def test_a_held_job_uses_no_processor(lasting: Driver) -> None:
    job = lasting.run("import itertools\nfor i in itertools.count():\n    context.frame(i)")
    lasting.wait(FrameMessage)
    lasting.engine.send(Pause(job=job))
    time.sleep(0.3)  # the rest of an iteration
    before = _processor_seconds(pid(lasting))
    time.sleep(0.5)
    assert _processor_seconds(pid(lasting)) - before < 0.2
    lasting.heard.clear()
    lasting.engine.send(Resume(job=job))
    lasting.wait(FrameMessage)
    lasting.cancel(job)
    lasting.answer(job)


def _processor_seconds(number: int) -> float:
    words = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def test_what_a_killed_job_left_half_written_is_swept_away(driver: Driver, tmp_path: Path) -> None:
    artefacts = tmp_path / "work" / "artefacts"
    code = f"import os\nos.mkdir(f'{artefacts}/writing-{{os.getpid()}}-x')\nos.abort()"
    driver.answer(driver.run(code))
    driver.works()
    assert list(artefacts.glob("writing-*")) == []


def test_nonsense_on_the_channel_ends_the_engine_and_not_the_window(driver: Driver) -> None:
    code = """
        import time
        sender = context._listener._send.__self__
        sender._channel._connection.send_bytes(b"hello")
        time.sleep(60)
    """
    failed = driver.answer(driver.run(code))
    assert isinstance(failed, Failed)
    assert "invalid message" in failed.error
    driver.works()


def test_closing_is_final_and_may_come_at_any_time(tmp_path: Path) -> None:
    engine = ProcessEngine(tmp_path / "never started")
    engine.close()
    engine.close()
    engine.start()
    engine.send(Message())
    assert engine.pid is None
    assert engine.inbox.take_all() == []


def test_ctrl_c_is_the_windows_to_handle(lasting: Driver) -> None:
    os.kill(pid(lasting), signal.SIGINT)
    lasting.works()


def test_safe_mode_loads_the_built_ins_only(make: Make) -> None:
    catalogue = make(safe_mode=True).wait(CatalogueMessage).catalogue
    assert not any(":" in method["id"] for method in catalogue["methods"])

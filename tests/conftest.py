"""What every test relies on: no screen, a private home, and nothing left running behind it."""

import gc
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything makes a Qt application
gc.disable()  # until all tests are collected: next to nothing of that is garbage

# Hypothesis draws the same examples in every run, but for `./dev test --all`, which asks for
# "random". A loaded machine is slow, not wrong: how long an example takes is never a failure.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "random", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("fixed")

ROOT = Path(__file__).resolve().parent.parent
PRIVATE_FOLDERS = {
    "TMPDIR": "tmp",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_RUNTIME_DIR": "runtime",
    "XDG_STATE_HOME": "state",
}
HOME_PREFIX = "coterie-tests-"
GRACE_SECONDS = 2.0  # a thread or process that was told to end may take this long


def pytest_configure(config: pytest.Config) -> None:
    """Give this test process, and the processes it starts, a home of their own.

    This happens before any test module is imported, as a module may ask for a folder on import.
    """
    common = Path(os.environ.get("PYTEST_DEBUG_TEMPROOT") or tempfile.gettempdir())
    _remove_homes_of_the_dead(common)
    home = Path(tempfile.mkdtemp(prefix=f"{HOME_PREFIX}{os.getpid()}-", dir=common))
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    # Pytest's own folders stay there: it keeps the last few for whoever looks into them.
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(common)
    for variable, name in PRIVATE_FOLDERS.items():
        folder = home / name
        folder.mkdir(mode=0o700)
        os.environ[variable] = str(folder)
    os.environ["HOME"] = str(home)
    tempfile.tempdir = None  # read TMPDIR anew
    os.environ.pop("COTERIE_PLUGINS", None)


def pytest_sessionstart() -> None:
    """Keep fixed examples the same whichever tests run, and in whatever order.

    Hypothesis mixes constants from the modules imported so far into its examples, even when
    derandomised, and has no setting for it.
    """
    if settings.get_current_profile_name() == "fixed":
        providers._get_local_constants = lambda: providers._local_constants  # none are collected


def pytest_collection_finish() -> None:
    """Spare the collector of garbage the thousands of tests and modules, which all stay.

    It begins later than is usual, too: modules that tests import, and trees of parsed sources,
    would be gone through again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def _remove_homes_of_the_dead(common: Path) -> None:
    """Clear up after test processes that were killed, and could not."""
    if not Path("/proc/self").exists():
        return  # nobody knows here who lives
    for home in common.glob(f"{HOME_PREFIX}*"):
        pid = home.name.removeprefix(HOME_PREFIX).partition("-")[0]
        if not Path("/proc", pid).exists():
            shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def realdata() -> Path:
    """The folder of real data sets; a test that asks for it is skipped where there is none."""
    folder = Path(os.environ.get("COTERIE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("no real data here: set COTERIE_DATA to its folder")
    return folder


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """Fail a test that leaves threads, child processes or open windows behind."""
    before = {watch: watch() for watch in (_threads, _children, _open_windows)}
    yield
    deadline = time.monotonic() + GRACE_SECONDS
    while (left := _new_since(before)) and time.monotonic() < deadline:
        time.sleep(0.02)
    if left:
        pytest.fail(f"left behind: {', '.join(left)}", pytrace=False)


def _new_since(before: dict[Callable[[], dict[int, str]], dict[int, str]]) -> list[str]:
    return [
        name
        for watch, known in before.items()
        for identity, name in watch().items()
        if identity not in known
    ]


def _threads() -> dict[int, str]:
    """The threads that would keep the interpreter alive."""
    return {
        id(thread): f"thread {thread.name!r}"
        for thread in threading.enumerate()
        if not thread.daemon
    }


def _children() -> dict[int, str]:
    """The child processes of any thread of this one, multiprocessing's own janitor aside."""
    found = {}
    for listing in Path("/proc/self/task").glob("*/children"):
        try:
            pids = [int(word) for word in listing.read_text().split()]
        except OSError:
            continue  # the thread has ended since it was listed
        for pid in pids:
            command = _command_line(pid)
            if "multiprocessing.resource_tracker" not in command:
                found[pid] = f"process {pid} ({command})"
    return found


def _command_line(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        words = ""
    return words or "ended, but nobody waited for it"


def _open_windows() -> dict[int, str]:
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return {}
    collects = gc.isenabled()
    gc.disable()  # a widget that is collected while Qt lists them ends the process
    try:
        return {
            id(widget): f"window {widget!r}"
            for widget in widgets.QApplication.topLevelWidgets()
            if widget.isVisible()
        }
    finally:
        if collects:
            gc.enable()

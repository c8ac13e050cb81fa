"""Starting and ending the program itself, in a process of its own."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from coterie.core.io.confined.starting import SPARE
from coterie.core.io.platform.processes import is_gone
from coterie.gui.app import application
from coterie.gui.app.application import Interrupt, offer_recovery
from coterie.gui.app.main_window import MainWindow
from coterie.projects import confined_services
from coterie.projects.session import Session
from coterie.projects.store.recovery import Orphan

ROOT = Path(__file__).resolve().parents[3]
SCREENS = ROOT / "build" / "screens"
VIRTUAL_SCREEN = ["xvfb-run", "-a", "-s", "-screen 0 3200x2000x24 -nolisten tcp"]

Settle = Callable[[MainWindow], Session]
NewWindow = Callable[..., MainWindow]


def wait_for(path: Path, text: str, seconds: float = 60) -> str:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        said = path.read_text()
        if text in said:
            return said
        time.sleep(0.05)
    raise AssertionError(f"{text!r} was not said; only: {path.read_text()}")


@pytest.mark.parametrize("arguments", [[], ["--sample", "iris"], ["no-such-file.csv"]])
def test_the_program_starts_and_ends_on_an_interrupt(arguments: list[str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("w") as handle:
        program = subprocess.Popen(
            [sys.executable, "-m", "coterie.gui", *arguments],
            stdout=handle,
            stderr=handle,
            cwd=tmp_path,
            env=os.environ | {"COTERIE_TRACE": "start", "QT_QPA_PLATFORM": "offscreen"},
        )
    try:
        said = wait_for(log, "engine started")
        assert said.index("usable") < said.index("engine started")
        started = _children_of(program.pid)
        if arguments == ["no-such-file.csv"] and started:  # one is ready before a file is read
            assert any("coterie.core.io.confined" in command for command in started.values())
        program.send_signal(signal.SIGINT)
        assert program.wait(30) == 0
        deadline = time.monotonic() + 20
        while any(_command_of(pid) == command for pid, command in started.items()):
            assert time.monotonic() < deadline, started
            time.sleep(0.05)
    finally:
        program.kill()
        program.wait()
    assert "Traceback" not in log.read_text()


def _children_of(pid: int) -> dict[int, str]:
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return {
        int(child): _command_of(int(child)) for one in listed for child in one.read_text().split()
    }


def _command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return ""


def test_a_process_is_ready_while_the_window_rests_and_ends_with_it(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confined_services, "PROJECTS", "json:")  # quicker than what parses files
    monkeypatch.setattr(confined_services, "RASTERS", "json:")
    readiness = application.Readiness(qapp)
    try:
        readiness._on_rest()
        first = SPARE.pid
        assert first is not None
        readiness._on_rest()
        assert SPARE.pid == first
    finally:
        application.Readiness.end()
        readiness.setParent(None)
        readiness.deleteLater()
    assert not SPARE.waits()
    assert is_gone(first)


def test_an_interrupt_waits_for_a_turn_of_the_event_loop(
    qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[QApplication] = []
    monkeypatch.setattr(application, "leave", left.append)
    before = signal.getsignal(signal.SIGINT)
    interrupt = Interrupt(qapp)
    try:
        signal.raise_signal(signal.SIGINT)
        assert not left  # what was under way goes on to its end
        qtbot.waitUntil(lambda: left == [qapp])
    finally:
        interrupt.close()
    assert signal.getsignal(signal.SIGINT) is before


def recovery_boxes() -> list[QMessageBox]:
    return [
        w
        for w in QApplication.topLevelWidgets()
        if isinstance(w, QMessageBox) and w.objectName() == "recovery" and w.isVisible()
    ]


def button(box: QMessageBox, text: str) -> QAbstractButton:
    return next(b for b in box.buttons() if b.text() == text)


def test_work_that_is_not_wanted_is_deleted_beside_the_window(
    new_window: NewWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    orphan = Orphan(Path("work"), "Old", None, "2026-01-02T03:04:05", 3)
    threads: list[tuple[str, Path | None, threading.Thread]] = []

    def look() -> list[Orphan]:
        threads.append(("look", None, threading.current_thread()))
        return [orphan]

    def discard(folder: Path) -> None:
        threads.append(("discard", folder, threading.current_thread()))

    monkeypatch.setattr("coterie.projects.store.recovery.orphans", look)
    monkeypatch.setattr("coterie.projects.store.recovery.discard", discard)
    window = new_window()
    offer_recovery(window)
    qtbot.waitUntil(lambda: len(recovery_boxes()) == 1, timeout=20_000)
    button(recovery_boxes()[0], "Delete").click()
    qtbot.waitUntil(lambda: len(threads) == 2)
    assert [(what, folder) for what, folder, _ in threads] == [
        ("look", None),
        ("discard", Path("work")),
    ]
    assert threading.main_thread() not in [thread for _, _, thread in threads]


@pytest.mark.slow
def test_work_whose_window_was_killed_is_offered_again(
    new_window: NewWindow, settle: Settle, qtbot: QtBot, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    lost = new_window()
    lost.documents.open_sample("iris")
    session = settle(lost)
    session.edits.replace(session.recipe.without(session.recipe.steps[-1].name), "remove the last")
    recipe = session.recipe
    session.close(keep_work=True)  # what is left when the process dies
    lost.drop_session()
    lost.close()
    root = tmp_path / "workspaces"
    monkeypatch.setattr("coterie.projects.store.recovery.workspaces_folder", lambda: root)
    window = new_window()
    window.documents.ensure_session()
    offer_recovery(window)
    qtbot.waitUntil(lambda: len(recovery_boxes()) == 1, timeout=20_000)
    button(recovery_boxes()[0], "Restore").click()
    restored = settle(window)
    assert restored.recipe == recipe
    assert window.pages.currentWidget() is window.tabs
    # What is up to date is known once the engine has said which methods there are.
    qtbot.waitUntil(lambda: str(restored.status("data")) == "fresh", timeout=60_000)


def test_restoring_asks_before_it_takes_the_place_of_unsaved_work(
    new_window: NewWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = new_window()
    asked: list[Callable[[], None]] = []
    monkeypatch.setattr(window.documents, "must_ask", lambda: True)
    monkeypatch.setattr(window.documents, "ask_unsaved", asked.append)
    before = window.documents.ensure_session().edits.history
    window.documents.recover(Orphan(tmp_path, "Work", None, "2026-01-01T00:00:00", 1))
    assert len(asked) == 1
    assert window.documents.ensure_session().edits.history is before
    monkeypatch.undo()  # the window closes without a question


@pytest.mark.slow
@pytest.mark.xvfb
@pytest.mark.timeout(400)
@pytest.mark.parametrize(("scheme", "scale"), [("light", 1), ("dark", 1), ("dark", 2)])
def test_real_windows_are_photographed(scheme: str, scale: int) -> None:
    if shutil.which("xvfb-run") is None:
        pytest.skip("no virtual screen here: install xvfb")
    command = [sys.executable, str(ROOT / "docs" / "making" / "shots.py"), "--scheme", scheme]
    taken = subprocess.run(
        [*VIRTUAL_SCREEN, *command, "--into", str(SCREENS), "--size", "1280x800"],
        env=os.environ | {"QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": str(scale)},
        capture_output=True,
        text=True,
        timeout=380,
        check=False,
    )
    assert taken.returncode == 0, taken.stderr
    pictures = [Path(line) for line in taken.stdout.splitlines()]
    ending = f"-{scheme}" if scale == 1 else f"-{scheme}-{scale}x"
    names = {path.stem.removesuffix(ending) for path in pictures}
    assert {"start", "spirals-converging", "spirals-embedding", "isocut", "map", "error"} <= names
    for path in pictures:
        image = QImage(str(path))
        is_dialog = path.stem.startswith("import")
        assert is_dialog or image.size() == QSize(1280, 800) * scale, path
        corner = image.pixelColor(image.width() - 30, image.height() // 2)
        assert (corner.lightness() < 128) == (scheme == "dark"), path
        across, down = range(0, image.width(), 8), range(0, image.height(), 8)
        colours = {image.pixel(x, y) for x in across for y in down}
        assert len(colours) > 12, f"{path} is all but empty"


def test_what_the_workbench_needs_is_loaded_beside_the_start_page() -> None:
    # In a program of its own: here it is all loaded already.
    script = """
import sys, time
HEAVY = ("pydantic", "pluggy", "coterie.core.engine", "coterie.core.formats.files")
from coterie.gui.app import application
from coterie.gui.app.main_window import MainWindow
app = application.make_application("light")
window = MainWindow(application.session_maker(), None)
wanted = {*application.NEEDED_FIRST, *application.NEEDED_LATER}
before = [name for name in sys.modules if name in wanted or name.startswith(HEAVY)]
started = []
application.WarmUp(window).start(started.append)
end = time.monotonic() + 60
while not (started and wanted <= set(sys.modules)) and time.monotonic() < end:
    app.processEvents()
    time.sleep(0.01)
print(sorted(before), sorted(wanted - set(sys.modules)), len(started), flush=True)
import os
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stdout.split("\n")[0] == "[] [] 1", done.stderr


def test_work_that_cannot_be_restored_is_reported(
    new_window: NewWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coterie.projects.store.recovery.orphans", list)
    monkeypatch.setattr("coterie.projects.store.recovery.unreadable", lambda: [Path("lost-work")])
    window = new_window()
    offer_recovery(window)
    shown = window.message_bar
    qtbot.waitUntil(lambda: "'lost-work'" in str(shown.problem), timeout=20_000)

"""Widgets that are garbage go between turns of the event loop, never while Qt lists them."""

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from coterie.gui.toolkit.gc_timer import Garbage

# Qt lists all widgets when it is given a style sheet, and tells each of them in turn.
PROGRAM = """
import gc
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from coterie.gui.toolkit.gc_timer import Garbage

class Teller(QWidget):
    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            gc.set_threshold(10)  # Python's own collector would begin here
            self.made = [[number] for number in range(50)]

class Circle(QMenu):
    def __init__(self):
        super().__init__()
        self.itself = self

app = QApplication([])
app.setStyleSheet("QMenu { color: red }")
garbage = Garbage.of_application(app)
tellers = [Teller() for _ in range(30)]
for round in range(20):
    gc.set_threshold(100_000)
    circles = [Circle() for _ in range(30)]
    for widget in (*tellers, *circles):
        widget.ensurePolished()
    del circles, widget
    app.setStyleSheet(f"QMenu {{ color: red; padding: {round}px }}")
    gc.collect()
print("alive", len(app.allWidgets()))
"""


class Circle(QObject):
    """In a circle with itself; says on which thread it went."""

    def __init__(self, gone: list[object]) -> None:
        super().__init__()
        self.itself = self
        self.destroyed.connect(lambda: gone.append(QThread.currentThread()))


@pytest.fixture
def garbage(qapp: QApplication) -> Iterator[Garbage]:
    """The collector of the program, with little patience."""
    limits = gc.get_threshold()
    gc.set_threshold(10, 1, 1)
    made = Garbage.of_application(qapp)
    made._timer.setInterval(5)
    yield made
    made.close()
    gc.set_threshold(*limits)


def test_a_new_style_sheet_meets_no_widget_that_is_gone() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == ["alive", "30"]


def test_circles_go_in_a_turn_of_the_event_loop_on_its_thread(
    garbage: Garbage, qtbot: QtBot
) -> None:
    gone: list[object] = []
    Circle(gone)
    kept = [[number] for number in range(10_000)]  # enough for Python to have begun
    assert not gone
    qtbot.waitUntil(lambda: bool(gone))
    assert gone == [garbage.thread()]
    assert len(kept) == 10_000


def test_there_is_one_for_the_program(garbage: Garbage, qapp: QApplication) -> None:
    assert Garbage.of_application(qapp) is garbage
    assert not gc.isenabled()


def test_closed_it_leaves_the_garbage_to_python(qapp: QApplication) -> None:
    Garbage.of_application(qapp).close()
    assert gc.isenabled()
    Garbage.of_application(qapp).close()

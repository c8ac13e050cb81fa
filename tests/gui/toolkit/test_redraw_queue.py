"""Chores of the window, one for each turn of the event loop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from coterie.gui.toolkit.redraw_queue import RedrawQueue


class Worker(QObject):
    """Notes what it was asked to do, and by which turn."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.done: list[str] = []
        self.other: list[int] = []

    def work(self, what: str) -> None:
        self.done.append(what)

    def count(self) -> None:
        self.other.append(len(self.done))

    def fail(self) -> None:
        raise RuntimeError("no")


@pytest.fixture
def turns(qapp: QObject) -> RedrawQueue:
    return RedrawQueue(qapp)


def test_what_is_asked_for_several_times_is_done_once(turns: RedrawQueue, qtbot: QtBot) -> None:
    worker = Worker()
    for what in ("tree", "card", "tree", "tree"):
        turns.ask(worker.work, what, within=0.01)
    qtbot.waitUntil(lambda: len(worker.done) == 2)
    qtbot.wait(30)
    assert worker.done == ["tree", "card"]


def test_what_is_asked_for_after_it_was_done_is_done_again(
    turns: RedrawQueue, qtbot: QtBot
) -> None:
    worker = Worker()
    turns.ask(worker.work, "tree", within=0)
    qtbot.waitUntil(lambda: worker.done == ["tree"])
    turns.ask(worker.work, "tree", within=0)
    qtbot.waitUntil(lambda: worker.done == ["tree", "tree"])


def test_others_have_their_turn_between_two_chores(turns: RedrawQueue, qtbot: QtBot) -> None:
    worker = Worker()
    timer = QTimer(worker, interval=0)
    timer.timeout.connect(worker.count)
    for number in range(20):
        turns.ask(worker.work, str(number), within=0)
    timer.start()
    qtbot.waitUntil(lambda: len(worker.done) == 20)
    timer.stop()
    assert len(set(worker.other)) >= 15


def test_what_falls_due_first_is_done_first(turns: RedrawQueue, qtbot: QtBot) -> None:
    worker = Worker()
    turns.ask(worker.work, "late", within=0.05)
    turns.ask(worker.work, "early", within=0)
    qtbot.waitUntil(lambda: len(worker.done) == 2)
    assert worker.done == ["early", "late"]


def test_a_widget_that_is_gone_is_not_called(turns: RedrawQueue, qtbot: QtBot) -> None:
    gone, stays = Worker(), Worker()
    turns.ask(gone.work, "x", within=0)
    turns.ask(stays.work, "y", within=0)
    gone.deleteLater()
    done = gone.done
    del gone
    qtbot.waitUntil(lambda: stays.done == ["y"])
    assert done == []


def test_a_chore_that_fails_does_not_hold_up_the_next(turns: RedrawQueue, qtbot: QtBot) -> None:
    worker = Worker()
    with qtbot.captureExceptions() as raised:
        turns.ask(worker.fail, within=0)
        turns.ask(worker.work, "next", within=0.005)
        qtbot.waitUntil(lambda: worker.done == ["next"])
    assert [str(error[1]) for error in raised] == ["no"]


def test_there_is_one_queue_for_the_program(qapp: QObject) -> None:
    assert RedrawQueue.of_application() is RedrawQueue.of_application()

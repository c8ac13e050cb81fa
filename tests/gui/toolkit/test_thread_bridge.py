"""The one way from other threads into Qt."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

from pytestqt.qtbot import QtBot

from coterie.gui.toolkit.thread_bridge import Bridge


def test_news_is_fetched_on_the_owners_thread(qtbot: QtBot) -> None:
    threads: list[threading.Thread] = []
    bridge = Bridge(lambda: threads.append(threading.current_thread()))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(bridge.notify).result()
    qtbot.waitUntil(lambda: bool(threads))
    assert threads == [threading.main_thread()]


def test_much_news_is_fetched_once(qtbot: QtBot) -> None:
    fetched: list[int] = []
    bridge = Bridge(lambda: fetched.append(1))
    with ThreadPoolExecutor(4) as pool:
        for _ in range(1000):
            pool.submit(bridge.notify)
    assert not fetched  # nothing happens before the event loop has its turn
    qtbot.waitUntil(lambda: bool(fetched))
    qtbot.wait(30)
    assert len(fetched) == 1


def test_news_that_arrives_while_fetching_is_fetched_too(qtbot: QtBot) -> None:
    fetched: list[int] = []

    def pump() -> None:
        fetched.append(1)
        if len(fetched) < 3:
            bridge.notify()

    bridge = Bridge(pump)
    bridge.notify()
    qtbot.waitUntil(lambda: len(fetched) == 3)


def test_a_closed_bridge_is_silent(qtbot: QtBot) -> None:
    fetched: list[int] = []
    bridge = Bridge(lambda: fetched.append(1))
    bridge.notify()
    bridge.close()
    bridge.notify()
    qtbot.wait(30)
    assert not fetched


def test_the_outcome_of_other_work_comes_to_the_owners_thread(qtbot: QtBot) -> None:
    bridge = Bridge(lambda: None)
    outcomes: list[object] = []
    good: Future[int] = Future()
    bad: Future[int] = Future()
    for future in (good, bad):
        bridge.when_done(future, outcomes.append, outcomes.append)
    error = ValueError("no")
    with ThreadPoolExecutor(1) as pool:
        pool.submit(good.set_result, 7)
        pool.submit(bad.set_exception, error)
    assert not outcomes
    qtbot.waitUntil(lambda: len(outcomes) == 2)
    assert outcomes == [7, error]

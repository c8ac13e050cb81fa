"""Plots beside the steps: which engine draws them, and what a step that starts does to them."""

from dataclasses import replace
from itertools import count
from typing import Any

from coterie.core.engine.messages import Cancel, CancelledMessage, Finished, Message, Order, Run
from coterie.projects.jobs.figure_runs import FigureRuns
from coterie.projects.jobs.side_requests import SideRequests

TREE = Order(use="plot/dendrogram", key="a" * 64)


class NotingEngine:
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.sent: list[Message] = []

    def send(self, message: Message) -> None:
        self.sent.append(message)


def runs_on(*engines: NotingEngine) -> tuple[FigureRuns, SideRequests, list[Any]]:
    """Plots that go to each of the engines in turn, and what is answered."""
    free = iter(engines)
    engine_of: Any = lambda: next(free)  # noqa: E731 - stands for a method
    requests, answers = SideRequests(engine_of, count(1)), []
    runs = FigureRuns(requests)
    runs.answered.connect(lambda _, answer: answers.append(answer))
    return runs, requests, answers


def test_a_step_on_the_first_engine_leaves_a_plot_on_the_second_alone() -> None:
    first, second = NotingEngine(), NotingEngine()
    runs, requests, answers = runs_on(second)
    runs.ask(TREE)
    runs.make_way(first)  # type: ignore[arg-type] # as much of an engine as is needed
    assert [type(message) for message in second.sent] == [Run]
    requests.take(Finished(job=1, key=TREE.key, type="figure"))
    assert len(answers) == 1


def test_a_plot_in_the_way_of_a_step_is_drawn_by_the_other_engine() -> None:
    first, second = NotingEngine(), NotingEngine()
    runs, requests, answers = runs_on(first, second)
    runs.ask(TREE)
    runs.make_way(first)  # type: ignore[arg-type] # as much of an engine as is needed
    assert [type(message) for message in first.sent] == [Run, Cancel]
    requests.take(CancelledMessage(job=1))
    assert [message.job for message in second.sent] == [2]
    requests.take(Finished(job=2, key=TREE.key, type="figure"))
    assert len(answers) == 1


def test_a_plot_that_nobody_looks_at_any_more_makes_room_for_the_next() -> None:
    engine = NotingEngine()
    runs, requests, answers = runs_on(engine, engine)
    runs.ask(TREE)
    runs.ask(replace(TREE, key="b" * 64))
    assert [type(message) for message in engine.sent] == [Run, Cancel]
    requests.take(CancelledMessage(job=1))
    assert requests.take(Finished(job=2, key="b" * 64, type="figure"))
    assert [answer.key for answer in answers] == ["b" * 64]
    assert not requests.take(Finished(job=2, key="b" * 64, type="figure"))

"""Previews of steps through a real session: on a few items, newest first, published nowhere."""

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

from coterie.core.engine.messages import Cancel, Failed, Order, Previewed
from coterie.core.io import clock
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.job import Status
from coterie.projects.jobs.side_requests import SideRequests
from coterie.projects.jobs.step_previews import StepPreview, StepPreviews
from coterie.projects.session import Session

RECIPE = Recipe(
    sources=(Source(open="arcs", params={"n": 60}),),
    steps=(
        Step("scaled", "transform/minmax", ("data",)),
        Step("near", "kernel/gaussian", ("scaled",), {"sigma": 0.3}),
    ),
)


@pytest.fixture
def ready(session: Session) -> Session:
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    return session


def heard(session: Session) -> list[tuple[str, Any]]:
    answers: list[tuple[str, Any]] = []
    session.questions.step_previewed.connect(lambda step, answer: answers.append((step, answer)))
    return answers


def pump_until(session: Session, is_so: Callable[[], bool]) -> None:
    until = clock.seconds() + 20
    while not is_so() and clock.seconds() < until:
        session._background.wait(0.02)
        session.pump()
    assert is_so()


def test_a_preview_is_the_step_on_evenly_spread_items(ready: Session) -> None:
    answers = heard(ready)
    ready.questions.preview_step("near", {"sigma": 0.1}, items=20)
    pump_until(ready, lambda: bool(answers))
    step, preview = answers[0]
    assert step == "near"
    assert isinstance(preview, StepPreview)
    assert preview.params == {"sigma": 0.1}
    assert preview.items[[0, -1]].tolist() == [0, 59]
    X = ready.results.artefact("scaled").features[preview.items]
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    assert np.allclose(preview.values, np.exp(-distances / (2 * 0.1**2)))
    assert ready.recipe.step("near").params == {"sigma": 0.3}
    assert ready.status("near") == Status.FRESH
    assert not ready.busy


def test_many_requests_end_with_the_newest_and_skip_most(ready: Session) -> None:
    answers = heard(ready)
    widths = np.linspace(0.1, 0.9, 50).round(3).tolist()
    for sigma in widths:
        ready.questions.preview_step("near", {"sigma": sigma})
    pump_until(ready, lambda: bool(answers) and answers[-1][1].params["sigma"] == widths[-1])
    assert [answer.params["sigma"] for _, answer in answers] == [widths[0], widths[-1]]


def test_what_cannot_be_previewed_is_answered_with_a_sentence(ready: Session) -> None:
    answers = heard(ready)
    ready.questions.preview_step("near", {"sigma": -1.0})
    pump_until(ready, lambda: bool(answers))
    assert "sigma" in answers[0][1]
    ready.edits.replace(
        ready.recipe.changed("scaled", params={"low": -1.0}), "change low of scaled"
    )
    ready.questions.preview_step("near", {"sigma": 0.2})
    assert "not been computed yet" in answers[1][1]


class Engine:
    """Keeps what it is sent."""

    inbox: Any = None

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def start(self) -> None:
        pass

    def send(self, message: Any) -> None:
        self.sent.append(message)

    def close(self) -> None:
        pass


def answer(job: int) -> Previewed:
    return Previewed(job=job, arrays={"main": np.eye(2), "items": np.arange(2)})


def test_a_run_withdraws_the_preview_before_it() -> None:
    engine = Engine()
    requests = SideRequests(lambda: engine, count(1))
    previews = StepPreviews(requests)
    answers: list[Any] = []
    previews.answered.connect(lambda *given: answers.append(given))
    previews.ask("near", Order(use="kernel/gaussian"), 10)
    previews.ask("near", Order(use="kernel/linear"), 10)
    previews.withdraw()
    assert isinstance(engine.sent[-1], Cancel)
    assert not requests.take(answer(1))
    assert not answers
    previews.ask("near", Order(use="kernel/linear"), 10)
    assert requests.take(answer(engine.sent[-1].job))
    assert len(answers) == 1


def test_an_answer_about_another_step_than_the_one_asked_for_now_is_dropped() -> None:
    engine = Engine()
    requests = SideRequests(lambda: engine, count(1))
    previews = StepPreviews(requests)
    answers: list[Any] = []
    previews.answered.connect(lambda *given: answers.append(given))
    previews.ask("near", Order(use="kernel/gaussian"), 10)
    previews.ask("graph", Order(use="graph/knn"), 10)
    assert requests.take(answer(1))
    assert not answers
    assert requests.take(Failed(job=2, error="k is too large."))
    assert answers == [("graph", "k is too large.")]

"""The queue of steps: what is edited, opened or saved while something runs."""

import time
from pathlib import Path
from typing import Any

import pytest

from coterie.core.engine.messages import Failed, Finished
from coterie.core.errors import ProjectFileError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.job import Failure, Status
from coterie.projects.session import Session
from tests.refusals import refuses

ARCS = Recipe(
    title="Small arcs",
    sources=(Source(open="arcs", params={"n": 60}),),
    steps=(
        Step("scaled", "transform/minmax", ("data",)),
        Step("near", "kernel/gaussian", ("scaled",), {"sigma": 0.3}),
    ),
)
IRIS = Recipe(sources=(Source(open="iris"),), steps=ARCS.steps)


def until_its_news_wait(session: Session) -> None:
    """Wait until what runs has ended, without the session hearing of it."""
    inbox = session.scheduler._engine.inbox
    until = time.monotonic() + 60
    while time.monotonic() < until:
        inbox.wait(0.1)
        messages = inbox.take_all()
        for message in messages:
            inbox.put(message)
        if any(isinstance(message, Finished | Failed) for message in messages):
            return
    pytest.fail("what runs has not ended")


def started(session: Session, recipe: Recipe, step: str) -> None:
    """Run a recipe until `step` runs."""
    while not session.catalogue.methods:
        session.wait(0.1)
        session.pump()
    session.project.load_recipe(recipe)
    session.run()
    while session.running is None or session.running.step != step:
        session._background.wait(0.05)
        session.pump()


def test_a_result_of_the_project_before_never_lands_in_the_next_one(session: Session) -> None:
    started(session, ARCS, "data")
    until_its_news_wait(session)
    session.project.load_recipe(IRIS)
    session.wait(30)
    assert session.status("data") is Status.MISSING
    session.run()
    session.wait(60)
    assert session.results.artefact("data").n == 150
    assert session.status("near") is Status.FRESH


def test_a_failure_of_the_project_before_is_not_the_next_ones(session: Session) -> None:
    failures: list[Failure] = []
    session.failed.connect(failures.append)
    wrong = Recipe(sources=(Source(open="arcs", params={"n": -1}),))
    started(session, wrong, "data")
    until_its_news_wait(session)
    session.project.load_recipe(IRIS)
    session.wait(30)
    assert failures == []
    assert session.status("data") is Status.MISSING
    assert [job.state for job in session.jobs] == ["cancelled"]


def test_data_that_were_edited_while_being_read_are_stale(session: Session) -> None:
    started(session, Recipe(sources=ARCS.sources), "data")
    until_its_news_wait(session)
    session.edits.replace(session.recipe.changed("data", params={"n": 80}), "change n")
    session.wait(30)
    assert session.results.artefact("data").n == 60
    assert session.status("data") is Status.STALE


@pytest.mark.parametrize("running", ["data", "scaled"])
def test_what_is_edited_while_others_wait_for_it_runs_again_for_them(
    session: Session, running: str
) -> None:
    started(session, ARCS, running)
    until_its_news_wait(session)
    session.edits.replace(session.recipe.changed("data", params={"n": 80}), "change n")
    session.wait(60)
    assert {session.status(name) for name in session.recipe.names} == {Status.FRESH}
    assert session.results.artefact("near").n == 80


def test_a_recipe_loaded_while_a_project_is_opened_is_what_stays(
    session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "arcs.coterie.h5"
    started(session, ARCS, "near")
    session.wait(60)
    session.project.save(path)
    session.wait(60)
    opening = session.project.open_file(path)
    session.project.load_recipe(IRIS)
    opening.result(60)
    session.wait(60)
    assert session.recipe == IRIS
    assert session.project.path is None


def test_a_save_that_ends_in_another_project_gives_it_no_path(
    session: Session, tmp_path: Path
) -> None:
    started(session, ARCS, "near")
    session.wait(60)
    saving = session.project.save(tmp_path / "arcs.coterie.h5")
    session.project.load_recipe(IRIS)
    saving.result(60)
    session.wait(60)
    assert session.project.path is None
    assert session.project.modified


def test_a_reserved_place_is_not_taken_by_another(new_session: Any, tmp_path: Path) -> None:
    path = tmp_path / "arcs.coterie.h5"
    first, second = new_session(), new_session()
    first.project.load_recipe(ARCS)
    first.project.reserve(path).result(60)
    second.project.load_recipe(IRIS)
    with refuses("project-in-use", ProjectFileError):
        second.project.save(path).result(60)
    first.project.save(path).result(60)


def test_a_result_that_comes_while_the_project_is_written_is_yet_to_be_saved(
    session: Session, tmp_path: Path
) -> None:
    started(session, ARCS, "near")
    until_its_news_wait(session)
    saving = session.project.save(tmp_path / "arcs.coterie.h5")
    saving.result(60)
    session.wait(60)
    assert session.status("near") is Status.FRESH
    assert session.project.modified
    session.project.save()
    session.wait(60)
    assert not session.project.modified


@pytest.mark.parametrize("value", ["2", True])
def test_a_parameter_of_another_type_fails_its_step_and_leaves_nothing_stale(
    session: Session, value: Any
) -> None:
    groups = Step("groups", "clusterer/dominant-sets", ("near",), {"k": value})
    session.project.load_recipe(ARCS.with_step(groups))
    session.run()
    session.wait(60)
    assert session.status("near") is Status.FRESH
    assert session.status("groups") is Status.FAILED
    failure = session.failure("groups")
    assert failure is not None
    assert failure.message == (
        f"Parameter 'k' of clusterer/dominant-sets: input should be a valid integer. Got {value!r}."
    )


def test_a_step_that_is_up_to_date_runs_again_to_be_watched(session: Session) -> None:
    started(session, ARCS, "data")
    session.wait(60)
    before = session.results.key("near")
    done = len(session.jobs)
    session.run("near")
    session.wait(60)
    assert len(session.jobs) == done
    session.run_again("near")
    assert session.running is not None
    session.wait(60)
    assert [job.step for job in session.jobs[done:]] == ["near"]
    assert session.results.key("near") == before
    assert session.status("near") is Status.FRESH
    session.run("near")
    assert session.running is None


def test_a_watched_run_that_is_cancelled_leaves_its_result(session: Session) -> None:
    started(session, ARCS, "data")
    session.wait(60)
    session.run_again("near")
    session.cancel()
    session.wait(60)
    assert session.status("near") is Status.FRESH
    session.run()
    assert session.running is None

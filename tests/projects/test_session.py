"""The session: running, caching, staleness, undo, saving and opening again."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.api.components import Cost
from coterie.core.engine.check_output import main_array
from coterie.core.errors import CoterieError, ProjectFileError, RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.job import EngineJob, Failure, Status
from coterie.projects.recipe.defaults import sample_recipe
from coterie.projects.session import Session
from coterie.projects.store.hdf5.saving import Content, save_project
from tests.refusals import refuses

FRESH, STALE, MISSING = Status.FRESH, Status.STALE, Status.MISSING

RECIPE = Recipe(
    title="Small arcs",
    sources=(Source(open="arcs", params={"n": 60}),),
    steps=(
        Step("scaled", "transform/minmax", ("data",)),
        Step("near", "kernel/gaussian", ("scaled",), {"sigma": 0.3}),
        Step("groups", "clusterer/dominant-sets", ("near",), {"k": 2}),
        Step("order", "ranker/membership", ("groups",)),
    ),
)


def computed(session: Session, recipe: Recipe = RECIPE) -> Session:
    session.project.load_recipe(recipe)
    session.run()
    session.wait(60)
    return session


def statuses(session: Session) -> dict[str, Status]:
    return {name: session.status(name) for name in session.recipe.names}


def finished_jobs(session: Session) -> list[EngineJob]:
    return [job for job in session.jobs if job.state == "finished"]


def test_run_computes_every_step_and_publishes_its_parts(session: Session) -> None:
    computed(session)
    assert set(statuses(session).values()) == {FRESH}
    groups = session.results.artefact("groups")
    assert groups.n == 60
    assert groups.dataset.n == 60
    assert "trace" in session.results.parts("groups")
    assert session.results.artefact("groups", "trace").objective[-1] > 0
    assert session.results.provenance("near")["params"]["sigma"] == 0.3
    assert session.selection.n == 60


def test_running_again_computes_nothing(session: Session) -> None:
    computed(session)
    before = len(session.jobs)
    session.run()
    session.wait(10)
    assert len(session.jobs) == before


def test_a_changed_parameter_makes_what_depends_on_it_stale_and_keeps_the_old_result(
    session: Session,
) -> None:
    computed(session)
    old = session.results.artefact("groups")
    session.edits.replace(session.recipe.changed("near", params={"sigma": 0.5}), "change sigma")
    assert statuses(session) == {
        "data": FRESH,
        "scaled": FRESH,
        "near": STALE,
        "groups": STALE,
        "order": STALE,
    }
    assert session.results.artefact("groups") is old


def test_undo_makes_existing_results_fresh_without_computing(session: Session) -> None:
    computed(session)
    first = session.results.key("groups")
    session.edits.replace(session.recipe.changed("near", params={"sigma": 0.5}), "change sigma")
    session.run()
    session.wait(60)
    assert session.results.key("groups") != first
    jobs = len(session.jobs)
    session.edits.undo()
    assert set(statuses(session).values()) == {FRESH}
    assert session.results.key("groups") == first
    assert len(session.jobs) == jobs
    session.edits.redo()
    assert set(statuses(session).values()) == {FRESH}
    assert session.results.key("groups") != first


def test_whole_numbers_and_floats_are_the_same_parameter(session: Session) -> None:
    computed(session)
    session.edits.replace(session.recipe.changed("near", params={"sigma": 1}), "whole")
    session.run()
    session.wait(30)
    session.edits.replace(session.recipe.changed("near", params={"sigma": 1.0}), "float")
    assert set(statuses(session).values()) == {FRESH}


def test_the_same_recipe_gives_the_same_keys_and_arrays_in_another_session(
    new_session: Any,
) -> None:
    first, second = computed(new_session()), computed(new_session("process"))
    for name in RECIPE.names:
        assert first.results.key(name) == second.results.key(name)
        assert np.array_equal(
            main_array(first.results.artefact(name)),
            main_array(second.results.artefact(name)),
            equal_nan=True,
        )


def test_a_failing_step_says_why_and_the_rest_goes_on(session: Session) -> None:
    failures: list[Failure] = []
    session.failed.connect(failures.append)
    recipe = RECIPE.changed("near", params={"sigma": -1.0})
    recipe = recipe.with_step(Step("picture", "embedder/pca", ("scaled",)))
    computed(session, recipe)
    assert session.status("near") is Status.FAILED
    assert session.status("groups") is MISSING
    assert session.status("picture") is FRESH
    assert [failure.step for failure in failures] == ["near"]
    assert "sigma" in failures[0].message
    assert "Got -1" in failures[0].message
    session.edits.replace(session.recipe.changed("near", params={"sigma": 0.3}), "mend")
    session.run()
    session.wait(30)
    assert set(statuses(session).values()) == {FRESH}


def test_wrong_inputs_are_refused_before_the_engine_is_asked(session: Session) -> None:
    recipe = RECIPE.changed("groups", of=("scaled",)).without("order")
    computed(session, recipe)
    failure = session.failure("groups")
    assert failure is not None
    assert (
        "needs affinity as input 1. Got dataset. Give it the result of a kernel" in failure.message
    )


def test_an_unknown_method_is_marked_broken_and_can_still_be_looked_at(
    session: Session, tmp_path: Path
) -> None:
    computed(session)
    recipe = session.recipe.changed("groups", use="clusterer/mylab:gone")
    session.edits.replace(recipe, "another method")
    assert session.status("groups") is Status.BROKEN
    assert session.results.artefact("groups") is not None
    session.run()
    session.wait(10)
    failure = session.failure("groups")
    assert failure is not None
    assert "'mylab'" in failure.message


def test_cancel_stops_the_running_job_and_forgets_what_waits(
    new_session: Any, tmp_path: Path
) -> None:
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    (plugins / "slow.py").write_text(SLOW_KERNEL)
    session = new_session(plugins=plugins)
    recipe = RECIPE.changed("near", use="kernel/local:slow", params={})
    session.project.load_recipe(recipe)
    session.run()
    while session.running is None or session.running.step != "near":
        session.wait(0.1)
    session.cancel()
    session.wait(10)
    assert session.jobs[-1].state == "cancelled"
    assert session.status("groups") is MISSING
    assert session.status("scaled") is FRESH


SLOW_KERNEL = '''
import time
from coterie.core import Kernel, hookimpl

class Slow(Kernel):
    """Takes its time."""
    id, title = "slow", "Slow"
    def compute(self, data, *, params, context):
        for _ in range(2000):
            context.check()
            time.sleep(0.01)

@hookimpl
def coterie_kernels():
    return [Slow]
'''


def test_save_and_open_give_the_same_project(new_session: Any, tmp_path: Path) -> None:
    session = computed(new_session())
    session.edits.view = {"tab": "embedding"}
    path = tmp_path / "arcs.coterie.h5"
    session.project.save(path)
    session.wait(30)
    assert (session.project.path, session.project.modified) == (path, False)
    keys = {name: session.results.key(name) for name in RECIPE.names}
    labels = np.array(session.results.artefact("groups").labels)
    session.close()

    again = new_session()
    again.project.open_file(path)
    again.wait(30)
    assert again.recipe == RECIPE
    assert again.view == {"tab": "embedding"}
    assert {name: again.results.key(name) for name in RECIPE.names} == keys
    assert set(statuses(again).values()) == {FRESH}
    assert again.results.shape_in_file("near") == "60 × 60"  # known without reading the matrix
    assert np.array_equal(again.fetch("groups").labels, labels)
    assert again.fetch("groups", "trace") is not None
    assert not again.project.modified


def test_an_opened_project_runs_on_from_what_is_in_its_file(
    new_session: Any, tmp_path: Path
) -> None:
    session = computed(new_session())
    path = tmp_path / "arcs.coterie.h5"
    session.project.save(path)
    session.wait(30)
    session.close()

    again = new_session()
    again.project.open_file(path)
    again.wait(30)
    again.edits.replace(again.recipe.changed("groups", params={"k": 1}), "fewer groups")
    again.run()
    again.wait(30)
    assert [job.step for job in finished_jobs(again)] == ["groups", "order"]
    again.project.save()
    again.wait(30)
    assert not again.project.modified


def test_undo_takes_up_results_that_are_only_in_the_project_file(
    new_session: Any, tmp_path: Path
) -> None:
    session = computed(new_session())
    path = tmp_path / "arcs.coterie.h5"
    session.project.save(path)
    session.wait(30)
    session.close()

    again = new_session()
    again.project.open_file(path)
    again.wait(30)
    kept = again.results.key("groups")
    again.edits.replace(again.recipe.changed("groups", params={"k": 1}), "fewer groups")
    again.run()
    again.wait(30)
    assert again.results.key("groups") != kept
    again.edits.undo()
    assert again.results.key("groups") == kept
    assert again.status("groups") is FRESH
    assert again.fetch("groups", "trace") is not None


def test_a_damaged_file_leaves_the_open_project_as_it_is(session: Session, tmp_path: Path) -> None:
    computed(session)
    path = tmp_path / "bad.coterie.h5"
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + b"\0" * 100)
    future = session.project.open_file(path)
    session.wait(10)
    assert isinstance(future.exception(), ProjectFileError)
    assert session.recipe == RECIPE
    assert session.results.artefact("groups") is not None


def test_a_file_with_a_wrong_recipe_leaves_the_open_project_as_it_is(
    session: Session, tmp_path: Path
) -> None:
    computed(session)
    good, bad = tmp_path / "good.coterie.h5", tmp_path / "bad.coterie.h5"
    session.project.save(good)
    session.wait(60)
    content = Content("Bad", "2026-01-01", recipe='[[step]]\nname = "a"')
    save_project(bad, content, find=lambda key: None)
    opening = session.project.open_file(bad)
    session.wait(60)
    with refuses("file-damaged", ProjectFileError, match="kind/id"):
        opening.result()
    assert session.project.path == good
    session.edits.replace(session.recipe.changed("near", params={"sigma": 0.5}), "change sigma")
    session.project.save().result(60)  # what it held is still within reach


def test_a_failed_save_keeps_the_project_open_and_modified(
    session: Session, tmp_path: Path
) -> None:
    computed(session)
    future = session.project.save(tmp_path / "no such folder" / "a.coterie.h5")
    session.wait(10)
    assert isinstance(future.exception(), CoterieError)
    assert (session.project.path, session.project.modified) == (None, True)
    session.project.save(tmp_path / "a.coterie.h5")
    session.wait(10)
    assert (session.project.path, session.project.modified) == (tmp_path / "a.coterie.h5", False)


def test_saving_without_a_path_says_so(session: Session) -> None:
    with refuses("project-not-saved", ProjectFileError):
        session.project.save()


def test_a_project_is_locked_while_it_is_open(new_session: Any, tmp_path: Path) -> None:
    path = tmp_path / "arcs.coterie.h5"
    first = computed(new_session())
    first.project.save(path)
    first.wait(30)
    second = new_session()
    future = second.project.open_file(path)
    second.wait(10)
    assert "open in another window" in str(future.exception())
    first.close()
    second.project.open_file(path)
    second.wait(10)
    assert second.project.path == path


def test_a_path_outside_the_project_is_read_only_after_confirming(
    new_session: Any, tmp_path: Path
) -> None:
    data, inside = tmp_path / "data.csv", tmp_path / "inside"
    inside.mkdir()
    data.write_text("a,b\n1,2\n3,4\n5,7\n", encoding="utf-8")
    first = new_session()
    first.project.open(data)
    first.run("data")
    first.wait(10)
    first.project.save(inside / "p.coterie.h5")
    first.wait(10)
    first.close()

    session = new_session()
    session.project.open_file(inside / "p.coterie.h5")
    session.wait(10)
    assert session.fetch("data").n == 3  # the data is in the project itself
    assert session.files.unconfirmed("data") == str(data)
    session.run("data", reread=True)
    session.wait(10)
    failure = session.failure("data")
    assert failure is not None
    assert "outside its folder" in failure.message
    session.files.confirm("data")
    session.run("data", reread=True)
    session.wait(10)
    assert session.status("data") is FRESH


def test_rereading_notices_a_changed_file(session: Session, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    session.project.open(data)
    session.run("scaled")
    session.wait(10)
    first = session.results.key("scaled")
    data.write_text("a,b\n1,2\n3,4\n5,7\n", encoding="utf-8")
    session.run("scaled", reread=True)
    session.wait(10)
    assert session.results.key("scaled") != first
    assert session.results.artefact("scaled").n == 3


def test_estimate_answers_while_nothing_is_changed(session: Session) -> None:
    computed(session)
    answers: list[tuple[str, object]] = []
    session.questions.estimated.connect(lambda step, cost: answers.append((step, cost)))
    session.questions.estimate("near")
    for _ in range(100):
        if answers:
            break
        session.wait(0.05)
        session._background.wait(0.05)
    step, cost = answers[0]
    assert step == "near"
    assert isinstance(cost, Cost)
    assert cost.bytes >= 60 * 60 * 8


def test_live_frames_and_events_reach_the_owner(session: Session) -> None:
    frames, events = [], []
    session.framed.connect(lambda step, frame: frames.append((step, frame)))
    session.happened.connect(lambda step, name, details: events.append((step, name, details)))
    computed(session)
    assert {step for step, _ in frames} >= {"groups"}
    assert [name for step, name, _ in events if step == "groups"].count("peeled") == 2


def test_a_chosen_speed_holds_from_the_first_iteration_of_the_next_run(session: Session) -> None:
    frames: list[Any] = []
    session.framed.connect(lambda step, frame: frames.append(frame))
    session.project.load_recipe(RECIPE)
    session.run("near")
    session.wait(30)
    session.scheduler.set_speed(20.0)
    session.run("groups")
    session.wait(0.4)
    assert frames
    assert frames[-1].iteration < 20  # at full speed it would have ended long ago
    session.scheduler.set_speed(0.0)
    session.wait(30)
    assert session.status("groups") is FRESH


def test_adding_a_step_takes_the_latest_inputs_that_fit(session: Session) -> None:
    computed(session)
    name = session.edits.add_step("embedder/pca")
    assert session.recipe.step(name).of == ("near",) or session.recipe.step(name).of == ("scaled",)
    assert session.edits.can_undo == "add Principal components"
    again = session.edits.add_step("embedder/pca")
    assert again == f"{name}-2"


def test_a_removed_step_takes_its_dependents_with_it(session: Session) -> None:
    computed(session)
    session.edits.replace(session.recipe.without("near"), "remove near")
    assert session.recipe.names == ("data", "scaled")
    session.edits.undo()
    assert set(statuses(session).values()) == {FRESH}


def test_opening_what_does_not_exist_says_so(session: Session, tmp_path: Path) -> None:
    with refuses("file-not-found", RecipeError):
        session.project.open(tmp_path / "nothing.csv")
    session.wait(10)
    while not session.catalogue.methods:
        session.wait(0.1)
    odd = tmp_path / "odd.xyz"
    odd.write_text("?")
    with refuses("no-reader", RecipeError):
        session.project.open(odd)


@pytest.mark.parametrize("name", ["arcs", "moon", "rings", "spirals", "iris"])
def test_every_sample_runs_as_it_ships(session: Session, name: str) -> None:
    computed(session, sample_recipe(name))
    assert set(statuses(session).values()) == {FRESH}
    assert session.results.artefact("mistakes").value < 0.1


def test_the_engine_process_may_die_and_the_session_lives_on(
    new_session: Any, tmp_path: Path
) -> None:
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    (plugins / "fatal.py").write_text(
        SLOW_KERNEL.replace("slow", "fatal").replace(
            "for _ in range(2000):", "import os; os.abort()\n        for _ in range(1):"
        )
    )
    session = new_session("process", plugins)
    computed(session, RECIPE.changed("near", use="kernel/local:fatal", params={}))
    failure = session.failure("near")
    assert failure is not None
    assert "aborted" in failure.message
    assert "Your project is not affected" in failure.message
    assert failure.origin == "local file fatal.py"
    session.edits.replace(
        session.recipe.changed("near", use="kernel/gaussian"), "a kernel that works"
    )
    session.run()
    session.wait(60)
    assert set(statuses(session).values()) == {FRESH}


def test_edits_of_a_view_are_undone_with_those_of_the_recipe_and_saved(
    session: Session, tmp_path: Path
) -> None:
    session.project.load_recipe(RECIPE)
    session.view["regions"] = {"features": ["before"]}
    session.edits.edit_view("regions", {"features": ["a"]}, "keep a")
    session.edits.replace(session.recipe.changed("near", params={"sigma": 0.5}), "change sigma")
    session.edits.edit_view("classes", {"groups": {}}, "name group 1")
    session.edits.edit_view("classes", {"groups": {}}, "the same again")
    assert session.edits.can_undo == "name group 1"
    session.edits.undo()
    assert "classes" not in session.view
    session.edits.undo()
    assert session.recipe.step("near").params == {"sigma": 0.3}
    assert session.view["regions"] == {"features": ["a"]}
    session.edits.undo()
    assert session.view["regions"] == {"features": ["before"]}
    for _ in range(3):
        session.edits.redo()
    assert session.view["classes"] == {"groups": {}}
    saving = session.project.save(tmp_path / "a.coterie.h5")
    session.wait(20)
    saving.result()
    assert not session.project.modified
    session.edits.undo()
    assert session.project.modified

"""Candidates of the automatic answer: taken over as steps that give the same groups."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.model.results import Clustering
from coterie.projects.candidates import (
    AUTOMATIC,
    adopted,
    agreement_of,
    candidates_of,
    with_automatic,
)
from coterie.projects.jobs.job import Status
from coterie.projects.session import Session
from tests.refusals import refuses

STEPS = (
    {"name": "scaled", "use": "transform/standardise", "of": [""], "params": {}},
    {"name": "groups", "use": "clusterer/kmeans", "of": ["scaled"], "params": {"k": 3}},
)
RECIPE = Recipe(
    sources=(Source(open="three-gaussians", params={"n": 60}),),
    steps=(Step("groups", AUTOMATIC, ("data",)),),
)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = Session(engine="inprocess", root=tmp_path)
    made.start()
    made.project.load_recipe(RECIPE)
    yield made
    made.close()


def test_steps_get_free_names_and_the_input_of_the_automatic_step() -> None:
    recipe, name = adopted(RECIPE, "groups", STEPS)
    assert [(step.name, step.of) for step in recipe.steps[1:]] == [
        ("scaled", ("data",)),
        ("groups-2", ("scaled",)),
    ]
    assert name == "groups-2"


def test_a_step_that_is_there_already_is_not_added_twice() -> None:
    recipe, first = adopted(RECIPE, "groups", STEPS)
    assert adopted(recipe, "groups", STEPS) == (recipe, first)
    other = ({**STEPS[0]}, {**STEPS[1], "params": {"k": 4}})
    again, second = adopted(recipe, "groups", other)
    assert len(again.steps) == len(recipe.steps) + 1
    assert again.step(second).of == ("scaled",)


def test_the_answer_is_adopted_without_computing_anything(session: Session) -> None:
    session.run()
    session.wait()
    answer = session.fetch("groups")
    found = candidates_of(answer, lambda part: session.fetch("groups", part))
    assert found[0].chosen
    jobs = len(session.jobs)
    recipe, name = adopted(session.recipe, "groups", found[0].steps)
    session.edits.replace(recipe, "adopt")
    assert session.status(name) is Status.FRESH
    session.run()
    session.wait()
    assert len(session.jobs) == jobs


def test_every_candidate_is_adopted_with_exactly_its_groups(session: Session) -> None:
    session.run()
    session.wait()
    answer = session.fetch("groups")
    found = candidates_of(answer, lambda part: session.fetch("groups", part))
    assert sum(one.chosen for one in found) == 1
    before, names = session.recipe, []
    for one in found:
        recipe, name = adopted(session.recipe, "groups", one.steps)
        session.edits.replace(recipe, f"adopt {one.title}")
        names.append(name)
    session.run()
    session.wait()
    for one, name in zip(found, names, strict=True):
        assert one.groups is not None
        assert agreement_of(session.fetch(name), one.groups) == 1.0
    for _ in found:
        session.edits.undo()
    assert session.recipe == before


def test_the_automatic_step_goes_on_the_data_of_the_groups_that_are_there(
    session: Session,
) -> None:
    session.run("data")
    session.wait()
    recipe = Recipe(
        sources=RECIPE.sources,
        steps=(
            Step("scaled", "transform/standardise", ("data",)),
            Step("near", "kernel/gaussian", ("scaled",)),
            Step("groups", "clusterer/njw", ("near",), {"k": 3}),
            Step("few", "transform/pca", ("data",)),
        ),
    )
    found, name = with_automatic(recipe, session.catalogue)
    assert found.step(name) == Step("automatic", AUTOMATIC, ("scaled",))
    assert with_automatic(found, session.catalogue) == (found, name)
    with refuses("empty-recipe", RecipeError):
        with_automatic(Recipe(), session.catalogue)


def test_agreement_needs_something_to_compare_with() -> None:
    groups = Clustering(labels=np.array([0, 0, 1, 1]))
    crossed = Clustering(labels=np.array([0, 1, 0, 1]))
    assert agreement_of(groups, crossed) == pytest.approx(-0.5)
    assert agreement_of(groups, Clustering(labels=np.array([0, 1]))) is None
    assert agreement_of(groups, None) is None

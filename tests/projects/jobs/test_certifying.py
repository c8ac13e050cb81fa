"""Questions about chosen items through a real session."""

from typing import Any

import numpy as np

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.numerics.certificates.dominant_sets import certify_set
from coterie.projects.session import Session
from tests.projects.jobs.test_step_previews import pump_until

RECIPE = Recipe(
    sources=(Source(open="arcs", params={"n": 60}),),
    steps=(Step("near", "kernel/gaussian", ("data",), {"sigma": 0.3}),),
)


TREE = Recipe(
    sources=RECIPE.sources,
    steps=(*RECIPE.steps, Step("tree", "clusterer/dominant-hierarchy", ("near",))),
)


def test_a_group_is_certified_as_its_step_states_it(session: Session) -> None:
    answers: list[tuple[str, Any]] = []
    session.questions.certified.connect(lambda *given: answers.append(given))
    session.project.load_recipe(TREE)
    session.run()
    session.wait(60)
    result = session.results.artefact("tree")
    inner = next(
        group for group, one in enumerate(result.details["tree"]) if one["level"] not in (0, 8)
    )
    for items in (result.members(inner), result.members(inner)[1:]):
        session.questions.certify("near", items, "tree")
        pump_until(session, lambda: len(answers) > 0)
        _, found = answers.pop()
        assert found["members"] == items.tolist()
        if len(items) == len(result.members(inner)):
            assert found["alpha"] == result.details["tree"][inner]["alpha"] > 0
            assert found["verdict"] == "holds"
        else:
            affinity = session.results.artefact("near")
            assert found == certify_set(affinity, items).as_json()


def test_the_engine_certifies_chosen_items(session: Session) -> None:
    answers: list[tuple[str, Any]] = []
    session.questions.certified.connect(lambda *given: answers.append(given))
    session.project.load_recipe(RECIPE)
    session.questions.certify("near", np.arange(3))
    assert answers == [("near", "'near' has no similarities yet. Run it first.")]
    session.run()
    session.wait(60)
    for items in (np.arange(3), np.arange(9)):
        session.questions.certify("near", items)
    pump_until(session, lambda: len(answers) == 3)
    affinity = session.results.artefact("near")
    for items, (step, found) in zip((np.arange(3), np.arange(9)), answers[1:], strict=True):
        assert step == "near"
        assert found == certify_set(affinity, items).as_json()
    session.questions.certify("data", np.arange(3))
    pump_until(session, lambda: len(answers) == 4)
    assert "kernel or graph" in answers[3][1]

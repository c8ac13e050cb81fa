"""Moving, copying, renaming and mending steps."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.job import Status
from coterie.projects.recipe.edits import (
    duplicated,
    forked,
    moved,
    remedy,
    remedy_title,
    renamed,
)
from coterie.projects.session import Session
from tests.refusals import refuses

RECIPE = Recipe(
    sources=(Source("data", "iris"),),
    steps=(
        Step("scaled", "transform/minmax", ("data",)),
        Step("near", "kernel/gaussian", ("scaled",), {"sigma": 0.3}),
        Step("picture", "embedder/pca", ("scaled",)),
        Step("groups", "clusterer/dominant-sets", ("near",), {"k": 3}, seed=4),
        Step("order", "ranker/membership", ("groups",)),
    ),
)


def method(name: str, needs: tuple[str, ...], gives: str) -> Descriptor:
    kind, _, id = name.partition("/")
    title = id.capitalize()
    return Descriptor(kind, id, title, "", "1", "here", {}, needs, gives)


CATALOGUE = Catalogue(
    (
        method("transform/minmax", ("dataset",), "dataset"),
        method("transform/impute", ("dataset",), "dataset"),
        method("transform/sample", ("dataset",), "dataset"),
        method("kernel/gaussian", ("dataset",), "affinity"),
        method("graph/symmetrise", ("dataset|affinity",), "affinity"),
        method("graph/knn", ("dataset|affinity",), "affinity"),
        method("embedder/pca", ("dataset|affinity",), "embedding"),
        method("clusterer/dominant-sets", ("affinity",), "clustering"),
        method("ranker/membership", ("clustering",), "ranking"),
    )
)


def names(recipe: Recipe) -> list[str]:
    return [step.name for step in recipe.steps]


def test_a_step_moves_between_what_it_uses_and_what_uses_it() -> None:
    recipe = moved(RECIPE, "picture", 4)
    assert names(recipe) == ["scaled", "near", "groups", "order", "picture"]
    assert recipe.in_order()[0].name == "scaled"
    with refuses("invalid-order", RecipeError, match="'near'"):
        moved(RECIPE, "near", 0)
    with refuses("invalid-order", RecipeError, match="'near'"):
        moved(RECIPE, "scaled", 3)


def test_a_copy_has_all_settings_and_a_free_name() -> None:
    recipe, copy = duplicated(RECIPE, "groups")
    assert copy == "groups-2"
    assert names(recipe)[3:5] == ["groups", "groups-2"]
    assert recipe.step(copy) == replace(RECIPE.step("groups"), name=copy)
    recipe, third = duplicated(recipe, copy)
    assert third == "groups-3"


def test_a_fork_leads_to_groups_of_its_own() -> None:
    recipe, copies = forked(RECIPE, CATALOGUE, "near")
    assert copies == {"near": "near-2", "groups": "groups-2"}
    assert recipe.step("groups-2").of == ("near-2",)
    assert recipe.step("near-2").of == ("scaled",)
    assert recipe.step("order").of == ("groups",)
    recipe, copies = forked(RECIPE, CATALOGUE, "groups")
    assert copies == {"groups": "groups-2"}


def test_a_new_name_is_followed_and_must_be_one() -> None:
    assert renamed(RECIPE, "near", " alike ").step("groups").of == ("alike",)
    for wrong in ("", "  ", "a.b", "scaled"):
        with pytest.raises(RecipeError):
            renamed(RECIPE, "near", wrong)


def test_a_remedy_goes_between_a_step_and_its_input() -> None:
    found = remedy(RECIPE, CATALOGUE, "scaled", "transform/impute")
    assert found is not None
    recipe, name = found
    assert names(recipe)[:2] == ["impute", "scaled"]
    assert recipe.step("scaled").of == (name,)
    assert recipe.step(name).of == ("data",)
    found = remedy(RECIPE, CATALOGUE, "groups", "graph/symmetrise")
    assert found is not None
    assert found[0].step("groups").of == ("symmetrise",)
    assert found[0].step("symmetrise").of == ("near",)


def test_a_sample_goes_before_all_that_works_on_the_same_data() -> None:
    found = remedy(RECIPE, CATALOGUE, "groups", "transform/sample")
    assert found is not None
    recipe, name = found
    assert recipe.step("near").of == recipe.step("picture").of == (name,)
    assert recipe.step(name).of == ("scaled",)
    assert remedy_title(RECIPE, CATALOGUE, "groups", "transform/sample") == "Take a subset first"


def test_a_method_that_fits_nowhere_before_a_step_takes_its_place() -> None:
    found = remedy(RECIPE, CATALOGUE, "near", "graph/knn")
    assert found is not None
    assert found[1] == "near"
    assert found[0].step("near").use == "graph/knn"
    assert remedy_title(RECIPE, CATALOGUE, "near", "graph/knn") == "Use “Knn” instead"
    assert remedy(RECIPE, CATALOGUE, "order", "transform/impute") is None
    assert remedy(RECIPE, CATALOGUE, "groups", "graph/unknown") is None


def test_a_step_that_is_off_is_not_run_nor_what_needs_it(session: Session) -> None:
    session.project.load_recipe(RECIPE)
    session.edits.replace(RECIPE.changed("near", disabled=True), "switch near off")
    session.run()
    session.wait(60)
    assert session.status("near") is Status.OFF
    assert session.status("groups") is session.status("order") is Status.BLOCKED
    assert session.status("picture") is Status.FRESH
    for name in ("near", "groups"):
        with refuses("step-off", RecipeError, match="'near'"):
            session.run(name)
    session.edits.undo()
    session.run()
    session.wait(60)
    assert session.status("order") is Status.FRESH
    session.edits.redo()
    session.edits.undo()  # nothing was lost by being off
    assert session.status("order") is Status.FRESH


def test_a_renamed_step_keeps_its_result_even_a_stale_one(session: Session) -> None:
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    session.edits.replace(session.recipe.changed("near", params={"sigma": 0.7}), "change sigma")
    assert session.edits.rename("groups", "parties ") == "parties"
    assert session.status("near") is Status.STALE
    assert session.status("parties") is Status.STALE
    assert session.results.artefact("parties").n == 150
    session.edits.undo()
    assert session.status("groups") is Status.STALE


def test_a_failure_offers_what_would_help(
    new_session: Callable[..., Session], tmp_path_factory: pytest.TempPathFactory
) -> None:
    table = tmp_path_factory.mktemp("holes") / "holes.csv"
    table.write_text("a,b\n1,2\n,4\n5,7\n")
    session = new_session()
    session.project.load_recipe(
        Recipe(
            sources=(Source("data", str(table)),),
            steps=(Step("scaled", "transform/minmax", ("data",)),),
        )
    )
    session.run()
    session.wait(60)
    failure = session.failure("scaled")
    assert failure is not None
    assert failure.offer == ("transform/impute",)
    found = remedy(session.recipe, session.catalogue, "scaled", failure.offer[0])
    assert found is not None
    session.edits.replace(found[0], "mend")
    session.run()
    session.wait(60)
    assert session.status("scaled") is Status.FRESH

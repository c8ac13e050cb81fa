"""Which results fit which inputs, without Qt."""

from coterie.core.catalogue.descriptors import Need
from coterie.core.model.recipes import Step
from coterie.gui.panels.fit_inputs import (
    candidates,
    in_words,
    input_title,
    inputs_for,
    with_input,
    with_method,
)
from coterie.projects.session import Session


def clusterer(session: Session) -> Step:
    return next(step for step in session.recipe.steps if step.use.startswith("clusterer/"))


def test_only_results_of_a_fitting_type_that_make_no_circle_are_offered(session: Session) -> None:
    recipe, catalogue = session.recipe, session.catalogue
    kernel = next(step for step in recipe.steps if step.use.startswith("kernel/"))
    offered = candidates(recipe, catalogue, kernel.name, Need(("dataset",)))
    assert "data" in offered
    assert kernel.name not in offered
    assert candidates(recipe, catalogue, kernel.name, Need(("clustering",))) == ()


def test_another_method_keeps_what_still_fits(session: Session) -> None:
    recipe = session.recipe.with_step(
        Step("order", "transform/minmax", ("data",), {"no_such_parameter": 1})
    )
    method = session.catalogue.get("transform/standardise")
    changed = with_method(recipe, session.catalogue, "order", method).step("order")
    assert changed.use == "transform/standardise"
    assert changed.of == ("data",)
    assert changed.params == {}


def test_a_required_input_is_filled_and_an_optional_one_is_left_out(session: Session) -> None:
    step = Step("agreement-2", "metric/nmi", ())
    recipe = session.recipe.with_step(step)
    method = session.catalogue.get("metric/nmi")
    inputs = inputs_for(recipe, session.catalogue, step, method)
    assert inputs == (clusterer(session).name,)


def test_an_input_is_replaced_added_or_taken_out() -> None:
    step = Step("x", "metric/nmi", ("a", "b"))
    assert with_input(step, 1, "c") == ("a", "c")
    assert with_input(step, 2, "c") == ("a", "b", "c")
    assert with_input(step, 1, "") == ("a",)


def test_inputs_are_named_for_what_they_are() -> None:
    assert input_title(Need(("affinity",))) == "Similarities"
    assert input_title(Need(("clustering", "dataset"))) == "Groups or data"


def test_settings_on_one_line_leave_the_defaults_out(session: Session) -> None:
    method = session.catalogue.get("clusterer/dominant-sets")
    step = Step("groups", method.name, ("near",), {"k": 3, "rest": method.defaults["rest"]})
    assert in_words(step, method) == "k 3"

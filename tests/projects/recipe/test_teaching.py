"""The steps by which a scene is taught from regions."""

import pytest

from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe.teaching import TEACHERS, require_classes, teach

FOREST, TRANSDUCTION = TEACHERS[0], TEACHERS[5]
SCENE = Recipe(
    sources=(Source("data", "scene.tif", "reader/raster"),),
    steps=(
        Step("pixels", "transform/sample", ("data",)),
        Step("classes", "classifier/nearest", ("pixels", "pixels")),
    ),
)


def test_the_classifier_comes_last_and_learns_from_the_regions() -> None:
    made = teach(SCENE, "data", "{}", FOREST, held_out=0.5)
    assert made.recipe.names == (
        "data",
        "pixels",
        "classes",
        "examples",
        "example classes",
        "taught",
    )
    taught = made.recipe.step(made.classifier)
    assert (taught.use, taught.of) == (FOREST.use, ("examples", "example classes"))
    assert taught.params == {"held_out": 0.5}
    assert made.classes == "example classes"


def test_another_teacher_replaces_the_steps_of_the_first() -> None:
    first = teach(SCENE, "data", "{}", TRANSDUCTION).recipe
    assert first.step("examples").params["others"]
    assert first.step("taught").of == ("examples scaled", "spread classes")
    again = teach(first, "data", "{}", FOREST).recipe
    assert again == teach(SCENE, "data", "{}", FOREST).recipe


def test_a_step_that_something_else_uses_stays() -> None:
    first = teach(SCENE, "data", "{}", TRANSDUCTION).recipe
    mine = Step("picture", "embedder/pca", ("examples scaled",))
    again = teach(first.with_step(mine), "data", "{}", FOREST).recipe
    assert "examples scaled" in again.names
    assert "spread classes" not in again.names


def test_a_step_of_the_same_name_that_does_something_else_is_left_alone() -> None:
    own = SCENE.with_step(Step("examples", "transform/pca", ("pixels",)))
    made = teach(own, "data", "{}", FOREST)
    assert made.recipe.step("examples").use == "transform/pca"
    assert made.recipe.step("examples-2").use == "transform/sample"
    assert made.recipe.step(made.classifier).of[0] == "examples-2"


def test_segments_are_learnt_from_instead_of_pixels_and_back() -> None:
    pixels = teach(SCENE, "data", "{}", FOREST).recipe
    made = teach(pixels, "data", "{}", FOREST, segment_size=30).recipe
    assert made.step("segments").params == {"size": 30}
    assert made.step("examples").of == ("segments",)
    assert made.names.index("segments") < made.names.index("examples")
    assert teach(made, "data", "{}", FOREST).recipe == pixels


@pytest.mark.parametrize("names", [(), ("cloud",), ("cloud", "cloud")])
def test_nothing_is_learnt_from_fewer_than_two_classes(names: tuple[str, ...]) -> None:
    with pytest.raises(RecipeError) as raised:
        require_classes(names)
    assert raised.value.code == "too-few-groups"

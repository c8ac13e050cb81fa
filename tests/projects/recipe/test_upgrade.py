"""Recipes of earlier formats: they compute what they did, and a newer format is refused."""

from pathlib import Path

import pytest

from coterie.core.catalogue.registry import Registry
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe import upgrade
from coterie.projects.recipe.toml import parse_recipe, write_recipe

SHIPPED = sorted(Path(upgrade.__file__).parent.glob("shipped/*/*.toml"))
OLD = """
[data]
open = "a.csv"
reader = "csv"
[[step]]
name = "left"
use = "kernel/gaussian"
of = "data"
[[step]]
name = "chosen"
use = "kernel/gaussian"
of = "data"
params = { sigma = 2.0 }
[[step]]
name = "groups"
use = "clusterer/dominant-sets"
of = "left"
"""


@pytest.fixture
def old_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = {"kernel/gaussian": {"sigma": 0.125}, "reader/csv": {"header": "none"}}
    monkeypatch.setattr(upgrade, "DEFAULTS_OF_FORMAT_1", changed)


@pytest.mark.usefixtures("old_defaults")
@pytest.mark.parametrize("first", ["", "format = 1\n"])
def test_a_recipe_of_format_1_gets_the_defaults_of_then(first: str) -> None:
    recipe = parse_recipe(first + OLD)
    assert recipe.step("left").params == {"sigma": 0.125}
    assert recipe.step("chosen").params == {"sigma": 2.0}
    assert recipe.step("groups").params == {}
    assert recipe.sources[0].params == {"header": "none"}


@pytest.mark.usefixtures("old_defaults")
def test_a_recipe_of_format_2_is_left_as_it_is_and_so_is_an_upgraded_one() -> None:
    assert parse_recipe("format = 2\n" + OLD).step("left").params == {}
    upgraded = parse_recipe(OLD)
    assert parse_recipe(write_recipe(upgraded)) == upgraded


def test_every_recipe_is_written_with_its_format() -> None:
    recipe = Recipe("t", (Source(open="iris"),), (Step("a", "kernel/gaussian", ("data",)),))
    assert write_recipe(recipe).startswith(f"format = {upgrade.FORMAT}\n")
    assert write_recipe(Recipe()) == f"format = {upgrade.FORMAT}\n"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_shipped_recipe_says_its_format(path: Path) -> None:
    assert f"format = {upgrade.FORMAT}\n" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("3", "The recipe has format 3, and this version of Coterie reads formats up to 2."),
        ("0", "The format of a recipe is a whole number from 1 to 2. Got 0."),
        ("true", "a whole number from 1 to 2. Got True."),
        ("'2'", "a whole number from 1 to 2. Got '2'."),
    ],
)
def test_other_formats_are_refused_in_one_sentence(written: str, sentence: str) -> None:
    with pytest.raises(RecipeError) as error:
        parse_recipe(f"format = {written}\nnews = 1\n{OLD}")
    assert sentence in str(error.value)


def test_the_table_names_parameters_that_exist_and_values_that_are_not_the_default() -> None:
    catalogue = Registry.load(safe_mode=True).catalogue
    for name, then in upgrade.DEFAULTS_OF_FORMAT_1.items():
        now = catalogue.get(name).defaults
        for parameter, value in then.items():
            assert parameter in now, f"{name} has no parameter '{parameter}'."
            assert value is not None
            assert value != now[parameter], f"'{parameter}' of {name} has its old default."


def test_versions_that_compute_the_same_are_those_of_now() -> None:
    catalogue = Registry.load(safe_mode=True).catalogue
    for name, version in upgrade.SAME_AS_FORMAT_1.items():
        assert catalogue.get(name).version == version
        assert name in upgrade.DEFAULTS_OF_FORMAT_1


@pytest.mark.parametrize(
    ("source", "params"),
    [
        (Source(open="A.CSV"), {"features": "numbers"}),
        (Source(open="a.csv", reader="reader/csv"), {"features": "numbers"}),
        (Source(open="a.csv", params={"truth": "c"}), {"features": "numbers", "truth": "c"}),
        (Source(open="a.csv", reader="reader/texts"), {}),
        (Source(open="iris"), {}),
    ],
)
def test_an_old_source_goes_on_reading_numbers_alone(
    source: Source, params: dict[str, str]
) -> None:
    assert upgrade.upgrade(Recipe(sources=(source,)), 1).sources[0].params == params
    assert upgrade.upgrade(Recipe(sources=(source,)), 2).sources[0].params == source.params

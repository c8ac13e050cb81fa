"""Recipes as TOML: round trips, and one clear sentence for each mistake."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe.toml import (
    is_sample,
    parse_recipe,
    paths_outside,
    read_recipe,
    with_absolute_paths,
    with_relative_paths,
    write_recipe,
)
from tests.refusals import refuses

EXAMPLE = """
title = "Three groups in iris"
[data]
open = "iris"
truth = "species"
[[step]]
name = "scaled"
use = "transform/minmax"
of = "data"
[[step]]
name = "order"
use = "ranker/personalised-pagerank"
of = ["scaled", "data"]
params = { sigma = 0.25 }
seed = 7
"""


def test_the_documented_example_is_read() -> None:
    recipe = parse_recipe(EXAMPLE)
    assert recipe.sources == (Source("data", "iris", "", {"truth": "species"}),)
    assert recipe.steps[1] == Step(
        "order", "ranker/personalised-pagerank", ("scaled", "data"), {"sigma": 0.25}, 7
    )


NAMES = st.text("abcdefgh-_ äß\"'\\", min_size=1, max_size=8)
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=10),
    st.lists(st.floats(-1e6, 1e6), max_size=3),
)


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    names = draw(st.lists(NAMES, min_size=2, max_size=5, unique=True))
    sources = (Source(names[0], draw(NAMES), draw(st.sampled_from(["", "reader/csv"]))),)
    steps = []
    for position, name in enumerate(names[1:], 1):
        of = tuple(draw(st.lists(st.sampled_from(names[:position]), max_size=2)))
        params = draw(st.dictionaries(NAMES, VALUES, max_size=3))
        steps.append(Step(name, "kernel/gaussian", of, params, draw(st.integers(0, 99))))
    return Recipe(draw(st.text(max_size=12)), sources, tuple(steps))


@given(recipes())
def test_what_is_written_is_read_back(recipe: Recipe) -> None:
    assert parse_recipe(write_recipe(recipe)) == recipe


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("title = ", "not valid TOML"),
        ("a = " + "9" * 5000, "not valid TOML"),
        ("[" + ".".join(["a"] * 50_000) + "]", "nested too deeply"),
        (".".join(["a"] * 50_000) + " = 1", "nested too deeply"),
        (".".join(['"a b"'] * 50_000) + " = 1", "nested too deeply"),
        (".".join([r'"\""'] * 50_000) + " = 1", "nested too deeply"),
        (" . ".join(["'#'"] * 50_000) + " = 1", "nested too deeply"),
        ("x = { y = 1, " + ".".join("a" * 50_000) + " = 1 }", "nested too deeply"),
        (
            "x = { y = '''it's \"'''', " + ".".join("a" * 50_000) + " = 1 }",
            "nested too deeply",
        ),
        ("[[step]]\n" * 1001, "at most 1,000 steps"),
        ('[data]\nopen = "a\\u0000b"', "not a file name"),
        ("titel = 'x'", "unknown entry 'titel'"),
        ("[data]\nopen = 3", "open must be text"),
        ("[data]\ntruth = 'x'", "has no file"),
        ("[[step]]\nname='a'\nuse='gaussian'", 'must use a method as "kind/id"'),
        ("[[step]]\nuse='kernel/gaussian'", "has no name"),
        ("[[step]]\nname='a'\nuse='kernel/g'\nof='b'", "uses 'b', which does not exist"),
        ("[[step]]\nname='a'\nuse='kernel/g'\nof=3", "of must be a name or a list"),
        ("[[step]]\nname='a'\nuse='kernel/g'\nparams=3", "params must be written as"),
        ("[[step]]\nname='a'\nuse='kernel/g'\nseed=-1", "seed must be a whole number"),
        ("[[step]]\nname='a'\nuse='k/g'\n[[step]]\nname='a'\nuse='k/g'", "Two steps are called"),
        (
            "[[step]]\nname='a'\nuse='k/g'\nof='b'\n[[step]]\nname='b'\nuse='k/g'\nof='a'",
            "in a circle",
        ),
        ("step = 3", "must be written as [[step]]"),
    ],
)
def test_each_mistake_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RecipeError) as error:
        parse_recipe(text)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    "long", ["\n", " ", "\t\n", "a", "[", '"', '\\"', "'", "a.", '"a".', "#", "[a]\n\n"]
)
def test_a_long_recipe_is_refused_without_trying_all_ways_to_read_it(long: str) -> None:
    """Where a pattern could part the same blanks in two places, 1,000 of them took ten seconds."""
    with pytest.raises(RecipeError):
        parse_recipe(f"x = {long * 200_000}")


def test_blank_lines_remarks_and_texts_with_dots_are_no_deep_tables() -> None:
    dots, blank = "a." * 200, "\n" * 50_000
    text = f"# {dots}\n{blank}title = '{dots}'\n[data]\nopen = 'iris'\n"
    assert parse_recipe(text).title == dots
    text = f'title = """\n{dots}b \\""" "" {dots}b"""""\n[data]\nopen = "iris"\n'
    assert parse_recipe(text).title == f'{dots}b """ "" {dots}b""'


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with refuses("file-not-found", RecipeError):
        read_recipe(tmp_path / "none.toml")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with refuses("not-text", RecipeError):
        read_recipe(binary)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("titel = 1")
    with refuses("invalid-recipe", RecipeError, match=r"wrong\.toml"):
        read_recipe(wrong)


def test_paths_follow_the_folder_and_samples_stay(tmp_path: Path) -> None:
    recipe = Recipe(
        sources=(Source("a", "iris"), Source("b", "sub/t.csv"), Source("c", "../t.csv"))
    )
    absolute = with_absolute_paths(recipe, tmp_path)
    assert [source.open for source in absolute.sources] == [
        "iris",
        str(tmp_path / "sub" / "t.csv"),
        str(tmp_path.parent / "t.csv"),
    ]
    assert with_relative_paths(absolute, tmp_path) == recipe
    assert paths_outside(absolute, tmp_path) == {str(tmp_path.parent / "t.csv")}


def test_a_link_lies_where_it_leads_to(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "mine.csv").symlink_to(tmp_path / "secret.csv")
    (folder / "own.csv").symlink_to(folder / "data.csv")
    recipe = Recipe(sources=(Source("a", "mine.csv"), Source("b", "own.csv")))
    absolute = with_absolute_paths(recipe, folder)
    assert paths_outside(absolute, folder) == {str(folder / "mine.csv")}


def test_a_disabled_step_stays_so_and_others_say_nothing_of_it() -> None:
    recipe = parse_recipe(
        '[data]\nopen = "iris"\n[[step]]\nname = "a"\nuse = "transform/minmax"\nof = "data"\n'
        "disabled = true\n"
    )
    assert recipe.step("a").disabled
    assert parse_recipe(write_recipe(recipe)) == recipe
    assert "disabled" not in write_recipe(recipe.changed("a", disabled=False))
    with refuses("invalid-recipe", RecipeError):
        parse_recipe('[[step]]\nname = "a"\nuse = "transform/minmax"\ndisabled = 1\n')


def test_the_sample_of_a_plugin_keeps_its_name_beside_files(tmp_path: Path) -> None:
    text = '[data]\nopen = "mylab:galaxies"\n'
    for written in (text, text + 'reader = "mylab:galaxies"\n'):
        recipe = with_absolute_paths(parse_recipe(written), tmp_path)
        assert recipe.sources[0].open == "mylab:galaxies"
        assert is_sample(recipe.sources[0])
    # Another reader is told to read a file of that name.
    other = parse_recipe(text + 'reader = "csv"\n').sources[0]
    assert not is_sample(other)

"""`--set step.parameter=value`."""

from pathlib import Path
from typing import Any

import pytest
import typer

from coterie.core.catalogue.registry import Registry
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.cli.set_option import parse_change, recipe_as_declared, with_changes

RECIPE = Recipe(
    sources=(Source(open="iris"),), steps=(Step("groups.2", "clusterer/x", ("data",), {"k": 1}),)
)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3),
        ("1e-3", 1e-3),
        ("true", True),
        ('"two words"', "two words"),
        ("two words", "two words"),
        ("[1, 2]", [1, 2]),
        ("infection-immunisation", "infection-immunisation"),
        ("a=b", "a=b"),
    ],
)
def test_values_are_toml_or_plain_words(written: str, value: Any) -> None:
    assert parse_change(f"groups.k={written}") == ("groups", "k", value)


@pytest.mark.parametrize(
    "text",
    ["k=3", "groups.k", ".k=1", "groups.=1", "g.k=", "g.k=[1", "g.k=2020-01-01", "g.k=1\nb=2"],
)
def test_what_is_no_change_is_wrong_usage(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="Got"):
        parse_change(text)


def test_a_parameter_is_added_to_those_there_are() -> None:
    changed = with_changes(RECIPE, ["groups.2.rest=nearest", "groups.2.k=2", "groups.2.seed=7"])
    assert changed.step("groups.2") == Step(
        "groups.2", "clusterer/x", ("data",), {"k": 2, "rest": "nearest"}, seed=7
    )
    assert RECIPE.step("groups.2").params == {"k": 1}


def test_the_data_may_be_another_file_or_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    changed = with_changes(RECIPE, ["data.open=mine.csv", "data.reader=csv", "data.truth=kind"])
    expected = Source("data", str(tmp_path / "mine.csv"), "reader/csv", {"truth": "kind"})
    assert changed.sources == (expected,)
    assert with_changes(RECIPE, ["data.open=arcs"]).sources[0].open == "arcs"


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(typer.BadParameter, match="whole number"):
        with_changes(RECIPE, ["groups.2.seed=-1"])


def test_a_number_is_a_word_where_the_method_takes_words_only() -> None:
    source = Source(open="scene.tif", reader="reader/raster")
    changed = with_changes(Recipe(sources=(source,)), ["data.grid=20", "data.nodata=0"])
    catalogue = Registry.load(safe_mode=True).catalogue
    settled = recipe_as_declared(changed, catalogue)
    assert settled.sources[0].params == {"grid": "20", "nodata": 0}

"""Copy as Python: the script runs, and says what the recipe says."""

import ast
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coterie
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe.to_python import as_script

RECIPE = Recipe(
    title='Arcs """ and \\ more',
    sources=(Source("data", "arcs", "", {"n": 60}),),
    steps=(
        Step("near", "kernel/gaussian", ("data",), {"sigma": 0.3}),
        Step("groups of 2", "clusterer/njw", ("near",), {"k": 2}, seed=5),
        Step("session", "metric/nmi", ("groups of 2",)),
        Step("left", "clusterer/njw", ("near",), disabled=True),
    ),
)


def recipe_of(script: str, folder: Path) -> Recipe:
    """Run the script without its main part and return the recipe it builds."""
    path = folder / "script.py"
    path.write_text(script, encoding="utf-8")
    recipe = runpy.run_path(str(path))["recipe"]
    assert isinstance(recipe, coterie.Recipe)
    return recipe.plain


@pytest.mark.slow
def test_the_script_runs_and_prints_what_came_of_it(tmp_path: Path) -> None:
    path = tmp_path / "analysis.py"
    path.write_text(as_script(RECIPE), encoding="utf-8")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, env=environment, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    named = [line.partition(": ")[0] for line in lines]
    assert named[:4] == ["data", "near", "groups of 2", "session"]
    assert "[0 0" in ran.stdout or "[1 1" in ran.stdout
    assert 0 <= float(lines[3].split()[-1]) <= 1


def test_the_script_builds_the_same_recipe(tmp_path: Path) -> None:
    assert recipe_of(as_script(RECIPE), tmp_path) == RECIPE


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
names = st.text(min_size=1, max_size=8)


@settings(max_examples=25)
@given(title=st.text(max_size=20), opened=names, name=names, params=st.dictionaries(names, values))
def test_no_name_or_value_escapes_into_the_code(
    title: str,
    opened: str,
    name: str,
    params: dict[str, object],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    recipe = Recipe(
        title, (Source("data", opened),), (Step(f"x{name}", "metric/nmi", ("data",), params),)
    )
    script = as_script(recipe)
    ast.parse(script)
    assert recipe_of(script, tmp_path_factory.mktemp("script")) == recipe

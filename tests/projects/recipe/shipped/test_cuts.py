"""The recipes of cuts, spectra and hitting times fit the methods there are, and find groups."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from coterie.core.api.parameters import parse_params
from coterie.core.catalogue.registry import Registry
from coterie.projects.recipe.toml import read_recipe
from coterie.projects.session import Session

RECIPES = Path(__file__).resolve().parents[4] / "projects" / "recipe" / "shipped"
FOLDER = RECIPES / "cuts"
# A little above what was measured when the recipes were made, see docs/cuts.md.
MOST_MISTAKES = {
    "hitting-time-breast-cancer": 0.15,
    "hitting-time-iris": 0.04,
    "hitting-time-multi-scale": 0.12,
    "hitting-time-wine": 0.04,
    "iris-digraph": 0.04,
    "isocut-iris": 0.06,
    "isocut-wine": 0.05,
    "multi-scale-digraph": 0.04,
    "multi-scale-uneven-digraph": 0.04,
}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry.load(safe_mode=True)


@pytest.mark.parametrize(
    "path",
    sorted([*FOLDER.glob("*.toml"), *(RECIPES / "pictures").glob("*.toml")]),
    ids=lambda path: path.stem,
)
def test_the_steps_name_methods_parameters_and_inputs_that_exist(
    path: Path, registry: Registry
) -> None:
    recipe = tomllib.loads(path.read_text(encoding="utf-8"))
    known = {"data"}
    for step in recipe["step"]:
        component = registry.component(step["use"])
        parse_params(component.Params, step.get("params", {}), step["use"])
        of = [step["of"]] if isinstance(step["of"], str) else step["of"]
        assert set(of) <= known
        known.add(step["name"])


@pytest.mark.parametrize(("name", "most"), MOST_MISTAKES.items())
def test_a_recipe_finds_the_groups(session: Session, name: str, most: float) -> None:
    session.project.load_recipe(read_recipe(FOLDER / f"{name}.toml"))
    session.run("mistakes")
    session.wait(100)
    mistakes = session.fetch("mistakes")
    assert mistakes is not None, session.failure("mistakes")
    assert mistakes.value <= most


# Measured .174, .341 and .27 to .33 on several draws; docs/cuts.md.
@pytest.mark.slow
@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "most"), [("ionosphere", 0.18), ("segment", 0.36), ("satimage", 0.36)]
)
def test_hitting_times_group_the_source_s_tables(
    session: Session, realdata: Path, tmp_path: Path, name: str, most: float
) -> None:
    shutil.copy(FOLDER / f"hitting-time-{name}.toml", tmp_path)
    (tmp_path / f"{name}.csv").symlink_to(realdata / f"{name}.csv")
    session.project.load_recipe(read_recipe(tmp_path / f"hitting-time-{name}.toml"))
    session.run("mistakes")
    session.wait(300)
    mistakes = session.fetch("mistakes")
    assert mistakes is not None, session.failure("mistakes")
    assert mistakes.value <= most


# Measured .216, .091 and .167 on the draw of the recipe, .174 on all of satimage; other draws give
# more, as docs/cuts.md says.
@pytest.mark.slow
@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "file", "most"),
    [
        ("usps-digraph", "usps.csv.gz", 0.25),
        ("usps-isocut", "usps.csv.gz", 0.12),
        ("usps-all-isocut", "usps.csv.gz", 0.25),
        ("isocut-satimage", "satimage.csv", 0.2),
    ],
)
def test_digits_and_kinds_of_ground_are_told_apart(
    session: Session, realdata: Path, tmp_path: Path, name: str, file: str, most: float
) -> None:
    shutil.copy(FOLDER / f"{name}.toml", tmp_path)
    (tmp_path / file).symlink_to(realdata / file)
    session.project.load_recipe(read_recipe(tmp_path / f"{name}.toml"))
    session.run("mistakes")
    session.wait(200)
    mistakes = session.fetch("mistakes")
    assert mistakes is not None, session.failure("mistakes")
    assert mistakes.value <= most

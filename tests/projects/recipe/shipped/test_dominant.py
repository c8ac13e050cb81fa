"""The recipes of dominant sets fit the methods that are there, and give the numbers reported."""

import shutil
import tomllib
from pathlib import Path

import pytest

from coterie.core.api.parameters import parse_params
from coterie.core.catalogue.registry import Registry
from coterie.projects.recipe.toml import read_recipe
from coterie.projects.session import Session

FOLDER = Path(__file__).resolve().parents[4] / "projects" / "recipe" / "shipped" / "dominant"
# As in docs/reproductions.md: by transduction, by the nearest member.
SCORES = {
    "glass": (0.382, 0.372),
    "ionosphere": (0.183, 0.158),
    "iris": (0.885, 0.900),
    "lung_cancer": (0.347, 0.347),
    "wine": (0.893, 0.861),
}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry.load(safe_mode=True)


def test_there_is_a_recipe_for_each_experiment() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == sorted(SCORES)


@pytest.mark.parametrize("name", SCORES)
def test_the_steps_name_methods_and_parameters_that_exist(name: str, registry: Registry) -> None:
    recipe = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    known = {"data"}
    for step in recipe["step"]:
        component = registry.component(step["use"])
        parse_params(component.Params, step.get("params", {}), step["use"])
        assert step["of"] in known
        known.add(step["name"])


@pytest.mark.slow
@pytest.mark.realdata
@pytest.mark.parametrize("name", SCORES)
def test_the_numbers_are_those_reported(
    session: Session, realdata: Path, tmp_path: Path, name: str
) -> None:
    shutil.copy(FOLDER / f"{name}.toml", tmp_path)
    if (realdata / f"{name}.csv").is_file():
        (tmp_path / f"{name}.csv").symlink_to(realdata / f"{name}.csv")
    session.project.load_recipe(read_recipe(tmp_path / f"{name}.toml"))
    for step, expected in zip(("agreement", "agreement by nearest"), SCORES[name], strict=True):
        session.run(step)
        session.wait(200)
        score = session.fetch(step)
        assert score is not None, session.failure(step)
        assert score.value == pytest.approx(expected, abs=0.002)

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
# Table 6.2, all labelled: by Euler-Gaussian similarities, by Gaussian ones.
EULER = {
    "euler-glass": (0.318, 0.314),
    "euler-ionosphere": (0.433, 0.105),
    "euler-iris": (0.734, 0.734),
    "euler-lung_cancer": (0.493, 0.347),
    "euler-wine": (0.538, 0.502),
}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry.load(safe_mode=True)


def test_there_is_a_recipe_for_each_experiment() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == sorted([*SCORES, *EULER])


@pytest.mark.parametrize("name", [*SCORES, *EULER])
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
    first, second = ("agreement", "agreement by nearest")
    _scores_are(session, {first: SCORES[name][0], second: SCORES[name][1]})


@pytest.mark.slow
@pytest.mark.realdata
@pytest.mark.parametrize("name", EULER)
def test_euler_recipes_label_all_items_and_agree_as_reported(
    session: Session, realdata: Path, tmp_path: Path, name: str
) -> None:
    shutil.copy(FOLDER / f"{name}.toml", tmp_path)
    file = f"{name.removeprefix('euler-')}.csv"
    if (realdata / file).is_file():
        (tmp_path / file).symlink_to(realdata / file)
    session.project.load_recipe(read_recipe(tmp_path / f"{name}.toml"))
    by_euler, by_gaussian = EULER[name]
    _scores_are(session, {"agreement": by_euler, "gaussian agreement": by_gaussian})
    for step in ("labelled", "gaussian labelled"):
        session.run(step)
        session.wait(200)
        assert session.fetch(step).value >= 0.99


def _scores_are(session: Session, scores: dict[str, float]) -> None:
    for step, expected in scores.items():
        session.run(step)
        session.wait(200)
        score = session.fetch(step)
        assert score is not None, session.failure(step)
        assert score.value == pytest.approx(expected, abs=0.002)

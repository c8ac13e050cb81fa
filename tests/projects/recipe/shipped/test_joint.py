"""The recipes of joint ranking and clustering fit the methods that are there, and find groups."""

import shutil
import tomllib
from pathlib import Path

import pytest

from coterie.core import Clustering, Ranking
from coterie.core.api.parameters import parse_params
from coterie.core.catalogue.registry import Registry
from coterie.projects.recipe.toml import read_recipe
from coterie.projects.session import Session

FOLDER = Path(__file__).resolve().parents[4] / "projects" / "recipe" / "shipped" / "joint"
RECIPES = sorted(path.stem for path in FOLDER.glob("*.toml"))


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry.load(safe_mode=True)


def test_there_is_a_recipe_for_each_experiment() -> None:
    expected = "countries digits faces iris papers three-gaussians usps-fours-nines wine"
    assert expected.split() == RECIPES


@pytest.mark.parametrize("name", RECIPES)
def test_the_steps_name_methods_parameters_and_inputs_that_exist(
    name: str, registry: Registry
) -> None:
    recipe = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    known = {"data"}
    for step in recipe["step"]:
        component = registry.component(step["use"])
        parse_params(component.Params, step.get("params", {}), step["use"])
        of = [step["of"]] if isinstance(step["of"], str) else step["of"]
        assert set(of) <= known
        assert len(of) <= len(component.needs)
        known.add(step["name"])
    assert {"similarity", "map", "groups", "overall", "typical"} <= known


# A little above what was measured when the recipes were made: .014, .033, .022.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "most"), [("three-gaussians", 0.03), ("iris", 0.06), ("wine", 0.06)]
)
def test_groups_are_counted_and_found(session: Session, name: str, most: float) -> None:
    session.project.load_recipe(read_recipe(FOLDER / f"{name}.toml"))
    session.run("mistakes")
    session.wait(200)
    mistakes, groups = session.fetch("mistakes"), session.fetch("groups")
    assert mistakes is not None, session.failure("mistakes")
    assert isinstance(groups, Clustering)
    assert groups.k == 3
    assert mistakes.value <= most


@pytest.mark.slow
@pytest.mark.realdata
def test_countries_are_ranked_relative_to_norway(
    session: Session, realdata: Path, tmp_path: Path
) -> None:
    shutil.copy(FOLDER / "countries.toml", tmp_path)
    (tmp_path / "barro_lee_2010_25plus.csv").symlink_to(realdata / "barro_lee_2010_25plus.csv")
    session.project.load_recipe(read_recipe(tmp_path / "countries.toml"))
    session.run("like Norway")
    session.wait(200)
    ranking = session.fetch("like Norway")
    assert isinstance(ranking, Ranking), session.failure("like Norway")
    assert ranking.relative_to == "Norway"
    assert ranking.dataset is not None
    assert ranking.order is not None
    names = [ranking.dataset.items[i] for i in ranking.order]
    assert names[0] == "Norway"
    # Like in what people learn; the whole order has the least schooled at its end.
    assert {"Switzerland", "Estonia", "Germany", "Sweden", "Czech Republic"} & set(names[:15])
    assert names.index("Mali") > 50

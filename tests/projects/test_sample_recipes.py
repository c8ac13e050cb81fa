"""The recipe of each sample fits the methods that are there."""

import tomllib
from pathlib import Path

import pytest

from coterie.core.parameters import parse_params
from coterie.core.registry import Registry
from coterie.core.samples import SAMPLES

FOLDER = Path(__file__).resolve().parents[2] / "projects" / "recipes" / "samples"


def test_every_sample_has_a_recipe_and_every_recipe_a_sample() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_steps_of_a_recipe_name_methods_and_parameters_that_exist(name: str) -> None:
    recipe = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    assert recipe["title"]
    assert recipe["data"] == {"open": name, "truth": SAMPLES[name].truth_column}
    registry = Registry.load(safe_mode=True)
    known = {"data"}
    for step in recipe["step"]:
        component = registry.component(step["use"])
        parse_params(component.Params, step.get("params", {}), step["use"])
        of = [step["of"]] if isinstance(step["of"], str) else step["of"]
        assert set(of) <= known
        known.add(step["name"])
    assert {"similarity", "groups", "view", "typical", "agreement", "mistakes"} <= known

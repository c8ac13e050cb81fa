"""Recipes for real scenes, repeated as a person would."""

from pathlib import Path

import pytest

from coterie.projects.jobs.cross_validate_plan import plan_for
from coterie.projects.jobs.cross_validate_results import CrossValidationTable
from coterie.projects.recipe.toml import read_recipe
from coterie.projects.session import Session

RECIPES = Path(__file__).resolve().parents[3] / "projects" / "recipe" / "shipped" / "scenes"


@pytest.mark.realdata
def test_clouds_are_found_in_most_samples_of_a_sentinel_2_scene(
    session: Session, realdata: Path
) -> None:
    recipe = read_recipe(RECIPES / "clouds-dominant.toml")
    scene = realdata / "cloud_scene_sentinel2.npz"
    session.project.load_recipe(recipe.changed("data", open=str(scene)))
    session.run("data")
    session.wait(60)
    tables: list[CrossValidationTable] = []
    session.cross_validations.changed.connect(tables.append)
    session.cross_validations.start(
        plan_for(session.recipe, session.catalogue, sizes=(300,), times=2)
    )
    session.wait(120)
    table = tables[-1]
    assert table.state == "finished"
    assert table.classes == ("clear", "cloud")
    assert table.spread("overall", 0, 0).mean > 0.93
    assert table.spread("iou cloud", 0, 0).mean > 0.65
    counts = table.found[0, 0, 0].accuracy.counts
    assert counts.sum() == 512 * 512 - 300

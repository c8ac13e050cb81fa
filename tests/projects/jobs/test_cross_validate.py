"""Repetitions over samples: judged as a run of its own would be, and nothing but numbers kept."""

import csv
import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.classify_scene import MapRequest
from coterie.projects.jobs.cross_validate_plan import CrossValidationPlan, parse_numbers, plan_for
from coterie.projects.jobs.cross_validate_results import CrossValidationTable
from coterie.projects.session import Session
from tests.refusals import refuses

HEIGHT, WIDTH = 40, 50
STEPS = (
    Step("pixels", "transform/sample", ("data",), {"size": 60}, seed=3),
    Step("scaled", "transform/standardise", ("pixels",)),
    Step("groups", "clusterer/kmeans", ("scaled",), {"k": 3}, seed=1),
    Step("near", "kernel/gaussian", ("scaled",)),
    Step("typical", "ranker/pagerank", ("near",)),
    Step("classes", "classifier/nearest", ("scaled", "groups", "typical")),
)


def write(path: Path, values: Any, nodata: float | None) -> None:
    bands, height, width = values.shape
    profile = {"driver": "GTiff", "count": bands, "height": height, "width": width}
    profile |= {"crs": "EPSG:32633", "transform": Affine(10, 0, 5e5, 0, -10, 5e6)}
    with rasterio.open(path, "w", dtype=values.dtype, nodata=nodata, **profile) as target:
        target.write(values)


def ground() -> tuple[Any, Any]:
    """Land, and bright and dim cloud that reach into each other's values."""
    rng = np.random.default_rng(0)
    mask = np.zeros((HEIGHT, WIDTH), dtype=np.uint8)
    mask[:, 25:] = 1
    level = np.where(mask, 600.0, 200.0)
    level[20:, 25:] = 1000
    values = rng.normal(level, 140, (3, HEIGHT, WIDTH)).clip(1).astype(np.uint16)
    values[:, :3, :3] = 0
    return values, mask


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    values, mask = ground()
    write(tmp_path / "scene.tif", values, 0)
    write(tmp_path / "mask.tif", mask[None], None)
    params = {"mask": "mask.tif", "mask_classes": "0=land, 1=cloud"}
    source = Source("data", str(tmp_path / "scene.tif"), "reader/raster", params)
    return Recipe("", (source,), STEPS)


@pytest.fixture
def opened(session: Session, recipe: Recipe) -> Session:
    """A session that knows its recipe and the methods, and has run nothing."""
    session.project.load_recipe(recipe)
    session.wait(60)
    while not session.catalogue.methods:  # nothing is busy before the engine has started
        time.sleep(0.01)
        session.pump()
    return session


@pytest.fixture
def ready(opened: Session) -> Session:
    opened.run()
    opened.wait(60)
    return opened


def repeated(session: Session, plan: CrossValidationPlan) -> list[CrossValidationTable]:
    tables: list[CrossValidationTable] = []
    session.cross_validations.changed.connect(tables.append)
    session.cross_validations.start(plan)
    session.wait(120)
    return tables


def plan_of(session: Session, **said: Any) -> CrossValidationPlan:
    return plan_for(session.recipe, session.catalogue, **said)


def test_every_repetition_is_judged_as_a_run_of_its_own_would_be(
    ready: Session, tmp_path: Path
) -> None:
    table = repeated(ready, plan_of(ready, sizes=(60, 30), tops=(0, 5), times=2))[-1]
    assert table.state == "finished"
    assert table.done == len(table.found) == 8
    values, mask = ground()
    for repetition, size, top in ((0, 0, 0), (1, 1, 1)):
        steps = [replace(step, seed=step.seed + repetition) for step in STEPS]
        steps[0] = replace(steps[0], params={"size": (60, 30)[size]})
        steps[-1] = replace(steps[-1], params={"top_per_cluster": (0, 5)[top]})
        ready.edits.replace(Recipe("", ready.recipe.sources, tuple(steps)), "as in the repetition")
        ready.run()
        ready.wait(60)
        target = tmp_path / "map.tif"
        ready.maps.add(MapRequest(tmp_path / "scene.tif", target))
        ready.wait(60)
        with rasterio.open(target) as source:
            made = source.read(1).astype(int)
        sample = np.asarray(ready.results.artefact("pixels").details["positions"])
        inside = np.isin(np.arange(HEIGHT * WIDTH), sample).reshape(HEIGHT, WIDTH)
        meant = [round(mask[inside & (made == g)].mean()) for g in range(3)]
        others = ~inside & (values[0] > 0)
        said = np.array(meant)[made[others]]
        found = table.found[repetition, size, top]
        assert found.accuracy.counts.sum() == others.sum()
        assert found.measure("overall") == pytest.approx((said == mask[others]).mean())
        both = ((said == 1) & (mask[others] == 1)).sum()
        either = ((said == 1) | (mask[others] == 1)).sum()
        assert found.measure("iou cloud") == pytest.approx(both / either)
        assert [name for _, name in found.matching] == [("land", "cloud")[m] for m in meant]
        labels = ready.results.artefact("groups").labels
        sizes = np.bincount(labels)
        assert found.trained == (np.minimum(sizes, 5).sum() if top else len(sample))


def test_only_numbers_are_kept_and_the_project_stays_as_it_was(ready: Session) -> None:
    before, recipe = set(ready._storage.workspace.keys()), ready.recipe
    ready.project.modified = False
    tables = repeated(ready, plan_of(ready, sizes=(20, 40), times=2))
    ready._background.do("wait", lambda: None, lambda _: None)
    ready.wait(10)
    assert [table.done for table in tables] == [0, 1, 2, 3, 4]
    assert set(ready._storage.workspace.keys()) == before
    assert ready.recipe is recipe
    assert not ready.project.modified


def test_a_mean_is_of_the_repetitions_and_a_difference_of_the_same_samples(ready: Session) -> None:
    table = repeated(ready, plan_of(ready, sizes=(30,), tops=(0, 4), times=3))[-1]
    every, best = (
        np.array([table.found[r, 0, top].measure("overall") for r in range(3)]) for top in (0, 1)
    )
    assert table.spread("overall", 0, 0).mean == pytest.approx(every.mean())
    more = table.difference("overall", 0, 1)
    assert more is not None
    assert more.mean == pytest.approx((best - every).mean())
    assert table.difference("overall", 0, 0) is None
    assert set(every) != {every[0]}  # other samples, other accuracies
    spreads = [table.spread(measure, 0, 0) for measure in table.measures]
    assert all(not (found.low < -1 or found.high > 1) for found in spreads)


def test_a_few_pixels_at_random_tell_about_the_same_as_all(ready: Session) -> None:
    whole = repeated(ready, plan_of(ready, times=1))[-1].found[0, 0, 0]
    some = repeated(ready, plan_of(ready, times=1, at_most=800))[-1].found[0, 0, 0]
    assert 700 < some.accuracy.counts.sum() <= 800
    assert some.matching == whole.matching
    assert some.measure("overall") == pytest.approx(whole.measure("overall"), abs=0.05)


def test_another_scene_is_judged_whole(ready: Session, tmp_path: Path) -> None:
    values, mask = ground()
    write(tmp_path / "other.tif", values[:, ::-1].copy(), 0)
    write(tmp_path / "other-mask.tif", mask[None, ::-1].copy(), None)
    plan = plan_of(
        ready,
        scene=tmp_path / "other.tif",
        truth=tmp_path / "other-mask.tif",
        truth_classes="0=land, 1=cloud",
        times=1,
    )
    assert not plan.own
    found = repeated(ready, plan)[-1].found[0, 0, 0]
    assert found.accuracy.counts.sum() == HEIGHT * WIDTH - 9


def test_a_sample_too_small_costs_its_repetitions_only(ready: Session) -> None:
    table = repeated(ready, plan_of(ready, sizes=(2, 40), times=2))[-1]
    assert table.state == "finished"
    assert len(table.problems) == 2
    assert len(table.found) == 2
    assert math.isnan(table.spread("overall", 0, 0).mean)


def test_a_mask_that_does_not_fit_ends_it(ready: Session, tmp_path: Path) -> None:
    write(tmp_path / "small.tif", ground()[1][None, :10], None)
    table = repeated(ready, plan_of(ready, truth=tmp_path / "small.tif"))[-1]
    assert table.state == "failed"
    assert "has 10 × 50 pixels" in table.message
    assert not ready.busy


def test_a_cancelled_one_keeps_what_it_has(ready: Session) -> None:
    tables: list[CrossValidationTable] = []

    def on_table(table: CrossValidationTable) -> None:
        tables.append(table)
        if table.done == 1 and table.state == "running":
            ready.cancel()

    ready.cross_validations.changed.connect(on_table)
    ready.cross_validations.start(plan_of(ready, times=4))
    ready.wait(60)
    assert tables[-1].state == "cancelled"
    assert len(tables[-1].found) == 1
    assert not ready.busy


def test_what_comes_before_the_sample_is_computed_first(session: Session, recipe: Recipe) -> None:
    session.project.load_recipe(recipe)
    session.wait(60)
    session.run("data")  # the catalogue comes with the first run at the latest
    session.wait(60)
    table = repeated(session, plan_of(session, times=1))[-1]
    assert table.state == "finished"
    assert session.status("classes") == "missing"


def test_tables_are_written_with_every_number(ready: Session, tmp_path: Path) -> None:
    table = repeated(ready, plan_of(ready, sizes=(2, 30), tops=(0, 4), times=2))[-1]
    table.write_means(tmp_path / "means.csv")
    table.write_each(tmp_path / "each.csv")
    with (tmp_path / "means.csv").open(encoding="utf-8") as stream:
        means = list(csv.DictReader(stream))
    assert [(row["size"], row["top"], row["repetitions"]) for row in means] == [
        ("2", "0", "0"), ("2", "4", "0"), ("30", "0", "2"), ("30", "4", "2"),
    ]  # fmt: skip
    mean = table.spread("users land", 1, 0).mean
    assert float(means[2]["users land mean"]) == pytest.approx(mean, rel=1e-5)
    assert means[3]["overall more than all p"] or means[3]["overall more than all mean"] == "0"
    with (tmp_path / "each.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 8
    assert "= cloud" in rows[2]["matching"]
    assert rows[0]["note"]
    said = table.as_json()
    assert len(said["repetitions"]) == 4
    assert said["means"][2]["overall"]["mean"] == pytest.approx(table.spread("overall", 1, 0).mean)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"sizes": (0,)}, "invalid-sweep"),
        ({"sizes": (5, 5)}, "invalid-sweep"),
        ({"times": 0}, "invalid-sweep"),
        ({"times": 20_000}, "too-many-runs"),
        ({"step": "groups"}, "classifier-needed"),
    ],
)
def test_a_plan_that_cannot_be_is_one_sentence(
    opened: Session, said: dict[str, Any], code: str
) -> None:
    with refuses(code, RecipeError):
        plan_of(opened, **said)


def test_a_recipe_that_cannot_be_repeated_is_said(opened: Session) -> None:
    sources = opened.recipe.sources
    bare = Recipe("", sources, (*STEPS[:-1], replace(STEPS[-1], of=("scaled", "groups"))))
    with refuses("ranking-needed", RecipeError):
        plan_for(bare, opened.catalogue, tops=(0, 5))
    unmasked = Recipe("", (replace(sources[0], params={}),), STEPS)
    with refuses("known-classes-needed", RecipeError):
        plan_for(unmasked, opened.catalogue)
    whole = Recipe("", sources, (Step("scaled", "transform/standardise", ("data",)), *STEPS[2:]))
    with refuses("subset-needed", RecipeError):
        plan_for(whole, opened.catalogue)


def test_numbers_are_read_from_a_list() -> None:
    assert parse_numbers("50,100, 200", "sizes") == (50, 100, 200)
    with refuses("invalid-sweep", RecipeError):
        parse_numbers("5, many", "sizes")

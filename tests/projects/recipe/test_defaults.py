"""What a recipe implies without running it."""

from pathlib import Path

import numpy as np
import pytest

from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Source
from coterie.projects.jobs.job import Status
from coterie.projects.recipe.defaults import default_recipe
from coterie.projects.session import Session
from tests.refusals import refuses


def test_the_default_recipe_runs_on_a_table_with_holes_and_constant_columns(
    session: Session, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    lines = ["name,a,b,c"]
    for i in range(60):
        a, b = rng.normal(0 if i < 30 else 8, 1, 2)
        lines.append(f"item {i},{a:.3f},{'' if i % 9 == 0 else f'{b:.3f}'},5")
    table = tmp_path / "holes.csv"
    table.write_text("\n".join(lines), encoding="utf-8")
    session.project.open(table)
    session.run()
    session.wait(60)
    assert {session.status(name) for name in session.recipe.names} == {Status.FRESH}
    labels = session.results.artefact("groups").labels
    whole = np.arange(60) % 9 != 0  # a filled-in mean lies between the two clouds
    first, second = labels[:30][whole[:30]], labels[30:][whole[30:]]
    assert not set(first.tolist()) & set(second.tolist()) - {-1}
    # Who is typical follows the similarities, not the few coordinates of the picture.
    assert session.recipe.step("typical").of == ("similarity", "groups")
    similarities = session.results.artefact("similarity").to_dense()
    typical = session.results.artefact("typical")
    walk = similarities / similarities.sum(axis=1, keepdims=True)
    seed = (labels == 0) / (labels == 0).sum()
    exact = 0.15 * np.linalg.solve(np.eye(60) - 0.85 * walk.T, seed)
    np.testing.assert_allclose(typical.scores[labels == 0], exact[labels == 0], atol=1e-10)


def test_inputs_that_do_not_exist_yet_are_asked_for(session: Session) -> None:
    session.project.open("iris")
    session.wait(10)
    while not session.catalogue.methods:
        session.wait(0.1)
    session.edits.replace(session.recipe.without("similarity"), "no similarities")
    with refuses("input-mismatch", RecipeError):
        session.edits.add_step("clusterer/dominant-sets")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cliques.edges", "".join(f"{i} {j} 1\n" for i in range(24) for j in range(i)
                                  if i // 12 == j // 12 or (i, j) == (12, 0))),
        ("near.tab", "".join(" ".join("1" if i == j else ".9" if i // 12 == j // 12 else ".1"
                                      for j in range(24)) + "\n" for i in range(24))),
    ],
)  # fmt: skip
def test_given_similarities_get_a_default_recipe_of_their_own(
    session: Session, tmp_path: Path, name: str, text: str
) -> None:
    while not session.catalogue.methods:
        session.wait(0.1)
    path = tmp_path / name
    path.write_text(text)
    session.project.open(path)
    session.run()
    session.wait(60)
    assert {session.status(step) for step in session.recipe.names} == {Status.FRESH}
    assert session.results.artefact("groups").k == 2


@pytest.mark.parametrize("name", ["scene.TIF", "S2A.SAFE", "LC08_MTL.txt"])
def test_a_scene_is_sampled_before_all_else_and_classified_at_the_end(name: str) -> None:
    recipe = default_recipe(Source(open=f"/somewhere/{name}"), "scene")
    assert recipe.steps[0].use == "transform/sample"
    assert recipe.steps[-1].use == "classifier/nearest"
    recipe.check()
    assert default_recipe(Source(open="/a.npy", reader="reader/raster"), "a").steps == recipe.steps


def test_counts_of_words_are_brought_to_meanings_without_being_filled_in() -> None:
    recipe = default_recipe(Source(open="counts.csv"), "counts", "reader/triplets")
    assert [step.use for step in recipe.steps][:3] == [
        "transform/svd",
        "embedder/pca",
        "clusterer/automatic",
    ]


def test_the_picture_comes_first_and_the_islands_last_where_their_library_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Source(open="/somewhere/table.csv")
    steps = [step.use for step in default_recipe(table, "table").steps]
    assert steps.index("embedder/pca") < steps.index("clusterer/automatic")
    assert steps[-1] == "embedder/tsne"
    monkeypatch.setattr("coterie.projects.recipe.defaults.find_spec", lambda name: None)
    without = [step.use for step in default_recipe(table, "table").steps]
    assert without == steps[:-1]

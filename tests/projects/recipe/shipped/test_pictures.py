"""Recipes on pictures: a photograph in regions, a folder of pictures by their visual words."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from coterie.core import Array, Clustering
from coterie.projects.recipe.toml import read_recipe
from coterie.projects.session import Session

FOLDER = Path(__file__).parents[4] / "projects" / "recipe" / "shipped" / "pictures"
SIDE = 64


@pytest.mark.slow
def test_two_segmentations_of_a_photograph_are_held_against_each_other(session: Session) -> None:
    session.project.load_recipe(read_recipe(FOLDER / "china.toml"))
    session.run()
    session.wait(100)
    overall, local = session.fetch("global error"), session.fetch("local error")
    assert overall is not None, session.failure("global error")
    assert local is not None, session.failure("local error")
    # By definition the local error is at most the global one; two segmentations that have nothing
    # to do with each other come near 1 - 1/k.
    assert 0 < local.value <= overall.value < 0.5


def stripes(folder: Path, name: str, along: Callable[[Array, Array], Array], seed: int) -> None:
    """Write a dozen pictures of stripes that differ in width, place and noise."""
    import rasterio

    folder.mkdir(parents=True)
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:SIDE, :SIDE]
    for number in range(12):
        width, phase = rng.uniform(5, 8), rng.uniform(0, 2 * np.pi)
        wave = 128 + 90 * np.sin(2 * np.pi * along(x, y) / width + phase)
        pixels = (wave + rng.normal(0, 12, wave.shape)).clip(0, 255).astype(np.uint8)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a picture has no place on the globe
            with rasterio.open(
                folder / f"{name}-{number}.png",
                "w",
                driver="PNG",
                count=1,
                height=SIDE,
                width=SIDE,
                dtype="uint8",
            ) as target:
                target.write(pixels[None])


@pytest.mark.slow
def test_pictures_are_grouped_by_their_visual_words(session: Session, tmp_path: Path) -> None:
    ways: dict[str, Callable[[Array, Array], Array]] = {
        "across": lambda x, y: y,
        "upright": lambda x, y: x,
        "slanted": lambda x, y: (x + y) / np.sqrt(2),
    }
    for seed, (name, along) in enumerate(ways.items()):
        stripes(tmp_path / "pictures" / name, name, along, seed)
    text = (FOLDER / "visual-words.toml").read_text(encoding="utf-8")
    text = text.replace("height = 128, width = 128", f"height = {SIDE}, width = {SIDE}")
    (tmp_path / "visual-words.toml").write_text(text, encoding="utf-8")
    recipe = read_recipe(tmp_path / "visual-words.toml")
    for step, changes in (("words", {"words": 64}), ("groups", {"k": 3}), ("near", {"k": 3})):
        params = {**recipe.step(step).params, **changes}
        recipe = recipe.changed(step, params=params)
    session.project.load_recipe(recipe)
    session.run()
    session.wait(60)
    found, groups = session.fetch("agreement"), session.fetch("groups")
    nearest = session.fetch("agreement by nearest")
    assert found is not None, session.failure("agreement")
    assert nearest is not None, session.failure("agreement by nearest")
    assert isinstance(groups, Clustering)
    assert (groups.labels < 0).any()  # there is something to carry labels to
    # Carried along the narrow similarity, labels agree no worse than by nearness.
    assert found.value > 0.95
    assert nearest.value <= found.value

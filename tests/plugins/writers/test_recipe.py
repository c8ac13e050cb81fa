"""The writer of recipes writes the steps it is given."""

from pathlib import Path

import numpy as np

from coterie.core import Clustering, Context, DataError
from coterie.plugins.writers.recipe import RecipeWriter
from tests.refusals import refuses

GROUPS = Clustering(labels=np.zeros(3, dtype=np.int64))


def write(path: Path, recipe: str) -> None:
    params = RecipeWriter.Params(recipe=recipe)
    RecipeWriter().compute(GROUPS, path, params=params, context=Context())


def test_the_steps_are_written_as_they_are(tmp_path: Path) -> None:
    text = 'title = "ä"\n[data]\nopen = "iris"\n'
    write(tmp_path / "r.toml", text)
    assert (tmp_path / "r.toml").read_text(encoding="utf-8") == text


def test_no_steps_and_no_toml_are_told(tmp_path: Path) -> None:
    with refuses("not-exportable", DataError):
        write(tmp_path / "r.toml", "")
    with refuses("not-exportable", DataError):
        write(tmp_path / "r.toml", "[data")
    assert not (tmp_path / "r.toml").exists()

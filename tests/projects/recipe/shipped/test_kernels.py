"""Recipes that show a kernel at work on real data."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from coterie.core import Embedding
from coterie.projects.recipe.toml import read_recipe
from coterie.projects.session import Session

FOLDER = Path(__file__).parents[4] / "projects" / "recipe" / "shipped" / "kernels"


@pytest.mark.slow
@pytest.mark.realdata
def test_pairs_of_letters_tell_four_languages_apart(
    session: Session, realdata: Path, tmp_path: Path
) -> None:
    shutil.copy(FOLDER / "languages.toml", tmp_path)
    (tmp_path / "swiss_constitution.csv.gz").symlink_to(realdata / "swiss_constitution.csv.gz")
    session.project.load_recipe(read_recipe(tmp_path / "languages.toml"))
    session.run()
    session.wait(100)
    agreement, plane = session.fetch("agreement"), session.fetch("plane")
    assert agreement is not None, session.failure("agreement")
    assert agreement.value > 0.98
    assert isinstance(plane, Embedding)
    assert plane.dataset is not None
    assert plane.dataset.truth is not None
    # In the plane of kernel principal components each language lies apart from the others.
    truth, points = plane.dataset.truth, plane.coordinates[:, :2]
    centres = np.array([points[truth == language].mean(axis=0) for language in range(4)])
    nearest = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    assert (nearest == truth).mean() > 0.95

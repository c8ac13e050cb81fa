"""Scenes that are folders: which reader takes them is known without looking at them again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coterie.core.errors import FIND_FILE
from coterie.core.model.recipes import Recipe, Source
from coterie.projects.jobs.job import Status
from coterie.projects.session import Session
from tests.core.formats.rasters.making import write_landsat

NewSession = Callable[..., Session]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "elsewhere" / "LC08"
    place.parent.mkdir()
    write_landsat(place)
    return place


def with_methods(session: Session) -> Session:
    while not session.catalogue.methods:
        session.wait(0.1)
    return session


def saved(session: Session, path: Path) -> Path:
    """Read what the open project names, save it and close it."""
    session.run("data")
    session.wait(60)
    assert session.status("data") is Status.FRESH
    path.parent.mkdir(exist_ok=True)
    session.project.save(path)
    session.wait(60)
    session.close()
    return path


def opened(session: Session, path: Path) -> Session:
    session.project.open_file(path)
    session.wait(60)
    return with_methods(session)


def test_a_folder_that_is_opened_names_its_reader(
    new_session: NewSession, folder: Path, tmp_path: Path
) -> None:
    session = with_methods(new_session())
    session.project.open(folder)
    assert session.recipe.sources[0].reader == "reader/raster"
    assert session.recipe.steps[0].use == "transform/sample"
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('[data]\nopen = "elsewhere/LC08"\n', encoding="utf-8")
    session.project.open(recipe)
    assert session.recipe.sources[0].reader == "reader/raster"


@pytest.mark.parametrize("named", [True, False])
def test_results_of_a_folder_that_is_gone_stay_fresh_and_it_can_be_found(
    new_session: NewSession, folder: Path, tmp_path: Path, named: bool
) -> None:
    first = with_methods(new_session())
    if named:
        first.project.open(folder)
    else:  # as projects were written before, and as recipes may be
        first.project.load_recipe(Recipe(sources=(Source("data", str(folder)),)))
    path = saved(first, tmp_path / "elsewhere" / "p.coterie.h5")
    shutil.rmtree(folder)
    session = opened(new_session(), path)
    assert session.recipe.sources[0].reader == ("reader/raster" if named else "")
    assert session.status("data") is Status.FRESH
    session.run("data", reread=True)
    session.wait(60)
    failure = session.failure("data")
    assert failure is not None
    assert "There is no file" in failure.message
    assert FIND_FILE in failure.offer


def test_a_folder_outside_the_project_is_not_looked_at_before_it_is_allowed(
    new_session: NewSession, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = with_methods(new_session())
    first.project.load_recipe(Recipe(sources=(Source("data", str(folder)),)))
    path = saved(first, tmp_path / "inside" / "p.coterie.h5")
    looked_at: list[str] = []

    def watched(ask: Callable[..., Any]) -> Callable[..., Any]:
        def asking(place: Any = ".", *rest: Any, **named: Any) -> Any:
            if isinstance(place, str | Path) and Path(place).is_relative_to(folder):
                looked_at.append(f"{ask.__name__} {place}")
            return ask(place, *rest, **named)

        return asking

    with monkeypatch.context() as watching:
        for owner, name in ((os, "scandir"), (os, "stat"), (os, "listdir"), (Path, "is_dir")):
            watching.setattr(owner, name, watched(getattr(owner, name)))
        session = opened(new_session(), path)
        session.edits.replace(session.recipe.changed("data", params={"bands": "1"}), "bands")
        session.edits.undo()
        assert session.files.unconfirmed("data") == str(folder)
        assert session.status("data") is Status.FRESH
        session.run("data", reread=True)
        session.wait(60)
        failure = session.failure("data")
        assert failure is not None
        assert "outside its folder" in failure.message
        assert looked_at == []
    session.files.confirm("data")
    session.run("data", reread=True)
    session.wait(60)
    assert session.status("data") is Status.FRESH

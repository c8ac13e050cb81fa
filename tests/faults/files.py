"""Kills in the midst of what concerns files: opening, closing, finding, keeping, mapping, sweeping.

As `everywhere`, whose ways of killing and looking these use, on a project whose data are a scene.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from coterie.core.formats.rasters import tiles
from coterie.core.formats.rasters.windows import bounded_gdal, open_raster
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.classify_scene import MapRequest
from coterie.projects.session import Session
from tests.faults import work
from tests.faults.killing import die_before
from tests.faults.work import Ground, Promises, tell_operations

HEIGHT, WIDTH = 6, 7


class SceneGround(Ground):
    """A ground whose data are a scene that stays on disk, with a classifier of its pixels."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.data = folder / "scenes" / "scene.npy"
        self.moved = folder / "moved" / "scene.npy"
        self.map = folder / "map.tif"

    def prepare(self) -> None:
        """Make the scene and the folder of workspaces."""
        self.root.mkdir(parents=True)
        self.data.parent.mkdir()
        self.moved.parent.mkdir()
        cells = np.arange(HEIGHT * WIDTH * 3, dtype=np.float64).reshape(HEIGHT, WIDTH, 3)
        np.save(self.data, (cells % 13) + 20 * (cells > 60))

    def recipe(self, number: int = 0) -> Recipe:
        """Return a recipe whose title and seed tell which edit it came from."""
        steps = (
            Step("pixels", "transform/sample", ("data",), {"size": 30}),
            Step("similarity", "kernel/gaussian", ("pixels",), {"sigma": 8.0}),
            Step("groups", "clusterer/dominant-sets", ("similarity",), {"k": 2}, seed=number),
            Step("model", "classifier/nearest", ("pixels", "groups")),
        )
        return Recipe(str(number), (Source(open=str(self.data), reader="reader/raster"),), steps)


def opening(ground: Ground, pipe: int, number: int) -> None:
    """Killed while the saved project is opened, beside the work of a dead window."""
    session = ground.session()
    operations = die_before(number, ground.folder)
    done = session.project.open_file(ground.project)
    session.wait(60)
    done.result()
    session.fetch("groups")
    tell_operations(pipe, operations)


def closing(ground: Ground, pipe: int, number: int) -> None:
    """Killed while a session whose work is saved ends, and clears up after itself."""
    session = ground.session()
    work.resume(ground, session)
    work.save(ground, session, pipe)
    operations = die_before(number, ground.folder)
    session.close()
    tell_operations(pipe, operations)


def sweeping(ground: Ground, pipe: int, number: int) -> None:
    """Killed while a step is tried with many settings, whose results are let go."""
    session = _working(ground)
    operations = die_before(number, ground.folder)
    work.sweep(session)
    tell_operations(pipe, operations)


def relinking(ground: Ground, pipe: int, number: int) -> None:
    """Killed while a scene that was moved is found again."""
    assert isinstance(ground, SceneGround)
    session = _working(ground)
    ground.data.rename(ground.moved)
    operations = die_before(number, ground.folder)
    done = session.files.relink("data", ground.moved)
    session.wait(60)
    done.result()
    tell_operations(pipe, operations)


def keeping(ground: Ground, pipe: int, number: int) -> None:
    """Killed while a scene is taken into the project, and that is saved."""
    session = _working(ground)
    operations = die_before(number, ground.folder)
    done = session.files.attach("data")
    session.wait(60)
    done.result()
    work.promise(pipe, {"kept": True})
    work.save(ground, session, pipe)
    tell_operations(pipe, operations)


def mapping(ground: Ground, pipe: int, number: int) -> None:
    """Killed while every pixel is labelled, over a map that is there."""
    tiles.TILE = 3  # of a scene this small there would be one
    session = _working(ground)
    map_scene(ground, session)
    operations = die_before(number, ground.folder)
    map_scene(ground, session)
    tell_operations(pipe, operations)


def map_scene(ground: Ground, session: Session) -> bytes:
    """Have the scene labelled; return the numbers of the map."""
    assert isinstance(ground, SceneGround)
    failures: list[str] = []
    session.maps.failed.connect(lambda failure: failures.append(failure.message))
    session.maps.add(MapRequest(ground.data, ground.map))
    session.wait(60)
    assert not failures, failures
    return numbers_of(ground.map)


def numbers_of(path: Path) -> bytes:
    """Return the classes in a map; it must be whole."""
    with bounded_gdal(), open_raster(path) as source:
        assert source.shape == (HEIGHT, WIDTH)
        return bytes(source.read(1).tobytes())


def look_at_files(ground: Ground, promises: Promises) -> None:
    """As `look_by_restoring`; and a map that was there is whole, and can be made again."""
    assert isinstance(ground, SceneGround)
    there = numbers_of(ground.map) if ground.map.exists() else b""
    work.look_by_restoring(ground, promises)
    session = ground.session()
    session.start()
    try:
        opening = session.project.open_file(ground.project)
        session.wait(60)
        opening.result()
        if promises.kept:
            assert session.files.is_attached("data"), "the file is not kept any more"
        place = ground.moved if ground.moved.exists() else ground.data
        session.edits.replace(_reading(session.recipe, place), "find")
        session.run()
        session.wait(60)
        if there:
            assert map_scene(ground, session) == there
    finally:
        session.close()
    strays = [path.name for path in ground.folder.glob(".*") if not path.name.endswith(".lock")]
    assert not strays, f"left behind: {strays}"


def _reading(recipe: Recipe, place: Path) -> Recipe:
    return replace(recipe, sources=(replace(recipe.sources[0], open=str(place)),))


def _working(ground: Ground) -> Session:
    session = ground.session()
    session.start()
    work.resume(ground, session)
    session.run()
    session.wait(60)
    return session

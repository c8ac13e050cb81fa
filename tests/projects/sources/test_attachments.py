"""A file that is kept in the project is not needed any more."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.errors import DataError
from coterie.core.model.results import Clustering, Model
from coterie.projects.cli.main import main
from coterie.projects.jobs.job import Status
from coterie.projects.session import Session
from coterie.projects.sources import attachments
from coterie.projects.store.hdf5.validation import validate
from coterie.projects.store.recovery import orphans
from tests.refusals import refuses

RECIPE = """
[data]
open = "scenes/scene.npy"
reader = "raster"
mask = "mask.npy"
[[step]]
name = "pixels"
use = "transform/sample"
of = "data"
params = { size = 5 }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    (work / "scenes").mkdir(parents=True)
    np.save(work / "scenes" / "scene.npy", np.arange(60.0).reshape(4, 5, 3))
    np.save(work / "scenes" / "mask.npy", np.arange(20).reshape(4, 5, 1) % 2)
    (work / "a.toml").write_text(RECIPE, encoding="utf-8")
    target = work / "a.coterie.h5"
    run = ["run", str(work / "a.toml"), "-o", str(target), "--engine", "inprocess"]
    assert main(run) == 0
    return target


def opened(project: Path, root: Path) -> Session:
    session = Session(engine="inprocess", root=root)
    session.start()
    session.project.open_file(project, lock=False)
    session.wait()
    return session


def test_a_project_opens_and_runs_without_the_file_that_it_keeps(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["embed", str(project)]) == 0
    assert "scene.npy, " in capsys.readouterr().out
    assert not validate(project)
    shutil.rmtree(project.parent / "scenes")
    away = tmp_path / "elsewhere" / "a.coterie.h5"
    away.parent.mkdir()
    shutil.move(project, away)
    session = opened(away, tmp_path)
    try:
        assert not session.project.modified
        assert session.files.is_attached("data")
        place = Path(session.fetch("data").details["scene"]["path"])
        assert place.is_relative_to(tmp_path)
        assert place.name == "scene.npy"
        before = session.results.key("data")
        session.edits.replace(session.recipe.changed("pixels", params={"size": 9}), "take more")
        session.run(reread=True)
        session.wait()
        assert session.failure("data") is None
        assert session.results.key("data") == before
        pixels = session.fetch("pixels")
        assert pixels.n == 9
        assert pixels.truth is not None
        expected = np.arange(60.0).reshape(20, 3)[pixels.details["positions"]]
        np.testing.assert_array_equal(pixels.features, expected)
        session.project.save(away)
        session.wait()
        assert session.files.is_attached("data")
    finally:
        session.close()
    assert not place.exists()
    session = opened(away, tmp_path)
    try:  # saved once more, it is still there, and the recipe names no temporary place
        assert session.status("pixels") is Status.FRESH
        assert session.recipe.sources[0].open.endswith("scenes/scene.npy")
        assert session.fetch("data").on_disk
    finally:
        session.close()


def test_a_file_is_taken_out_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["embed", str(project)]) == 0
    assert main(["embed", str(project), "--out"]) == 0
    assert "no longer attached" in capsys.readouterr().out
    shutil.rmtree(project.parent / "scenes")
    session = opened(project, project.parent)
    try:
        assert not session.files.is_attached("data")
        session.run("data", reread=True)
        session.wait()
        assert session.failure("data") is not None
    finally:
        session.close()


def test_what_cannot_be_kept_is_refused(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(project, tmp_path)
    scene = project.parent / "scenes" / "scene.npy"

    def refused(said: str) -> None:
        keeping = session.files.attach("data")
        session.wait()
        with pytest.raises(DataError, match=said):
            keeping.result()
        assert not session.files.is_attached("data")

    try:
        with monkeypatch.context() as patched:
            patched.setattr(attachments, "MOST_BYTES", 100)
            refused("a project can store")
        np.save(scene, np.zeros((4, 5, 3)))
        refused("its content differs")
        scene.unlink()
        refused("Locate the file first")
        scene.mkdir()
        refused("is a folder")
    finally:
        session.close()


def test_a_forged_name_leads_nowhere(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(project, tmp_path)
    try:
        session.files.attach("data")
        session.wait()
        key = session.results.key("data", attachments.FILE)
        assert key is not None
        storage = session._storage
        model = storage.workspace.load(key)
        model.settings["files"][1]["name"] = "../../../outside.npy"
        monkeypatch.setattr(storage.workspace, "load", lambda _: model)
        place = attachments._written(storage, key, "scene.npy")
        names = sorted(file.name for file in place.parent.iterdir())
        assert names == ["outside.npy", "scene.npy"]
        for name in ("..", "", "a\0b"):
            model.settings["files"][1]["name"] = name
            with refuses("file-damaged", DataError):
                attachments._written(storage, key, "scene.npy")
    finally:
        session.close()


FORGED = [
    Clustering(labels=np.array([0])),
    Model(),
    Model(settings={"files": 7}),
    Model(settings={"files": [{"name": "a"}]}),
    Model(settings={"files": [{"name": "a", "time": "soon"}]}, arrays={"0": np.zeros(1)}),
    Model(settings={"files": [{"name": "a", "time": 1}]}),
    Model(settings={"files": [{"name": "a\0", "time": 10**400}]}, arrays={"0": np.zeros(1)}),
]


@pytest.mark.parametrize("noun", FORGED, ids=range(len(FORGED)))
def test_a_project_with_a_forged_file_opens_without_it(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noun: Any
) -> None:
    assert main(["embed", str(project)]) == 0
    shutil.rmtree(project.parent / "scenes")
    whole = attachments._contents

    def forged(_: Any) -> Any:
        return whole(noun)

    monkeypatch.setattr(attachments, "_contents", forged)
    session = opened(project, tmp_path)
    try:
        assert session.recipe.names == ("data", "pixels")
        assert session.fetch("pixels").n == 5
    finally:
        session.close()


def test_restored_work_finds_the_kept_file_again(project: Path, tmp_path: Path) -> None:
    assert main(["embed", str(project)]) == 0
    shutil.rmtree(project.parent / "scenes")
    root = tmp_path / "workspaces"
    root.mkdir()
    first = opened(project, root)
    assert first.fetch("data").on_disk
    first.edits.replace(first.recipe.changed("pixels", params={"size": 9}), "take more")
    first.close(keep_work=True)
    (orphan,) = orphans(root)
    session = Session(engine="inprocess", root=root)
    session.start()
    try:
        session.project.recover(orphan.folder)
        session.wait()
        session.run(reread=True)
        session.wait()
        assert session.failure("data") is None
        assert session.fetch("pixels").n == 9
        assert Path(session.fetch("data").details["scene"]["path"]).exists()
    finally:
        session.close()


def test_what_looks_at_the_data_at_once_is_told_of_the_kept_file(
    project: Path, tmp_path: Path
) -> None:
    assert main(["embed", str(project)]) == 0
    shutil.rmtree(project.parent / "scenes")
    session = Session(engine="inprocess", root=tmp_path)
    places: list[Path] = []

    def look() -> None:  # as a view does
        found = (session.fetch(name) for name in session.recipe.names)
        places.extend(Path(data.details["scene"]["path"]) for data in found)

    session.recipe_changed.connect(look)
    try:
        session.start()
        session.project.open_file(project, lock=False)
        session.wait()
        assert not session.project.modified
        assert len(places) == 2
        assert all(place.exists() for place in places)
    finally:
        session.close()


def test_a_scene_outside_the_folder_is_found_by_its_results_once_it_is_confirmed(
    project: Path, tmp_path: Path
) -> None:
    away = tmp_path / "elsewhere" / "a.coterie.h5"
    away.parent.mkdir()
    moved = opened(project, tmp_path)
    moved.project.save(away)
    moved.wait()
    moved.close()
    session = opened(away, tmp_path)
    try:
        assert session.files.unconfirmed("data")
        assert not Path(session.fetch("pixels").details["scene"]["path"]).is_absolute()
        session.files.confirm("data")
        session.wait()
        for name in ("data", "pixels"):
            assert Path(session.fetch(name).details["scene"]["path"]).is_file()
    finally:
        session.close()


CLASSIFIED = """
[[step]]
name = "groups"
use = "clusterer/kmeans"
of = "pixels"
params = { k = 2 }
[[step]]
name = "classes"
use = "classifier/nearest"
of = ["pixels", "groups"]
"""


def test_the_kept_scene_is_labelled_and_judged_by_when_its_file_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scenes").mkdir()
    truth = np.arange(400).reshape(20, 20, 1) // 200
    np.save(tmp_path / "scenes" / "scene.npy", truth + np.linspace(0, 0.1, 3))
    np.save(tmp_path / "scenes" / "mask.npy", truth)
    recipe = tmp_path / "a.toml"
    recipe.write_text(RECIPE.replace("size = 5", "size = 40") + CLASSIFIED, encoding="utf-8")
    project = str(tmp_path / "a.coterie.h5")
    assert main(["run", str(recipe), "-o", project, "--engine", "inprocess"]) == 0
    assert main(["embed", project]) == 0
    shutil.rmtree(tmp_path / "scenes")
    capsys.readouterr()
    lost, target = tmp_path / "scenes" / "scene.npy", tmp_path / "map.tif"
    assert main(["classify", project, str(lost), "-o", str(target), "--engine", "inprocess"]) == 0
    assert "50.0% of the valid pixels" in capsys.readouterr().out
    again = ["repeat", project, "--times", "2", "--sizes", "30", "--engine", "inprocess"]
    assert main(again) == 0
    assert "1.0000" in capsys.readouterr().out

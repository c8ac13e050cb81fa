"""A file that was moved is found by its bytes, and no other is taken for it."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from coterie.core.errors import Cancelled, DataError
from coterie.core.io import fingerprints
from coterie.core.io.fingerprints import fingerprint
from coterie.projects.cli.main import main
from coterie.projects.jobs.job import Status
from coterie.projects.session import Session
from coterie.projects.sources.relink import MissingFile, find_lost, find_near, require_same
from tests.refusals import refuses

RECIPE = """
[data]
open = "scenes/scene.npy"
reader = "raster"
[[step]]
name = "pixels"
use = "transform/sample"
of = "data"
params = { size = 5 }
"""


def lost_of(path: Path) -> MissingFile:
    found = fingerprint(path, lambda: None, partly=True)
    return MissingFile(path.name, found.sha256, found.nbytes, found.blocks)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of one size, among which one is looked for under another name."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "scene.tif").write_bytes(b"b" * 1000)
    (tmp_path / "deep" / "er" / "renamed.tif").write_bytes(b"a" * 1000)
    (tmp_path / "deep" / "small.tif").write_bytes(b"a" * 10)
    return tmp_path


def test_a_file_is_found_by_its_bytes_under_another_name(folder: Path) -> None:
    wanted = folder / "deep" / "er" / "renamed.tif"
    lost = lost_of(wanted)
    told: list[str] = []
    found = find_lost(
        MissingFile("scene.tif", lost.sha256, lost.nbytes), folder, report=told.append
    )
    assert found == wanted
    assert any("scene.tif" in said for said in told)  # of that name, but other bytes
    assert find_near(lost, folder) == wanted


def test_an_old_project_knows_no_size_and_goes_by_the_ending(folder: Path) -> None:
    lost = lost_of(folder / "deep" / "er" / "renamed.tif")
    old = MissingFile("scene.tif", lost.sha256)
    assert find_lost(old, folder).name == "renamed.tif"
    assert find_near(old, folder) is None


def test_a_folder_is_found_as_a_whole(tmp_path: Path) -> None:
    product = tmp_path / "new" / "S2.SAFE"
    (product / "img").mkdir(parents=True)
    (product / "MTD.xml").write_text("<x/>")
    (product / "img" / "b.jp2").write_bytes(b"12345")
    assert find_lost(lost_of(product), tmp_path) == product
    assert find_lost(lost_of(product), product) == product


def test_what_is_not_there_is_said_with_what_was_seen(folder: Path) -> None:
    with refuses("file-not-found", DataError):
        find_lost(MissingFile("x.tif", "0" * 64, 77), folder)
    with refuses("file-not-found", DataError):
        find_lost(MissingFile("x.tif", "0" * 64, 1000), folder)
    with refuses("file-not-found", DataError):
        find_lost(MissingFile("x.tif", "0" * 64, 1000), folder / "nowhere")


def test_links_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "scene.tif").write_bytes(b"a" * 1000)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "way").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "round").symlink_to(tmp_path / "in")
    assert find_near(lost_of(tmp_path / "out" / "scene.tif"), tmp_path / "in") is None


def test_a_search_can_be_given_up(folder: Path) -> None:
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        find_lost(lost_of(folder / "scene.tif"), folder, check=stop)


def test_a_wrong_file_is_refused_with_what_differs(folder: Path) -> None:
    lost = lost_of(folder / "scene.tif")
    require_same(lost, folder / "scene.tif")
    with refuses("file-changed", DataError, match="1,000"):
        require_same(lost, folder / "deep" / "small.tif")
    with refuses("file-changed", DataError):
        require_same(lost, folder / "deep" / "er" / "renamed.tif")


def test_a_copy_of_a_large_raster_is_known_whatever_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprints, "LARGE", 1000)
    path = tmp_path / "large.tif"
    path.write_bytes(os.urandom(5000))
    lost = lost_of(path)
    os.utime(path, (1, 1))
    assert fingerprint(path, lambda: None, partly=True).sha256 != lost.sha256
    require_same(lost, path)
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with refuses("file-changed", DataError):
        require_same(lost, path)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a sample of a scene in a folder beside it."""
    work = tmp_path / "work"
    (work / "scenes").mkdir(parents=True)
    np.save(work / "scenes" / "scene.npy", np.arange(60.0).reshape(4, 5, 3))
    (work / "a.toml").write_text(RECIPE, encoding="utf-8")
    target = work / "a.coterie.h5"
    recipe = str(work / "a.toml")
    assert main(["run", recipe, "-o", str(target), "--engine", "inprocess"]) == 0
    return target


def opened(project: Path, root: Path) -> Session:
    session = Session(engine="inprocess", root=root)
    session.start()
    session.project.open_file(project, lock=False)
    session.wait()
    return session


def test_a_scene_moved_within_the_projects_folder_is_found_by_itself(
    project: Path, tmp_path: Path
) -> None:
    place = project.parent / "elsewhere" / "other name.npy"
    place.parent.mkdir()
    shutil.move(project.parent / "scenes" / "scene.npy", place)
    session = opened(project, tmp_path)
    try:
        assert Path(session.recipe.sources[0].open) == place
        assert session.project.modified
        assert session.fetch("data").details["scene"]["path"] == str(place)
        session.run()
        session.wait()
        assert session.failure("data") is None
        assert session.status("pixels") is Status.FRESH
        session.project.save(project)
        session.wait()
    finally:
        session.close()
    session = opened(project, tmp_path)
    try:  # now the project says so itself
        assert not session.project.modified
        assert session.fetch("pixels").details["scene"]["path"] == str(place)
    finally:
        session.close()


def test_relinking_keeps_every_result_and_can_be_undone(project: Path, tmp_path: Path) -> None:
    away = tmp_path / "archive" / "s.npy"
    away.parent.mkdir()
    shutil.move(project.parent / "scenes" / "scene.npy", away)
    session = opened(project, tmp_path)
    try:
        before = session.results.key("pixels")
        session.run("data", reread=True)
        session.wait()
        failure = session.failure("data")
        assert failure is not None
        assert "locate the file" in failure.message
        asking = session.files.known_of("data")
        session.wait()
        lost = asking.result()
        assert lost is not None
        assert lost.name == "scene.npy"
        linking = session.files.relink("data", find_lost(lost, tmp_path / "archive"))
        session.wait()
        linking.result()
        assert session.failure("data") is None
        assert session.status("pixels") is Status.FRESH
        assert session.results.key("pixels") == before
        assert session.fetch("pixels").details["scene"]["path"] == str(away)
        assert session.edits.can_undo == "locate s.npy"
        session.edits.replace(session.recipe.changed("pixels", params={"size": 7}), "take more")
        session.run("pixels")
        session.wait()
        assert session.fetch("pixels").n == 7
    finally:
        session.close()


def test_relinking_to_a_wrong_file_changes_nothing(project: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.npy"
    np.save(wrong, np.zeros((4, 5, 3)))
    session = opened(project, tmp_path)
    try:
        linking = session.files.relink("data", wrong)
        session.wait()
        with refuses("file-changed", DataError):
            linking.result()
        assert session.recipe.sources[0].open.endswith("scene.npy")
        assert not session.edits.can_undo
    finally:
        session.close()


def test_the_command_finds_a_scene_and_saves_the_project(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["relink", str(project), str(tmp_path)]) == 0
    assert "No files are missing" in capsys.readouterr().out
    away = tmp_path / "archive" / "deep" / "s.npy"
    away.parent.mkdir(parents=True)
    shutil.move(project.parent / "scenes" / "scene.npy", away)
    assert main(["relink", str(project), str(tmp_path / "nowhere")]) == 1
    wrong = tmp_path / "wrong.npy"
    np.save(wrong, np.zeros((4, 5, 3)))
    assert main(["relink", str(project), str(wrong)]) == 1
    assert "is not the 'scene.npy' that the project uses" in capsys.readouterr().err
    assert main(["relink", str(project), str(tmp_path / "archive")]) == 0
    said = capsys.readouterr().out
    assert str(away) in said
    assert "Wrote" in said
    session = opened(project, tmp_path)
    try:
        assert session.status("pixels") is Status.FRESH
        assert Path(session.recipe.sources[0].open) == away
    finally:
        session.close()

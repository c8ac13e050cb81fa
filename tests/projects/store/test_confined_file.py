"""A session whose project file is parsed by another process, whatever becomes of that one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.engine.options import EngineOptions
from coterie.core.errors import ProjectFileError, WorkspaceError
from coterie.core.io.artefact_folder import DamagedArtefactError
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.core.model.encoding import Encoded
from coterie.core.model.recipes import Recipe, Source
from coterie.projects.session import Session
from coterie.projects.store import confined_file
from coterie.projects.store.confined_file import ConfinedFile
from coterie.projects.store.hdf5.validation import validate
from tests.refusals import refuses

from .hdf5 import samples

RECIPE = Recipe(title="Small arcs", sources=(Source(open="arcs", params={"n": 60}),))


@pytest.fixture
def new_confined(tmp_path: Path) -> Iterator[Any]:
    made: list[Session] = []

    def make() -> Session:
        options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
        root = tmp_path / "workspaces"
        root.mkdir(exist_ok=True)
        session = Session(engine="inprocess", options=options, root=root, confined=True)
        session.start()
        made.append(session)
        return session

    yield make
    for session in made:
        if session._storage.folder.exists():
            session.close()


def opened(session: Session, path: Path) -> Session:
    session.project.open_file(path).result(60)
    session.wait(60)
    return session


def key_of(session: Session) -> str:
    key = session.results.key("data")
    assert key is not None
    return key


def saved(session: Session, path: Path, **how: Any) -> None:
    session.project.save(path, **how).result(60)
    session.wait(60)


@pytest.fixture
def project(new_confined: Any, tmp_path: Path) -> Path:
    path = tmp_path / "arcs.coterie.h5"
    session = new_confined()
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    saved(session, path)
    session.close()
    return path


def test_a_project_comes_back_through_the_other_process(new_confined: Any, project: Path) -> None:
    assert validate(project) == []
    session = opened(new_confined(), project)
    key = key_of(session)
    session._storage.bring((key,))
    assert session._storage.workspace.load(key).n == 60
    assert not list(session._storage.folder.glob("incoming-*/artefacts/*"))
    again = project.with_name("again.coterie.h5")
    saved(session, again)
    assert validate(again) == []


def test_when_that_process_dies_another_takes_its_place(new_confined: Any, project: Path) -> None:
    session = opened(new_confined(), project)
    file: Any = session._storage._file
    os.kill(file._process.pid, signal.SIGKILL)
    file._process._started.process.wait()
    key = key_of(session)
    session._storage.bring((key,))
    assert session._storage.workspace.load(key).n == 60


def test_a_file_on_which_that_process_dies_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a file would be that makes the library overwrite its own memory."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "confined_services"))
    monkeypatch.setattr(confined_file, "PROJECTS", "crashing:Crashing")
    path = tmp_path / "p.coterie.h5"
    samples.save(path, [samples.points()])
    with refuses("reader-lost", ProjectFileError, match=r"p\.coterie\.h5"):
        ConfinedFile(path, tmp_path)
    assert not list(tmp_path.glob("incoming-*"))


@pytest.mark.parametrize("what", ["key", "steps", "sizes", "shape", "nothing", "provenance"])
def test_what_that_process_says_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "confined_services"))
    monkeypatch.setattr(confined_file, "PROJECTS", f"crashing:Wrong{what.title()}")
    path = tmp_path / "p.coterie.h5"
    samples.save(path, [samples.points()])
    with refuses("file-damaged", ProjectFileError):
        file = ConfinedFile(path, tmp_path)
        try:
            file.provenance(next(iter(file.entries)))
        finally:
            file.close()


def _artefact(key: str) -> Artefact:
    return Artefact(key, Encoded("model", 1, {}, {"arrays/x": np.arange(3.0)}))


def test_links_in_the_inbox_are_not_taken_over(tmp_path: Path) -> None:
    secret = tmp_path / "secret.npy"
    np.save(secret, np.arange(5.0))
    inbox, ours = Workspace(tmp_path / "inbox"), Workspace(tmp_path / "ours")
    made = _artefact("a" * 64)
    inbox.write(made)
    part = inbox.folder / "artefacts" / made.key / "0.npy"
    part.unlink()
    part.symlink_to(secret)
    with pytest.raises(DamagedArtefactError):
        ours.take_over(made, inbox, made.key)
    part.unlink()
    os.link(secret, part)
    with pytest.raises(DamagedArtefactError):
        ours.take_over(made, inbox, made.key)
    assert made.key not in ours


def test_what_is_taken_over_says_what_it_is_told_to(tmp_path: Path) -> None:
    inbox, ours = Workspace(tmp_path / "inbox"), Workspace(tmp_path / "ours")
    made = _artefact("a" * 64)
    inbox.write(made)
    renamed = Artefact("b" * 64, made.encoded, None, {"component": "x"})
    ours.take_over(renamed, inbox, made.key)
    ours.verify(renamed.key)
    assert ours.record(renamed.key)["provenance"] == {"component": "x"}
    np.testing.assert_array_equal(ours.read(renamed.key).encoded.arrays["arrays/x"], np.arange(3.0))
    assert made.key not in inbox


def test_a_project_that_another_program_changed_is_not_overwritten(
    new_confined: Any, project: Path
) -> None:
    session = opened(new_confined(), project)
    samples.save(project, title="theirs")
    theirs = project.read_bytes()
    with refuses("project-changed", ProjectFileError):
        saved(session, project)
    assert project.read_bytes() == theirs
    copy = project.with_name("copy.coterie.h5")
    saved(session, copy)
    assert validate(copy) == []
    assert project.read_bytes() == theirs


def test_it_is_overwritten_on_request_and_stays_as_backup(new_confined: Any, project: Path) -> None:
    session = opened(new_confined(), project)
    samples.save(project, title="theirs")
    theirs = project.read_bytes()
    saved(session, project, overwrite=True)
    assert project.with_name(f"{project.name}.bak").read_bytes() == theirs
    moved = project.rename(project.with_name("moved.coterie.h5"))
    assert key_of(opened(new_confined(), moved))


@pytest.mark.parametrize("damage", ["deleted", "truncated"])
def test_a_project_that_vanished_while_open_is_saved_from_the_workspace(
    new_confined: Any, project: Path, damage: str
) -> None:
    session = opened(new_confined(), project)
    session._storage.bring((key_of(session),))
    if damage == "deleted":
        project.unlink()
    else:
        os.truncate(project, 1000)
    saved(session, project)
    assert validate(project) == []
    session.close()
    assert key_of(opened(new_confined(), project))


def test_a_deleted_project_is_saved_from_the_handle_that_is_still_open(
    new_confined: Any, project: Path
) -> None:
    session = opened(new_confined(), project)
    assert key_of(session) not in session._storage.workspace
    project.unlink()
    saved(session, project)
    assert validate(project) == []


def test_a_damaged_result_in_the_workspace_is_found_when_it_is_saved(
    new_confined: Any, tmp_path: Path
) -> None:
    session = new_confined()
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    key = key_of(session)
    part = session._storage.folder / "artefacts" / key / "0.npy"
    part.chmod(0o600)
    data = bytearray(part.read_bytes())
    data[-1] ^= 1
    part.write_bytes(data)
    with refuses("project-not-saved", WorkspaceError):
        saved(session, tmp_path / "p.coterie.h5")
    assert key not in session._storage.workspace
    assert not list(tmp_path.glob(".p.coterie.h5*"))


MAPS = """
import sys
from pathlib import Path
from coterie.core.engine.options import EngineOptions
from coterie.projects.session import Session
session = Session(options=EngineOptions(plugin_folders=()), root=Path(sys.argv[2]), confined=True)
session.start()
session.project.open_file(Path(sys.argv[1])).result(60)
session.wait(60)
session._storage.bring(session._storage.opened.entries)
session.project.save(Path(sys.argv[1])).result(60)
session.wait(60)
print(Path("/proc/self/maps").read_text())
session.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists what a process maps")
def test_the_library_that_parses_projects_is_not_even_loaded(project: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", MAPS, project, tmp_path / "other"],
        capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "numpy" in done.stdout
    assert "hdf5" not in done.stdout
    assert "h5py" not in done.stdout

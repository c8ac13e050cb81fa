"""Work of a session that died is found again and can be restored."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.errors import WorkspaceError
from coterie.projects.jobs.job import Status
from coterie.projects.store.recovery import discard, orphans, unreadable
from coterie.projects.store.restoring import Adoption
from tests.refusals import refuses

DYING = """
import os, signal, sys
from pathlib import Path
from coterie.core.engine.options import EngineOptions
from coterie.projects.session import Session

session = Session(root=Path(sys.argv[1]), options=EngineOptions(plugin_folders=(), workers=1))
session.start()
session.project.open("arcs")
session.run("groups")
session.wait(60)
print(session.results.key("groups"), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_window_leaves_work_that_can_be_restored(new_session: Any, tmp_path: Path) -> None:
    root = tmp_path / "workspaces"
    root.mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", DYING, str(root)],
        capture_output=True,
        text=True,
        timeout=100,
        env=os.environ,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    key = ended.stdout.strip()

    found = orphans(root)
    assert [orphan.path for orphan in found] == [None]
    assert found[0].steps >= 3

    session = new_session()
    session.project.recover(found[0].folder)
    session.wait(60)
    assert session.results.key("groups") == key
    assert session.project.modified
    while not session.catalogue.methods:
        session.wait(0.1)
    assert session.status("groups") is Status.FRESH
    assert np.unique(session.results.artefact("groups").labels).size >= 2
    assert orphans(root) == []


def test_restored_work_still_has_what_was_in_its_project_file_alone(
    new_session: Any, tmp_path: Path
) -> None:
    path = tmp_path / "arcs.coterie.h5"
    first = new_session()
    first.project.open("arcs")
    first.run("groups")
    first.wait(60)
    first.project.save(path)
    first.wait(60)
    first.close()

    second = new_session()
    second.project.open(path)
    second.wait(60)
    second.edits.replace(second.recipe.changed("groups", seed=1), "change the seed")
    second.close(keep_work=True)  # nothing of the file was looked at

    third = new_session()
    (orphan,) = orphans(tmp_path / "workspaces")
    third.project.recover(orphan.folder)
    third.wait(60)
    assert third.fetch("similarity").n == third.fetch("data").n
    assert third.status("groups") is Status.STALE
    third.project.save(tmp_path / "again.coterie.h5")
    third.wait(60)
    assert third.project.path == tmp_path / "again.coterie.h5"
    assert "similarity" in third._storage.opened.left_out


def test_work_whose_state_is_not_understood_is_not_thrown_away(
    new_session: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "workspaces" / "workspace-old"
    folder.mkdir(parents=True)
    (folder / "session.json").write_text(json.dumps({"modified": True, "recipe": ""}))
    with refuses("file-damaged", WorkspaceError):
        new_session().project.recover(folder).result(60)
    assert folder.exists()


def test_the_workspace_of_a_running_session_is_no_orphan(new_session: Any, tmp_path: Path) -> None:
    session = new_session()
    session.project.open("arcs")
    assert orphans(tmp_path / "workspaces") == []
    session.close()
    assert list((tmp_path / "workspaces").iterdir()) == []


def test_a_workspace_that_is_being_made_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "starting-new").mkdir()
    assert orphans(tmp_path) == []
    assert (tmp_path / "starting-new").exists()
    os.utime(tmp_path / "starting-new", (0, 0))
    orphans(tmp_path)
    assert not (tmp_path / "starting-new").exists()


def test_remains_without_work_are_removed_and_unwanted_work_can_be(tmp_path: Path) -> None:
    empty = tmp_path / "workspace-empty"
    (empty / "artefacts").mkdir(parents=True)
    assert orphans(tmp_path) == []
    assert not empty.exists()
    wanted = tmp_path / "workspace-work"
    wanted.mkdir()
    (wanted / "session.json").write_text(
        '{"title": "T", "path": "", "steps": {}, "modified": true, "recipe": ""}'
    )
    (orphan,) = orphans(tmp_path)
    discard(orphan.folder)
    assert orphans(tmp_path) == []


def test_a_damaged_autosave_falls_back_to_the_one_before(new_session: Any, tmp_path: Path) -> None:
    first = new_session()
    first.project.open("arcs")
    first.edits.replace(first.recipe.changed("groups", seed=1), "change the seed")
    first.edits.replace(first.recipe.changed("groups", seed=2), "change the seed")
    folder = first._storage.folder
    first.close(keep_work=True)
    state = folder / "session.json"
    text = state.read_text()
    state.write_text(text.replace("seed = 2", "seed = 3"))
    assert state.read_text() != text
    (orphan,) = orphans(tmp_path / "workspaces")
    second = new_session()
    second.project.recover(orphan.folder)
    second.wait(60)
    assert second.recipe.find("groups").seed == 1


def test_work_whose_autosave_is_damaged_is_kept_for_a_month(tmp_path: Path) -> None:
    folder = tmp_path / "workspace-damaged"
    folder.mkdir()
    state = folder / "session.json"
    state.write_text("{")
    assert orphans(tmp_path) == []
    assert unreadable(tmp_path) == [folder]
    assert folder.exists()
    os.utime(state, (0, 0))
    orphans(tmp_path)
    assert not folder.exists()


def test_work_that_another_window_restored_is_gone(new_session: Any, tmp_path: Path) -> None:
    with refuses("work-in-use", WorkspaceError):
        new_session().project.recover(tmp_path / "workspaces" / "workspace-gone").result(60)


def test_what_is_in_the_project_file_alone_is_not_forgotten_while_it_is_opened_again(
    new_session: Any, tmp_path: Path
) -> None:
    path = tmp_path / "arcs.coterie.h5"
    first = new_session()
    first.project.open("arcs")
    first.run("groups")
    first.wait(60)
    first.project.save(path)
    first.wait(60)
    first.close()
    second = new_session()
    second.project.open(path)
    second.wait(60)
    second.edits.replace(second.recipe.changed("groups", seed=1), "change the seed")
    second.close(keep_work=True)

    third = new_session()
    recovering = third.project.recover(orphans(tmp_path / "workspaces")[0].folder)
    while not recovering.done():
        third.pump()
    third.project.save(path)  # at once, before the file was opened again
    # Killed now, it would be restored from what was autosaved at this moment.
    state = json.loads((third._storage.folder / "session.json").read_text())
    assert {"data", "similarity", "groups"} <= {*state["steps"], *state["left_out"]}
    third.wait(60)
    opened = third._storage.opened
    assert {"data", "similarity", "groups"} <= {*opened.steps, *opened.left_out}


def test_older_copies_of_work_that_went_on_elsewhere_are_not_offered(
    new_session: Any, tmp_path: Path
) -> None:
    root = tmp_path / "workspaces"
    first = new_session()
    first.project.open("arcs")
    first.edits.replace(first.recipe.changed("groups", seed=1), "change the seed")
    first.close(keep_work=True)
    copies = {}
    for _ in range(2):  # killed each time before what it restored from was removed
        (orphan,) = orphans(root)
        copy = tmp_path / orphan.folder.name
        shutil.copytree(orphan.folder, copy)
        copies[orphan.folder] = copy
        session = new_session()
        session.project.recover(orphan.folder)
        session.wait(60)
        session.close(keep_work=True)
        for folder, copy in copies.items():
            shutil.copytree(copy, folder, dirs_exist_ok=True)
        assert len(orphans(root)) == 1
        assert not any(folder.exists() for folder in copies)
        for folder, copy in copies.items():
            shutil.copytree(copy, folder, dirs_exist_ok=True)
    newest = max(root.iterdir(), key=lambda folder: (folder / "session.json").stat().st_mtime_ns)
    session = new_session()
    session.project.recover(newest)
    session.wait(60)
    assert [path.name for path in root.iterdir()] == [session._storage.folder.name]


@pytest.mark.parametrize("names", ['"workspace-a"', '["../elsewhere", "workspace-/../x", 3]'])
def test_a_state_cannot_have_other_folders_removed(tmp_path: Path, names: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    root = tmp_path / "workspaces"
    (root / "workspace-a").mkdir(parents=True)
    (root / "workspace-a" / "session.json").write_text(
        '{"title": "T", "path": "", "steps": {}, "modified": true, "recipe": "", '
        f'"adopted": {names}}}'
    )
    assert len(orphans(root)) == 1
    assert elsewhere.exists()


def left_work(new_session: Any) -> None:
    first = new_session()
    first.project.open("arcs")
    first.edits.replace(first.recipe.changed("groups", seed=7), "change the seed")
    first.run("data")
    first.wait(60)
    first.close(keep_work=True)


def test_results_are_taken_over_away_from_the_owners_thread(
    new_session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_work(new_session)
    threads: list[str] = []
    link = os.link

    def watched(source: Path, target: Path) -> None:
        if "artefacts" in Path(source).parts:
            threads.append(threading.current_thread().name)
        link(source, target)

    monkeypatch.setattr(os, "link", watched)
    session = new_session()
    (orphan,) = orphans(tmp_path / "workspaces")
    session.project.recover(orphan.folder)
    session.wait(60)
    assert threads
    assert threading.main_thread().name not in threads
    assert session.recipe.find("groups").seed == 7
    assert session.fetch("data").n
    assert not orphan.folder.exists()


def test_work_stays_where_it_is_when_another_project_is_begun_meanwhile(
    new_session: Any, tmp_path: Path
) -> None:
    left_work(new_session)
    (orphan,) = orphans(tmp_path / "workspaces")
    session = new_session()
    recovering = session.project.recover(orphan.folder)
    session.project.open("iris")
    session.wait(60)
    with refuses("work-in-use", WorkspaceError):
        recovering.result(60)
    assert session.recipe.sources[0].open == "iris"
    assert [one.folder for one in orphans(tmp_path / "workspaces")] == [orphan.folder]
    state = json.loads((session._storage.folder / "session.json").read_text())
    assert not state["adopted"]
    discard(orphan.folder)


def test_work_that_cannot_be_named_here_stays_where_it_was(
    new_session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_work(new_session)
    (orphan,) = orphans(tmp_path / "workspaces")
    session = new_session()

    def full(_: object) -> None:
        raise WorkspaceError("The autosave could not be written: no space. Free some disk space.")

    monkeypatch.setattr(session._storage.home, "keep_state", full)
    recovering = session.project.recover(orphan.folder)
    session.wait(60)
    with pytest.raises(WorkspaceError, match="autosave"):
        recovering.result(60)
    assert [one.folder for one in orphans(tmp_path / "workspaces")] == [orphan.folder]
    discard(orphan.folder)


def test_work_is_free_again_when_the_session_is_closed_on_the_way(
    new_session: Any, tmp_path: Path
) -> None:
    left_work(new_session)
    (orphan,) = orphans(tmp_path / "workspaces")
    session = new_session()
    session.project.recover(orphan.folder)
    session.close()
    assert [one.folder for one in orphans(tmp_path / "workspaces")] == [orphan.folder]
    discard(orphan.folder)


@pytest.mark.parametrize("by", ["quota", "trials"])
def test_what_is_let_go_in_the_name_of_the_project_before_spares_restored_work(
    new_session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    left_work(new_session)
    (orphan,) = orphans(tmp_path / "workspaces")
    restored = [folder.name for folder in (orphan.folder / "artefacts").iterdir()]
    session = new_session()
    session.project.open("iris")
    session.run("data")
    session.wait(60)
    before = session.results.key("data")
    session._quota = 0
    keep = Adoption.keep

    def keep_too_late(adoption: Adoption[Any]) -> None:
        """A step or sweep of the project before ends just when all the work is here."""
        if by == "quota":
            session._runs.computed.emit("data", True)
        else:
            session._background.do_quietly(lambda: session._storage.let_go(restored))
        keep(adoption)

    monkeypatch.setattr(Adoption, "keep", keep_too_late)
    session.project.recover(orphan.folder)
    session.wait(60)
    assert session.results.key("data") in restored
    assert session.fetch("data").n
    assert not orphan.folder.exists()
    # Afterwards it is a project like others: what nobody names makes room.
    session._runs.computed.emit("data", True)
    session._background.do("wait", lambda: None, lambda _: None)
    session.wait(60)
    assert before not in session._storage.workspace
    assert session._storage.home.spared == frozenset()

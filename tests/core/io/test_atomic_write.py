"""Half-written files of processes that are no more are cleared up, and no others."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from coterie.core.io.atomic_write import where_processes_count, writing_place


def dead_process() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_what_a_dead_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    here = where_processes_count()
    dead, alive = f"{here}-{dead_process()}", f"{here}-{os.getppid()}"
    doomed = [
        f".map-writing-{dead}.tif",
        f".map-writing-{dead}.tif.aux.xml",
        f"..map-writing-{dead}.tif.aux.xml-writing-{dead}",
        f".map-writing-{dead}",
    ]
    kept = [
        "map.tif",
        f".map-writing-{alive}.tif",
        f".other-writing-{dead}.tif",
        f".map-{dead}.tif",
        f".map-writing-{here}-x.tif",
    ]
    for name in (*doomed[:-1], *kept):
        (tmp_path / name).touch()
    (tmp_path / doomed[-1]).mkdir()
    (tmp_path / doomed[-1] / "1.tif").touch()
    place = writing_place(tmp_path / "map.tif")
    assert place == tmp_path / f".map-writing-{here}-{os.getpid()}.tif"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


def test_what_is_written_on_another_computer_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = dead_process()  # here; there, it may well run
    with monkeypatch.context() as there:
        there.setattr(socket, "gethostname", lambda: "another")
        there.setattr(os, "getpid", lambda: dead)
        place = writing_place(tmp_path / "map.tif")
    place.touch()
    writing_place(tmp_path / "map.tif")
    assert place.exists()
    with monkeypatch.context() as there:
        there.setattr(socket, "gethostname", lambda: "another")
        writing_place(tmp_path / "map.tif")
    assert not place.exists()


def test_the_stem_may_be_given(tmp_path: Path) -> None:
    pid = f"{where_processes_count()}-{os.getpid()}"
    assert writing_place(tmp_path / "a.b.c", "a").name == f".a-writing-{pid}.b.c"
    assert writing_place(tmp_path / "home", "home").name == f".home-writing-{pid}"
    assert writing_place(tmp_path / "gone" / "x.y").parent.name == "gone"  # writing will say so

"""Saving keeps the old or the new project whole, whatever happens."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import weakref
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from coterie.core.errors import ProjectFileError
from coterie.core.model.artefacts import Artefact
from coterie.core.model.results import Model
from coterie.projects.store.hdf5 import layout, saving
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.saving import Content, save_project
from coterie.projects.store.hdf5.temporary import TemporaryFile
from coterie.projects.store.hdf5.validation import validate
from tests.refusals import refuses

from . import samples

STAGES = (
    "create",
    "plan",
    "copy",
    "write",
    "flush",
    "sync",
    "verify",
    "back up",
    "replace",
    "sync folder",
    "done",
)

# Saves a project called "new" over one called "old", and is killed on the way.
CHILD = """
import os, signal, sys
from pathlib import Path
import numpy as np
from coterie.core.model.artefacts import Artefact
from coterie.core.model.encoding import Encoded
from coterie.projects.store.hdf5.saving import Content, save_project

path, fatal, old, new = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
made = Artefact(new, Encoded("model", 1, {}, {"arrays/x": np.arange(100_000.0)}))

def stage(name):
    if name == fatal:
        os.kill(os.getpid(), signal.SIGKILL)

save_project(
    path,
    Content(title="new", created="", recipe="", keys=(old, new)),
    find={new: made}.get,
    previous=path,
    stage=stage,
)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "p.coterie.h5"


def title_of(path: Path) -> str:
    assert validate(path) == []
    with ProjectFile.open(path) as file:
        return file.header.title


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize("fatal", STAGES)
def test_a_save_killed_at_any_stage_leaves_the_old_or_the_new_file_whole(
    path: Path, fatal: str
) -> None:
    (old,) = samples.save(path, [samples.points()], title="old")
    new = samples.key_of("new")
    killed = subprocess.run([sys.executable, "-c", CHILD, path, fatal, old.key, new], check=False)
    assert killed.returncode == -signal.SIGKILL

    after = STAGES.index(fatal) > STAGES.index("replace")
    assert title_of(path) == ("new" if after else "old")
    with ProjectFile.open(path) as file:
        assert samples.same(old, file.read(old.key))
        assert (new in file.entries) == after
    backup = path.with_name(f"{path.name}.bak")
    assert not backup.exists() or title_of(backup) == "old"

    samples.save(path, title="later")
    assert title_of(path) == "later"
    assert names(path.parent) == [path.name, backup.name]


def test_the_stages_are_all_there_are(path: Path) -> None:
    samples.save(path, [samples.points()])
    made = samples.artefacts()
    stages: list[str] = []
    save_project(
        path,
        samples.content(made),
        find=samples.finder(made[1:]),
        previous=path,
        stage=stages.append,
    )
    assert tuple(dict.fromkeys(stages)) == STAGES


@pytest.mark.parametrize("fatal", STAGES[:-2])
def test_a_save_that_fails_leaves_everything_as_it_was(path: Path, fatal: str) -> None:
    (old,) = samples.save(path, [samples.points()], title="old")
    before = path.read_bytes()

    def stage(name: str) -> None:
        if name == fatal:
            raise OSError(28, "No space left on device")

    made = samples.artefacts()[1:]
    with refuses("file-access", ProjectFileError) as caught:
        save_project(
            path,
            samples.content(made, title="new", keys=(old.key, *(a.key for a in made))),
            find=samples.finder(made),
            previous=path,
            stage=stage,
        )
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert set(names(path.parent)) <= {path.name, f"{path.name}.bak"}
    # HDF5 must not hold on to the file that was given up.
    assert not [name for name in _open_files() if name.endswith(".saving")]


def _open_files() -> list[str]:
    links = Path("/proc/self/fd")
    if not links.exists():
        return []
    found = []
    for link in links.iterdir():
        try:
            found.append(str(link.readlink()))
        except OSError:
            continue
    return found


def test_the_previous_file_stays_as_backup(path: Path) -> None:
    for title in ("first", "second", "third"):
        samples.save(path, title=title)
    assert title_of(path) == "third"
    assert title_of(path.with_name(f"{path.name}.bak")) == "second"
    assert names(path.parent) == [path.name, f"{path.name}.bak"]


def test_a_damaged_file_does_not_drive_out_a_good_backup(path: Path) -> None:
    samples.save(path, title="first")
    samples.save(path, title="second")
    path.write_bytes(path.read_bytes()[:5000])
    samples.save(path, title="third")
    assert title_of(path.with_name(f"{path.name}.bak")) == "first"
    assert path.with_name(f"{path.name}.damaged").stat().st_size == 5000


def test_a_disk_without_hard_links_gets_a_copied_backup(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*names: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    samples.save(path, title="first")
    samples.save(path, title="second")
    assert title_of(path.with_name(f"{path.name}.bak")) == "first"


def test_what_is_not_in_memory_is_copied_as_stored(path: Path, tmp_path: Path) -> None:
    made = samples.save(path)
    other = tmp_path / "other.coterie.h5"
    save_project(other, samples.content(made), find=lambda key: None, previous=path)
    with ProjectFile.open(other) as file:
        for artefact in made:
            assert samples.same(artefact, file.read(artefact.key))


def test_damage_in_what_is_copied_stays_where_it_was(path: Path) -> None:
    """A chunk is copied as it is: its checksum still tells that it was damaged, and only it."""
    x = samples.artefact("x", Model(arrays={"x": np.random.default_rng(0).random(1000)}))
    y = samples.artefact("y", Model(arrays={"y": np.ones(10)}))
    samples.save(path, [x, y])
    with h5py.File(path) as file:
        chunk = file[f"results/{x.key}/arrays/x"].id.get_chunk_info(0)
    raw = bytearray(path.read_bytes())
    raw[chunk.byte_offset + 100] ^= 0xFF
    path.write_bytes(raw)
    save_project(path, samples.content([x, y]), find=lambda key: None, previous=path)
    with ProjectFile.open(path) as file:
        assert samples.same(y, file.read(y.key))
        with refuses("file-damaged", ProjectFileError, match=f"damaged.*{x.key}"):
            file.read(x.key)
    (finding,) = validate(path)
    assert x.key in finding.where


def test_datasets_and_the_results_of_steps_come_by_themselves(path: Path) -> None:
    made = {artefact.key: artefact for artefact in samples.artefacts()}
    groups, trace = samples.key_of("groups"), samples.key_of("trace")
    content = Content(
        title="", created="", recipe="", steps={"g": {"key": groups, "parts": {"trace": trace}}}
    )
    save_project(path, content, find=made.get)
    with ProjectFile.open(path) as file:
        assert set(file.entries) == {groups, trace, samples.points().key}
        assert file.steps == content.steps
    assert validate(path) == []


def test_a_result_found_nowhere_is_an_error_before_anything_is_replaced(path: Path) -> None:
    samples.save(path, title="old")
    content = samples.content([], keys=(samples.key_of("lost"),))
    with refuses("result-missing", ProjectFileError):
        save_project(path, content, find=lambda key: None, previous=path)
    assert title_of(path) == "old"
    assert names(path.parent) == [path.name]


def test_a_damaged_previous_file_does_not_keep_us_from_saving_what_is_in_memory(path: Path) -> None:
    made = samples.save(path, title="old")
    path.write_bytes(path.read_bytes()[:3000])
    save_project(path, samples.content(made, title="new"), find=samples.finder(made), previous=path)
    assert title_of(path) == "new"


def test_a_file_from_a_newer_coterie_is_not_replaced(path: Path) -> None:
    samples.save(path)
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        file.attrs["schema"] = layout.SCHEMA + 1
    before = path.read_bytes()
    with refuses("newer-version", ProjectFileError):
        samples.save(path)
    assert path.read_bytes() == before


def test_saving_and_reading_go_on_in_several_threads(path: Path, tmp_path: Path) -> None:
    """HDF5 calls back into Python while a project is written; that must not lock up."""
    made = samples.save(path)

    def save(number: int) -> None:
        samples.save(tmp_path / f"{number}.coterie.h5", made)

    def read(_: int) -> bool:
        with ProjectFile.open(path) as file:
            return all(samples.same(artefact, file.read(artefact.key)) for artefact in made)

    with ThreadPoolExecutor(4) as pool:
        saved = [pool.submit(save, number) for number in range(4)]
        whole = list(pool.map(read, range(8)))
        for future in saved:
            future.result()
    assert all(whole)


def test_a_result_that_vanishes_while_saving_is_an_error(path: Path) -> None:
    made = samples.points()
    answers: list[Artefact | None] = [made, None]
    with refuses("result-missing", ProjectFileError):
        save_project(path, samples.content([made]), find=lambda key: answers.pop(0))
    assert names(path.parent) == []


def test_what_does_not_read_back_is_not_taken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples.save(path, title="old")
    write_through = saving._sync

    def failing_disk(written: TemporaryFile) -> None:
        write_through(written)
        with h5py.File(written.path, "r+", libver=("v108", "latest"), locking=False) as file:
            labels = file[f"results/{samples.key_of('groups')}/labels"]
            labels[0] = 7

    monkeypatch.setattr(saving, "_sync", failing_disk)
    with refuses("project-not-saved", ProjectFileError):
        samples.save(path, title="new")
    assert title_of(path) == "old"


def test_a_full_disk_is_noticed_before_writing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda folder: usage(10**9, 10**9, 1000))
    with refuses("disk-full", ProjectFileError, match="1.0"):
        samples.save(path)
    assert names(path.parent) == []


FULL = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from coterie.core.model.artefacts import Artefact
from coterie.core.model.encoding import Encoded
from coterie.core.errors import ProjectFileError
from coterie.projects.store.hdf5.saving import Content, save_project

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
noise = np.random.default_rng(0).random(300_000)
made = Artefact(sys.argv[2], Encoded("model", 1, {}, {"arrays/x": noise}))
content = Content(title="new", created="", recipe="", keys=(made.key,))
try:
    save_project(sys.argv[1], content, find={made.key: made}.get)
except ProjectFileError as error:
    print(error)
"""


@pytest.mark.parametrize("limit", [0, 1000, 50_000, 1_000_000, 2_000_000])
def test_a_disk_that_fills_up_while_writing_costs_nothing(path: Path, limit: int) -> None:
    """A limit on the size of a file fails in the same calls as a full disk, at any byte we like."""
    samples.save(path, title="old")
    child = subprocess.run(
        [sys.executable, "-c", FULL, path, samples.key_of("x"), str(limit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (child.returncode, child.stderr) == (0, "")
    assert "the disk is full" in child.stdout
    assert title_of(path) == "old"
    assert names(path.parent) == [path.name]


def test_a_missing_folder_gets_a_sentence(tmp_path: Path) -> None:
    with refuses("file-access", ProjectFileError):
        samples.save(tmp_path / "gone" / "p.coterie.h5")


def test_a_folder_in_the_way_gets_a_sentence(path: Path) -> None:
    path.mkdir()
    with refuses("project-not-saved", ProjectFileError):
        samples.save(path)


def test_a_read_only_file_is_respected(path: Path) -> None:
    samples.save(path, title="old")
    path.chmod(0o444)
    with refuses("file-access", ProjectFileError):
        samples.save(path, title="new")
    assert title_of(path) == "old"


FORBIDDEN = """
import os, sys
from coterie.core.errors import ProjectFileError
from coterie.projects.store.hdf5.saving import Content, save_project
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
try:
    save_project(sys.argv[1], Content("new", "", ""), find=lambda key: None)
except ProjectFileError as error:
    print(error)
"""


def test_a_folder_that_may_not_be_written_gets_a_sentence(path: Path) -> None:
    path.parent.chmod(0o555)
    try:
        child = subprocess.run(
            [sys.executable, "-c", FORBIDDEN, path], capture_output=True, text=True, check=False
        )
    finally:
        path.parent.chmod(0o755)
    assert "you do not have permission to write to" in child.stdout, child.stderr
    assert names(path.parent) == []


def test_a_link_keeps_pointing_to_its_project(path: Path, tmp_path: Path) -> None:
    samples.save(path, title="old")
    link = tmp_path / "link.coterie.h5"
    link.symlink_to(path)
    samples.save(link, title="new")
    assert link.is_symlink()
    assert title_of(path) == "new"


def test_the_mode_of_a_file_is_kept(path: Path) -> None:
    samples.save(path)
    path.chmod(0o640)
    samples.save(path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_title_too_long_is_an_error(path: Path) -> None:
    with refuses("project-not-saved", ProjectFileError, match="1000"):
        samples.save(path, title="x" * 1001)


def test_artefacts_are_let_go_before_the_next_is_asked_for(path: Path) -> None:
    """They may be mapped files: to hold all at once would run out of handles."""
    made = {artefact.key: artefact for artefact in samples.artefacts()}
    given: list[weakref.ref[Artefact]] = []

    def find(key: str) -> Artefact | None:
        assert sum(reference() is not None for reference in given) <= 1
        artefact = dataclasses.replace(made[key])
        given.append(weakref.ref(artefact))
        return artefact

    save_project(path, samples.content(made.values()), find=find)
    assert len(given) == 2 * len(made)

"""Full disks, lost permissions, lost sources and two windows: a sentence, and nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from coterie.core.errors import CoterieError
from coterie.projects.jobs.job import Status
from coterie.projects.session import Session
from coterie.projects.store.hdf5.locking import ProjectInUseError
from coterie.projects.store.hdf5.validation import validate

from .conftest import NewSession
from .files import SceneGround
from .work import STEPS, Ground


def saved(session: Session, path: Path) -> None:
    saving = session.project.save(path)
    session.wait(60)
    saving.result()


def computed(session: Session, ground: Ground, number: int = 1) -> Session:
    session.project.load_recipe(ground.recipe(number))
    session.run()
    session.wait(60)
    assert all(session.status(name) is Status.FRESH for name in STEPS)
    return session


def sentence_of(error: BaseException) -> str:
    """Return what a person reads; it must be one clear sentence or two, and no traceback."""
    text = str(error)
    assert isinstance(error, CoterieError), repr(error)
    assert "\n" not in text
    assert text.endswith(".")
    assert "Errno" not in text
    return text


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB, where this user may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "coterie-test", str(place)]
    try:
        mounted = subprocess.run(mount, check=False, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def fill(disk: Path) -> Path:
    """Leave no byte free."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as stream:
        for size in (1 << 16, 1 << 10, 1):
            try:
                while True:
                    stream.write(b"x" * size)
            except OSError:
                continue
    return ballast


def test_a_full_disk_costs_neither_the_project_nor_the_session(
    small_disk: Path, new_session: NewSession
) -> None:
    ground = Ground(small_disk / "ground")
    ground.prepare()
    session = computed(new_session(ground), ground)
    saved(session, ground.project)
    before = ground.project.read_bytes()
    lines: list[str] = []
    session.logged.connect(lines.append)
    ballast = fill(small_disk)

    session.edits.replace(replace(session.recipe.changed("groups", seed=7), title="7"), "change")
    assert any("autosave could not be written" in line for line in lines)
    session.run()
    session.wait(60)
    failure = session.failure("groups")
    assert failure is not None
    assert "Free some disk space and run the step again." in failure.message
    with pytest.raises(CoterieError) as caught:
        saved(session, ground.project)
    assert "disk" in sentence_of(caught.value)
    assert ground.project.read_bytes() == before
    assert validate(ground.project) == []

    ballast.unlink()
    session.run()
    session.wait(60)
    saved(session, ground.project)
    assert validate(ground.project) == []
    assert session.status("groups") is Status.FRESH


def test_a_project_on_a_full_disk_can_be_opened(small_disk: Path, new_session: NewSession) -> None:
    ground, elsewhere = Ground(small_disk / "ground"), Ground(small_disk.parent / "elsewhere")
    ground.prepare()
    elsewhere.prepare()
    session = computed(new_session(elsewhere), ground)
    saved(session, ground.project)
    session.project.load_recipe(ground.recipe(2))
    fill(small_disk)
    opening = session.project.open_file(ground.project)
    session.wait(60)
    opening.result()
    assert session.fetch("groups") is not None


def test_a_session_on_a_full_disk_begins_or_says_why(small_disk: Path) -> None:
    ground = Ground(small_disk / "ground")
    ground.prepare()
    fill(small_disk)
    problem: BaseException | None = None
    try:
        ground.session().close()
    except CoterieError as error:
        problem = error
    assert problem is None or "Free some disk space" in sentence_of(problem)


def test_results_stay_when_their_source_is_removed(ground: Ground, new_session: NewSession) -> None:
    session = computed(new_session(ground), ground)
    saved(session, ground.project)
    ground.data.unlink()
    session.edits.replace(session.recipe.changed("groups", seed=9), "change")
    session.run("groups")
    session.wait(60)
    assert session.status("groups") is Status.FRESH
    saved(session, ground.project)
    assert validate(ground.project) == []

    session.run(reread=True)
    session.wait(60)
    failure = session.failure("data")
    assert failure is not None
    assert "points.csv" in failure.message
    assert session.fetch("groups") is not None
    saved(session, ground.project)
    assert validate(ground.project) == []


def test_a_project_whose_folder_vanished_is_saved_elsewhere(
    ground: Ground, new_session: NewSession, tmp_path: Path
) -> None:
    away = Ground(tmp_path / "stick")
    away.folder.mkdir()
    session = computed(new_session(ground), ground)
    saved(session, away.project)
    session.edits.replace(session.recipe.changed("groups", seed=9), "change")
    for path in away.folder.iterdir():
        path.unlink()
    away.folder.rmdir()
    with pytest.raises(CoterieError) as caught:
        saved(session, away.project)
    assert "stick does not exist" in sentence_of(caught.value)
    session.run()
    session.wait(60)
    saved(session, ground.project)
    assert validate(ground.project) == []


HOLD = """
import sys
from coterie.projects.store.hdf5.locking import ProjectLock
lock = ProjectLock.acquire(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


def test_a_project_opened_twice_is_refused_by_name_until_the_first_dies(
    ground: Ground, new_session: NewSession
) -> None:
    session = computed(new_session(ground), ground)
    saved(session, ground.project)
    session.project.load_recipe(ground.recipe(2))
    session.wait(60)
    command = [sys.executable, "-c", HOLD, str(ground.project)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        opening = session.project.open_file(ground.project)
        session.wait(60)
        with pytest.raises(ProjectInUseError) as caught:
            opening.result()
        assert str(other.pid) in sentence_of(caught.value)
        reading = session.project.open_file(ground.project, lock=False)
        session.wait(60)
        reading.result()
        assert session.fetch("groups") is not None
        other.kill()
    opening = session.project.open_file(ground.project)
    session.wait(60)
    opening.result()


FORBIDDEN = """
import os, sys
from pathlib import Path
from coterie.core.errors import CoterieError
from tests.faults.work import Ground
ground = Ground(Path(sys.argv[1]))
ground.root = Path(sys.argv[2])
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
session = ground.session()
try:
    opening = session.project.open_file(ground.project)
    session.wait(60)
    opening.result()
    print("opened")
except CoterieError as error:
    print(error)
reading = session.project.open_file(ground.project, lock=False)
session.wait(60)
print(len(reading.result().entries))
session.close()
"""


def test_a_project_in_a_folder_one_may_not_write_can_be_read(
    ground: Ground, new_session: NewSession, tmp_path: Path
) -> None:
    session = computed(new_session(ground), ground)
    saved(session, ground.project)
    session.close()
    homes = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    anywhere = tmp_path / "anywhere"
    anywhere.mkdir()
    anywhere.chmod(0o777)
    for folder in (tmp_path, *tmp_path.parents):
        if "pytest" in str(folder):  # what pytest made, however deep its workers put it
            folder.chmod(folder.stat().st_mode | 0o055)
    ground.folder.chmod(0o555)
    try:
        ended = subprocess.run(
            [sys.executable, "-c", FORBIDDEN, ground.folder, anywhere],
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).resolve().parents[2],
            env=os.environ | dict.fromkeys(homes, str(anywhere)),
        )
    finally:
        ground.folder.chmod(0o755)
    assert ended.returncode == 0, ended.stderr
    first, second = ended.stdout.splitlines()
    assert "cannot be opened for editing: you do not have permission to write to" in first
    assert int(second) >= len(STEPS)
    assert validate(ground.project) == []


LOCKED_OUT = """
import os, sys
from dataclasses import replace
from pathlib import Path
from coterie.core.errors import CoterieError
from tests.faults.work import Ground
from tests.faults.killing import load_all_modules
from tests.faults.test_disk import computed, saved, sentence_of
ground = Ground(Path(sys.argv[1]))
load_all_modules()  # not everybody may read where Python lies
warm = Ground(Path(sys.argv[2]) / "warm")
warm.prepare()
rehearsal = warm.session()
rehearsal.start()
saved(computed(rehearsal, warm), warm.project)
rehearsal.close()
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
session = ground.session()
session.start()
lines = []
session.logged.connect(lines.append)

def edit(number):
    recipe = replace(session.recipe.changed("groups", seed=number), title=str(number))
    session.edits.replace(recipe, "change")
    session.run()
    session.wait(60)

computed(session, ground)
saved(session, ground.project)
before = ground.project.read_bytes()
ground.folder.chmod(0o555)
edit(7)
try:
    saved(session, ground.project)
except CoterieError as error:
    print(sentence_of(error))
assert ground.project.read_bytes() == before
ground.folder.chmod(0o755)
saved(session, ground.project)
work = session._storage.folder
for place in (work / "artefacts", work):
    place.chmod(0o555)
edit(8)
print(session.failure("groups").message)
print([line for line in lines if "autosave" in line][0])
for place in (work, work / "artefacts"):
    place.chmod(0o755)
edit(9)
assert session.failure("groups") is None
saved(session, ground.project)
session.close()
"""


@pytest.fixture
def for_all() -> Iterator[Path]:
    """A folder that everybody may look into: pytest's own is closed again by each that starts."""
    with tempfile.TemporaryDirectory(prefix="coterie-") as name:
        folder = Path(name)
        for path in (folder, *folder.parents):
            if "coterie-" in str(path):  # that of these tests, too
                path.chmod(path.stat().st_mode | 0o055)
        yield folder


def test_permission_that_is_taken_away_meanwhile_costs_nothing(for_all: Path) -> None:
    ground = Ground(for_all / "ground")
    ground.prepare()
    homes = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    anywhere = for_all / "anywhere"
    anywhere.mkdir()
    anywhere.chmod(0o777)
    if os.geteuid() == 0:
        for path in (ground.folder, *ground.folder.rglob("*")):
            os.chown(path, 65534, 65534)
    ended = subprocess.run(
        [sys.executable, "-c", LOCKED_OUT, ground.folder, anywhere],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).resolve().parents[2],
        env=os.environ | dict.fromkeys(homes, str(anywhere)),
    )
    ground.folder.chmod(0o755)
    assert ended.returncode == 0, ended.stderr
    unsaved, failed, logged = ended.stdout.splitlines()
    assert "was not saved: you do not have permission to write to" in unsaved
    assert "could not be written to the workspace: Permission denied" in failed
    assert "autosave could not be written: Permission denied" in logged
    assert validate(ground.project) == []


def test_a_scene_that_is_found_again_on_a_full_disk_is_not_lost(
    small_disk: Path, new_session: NewSession
) -> None:
    ground = SceneGround(small_disk / "ground")
    ground.prepare()
    session = computed(new_session(ground), ground)
    key = session.results.key("data")
    ground.data.rename(ground.moved)
    ballast = fill(small_disk)
    finding = session.files.relink("data", ground.moved)
    session.wait(60)
    with pytest.raises(CoterieError) as caught:
        finding.result()
    assert "Free some disk space" in sentence_of(caught.value)
    assert str(key) in session._storage.workspace
    ballast.unlink()
    again = session.files.relink("data", ground.moved)
    session.wait(60)
    again.result()
    assert session.fetch("data").details["scene"]["path"] == str(ground.moved)
    saved(session, ground.project)
    assert validate(ground.project) == []

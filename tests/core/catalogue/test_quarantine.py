"""A plugin that takes the process down at import is left out until it changes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coterie.core.catalogue.quarantine import Quarantine, marker
from coterie.core.catalogue.registry import Registry

from .plugin_files import drop_in, good

LOAD = """
import sys
from pathlib import Path
from coterie.core.catalogue.quarantine import Quarantine
from coterie.core.catalogue.registry import Registry
quarantine = Quarantine(Path(sys.argv[1]))
quarantine.collect()
catalogue = Registry.load([Path(sys.argv[2])], quarantine=quarantine).catalogue
print(*(d.id for d in catalogue if ":" in d.id))
print(*(b.error for b in catalogue.broken), sep="\\n")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "quarantine"


def load(folder: Path, plugins: Path) -> tuple[int, list[str]]:
    command = [sys.executable, "-c", LOAD, str(folder), str(plugins)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def test_a_plugin_that_aborts_is_disabled_at_the_next_start_and_says_so(
    tmp_path: Path, folder: Path
) -> None:
    bad = drop_in(tmp_path / "plugins", "a_bad.py", "import os\nos.abort()\n")
    drop_in(tmp_path / "plugins", "b_good.py", good())
    code, _ = load(folder, tmp_path / "plugins")
    assert code < 0
    code, lines = load(folder, tmp_path / "plugins")
    assert code == 0
    assert lines[0] == "local:flat"
    assert "crashed the engine while loading" in lines[1]

    bad.write_text(good("Mended", "mended"))  # a changed file is tried again
    code, lines = load(folder, tmp_path / "plugins")
    assert (code, lines[0]) == (0, "local:mended local:flat")


def test_a_process_that_is_importing_is_left_alone(tmp_path: Path, folder: Path) -> None:
    quarantine = Quarantine(folder)
    with quarantine.watching("slow", "1"):
        Quarantine(folder).collect()
        assert quarantine.entries() == {}
        assert marker(folder, os.getpid()).exists()
    assert not marker(folder, os.getpid()).exists()


def test_an_import_that_merely_raises_is_no_death(folder: Path) -> None:
    quarantine = Quarantine(folder)
    with pytest.raises(ValueError, match="no"), quarantine.watching("raises", "1"):
        raise ValueError("no")
    quarantine.collect()
    assert quarantine.entries() == {}


def test_a_process_ended_on_purpose_is_forgiven(tmp_path: Path, folder: Path) -> None:
    drop_in(tmp_path / "plugins", "slow.py", "import time\ntime.sleep(600)\n")
    command = [sys.executable, "-c", LOAD, str(folder), str(tmp_path / "plugins")]
    with subprocess.Popen(command) as process:
        mark = marker(folder, process.pid)
        until = time.monotonic() + 60
        while not (mark.exists() and mark.read_text()):
            assert time.monotonic() < until
            time.sleep(0.01)
        process.kill()
        process.wait()
    quarantine = Quarantine(folder)
    quarantine.forgive(process.pid)
    quarantine.collect()
    assert quarantine.entries() == {}


def test_who_stood_down_leaves_no_marker(folder: Path) -> None:
    quarantine = Quarantine(folder)
    with quarantine.watching("plugin", "1"):
        quarantine.stand_down()
        assert list(folder.glob("importing-*")) == []


def test_a_plugin_in_quarantine_is_known_by_name_and_stamp(folder: Path) -> None:
    quarantine = Quarantine(folder)
    for text in ('["with\\nnewline", "1"]', '["other", "2"]'):
        (folder / f"importing-{len(text)}").write_text(text)
        quarantine.collect()
    assert quarantine.holds("with\nnewline", "1")
    assert not quarantine.holds("with\nnewline", "2")
    quarantine.release("with\nnewline")
    assert quarantine.entries() == {"other": "2"}


@pytest.mark.parametrize("text", ["", "[", "3", "[]", '["only a name"]', "\0\1"])
def test_what_is_left_of_a_marker_or_of_the_list_does_no_harm(text: str, folder: Path) -> None:
    quarantine = Quarantine(folder)
    (folder / "importing-1").write_text(text)
    (folder / "quarantine.json").write_text(text)
    quarantine.collect()
    assert quarantine.entries() == {}
    assert not (folder / "importing-1").exists()


def test_without_quarantine_all_plugins_are_loaded(tmp_path: Path) -> None:
    drop_in(tmp_path, "a.py", good())
    assert "kernel/local:flat" in Registry.load([tmp_path]).catalogue


def test_a_plugin_that_was_switched_off_is_left_out_and_says_so(
    tmp_path: Path, folder: Path
) -> None:
    file = drop_in(tmp_path, "a.py", good())
    quarantine = Quarantine(folder)
    quarantine.switch(str(file), on=False)
    catalogue = Registry.load([tmp_path], quarantine=Quarantine(folder)).catalogue
    assert "kernel/local:flat" not in catalogue
    (broken,) = (b for b in catalogue.broken if b.name == "local file a.py")
    assert "switched off" in broken.error
    quarantine.switch(str(file), on=True)
    assert quarantine.switched_off() == frozenset()
    assert "kernel/local:flat" in Registry.load([tmp_path], quarantine=quarantine).catalogue


def test_switching_on_gives_another_chance(folder: Path) -> None:
    quarantine = Quarantine(folder)
    (folder / "importing-1").write_text('["bad", "1"]')
    quarantine.collect()
    assert quarantine.holds("bad", "1")
    quarantine.switch("bad", on=True)
    assert not quarantine.holds("bad", "1")


@pytest.mark.parametrize("text", ["", "[", "3", "null"])
def test_a_damaged_list_of_switches_switches_nothing_off(text: str, folder: Path) -> None:
    quarantine = Quarantine(folder)
    (folder / "switched-off.json").write_text(text)
    assert quarantine.switched_off() == frozenset()

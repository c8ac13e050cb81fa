"""Plugins are found without running a line of them, and one odd thing does not hide the others."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from coterie.core.catalogue.discovery import catalogue_stamp, find_plugins

from .plugin_files import distribution, drop_in, good


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_the_built_ins_come_first_and_have_no_prefix() -> None:
    first = find_plugins()[0]
    assert first.built_in
    assert first.module == "coterie.plugins"
    assert first.stamp


def test_finding_runs_nothing(tmp_path: Path, site: Path) -> None:
    trace = tmp_path / "ran"
    loud = f"open({str(trace)!r}, 'w').close()\n"
    drop_in(tmp_path / "plugins", "loud.py", loud)
    distribution(
        site,
        "loud-lab",
        {"loud_lab/__init__.py": loud, "loud_lab/deep/__init__.py": loud},
        "x = loud_lab.deep",
    )
    found = [source.prefix for source in find_plugins([tmp_path / "plugins"])]
    catalogue_stamp([tmp_path / "plugins"])
    assert found[0] == ""
    assert {"local", "loud-lab"} <= set(found)
    assert not trace.exists()
    assert "loud_lab" not in sys.modules


def test_an_installed_plugin_has_its_distribution_as_prefix(site: Path) -> None:
    distribution(site, "My_Lab", {"my_lab.py": good()}, "kernels = my_lab:extra [gpu]")
    (source,) = (s for s in find_plugins() if s.prefix == "my-lab")
    assert source.module == "my_lab"
    assert source.origin == "My_Lab 1.2"


def test_the_same_distribution_further_down_the_path_is_hidden(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distribution(site, "twice", {"twice.py": good()}, "x = twice")
    other = tmp_path / "other"
    distribution(other, "twice", {"twice.py": good()}, "x = twice", version="9")
    monkeypatch.setattr(sys, "path", [*sys.path, str(other)])
    origins = [s.origin for s in find_plugins() if s.prefix == "twice"]
    assert origins == ["twice 1.2"]


def test_a_malformed_distribution_hides_nobody(site: Path) -> None:
    (site / "half-1.dist-info").mkdir()
    (site / "half-1.dist-info" / "entry_points.txt").write_text("[coterie.plugins]\nx = y\n")
    (site / "torn-1.dist-info").mkdir()
    (site / "torn-1.dist-info" / "METADATA").write_text("Name: torn\nVersion: 1\n")
    (site / "torn-1.dist-info" / "entry_points.txt").write_text("[coterie.plugins\n===\n")
    distribution(site, "whole", {"whole.py": good()}, "x = whole")
    assert "whole" in [source.prefix for source in find_plugins()]


def test_hidden_and_private_files_are_no_plugins(tmp_path: Path) -> None:
    for name in ("a.py", "_helper.py", ".hidden.py", "notes.txt"):
        drop_in(tmp_path, name, good())
    files = [source.file for source in find_plugins([tmp_path]) if source.file]
    assert [file.name for file in files] == ["a.py"]


@pytest.mark.parametrize("folder", [Path("/nowhere/at/all"), Path("x" * 300), Path(__file__)])
def test_a_folder_that_cannot_be_read_is_passed_over(folder: Path) -> None:
    assert len(find_plugins([folder])) >= 1


def test_safe_mode_finds_the_built_ins_only(tmp_path: Path, site: Path) -> None:
    distribution(site, "lab", {"lab.py": good()}, "x = lab")
    drop_in(tmp_path / "plugins", "a.py", good())
    assert len(find_plugins([tmp_path / "plugins"], safe_mode=True)) == 1


def test_the_stamp_follows_every_change(tmp_path: Path, site: Path) -> None:
    folders = [tmp_path / "plugins"]
    stamps = [catalogue_stamp(folders)]
    file = drop_in(folders[0], "a.py", good())
    stamps.append(catalogue_stamp(folders))
    file.write_text(good("Other", "other"))
    stamps.append(catalogue_stamp(folders))
    os.utime(file, ns=(1, 1))
    stamps.append(catalogue_stamp(folders))
    distribution(site, "lab", {"lab/__init__.py": "", "lab/deep/kernel.py": good()}, "x = lab")
    stamps.append(catalogue_stamp(folders))
    (site / "lab" / "deep" / "kernel.py").write_text("# changed\n")
    stamps.append(catalogue_stamp(folders))
    stamps.append(catalogue_stamp(folders, safe_mode=True))
    assert len(set(stamps)) == len(stamps)
    assert catalogue_stamp(folders) == stamps[-2]


def test_the_folder_of_the_user_is_looked_in_after_all_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr("coterie.core.catalogue.discovery.plugin_site", lambda: tmp_path / "own")
    find_plugins()
    assert str(tmp_path / "own") not in sys.path  # there is none yet
    (tmp_path / "own").mkdir()
    distribution(tmp_path / "own", "lab", {"lab.py": good()}, "x = lab")
    assert "lab" not in [source.prefix for source in find_plugins(safe_mode=True)]
    assert "lab" in [source.prefix for source in find_plugins()]
    assert sys.path[-1] == str(tmp_path / "own")

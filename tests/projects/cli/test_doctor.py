"""What the doctor finds, and that no probe can spoil the report of the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coterie.core.engine.options import EngineOptions
from coterie.core.io.platform.confinement import can_keep_to_files
from coterie.core.version import VERSION
from coterie.projects.cli import doctor, session_runner, subprocesses
from coterie.projects.cli.doctor import diagnose, tidy
from coterie.projects.cli.main import main

SECTIONS = ["coterie", "machine", "libraries", "window", "methods", "folders", "files of others"]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_runner, "ENGINE", "inprocess")
    monkeypatch.setattr(subprocesses, "ask_window", lambda *_: {"Qt": "6", "OpenGL": "none"})


def test_every_section_is_there() -> None:
    found = diagnose(EngineOptions())
    assert list(found) == SECTIONS
    assert not [name for name, section in found.items() if "failed" in section]
    assert found["coterie"]["version"] == VERSION
    assert found["methods"]["from"][f"coterie {VERSION}"] > 50
    assert found["folders"]["cache"]["free"] > 0
    if can_keep_to_files():
        assert "named files only (Landlock" in found["files of others"]["reader process"]


def test_a_probe_that_fails_says_so_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise OSError("could not connect to display")

    monkeypatch.setattr(subprocesses, "ask_window", fail)
    monkeypatch.setattr(session_runner, "read_catalogue", fail)
    monkeypatch.setattr("shutil.disk_usage", fail)
    found = diagnose(EngineOptions())
    assert found["window"] == {"failed": "OSError: could not connect to display"}
    assert "failed" in found["methods"]
    assert "failed" in found["folders"]["cache"]
    assert found["coterie"]["version"] == VERSION


def test_broken_plugins_are_named(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("1 / 0", encoding="utf-8")
    found = diagnose(EngineOptions(plugin_folders=(tmp_path,)))["methods"]
    [(name, error)] = found["broken"].items()
    assert "bad.py" in name
    assert "division by zero" in error


def test_files_that_vanish_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ten").write_bytes(b"0" * 10)
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    found = doctor._about_folder(tmp_path)
    assert found["files"] == 2
    assert found["bytes"] == 10 + (tmp_path / "gone").lstat().st_size


def test_the_home_folder_is_not_told() -> None:
    assert tidy(Path.home() / "plugins") == "~/plugins"
    assert tidy(f"{Path.home()}-of-another/x").startswith(str(Path.home()))


def test_it_prints_text_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert [line for line in said.splitlines() if not line.startswith(" ")] == SECTIONS
    assert f"  version: {VERSION}" in said
    assert main(["doctor", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == SECTIONS

"""Coterie keeps its things where the user's system wants them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from coterie.core.errors import WorkspaceError
from coterie.core.io.folders import cache_folder, plugin_folders, state_folder, workspaces_folder
from tests.refusals import refuses


def test_folders_are_made_in_the_users_own_places() -> None:
    assert cache_folder() == Path(os.environ["XDG_CACHE_HOME"]) / "coterie"
    assert state_folder() == Path(os.environ["XDG_STATE_HOME"]) / "coterie"
    assert workspaces_folder().parent == state_folder()
    assert all(folder.is_dir() for folder in (cache_folder(), state_folder(), workspaces_folder()))


def test_plugins_lie_in_the_users_folder_and_in_those_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = Path(os.environ["XDG_DATA_HOME"]) / "coterie" / "plugins"
    assert plugin_folders() == (own,)
    monkeypatch.setenv("COTERIE_PLUGINS", os.pathsep.join(["/one", "", "/two"]))
    assert plugin_folders() == (own, Path("/one"), Path("/two"))


def test_without_a_home_to_write_to_a_private_temporary_folder_stands_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "no-folder").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "no-folder" / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "no-folder" / "state"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folders = {cache_folder(), state_folder(), workspaces_folder()}
    assert len(folders) == 3
    (private,) = tmp_path.glob("coterie-*")
    assert private.stat().st_mode & 0o077 == 0
    assert all(folder.is_relative_to(private) for folder in folders)


def test_a_stand_in_that_others_may_enter_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "no-folder").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "no-folder" / "state"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    state_folder()
    (private,) = tmp_path.glob("coterie-*")
    private.chmod(0o777)
    with refuses("workspace-unusable", WorkspaceError):
        state_folder()

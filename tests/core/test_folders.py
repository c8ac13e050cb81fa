"""Coterie keeps its things where the user's system wants them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coterie.core.folders import cache_folder, plugin_folders, state_folder, workspaces_folder


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

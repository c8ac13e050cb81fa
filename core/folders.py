"""Where Coterie keeps things on this machine, for this user."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import PlatformDirs

_DIRS = PlatformDirs("coterie", appauthor=False)


def cache_folder() -> Path:
    """Return the folder of what can be made again: the catalogue, overviews."""
    return _made(Path(_DIRS.user_cache_dir))


def state_folder() -> Path:
    """Return the folder of what must outlive a crash: workspaces, quarantined plugins."""
    return _made(Path(_DIRS.user_state_dir))


def workspaces_folder() -> Path:
    """Return the folder that holds a workspace for each open project."""
    return _made(state_folder() / "workspaces")


def plugin_folders() -> tuple[Path, ...]:
    """Return the drop-in folders: the user's own, then those named in COTERIE_PLUGINS."""
    named = os.environ.get("COTERIE_PLUGINS", "")
    others = [Path(part) for part in named.split(os.pathsep) if part]
    return (Path(_DIRS.user_data_dir) / "plugins", *others)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder

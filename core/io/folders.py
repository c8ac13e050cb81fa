"""Where Coterie keeps things on this machine, for this user."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from platformdirs import PlatformDirs

from coterie.core.errors import WorkspaceError
from coterie.core.io.platform.users import is_private, user_id

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


def plugin_site() -> Path:
    """Return the folder that plugins are installed into from the window; perhaps not there yet."""
    return Path(_DIRS.user_data_dir) / "site"


def _made(folder: Path) -> Path:
    """Make a folder; where nothing can be written, one among the temporary files stands in."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _stand_in(folder)
    return folder if os.access(folder, os.W_OK) else _stand_in(folder)


def _stand_in(folder: Path) -> Path:
    stand_in = Path(tempfile.gettempdir()) / f"coterie-{user_id()}"
    stand_in.mkdir(mode=0o700, exist_ok=True)
    # Everybody may write among the temporary files: what another user put there is not ours.
    if not is_private(stand_in):
        raise WorkspaceError(
            f"Neither '{folder}' nor '{stand_in}' can be written. Set HOME or TMPDIR to a folder "
            "that you can write.",
            code="workspace-unusable",
        )
    made = stand_in.joinpath(*folder.parts[-2:])
    made.mkdir(parents=True, exist_ok=True)
    return made

"""Finds the work of sessions that ended without closing, so it can be restored."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from coterie.core.io import clock
from coterie.core.io.folders import workspaces_folder
from coterie.core.io.locks import FileLock
from coterie.projects.store.work_folder import LOCK, STATE, adopted_by, read_state, remove_workspace

MONTH = 30 * 24 * 3600
FOR_CERTAIN = 3600  # seconds after which a workspace that was never finished is abandoned


@dataclass(frozen=True)
class Orphan:
    """A workspace whose session is gone.

    Attributes
    ----------
    path : the project file it was opened from or last saved to; None when never saved
    modified : when its state was last kept, as ISO 8601
    steps : how many steps had been computed
    """

    folder: Path
    title: str
    path: Path | None
    modified: str
    steps: int


def orphans(root: Path | None = None) -> list[Orphan]:
    """Return the restorable work of dead sessions, newest first; empty remains are removed."""
    found = []
    root = root or workspaces_folder()
    for folder in root.glob("starting-*"):  # of a window that died while it was being made
        with contextlib.suppress(OSError):  # another window is faster
            if clock.seconds_since(folder.stat().st_mtime) > FOR_CERTAIN:
                discard(folder)
    superseded = _superseded(root)
    for folder in root.glob("workspace-*"):
        owner = FileLock(folder / LOCK)
        try:
            if not owner.acquire():
                continue
        except OSError:
            continue
        owner.release()
        if folder.name in superseded:
            discard(folder)
            continue
        orphan = _look(folder)
        if orphan is not None:
            found.append(orphan)
        elif not _may_hold_work(folder):
            discard(folder)
    return sorted(found, key=lambda orphan: orphan.modified, reverse=True)


def unreadable(root: Path | None = None) -> list[Path]:
    """Return the folders of dead sessions that hold work which cannot be restored here.

    Their state is damaged, or a newer Coterie wrote it. They are kept for a month.
    """
    found = []
    for folder in sorted((root or workspaces_folder()).glob("workspace-*")):
        owner = FileLock(folder / LOCK)
        try:
            if not owner.acquire():
                continue
            owner.release()
        except OSError:
            continue
        try:
            _orphan(folder)
        except FileNotFoundError:  # nothing was ever kept
            continue
        except (OSError, ValueError, KeyError, TypeError):
            found.append(folder)
    return found


def _superseded(root: Path) -> set[str]:
    """Names of workspaces whose work was taken over by another, which a crash kept from going."""
    names: set[str] = set()
    for folder in root.glob("workspace-*"):
        with contextlib.suppress(OSError, ValueError):
            names.update(adopted_by(read_state(folder)))
    return names


def _may_hold_work(folder: Path) -> bool:
    """Return whether a workspace that cannot be offered had better not be deleted yet.

    That is one whose state is damaged, or not understood: a person may want to look at it.
    """
    age = 0.0
    state_file = folder / STATE
    try:
        age = clock.seconds_since(state_file.stat().st_mtime)
        return age < MONTH and read_state(folder).get("modified", True) is not False
    except FileNotFoundError:
        return False  # nothing was ever kept
    except (OSError, ValueError):
        return age < MONTH


def discard(folder: Path) -> None:
    """Delete the work of a dead session for good."""
    remove_workspace(folder)


def _look(folder: Path) -> Orphan | None:
    """Return what is in an ownerless workspace, or None when nothing can be restored."""
    try:
        return _orphan(folder)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _orphan(folder: Path) -> Orphan | None:
    """Return what is in an ownerless workspace; None for nothing that is worth restoring."""
    state = read_state(folder)
    if not state["modified"]:
        return None
    kept = datetime.fromtimestamp((folder / STATE).stat().st_mtime, UTC)
    return Orphan(
        folder=folder,
        title=str(state["title"]) or "Untitled",
        path=Path(state["path"]) if state["path"] else None,
        modified=kept.isoformat(timespec="microseconds"),
        steps=len(state["steps"]),
    )

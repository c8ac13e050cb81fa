"""Checks where a project will be written before anything is computed."""

from __future__ import annotations

from pathlib import Path

from coterie.core.errors import ProjectFileError

HDF5_BEGINNING = b"\x89HDF\r\n\x1a\n"


def require_place(target: Path, choose: str = "choose another with -o") -> None:
    """Raise a clear error when a project cannot be written to `target`.

    Parameters
    ----------
    choose : how another place is chosen, for the message
    """
    from coterie.projects.store.hdf5.locking import ProjectLock

    advice = choose[:1].upper() + choose[1:]
    if target.is_dir():
        raise ProjectFileError(f"'{target}' is a folder. {advice}.", code="is-a-folder")
    if not target.parent.is_dir():
        raise ProjectFileError(
            f"The folder '{target.parent}' does not exist. Create it, or {choose}.",
            code="file-not-found",
        )
    if target.exists():
        _require_hdf5(target, advice)
    ProjectLock.acquire(target).release()


def _require_hdf5(target: Path, advice: str) -> None:
    """Never write over a file that is not a project, such as the data given by mistake."""
    with target.open("rb") as stream:
        beginning = stream.read(len(HDF5_BEGINNING))
    if beginning and beginning != HDF5_BEGINNING:
        raise ProjectFileError(
            f"'{target}' exists and is not a Coterie project; it was not changed. {advice}.",
            code="file-exists",
        )

"""The sentences in which a project file is refused, and the net that catches HDF5's own errors."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coterie.core.errors import CoterieError, ProjectFileError

# What h5py and the HDF5 library raise on damaged files: OSError and RuntimeError mostly, KeyError
# when a name cannot be resolved, ValueError and TypeError when a stored type makes no sense, the
# rest when a damaged number is taken for a size or for text.
_LIBRARY_ERRORS = (
    OSError,
    RuntimeError,
    LookupError,
    ValueError,
    TypeError,
    ArithmeticError,
    MemoryError,
    SystemError,
    NotImplementedError,
)


class UnsafeFileError(ProjectFileError):
    """A project file holds something that no project file may hold, so it was refused."""

    code = "unsafe-file"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"The project file is not safe to open: {problem} at {where}.")
        self.where = where
        self.problem = problem


class DamagedFileError(ProjectFileError):
    """A project file is damaged."""

    code = "file-damaged"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"The project file is damaged: {problem} at {where}.")
        self.where = where
        self.problem = problem


@contextmanager
def reading(where: str) -> Iterator[None]:
    """Turn whatever the HDF5 library raises while reading `where` into one sentence."""
    try:
        yield
    except CoterieError:
        raise
    except _LIBRARY_ERRORS as error:
        raise DamagedFileError(where, f"it cannot be read ({short(error)})") from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what goes wrong while writing `path` into a sentence that says what to do."""
    try:
        yield
    except CoterieError:
        raise
    except _LIBRARY_ERRORS as error:
        raise ProjectFileError(unsaved(path, error), code="file-access") from error


def unsaved(path: Path, error: BaseException) -> str:
    """Return why `path` could not be saved, and what to do about it."""
    code = _errno(error)
    if code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        why = "the disk is full. Free some space, or save to another disk"
    elif code in (errno.EACCES, errno.EPERM):
        why = f"you do not have permission to write to {path.parent}. Save to another folder"
    elif code == errno.EROFS:
        why = f"{path.parent} is read-only. Save to another folder"
    elif code == errno.ENOENT:
        why = f"the folder {path.parent} does not exist. Choose another"
    else:
        why = f"{short(error)}. Try again, or save to another folder"
    return f"'{path.name}' was not saved: {why}."


def _errno(error: BaseException) -> int | None:
    """Return the system's error number; h5py mostly gives it in the words of its message only."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    text = str(error)
    for code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EROFS):
        if f"errno = {code}," in text:
            return code
    return None


def short(error: BaseException) -> str:
    """Return an error of the system or the library in a few words."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 160 else f"{text[:157]}…"

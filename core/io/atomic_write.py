"""Writes a file under a hidden name until it is whole, and removes what killed processes left.

Files are written under a hidden name that holds the number of the process, and take their place
when they are whole. Who is killed cannot tidy up: the next one that writes there does. Several
computers, or containers, may write into one folder, and the number of a process that runs there
says nothing here: the name says where it runs, and each cleans up after its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import socket
from pathlib import Path

from coterie.core.io.platform.processes import is_gone, numbering


def writing_place(target: Path, stem: str | None = None) -> Path:
    """Return where to write what is to become `target`, with the same ending; clear up there.

    Parameters
    ----------
    stem : what the name begins with; by default all but the last ending
    """
    stem = target.stem if stem is None else stem
    remove_leftovers(target.parent, stem)
    mark = f"writing-{where_processes_count()}-{os.getpid()}"
    return target.with_name(f".{stem}-{mark}{target.name.removeprefix(stem)}")


def where_processes_count() -> str:
    """Return a short word for where the numbers of processes are those that we see.

    That is this computer and, in a container, its own numbers: it may share the computer's name.
    """
    return hashlib.sha256(f"{socket.gethostname()} {numbering()}".encode()).hexdigest()[:8]


def remove_leftovers(folder: Path, stem: str) -> None:
    """Remove what processes of this computer that are no more left of files called `stem`."""
    # What belongs to such a file may itself have been half-written: ..a-writing-….tif-writing-…
    here = where_processes_count()
    ours = re.compile(rf"\.\.?{re.escape(stem)}-writing-{here}-(\d+)(?:\..*)?")
    with contextlib.suppress(OSError):  # whatever is wrong with the folder, writing says it better
        for path in list(folder.iterdir()):
            found = ours.fullmatch(path.name)
            if found is not None and is_gone(int(found[1])):
                _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()

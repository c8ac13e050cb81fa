"""Notices what a run leaves behind: prints, threads and processes, files, another global state."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from coterie.core.io import clock
from coterie.core.io.folders import cache_folder
from coterie.core.io.platform.open_files import is_device
from coterie.core.io.platform.processes import children

GRACE = 1.0  # a thread that was asked to end may take this long
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND
# Settings that numerical libraries make for themselves when they are imported.
_SET_BY_LIBRARIES = ("GDAL_", "KMP_", "MPLCONFIGDIR", "PROJ_")
_WATCHING: set[LeakDetector] = set()
_HOOKED = threading.Event()


class LeakDetector:
    """Watches a block of code; afterwards `left` says what it left, in words.

    Parameters
    ----------
    allowed : a folder in which files may be left, if there is any
    """

    def __init__(self, allowed: Path | None) -> None:
        self._allowed = None if allowed is None else allowed.resolve()
        self._opened: set[str] = set()
        self._said = ""
        self._threads: list[str] = []
        self._changed: dict[str, str] = {}
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> LeakDetector:
        _hook()
        self._state = _GlobalState()
        self._threads_before = set(threading.enumerate())
        self._children_before = children()
        self._texts = io.StringIO()
        self._raw = self._stack.enter_context(_Diverted())
        self._stack.enter_context(contextlib.redirect_stdout(self._texts))
        self._stack.enter_context(contextlib.redirect_stderr(self._texts))
        # A warning is meant for the author and shows in their own tests.
        self._stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        _WATCHING.add(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _WATCHING.discard(self)
        self._stack.close()
        self._changed = self._state.put_back()
        self._said = self._texts.getvalue() + self._raw.text
        deadline = clock.seconds() + GRACE
        while (left := self._new_threads()) and clock.seconds() < deadline:
            time.sleep(0.01)
        self._threads = left

    def note(self, path: str) -> None:
        """Remember a file that was opened for writing."""
        self._opened.add(path)

    def left(self, what: str) -> str:
        """Return what was left of one of `SIDE_EFFECTS`; empty for nothing."""
        match what:
            case "prints":
                return f"it printed '{self._said.strip():.120}'" if self._said.strip() else ""
            case "threads":
                return f"it left {', '.join(self._threads)}" if self._threads else ""
            case "folder" | "environment" | "numpy-seed":
                return self._changed.get(what, "")
        files = sorted(path for path in self._opened if self._is_stray(path))
        return f"it wrote {', '.join(files[:3])}" if files else ""

    def _is_stray(self, path: str) -> bool:
        file = Path(path)
        compiled = "__pycache__" in file.parts or (
            sys.pycache_prefix is not None and file.is_relative_to(sys.pycache_prefix)
        )
        # What can be made again, such as a library's list of fonts, is kept there on purpose.
        if compiled or is_device(path) or file.is_relative_to(cache_folder()):
            return False
        permitted = self._allowed is not None and file.resolve().is_relative_to(self._allowed)
        return file.exists() and not permitted

    def _new_threads(self) -> list[str]:
        threads = [
            f"thread '{thread.name}'"
            for thread in threading.enumerate()
            if thread not in self._threads_before
        ]
        return threads + [f"process {pid}" for pid in children() - self._children_before]


class _GlobalState:
    """What all code of a process shares; `put_back` says what was changed, and undoes it."""

    def __init__(self) -> None:
        self._folder, self._environment = Path.cwd(), dict(os.environ)
        self._random = np.random.get_state(legacy=False)  # noqa: NPY002 - that is what is watched

    def put_back(self) -> dict[str, str]:
        """Return what is another than before, by the name of the side effect."""
        changed: dict[str, str] = {}
        if Path.cwd() != self._folder:
            changed["folder"] = f"it changed the working folder to {Path.cwd()}"
            os.chdir(self._folder)
        now, before_it = dict(os.environ), self._environment
        names = sorted(
            name
            for name in {**now, **before_it}
            if now.get(name) != before_it.get(name) and not name.startswith(_SET_BY_LIBRARIES)
        )
        if names:
            changed["environment"] = f"it changed the environment: {', '.join(names[:5])}"
            for name in names:
                os.environ.pop(name, None)
            os.environ.update({name: before_it[name] for name in names if name in before_it})
        state: Any = np.random.get_state(legacy=False)  # noqa: NPY002
        before: Any = self._random
        same = np.array_equal(state["state"]["key"], before["state"]["key"])
        if not same or state["state"]["pos"] != before["state"]["pos"]:
            changed["numpy-seed"] = "it drew from or seeded numpy's global random numbers"
            np.random.set_state(before)  # noqa: NPY002
        return changed


class _Diverted:
    """While this runs, what native code writes to standard output goes to a file."""

    text = ""

    def __enter__(self) -> _Diverted:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        self._file: Any = tempfile.TemporaryFile()
        self._kept = [(number, os.dup(number)) for number in (1, 2)]
        for number, _ in self._kept:
            os.dup2(self._file.fileno(), number)
        return self

    def __exit__(self, *_: object) -> None:
        for number, kept in self._kept:
            os.dup2(kept, number)
            os.close(kept)
        self._file.seek(0)
        self.text = self._file.read().decode(errors="replace")
        self._file.close()


def _hook() -> None:
    """Have the interpreter report opened files; such a hook stays, and idles, for good."""
    if not _HOOKED.is_set():
        _HOOKED.set()
        sys.addaudithook(_on_event)


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if not _WATCHING or event not in ("open", "os.mkdir"):
        return
    path = arguments[0]
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if not isinstance(path, str):  # a number: opened before
        return
    mode, flags = (arguments[1], arguments[2]) if event == "open" else ("w", 0)
    writes = any(letter in mode for letter in "wax+") if mode else bool((flags or 0) & _WRITING)
    if writes:
        for strays in list(_WATCHING):
            strays.note(os.path.abspath(path))  # noqa: PTH100 - light, and given what it is given

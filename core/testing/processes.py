"""Runs the checks in a process of their own: one that hangs or dies is a finding like others."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from coterie.core import clock
from coterie.core.errors import PluginError
from coterie.core.testing.loading import LOADS
from coterie.core.testing.verdicts import Finding, Verdict

PATIENCE = 60.0  # for one check, or for loading
GLANCE = 0.05
MOST_DEATHS = 20  # a plugin that dies at every turn need not be asked for ever

Heard = Callable[[Finding], None]


def check_plugin(target: str, *, patience: float = PATIENCE, heard: Heard | None = None) -> Verdict:
    """Check a plugin and return the verdict; `heard` gets each finding as it comes."""
    findings: list[Finding] = []

    def keep(finding: Finding) -> None:
        findings.append(finding)
        if heard is not None:
            heard(finding)

    begin: int | None = 0
    with tempfile.TemporaryDirectory(prefix="coterie-check-") as folder:
        for attempt in range(MOST_DEATHS):
            report = Path(folder) / f"report-{attempt}"
            begin = _check_from(target, begin, report, patience, keep)
            if begin is None:
                break
    return Verdict(target, tuple(findings))


@dataclass
class _Heard:
    """What a process has told so far."""

    keep: Heard
    lines: int = 0
    begun: int | None = None
    waiting: Finding | None = None
    done: bool = False
    refused: str = ""
    changed: float = field(default_factory=clock.seconds)

    def read(self, report: Path) -> None:
        """Take the lines that are new and whole."""
        text = report.read_text(encoding="utf-8") if report.exists() else ""
        whole = text[: text.rfind("\n") + 1].splitlines()
        for line in whole[self.lines :]:
            self._take(json.loads(line))
            self.changed = clock.seconds()
        self.lines = len(whole)

    def _take(self, line: dict[str, Any]) -> None:
        self.done = self.done or "done" in line
        self.refused = line.get("refused", self.refused)
        if "finding" not in line:
            return
        finding = Finding(**line["finding"])
        if "begin" in line:
            self.begun, self.waiting = line["begin"], finding
        else:
            self.waiting = None
            self.keep(finding)


def _check_from(
    target: str, begin: int | None, report: Path, patience: float, keep: Heard
) -> int | None:
    """Check from one case on; return the case to go on with when the process ended too early."""
    heard = _Heard(keep)
    words = report.with_suffix(".txt")
    with words.open("wb") as output:
        process = subprocess.Popen(
            [*_command(), target, f"--report={report}", f"--begin={begin}"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    hung = False
    try:
        while process.poll() is None and not hung:
            time.sleep(GLANCE)
            heard.read(report)
            hung = clock.seconds() - heard.changed > patience
    finally:
        _end(process)
    heard.read(report)
    if heard.refused:
        raise PluginError(heard.refused)
    if heard.done:
        return None
    last = (words.read_text(encoding="utf-8", errors="replace").strip().splitlines() or [""])[-1]
    return _say_death(heard, process.returncode, patience if hung else None, last)


def _say_death(heard: _Heard, code: int, waited: float | None, last: str) -> int | None:
    if waited is not None:
        what = f"it did not end within {waited:.0f} s"
        advice = "Call context.check() often, and do no endless work."
    else:
        what = f"it ended the process ({_cause(code)})"
        advice = f"What it printed last: {last[:200]!r}."
    if heard.waiting is None:
        if heard.begun is None:
            heard.keep(Finding("plugin", *LOADS, "failed", what, advice))
        return None if heard.begun is None else heard.begun + 1
    heard.keep(replace(heard.waiting, outcome="failed", what=what, advice=advice))
    return None if heard.begun is None else heard.begun + 1


def _command() -> list[str]:
    """How to start the process; a frozen bundle starts itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--check-process"]
    return [sys.executable, "-X", "utf8", "-m", "coterie.core.testing"]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the process and of all it started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _cause(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"

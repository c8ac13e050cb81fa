"""Runs the checks in a process of their own: one that hangs or dies is a finding like others."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from coterie.core.errors import PluginError
from coterie.core.io import clock
from coterie.core.io.platform.processes import kill_group, new_group
from coterie.core.testing.loading import LOADS
from coterie.core.testing.verdicts import Finding, Verdict

PATIENCE = 60.0  # for one check, or for loading
START_PATIENCE = 60.0  # until Coterie itself is imported, on whatever machine
GLANCE = 0.05

Heard = Callable[[Finding], None]


def check_plugin(target: str, *, patience: float = PATIENCE, heard: Heard | None = None) -> Verdict:
    """Check a plugin and return the verdict; `heard` gets each finding as it comes."""
    findings: list[Finding] = []

    def keep(finding: Finding) -> None:
        findings.append(finding)
        if heard is not None:
            heard(finding)

    begin: int | None = 0
    without: list[str] = []  # components that hung or crashed; what is left of them is not tried
    with tempfile.TemporaryDirectory(prefix="coterie-check-") as folder:
        while begin is not None:
            report = Path(folder) / f"report-{begin}"
            options = [f"--begin={begin}", *(f"--without={name}" for name in without)]
            begin = _check_from([target, *options], report, patience, keep)
            without.append(findings[-1].component if findings else "")
    return Verdict(target, tuple(findings))


@dataclass
class _Reports:
    """What a process has reported so far."""

    keep: Heard
    lines: int = 0
    begun: int | None = None
    waiting: Finding | None = None
    ready: bool = False
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
        self.ready, self.done = True, self.done or "done" in line
        self.refused = line.get("refused", self.refused)
        if "finding" not in line:
            return
        finding = Finding(**line["finding"])
        if "begin" in line:
            self.begun, self.waiting = line["begin"], finding
        else:
            self.waiting = None
            self.keep(finding)


def _check_from(arguments: Sequence[str], report: Path, patience: float, keep: Heard) -> int | None:
    """Check from one case on; return the case to go on with when the process ended too early."""
    heard = _Reports(keep)
    process = subprocess.Popen(
        [*_command(), *arguments, f"--report={report}", f"--scratch={report.parent}"],
        stdin=subprocess.PIPE,  # closed by the system should we be killed: it then clears up
        stdout=subprocess.DEVNULL,  # what it prints is noticed by the checks
        stderr=subprocess.DEVNULL,
        **new_group(),
        # One that dies leaves its temporary files; there they go with ours.
        env=os.environ | {"TMPDIR": str(report.parent)},
    )
    hung = False
    try:
        while process.poll() is None and not hung:
            time.sleep(GLANCE)
            heard.read(report)
            waited = clock.seconds() - heard.changed
            hung = waited > (patience if heard.ready else max(patience, START_PATIENCE))
    finally:
        _end(process)
    heard.read(report)
    if heard.refused:
        raise PluginError(heard.refused, code="invalid-plugin")
    if heard.done:
        return None
    heard.keep(_death(heard, process.returncode, patience if hung else None, report))
    return None if heard.begun is None else heard.begun + 1


def _death(heard: _Reports, code: int, waited: float | None, report: Path) -> Finding:
    """Return what a process that ended too early was about, and how it ended."""
    loading = heard.begun is None
    if waited is not None:
        what = f"it did not end within {waited:.0f} s"
    else:
        what = f"it ended the process ({_cause(code)}){_place(report.with_suffix('.crash'))}"
    advice = "Call context.check() often, and do no endless work."
    if loading:
        advice = "Do nothing at import but define classes and functions."
    elif waited is None:
        advice = "Fix that first: a crash of the engine loses the run."
    if heard.waiting is None:
        return Finding("plugin", *LOADS, "failed", what, advice)
    return replace(heard.waiting, outcome="failed", what=what, advice=advice)


def _place(crash: Path) -> str:
    """Where in Python a crash happened, as far as it is known."""
    text = crash.read_text(encoding="utf-8", errors="replace") if crash.exists() else ""
    frames = re.findall(r'^  File "(.*)", line (\d+) in (.*)$', text, re.MULTILINE)
    if not frames:
        return ""
    # The plugin's own line says more than that of a library it calls.
    libraries = (*map(sysconfig.get_path, ("stdlib", "purelib")), str(Path(__file__).parents[1]))
    own = (frame for frame in frames if not frame[0].startswith(libraries))
    file, line, name = next(own, frames[0])
    return f" in {name}, line {line} of {file}"


def _command() -> list[str]:
    """How to start the process; a frozen bundle starts itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--check-process"]
    return [sys.executable, "-X", "utf8", "-P", "-m", "coterie.core.testing"]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the process and of all it started."""
    assert process.stdin is not None
    kill_group(process)
    process.wait()
    process.stdin.close()  # not before: the process would clear up what is still to be read


def _cause(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"

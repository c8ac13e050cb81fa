"""The process in which a plugin is checked: it reports each step in a file, then takes it."""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import shutil
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.io.platform.limits import limit_memory
from coterie.core.io.platform.memory import available_memory
from coterie.core.io.platform.processes import end_own_group
from coterie.core.testing import Case, cases
from coterie.core.testing.loading import load, subjects_of
from coterie.core.testing.templates import Trial, trials_of
from coterie.core.testing.verdicts import Finding


def main(arguments: Sequence[str] | None = None) -> int:
    """Check what is named, from the given case on."""
    parser = argparse.ArgumentParser(prog="coterie.core.testing")
    parser.add_argument("target")
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--scratch", type=Path, help="removed when whoever asked is gone")
    parser.add_argument("--begin", type=int, default=0)
    parser.add_argument("--without", action="append", default=[])
    chosen = parser.parse_args(arguments)
    _end_with_parent(chosen.scratch)
    limit_memory(available_memory() * 4 // 5)
    crash = chosen.report.with_suffix(".crash")
    with chosen.report.open("a", encoding="utf-8") as report, crash.open("w") as lines:
        # A crash in native code leaves its Python lines there, those of the thread at fault.
        faulthandler.enable(lines, all_threads=False)

        def emit(**line: Any) -> None:
            report.write(json.dumps(line) + "\n")
            report.flush()

        emit(ready=True)
        try:
            registry, findings = load(chosen.target)
        except CoterieError as error:  # no such plugin
            emit(refused=str(error))
            return 1
        planned = [*map(_trial, cases(subjects_of(registry))), *trials_of(registry)]
        if chosen.begin == 0:
            for finding in findings:
                emit(finding=asdict(finding))
        for place, trial in enumerate(planned):
            about = (trial.name, trial.check, trial.promise)
            if place < chosen.begin:
                continue
            if trial.name in chosen.without:
                what = "it hung or crashed before"
                emit(finding=asdict(Finding(*about, "skipped", what)))
                continue
            emit(begin=place, finding=asdict(Finding(*about, "failed")))
            emit(finding=asdict(trial.find()))
        emit(done=True)
    return 0


def _trial(case: Case) -> Trial:
    check = case.check
    return Trial(case.subject.name, check.name, check.promise, partial(check.find, case.subject))


def _end_with_parent(scratch: Path | None) -> None:
    """End when standard input is closed, and take the folder named for scratch along, if any.

    Who asked holds the other end and kills this process when done. When that one is killed itself,
    nobody else would stop a plugin that hangs, or remove what it wrote.
    """
    lifeline = os.dup(0)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - there is no path to it everywhere
        os.dup2(nothing.fileno(), 0)  # a plugin that reads its input finds none, and goes on

    def wait() -> None:
        os.read(lifeline, 1)
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)
        end_own_group()

    threading.Thread(target=wait, name="lifeline", daemon=True).start()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # at once: a plugin may have left threads behind that never end

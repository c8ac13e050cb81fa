"""Starts this program again as a separate process: from a bundle, or by Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from coterie.core.io.platform.screen import has_screen
from coterie.projects.cli.window import WINDOW_PROBE


def program() -> list[str]:
    """Return how to start the program; a frozen bundle is one itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, "-X", "utf8", "-P", "-m", "coterie.projects.cli"]


def ask_window(
    what: str, seconds: float, variables: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Ask a window, in a process of its own, about itself; raises when it gives no answer.

    Parameters
    ----------
    what : "screen" for what Qt says of this machine, "sample" to open a window and a sample in it
    seconds : how long to wait
    variables : to set in its environment
    """
    environment = {**os.environ, **(variables or {})}
    if not has_screen(environment):
        environment["QT_QPA_PLATFORM"] = "offscreen"
    done = run([*program(), WINDOW_PROBE, what], seconds, environment)
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        raise OSError(last_line(done) or f"it ended with code {done.returncode}")
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


def run(
    command: Sequence[str],
    seconds: float,
    environment: Mapping[str, str],
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in a folder, and return what it printed."""
    return subprocess.run(
        command,
        cwd=folder,
        env=dict(environment),
        timeout=seconds,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """Return the last line of what went wrong."""
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return lines[-1] if lines else ""

"""What COTERIE_TRACE prints on stderr: topics, separated by commas.

=========  =============================================================================
`1`        the traceback behind every error of a command
`start`    when the window reached each part of its start
`hooks`    what each plugin offers: by which hooks, or the classes of which module
=========  =============================================================================
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

VARIABLE = "COTERIE_TRACE"
HOOKS = "hooks"
MARK = "hook: "  # what each line about a hook begins with


def is_traced(topic: str) -> bool:
    """Return whether COTERIE_TRACE names that topic."""
    return topic in os.environ.get(VARIABLE, "").split(",")


def trace_hook(
    plugin: str, hook: str, given: Any = None, error: BaseException | None = None
) -> None:
    """Say what a hook of a plugin gave, or how it failed, if somebody wants to know.

    In an engine, what is written to stderr goes to the Log.
    """
    if not is_traced(HOOKS):
        return
    if error is not None:
        outcome = f"raised {type(error).__name__}: {error!s:.200}"
    elif isinstance(given, list | tuple):
        outcome = f"gave {_names(given)}"
    else:
        outcome = f"gave {given!r:.80}"
    _trace(f"{plugin}: {hook}() {outcome}")


def trace_offer(plugin: str, module: str, classes: Sequence[Any]) -> None:
    """Say which classes a module without hooks offers, if somebody wants to know."""
    if is_traced(HOOKS):
        _trace(f"{plugin}: {module} offers {_names(classes)}")


def _names(classes: Sequence[Any]) -> str:
    names = (getattr(entry, "__name__", f"{entry!r:.80}") for entry in classes)
    return f"[{', '.join(names)}]"


def _trace(line: str) -> None:
    print(" ".join(f"{MARK}{line}".split()), file=sys.stderr, flush=True)

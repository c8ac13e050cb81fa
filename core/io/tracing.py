"""What COTERIE_TRACE asks to be told on stderr: topics, parted by commas.

=========  =============================================================================
`1`        the traceback behind every error of a command
`start`    when the window reached each part of its start
`hooks`    which hooks were called for which plugin, and what they gave
=========  =============================================================================
"""

from __future__ import annotations

import os
import sys
from typing import Any

VARIABLE = "COTERIE_TRACE"
HOOKS = "hooks"
MARK = "hook: "  # what each line about a hook begins with


def is_traced(topic: str) -> bool:
    """Return whether COTERIE_TRACE names that topic."""
    return topic in os.environ.get(VARIABLE, "").split(",")


def tell_hook(
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
        names = (getattr(entry, "__name__", f"{entry!r:.80}") for entry in given)
        outcome = f"gave [{', '.join(names)}]"
    else:
        outcome = f"gave {given!r:.80}"
    print(" ".join(f"{MARK}{plugin}: {hook}() {outcome}".split()), file=sys.stderr, flush=True)

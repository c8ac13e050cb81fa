"""The `coterie` program: opens the window, or carries out one of its commands.

Nothing heavy is imported before it is known what is asked for: `--version` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from coterie.core.version import VERSION
from coterie.projects.cli.window import WINDOW_PROBE, open_window, probe_window

SAFE_MODE = "--safe-mode"
WINDOW_OPTIONS = ("--sample", "--scheme", "--new-window-size")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says and return the exit code: 0 done, 1 failed, 2 wrong usage."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:
        print(f"coterie {VERSION}")
        return 0
    if given[:1] == ["--engine-process"]:  # a frozen bundle starts itself as its engine
        from coterie.core.engine.__main__ import main as serve

        return serve(given[1:])
    if given[:1] == ["--confined-process"]:  # as does one that reads a stranger's file
        from coterie.core.io.confined.__main__ import main as read

        return read(given[1:])
    if given[:1] == ["--check-process"]:  # as does one in which a plugin is checked
        from coterie.core.testing.__main__ import main as check

        return check(given[1:])
    if given[:1] == ["--self-test"]:
        from coterie.projects.cli.self_test import main as test_itself

        return test_itself(given[1:])
    if given[:1] == [WINDOW_PROBE]:  # as does one that reports on the window
        return probe_window(given[1:])
    if asks_for_window(given):
        return open_window(given)
    from coterie.projects.cli.application import carry_out

    return carry_out(_safe_mode_first(given))


def asks_for_window(given: Sequence[str]) -> bool:
    """Return whether to open the window: there is no command, or a file is given instead.

    >>> asks_for_window([]), asks_for_window(["iris.coterie.h5"]), asks_for_window(["methods"])
    (True, True, False)
    """
    from coterie.projects.cli.commands import ALIASES, COMMANDS

    words = [word for word in given if word != SAFE_MODE]
    if not words:
        return True
    first = words[0]
    if first.startswith("-"):
        return first.partition("=")[0] in WINDOW_OPTIONS
    if first in COMMANDS or first in ALIASES:
        return False
    return "." in first or os.sep in first or os.path.exists(first)  # noqa: PTH110 - light


def _safe_mode_first(given: list[str]) -> list[str]:
    """Let `--safe-mode` stand anywhere: it belongs to the program, not to one command."""
    others = [word for word in given if word != SAFE_MODE]
    return [SAFE_MODE, *others] if len(others) < len(given) else others


if __name__ == "__main__":
    sys.exit(main())

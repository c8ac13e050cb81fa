"""Removes control characters from what is printed: names from files cannot steer a terminal.

A title may hold escape sequences that rewrite the screen, or marks that reverse the order of the
characters. On a terminal they are replaced; files and pipes get what there is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

REPLACEMENT = "�"
# Control characters but for tabs and line ends, those of the second block too, and the marks that
# override the direction of writing.
_STEERING = "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]"
_HARMFUL = re.compile(_STEERING)
# Colours are harmless, and help and headings have them.
_HARMFUL_BUT_COLOURS = re.compile(f"(\\x1b\\[[0-9;]*m)|\\r(?=\\n)|{_STEERING}")


def harmless(text: str) -> str:
    """Return a text with nothing in it that a terminal would obey.

    >>> harmless("a\\x1b[2Jb")
    'a�[2Jb'
    """
    return _HARMFUL.sub(REPLACEMENT, text)


class HarmlessStream:
    """A terminal's stream that writes text alone, and colours."""

    def __init__(self, stream: TextIO) -> None:
        self.unguarded = stream

    def write(self, text: str) -> int:
        """Write a text without what would steer the terminal."""
        self.unguarded.write(_HARMFUL_BUT_COLOURS.sub(_replaced, text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unguarded, name)


def _replaced(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    return "" if found[0] == "\r" else REPLACEMENT


@contextmanager
def harmless_terminal() -> Iterator[None]:
    """Guard standard output and standard error, where they are terminals."""
    before = sys.stdout, sys.stderr
    try:
        sys.stdout, sys.stderr = (_guarded(stream) for stream in before)
        yield
    finally:
        sys.stdout, sys.stderr = before


def _guarded(stream: TextIO | Any) -> TextIO:
    # A program without a console has no streams on Windows.
    if stream is None or isinstance(stream, HarmlessStream) or not stream.isatty():
        return cast("TextIO", stream)
    return cast("TextIO", HarmlessStream(stream))


def own_stream() -> TextIO:
    """Return standard output for what moves the cursor itself; foreign text must be harmless."""
    return getattr(sys.stdout, "unguarded", sys.stdout)

"""Guards the standard streams: names from files steer no terminal, and a closed pipe ends nothing.

A title may hold escape sequences that rewrite the screen, or marks that reverse the order of the
characters. On a terminal they are replaced; files and pipes get what there is. When nobody reads a
pipe any more, as after `| head`, or the disk is full, a command finishes its work without printing.
"""

from __future__ import annotations

import os
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


class LastingStream:
    """A stream to a file or pipe; once it takes no more, what is written to it is dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._failed: OSError | None = None

    def write(self, text: str) -> int:
        """Write a text, if anybody reads it."""
        with self._while_it_takes_more():
            self._stream.write(text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Send what was written on its way."""
        with self._while_it_takes_more():
            self._stream.flush()

    def finish(self) -> None:
        """Send the rest; raise the error that kept a text from being written, if any."""
        self.flush()
        if self._failed is not None:
            raise self._failed

    @contextmanager
    def _while_it_takes_more(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if not isinstance(error, BrokenPipeError):  # leaving early is allowed
                self._failed = self._failed or error
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _replaced(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    return "" if found[0] == "\r" else REPLACEMENT


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Guard standard output and standard error; there is always one to write to."""
    before = sys.stdout, sys.stderr
    try:
        sys.stdout, sys.stderr = (_guarded(stream) for stream in before)
        yield
    finally:
        sys.stdout, sys.stderr = before


def _guarded(stream: TextIO | Any) -> TextIO:
    if stream is None:  # closed by the shell, or a program without a console on Windows
        stream = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - until the end
    if isinstance(stream, HarmlessStream | LastingStream):
        return cast("TextIO", stream)
    guard = HarmlessStream if stream.isatty() else LastingStream
    return cast("TextIO", guard(stream))


def own_stream() -> TextIO:
    """Return standard output for what moves the cursor itself; foreign text must be harmless."""
    return getattr(sys.stdout, "unguarded", sys.stdout)

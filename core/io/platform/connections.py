"""Connections between processes, by the handle that one leaves open for the other."""

from __future__ import annotations

import os
import sys
from typing import Any


def inherited_connection(handle: int) -> Any:
    """Return the connection that the parent process left open under `handle`."""
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection

        return PipeConnection(handle)
    from multiprocessing.connection import Connection

    os.set_inheritable(handle, False)  # what a plugin starts has no business with it
    return Connection(handle)

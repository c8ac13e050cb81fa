"""Connects a widget to a session for as long as the widget lives."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject


def listen(widget: QObject, signal: Any, method: Callable[..., Any]) -> None:
    """Call `method`, one of `widget`, at each `signal` of the session, while the widget lives.

    The session outlives its widgets, and Python's half of a widget may outlive Qt's.
    """
    signal.connect(method)
    reference = weakref.WeakMethod(method)

    def stop() -> None:
        if (slot := reference()) is not None:
            signal.disconnect(slot, missing_ok=True)

    widget.destroyed.connect(stop)

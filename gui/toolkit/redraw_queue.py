"""Spreads what the window has to redraw over turns of the event loop: one chore a turn.

One finished step concerns the tree, several cards, the inspector and every view. Done at once they
add up to a pause that the hand on the mouse notices; done one by one, with input handled between
them, none of them does.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from shiboken6 import isValid

from coterie.core.io import clock

SOON = 0.033  # s; what is asked for again within this time is done once, at most 30 times a second


@dataclass(frozen=True)
class _Chore:
    method: weakref.WeakMethod[Callable[..., Any]]
    arguments: tuple[Hashable, ...]
    due: float


class RedrawQueue(QObject):
    """The chores of all widgets, in the order in which they fall due."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chores: dict[tuple[Hashable, ...], _Chore] = {}
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_turn)

    @classmethod
    def of_application(cls) -> RedrawQueue:
        """Return the one queue of this program."""
        application = QCoreApplication.instance()
        assert application is not None
        found = application.findChild(cls)
        return found if isinstance(found, cls) else cls(application)

    def ask(self, method: Callable[..., Any], *arguments: Hashable, within: float = SOON) -> None:
        """Have `method`, one of a QObject, called with these arguments `within` seconds.

        Asked for again before that, it is called once. A widget that is gone is not called.
        """
        owner: Any = getattr(method, "__self__", None)
        key = (id(owner), getattr(method, "__name__", ""), *arguments)
        if key not in self._chores:
            due = clock.seconds() + within
            self._chores[key] = _Chore(weakref.WeakMethod(method), arguments, due)
            self._await_next()

    def _await_next(self) -> None:
        if self._chores:
            next_due = min(chore.due for chore in self._chores.values())
            self._timer.start(max(0, round(1e3 * (next_due - clock.seconds()))))

    def _on_turn(self) -> None:
        key = min(self._chores, key=lambda key: self._chores[key].due)
        chore = self._chores.pop(key)
        # Before the chore, which may raise, or turn the event loop itself.
        self._await_next()
        method = chore.method()
        if method is not None and isValid(getattr(method, "__self__", None)):
            method(*chore.arguments)


def soon(method: Callable[..., Any], *arguments: Hashable, within: float = SOON) -> None:
    """Have a widget's `method` called soon, in a turn of its own: see `RedrawQueue.ask`."""
    RedrawQueue.of_application().ask(method, *arguments, within=within)

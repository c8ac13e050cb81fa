"""Runs the garbage collector between turns of the event loop, on the window's thread only.

Python's own collector begins wherever memory is asked for: on any thread, or in a method that Qt
calls. The widgets it finds, such as the menus that every plot brings along, are deleted at once.
Where Qt was just then going through a list of all widgets, as it does for a new style sheet, it
goes on to one that is gone, and the process dies.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from coterie.core.io.platform.memory import give_back_memory

_MILLISECONDS = 500  # garbage can wait; what is in no circle goes at once all the same
# Many short threads leave gaps all over the heap: a window of eight hours held twice what it used.
# Giving them back takes some 20 ms of work.
_GIVE_BACK_EVERY = 60_000


class Garbage(QObject):
    """Collects in the place of Python's own collector, for as long as it lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_MILLISECONDS)
        self._timer.timeout.connect(_collect)
        self._timer.start()
        self._giving = QTimer(self, interval=_GIVE_BACK_EVERY)
        self._giving.timeout.connect(give_back_memory)
        self._giving.start()

    @classmethod
    def of_application(cls, application: QCoreApplication) -> Garbage:
        """Return the one of this program, made now if there is none."""
        found = application.findChild(cls)
        return found if isinstance(found, cls) else cls(application)

    def close(self) -> None:
        """Leave the garbage to Python again."""
        self._timer.stop()
        self._giving.stop()
        self.setParent(None)
        self.deleteLater()
        gc.enable()


def _collect() -> None:
    """Look through as many generations as Python would by now."""
    full = [at for at, limit in enumerate(gc.get_threshold()) if gc.get_count()[at] > limit]
    if full:
        gc.collect(max(full))

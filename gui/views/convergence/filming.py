"""Saves what is seen of a run, from its first moment to its last, as an animation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QImage

from coterie.core.api.frame import Frame
from coterie.core.errors import DataError, in_words
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.plots.animated_png import animated_png

if TYPE_CHECKING:
    from coterie.gui.views.convergence.view import ConvergenceView

_MOST_PICTURES = 80
_MILLISECONDS = 100  # each is shown


class Filming(QObject):
    """Takes one picture in each turn of the event loop, and writes the file on a thread."""

    def __init__(self, view: ConvergenceView) -> None:
        super().__init__(view)
        self._view = view
        self._aside = Aside(self)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._take_one)
        self._left: list[int] = []
        self._taken: list[QImage] = []
        self._path = Path()
        self._before: int | None = None
        self._first: Frame | None = None  # of the run that is animated

    @property
    def busy(self) -> bool:
        """Whether pictures are being taken or written."""
        return self._timer.isActive() or self._aside.busy

    def begin(self, path: Path) -> None:
        """Go through the recorded moments of the run that is shown."""
        live = self._view.state.live
        count = len(live.moments)
        if count < 2 or self.busy:
            raise DataError(
                "There is no recorded run to animate. Run a method that shows how its population "
                "changes, and save when it has ended.",
                code="not-computed",
            )
        which = np.linspace(0, count - 1, min(count, _MOST_PICTURES)).round().astype(int)
        self._left, self._taken, self._path = which.tolist(), [], path
        self._before, self._first = live.position, live.moments[0]
        self._timer.start()

    def _take_one(self) -> None:
        view = self._view
        live, count = view.state.live, len(self._left) + len(self._taken)
        if not live.moments or live.moments[0] is not self._first:
            self._timer.stop()
            self._taken = []
            view.session.logged.emit(
                f"'{self._path.name}' was not written: another run is shown now. Save it when that "
                "has ended."
            )
            view.refresh()
            return
        if not self._left:
            self._timer.stop()
            live.scrub(self._before)
            pictures = self._taken
            view.headline.setText(f"Writing {self._path.name} …")
            self._aside.ask(
                lambda: self._path.write_bytes(animated_png(pictures, _MILLISECONDS)),
                self._on_written,
                self._on_failed,
            )
            return
        live.scrub(self._left.pop(0))
        view.synchronize()
        self._taken.append(view.canvas.grab().toImage())
        view.headline.setText(f"Taking picture {len(self._taken)} of {count} …")

    def _on_written(self, _: int) -> None:
        self._taken = []
        self._view.session.logged.emit(f"Wrote {self._path.name}.")
        self._view.refresh()

    def _on_failed(self, error: BaseException) -> None:
        self._taken = []
        self._view.session.logged.emit(f"'{self._path.name}' was not written: {in_words(error)}")
        self._view.refresh()

"""The legend beside a scatter: names and counts of its colours, or a scale. A click selects."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter
from PySide6.QtWidgets import QSizePolicy

from coterie.gui.toolkit.plots.dots import paint_mark
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.shown_items.colouring import Colouring, LegendEntry

_WIDEST, _NARROWEST = 200.0, 96.0
_CHIP = 10.0
_SCALE_HEIGHT = 140.0


class Legend(pg.GraphicsWidget):  # type: ignore[misc] # the library ships no types
    """Drawn inside the canvas, so exported pictures have it too.

    Parameters
    ----------
    fills : be as wide as there is room, instead of as wide as the names need
    """

    clicked = pg.QtCore.Signal(object, object)  # Entry, keyboard modifiers
    asked = pg.QtCore.Signal(object, object)  # Entry, place on the screen: for a menu

    def __init__(self, *, fills: bool = False) -> None:
        super().__init__()
        self._colouring: Colouring | None = None
        self._fills = fills
        self._needed = _NARROWEST
        self._sought = ""
        self._first = 0  # the entry at the top, where not all have room
        self.hidden: frozenset[int] = frozenset()  # codes of entries whose items are not drawn
        if fills:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        else:
            self._hold(self._needed)
        self.setZValue(1)

    def show_colouring(self, colouring: Colouring) -> None:
        """Explain these colours; repaints only when names, colours or counts differ."""
        old, self._colouring = self._colouring, colouring
        if old is None or _explained(old) != _explained(colouring):
            self._widen(colouring)
            self._scroll_to(self._first)

    def search(self, text: str) -> None:
        """Show only the entries whose names have this text in them."""
        self._sought = text.casefold().strip()
        self._scroll_to(0)

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        """The entries that the search leaves."""
        every = self._colouring.entries if self._colouring is not None else ()
        return tuple(entry for entry in every if self._sought in entry.name.casefold())

    @property
    def _room(self) -> int:
        """How many entries can be seen at once."""
        return max(1, int((self.boundingRect().height() - self._top) // self._row_height))

    def _scroll_to(self, first: int) -> None:
        self._first = max(0, min(first, len(self.entries) - self._room))
        self.update()

    def wheelEvent(self, event: Any) -> None:
        """Scroll through entries that have no room."""
        if len(self.entries) <= self._room:
            event.ignore()
            return
        event.accept()
        self._scroll_to(self._first - (3 if event.delta() > 0 else -3))

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._scroll_to(self._first)

    def _widen(self, colouring: Colouring) -> None:
        """Be as wide as the names need; never narrower again, so the plot does not dance."""
        metrics = QFontMetricsF(self.font())
        texts = [colouring.title, *(f"{e.name}   {_count(e)}" for e in colouring.entries)]
        needed = max(metrics.horizontalAdvance(text) for text in texts) + _CHIP + 16
        width = min(max(needed, self._needed), _WIDEST)
        if width != self._needed and not self._fills:
            self._needed = width
            self._hold(width)

    def give_way(self, away: bool) -> None:
        """Leave the room to the picture when there is nothing to explain, or take it again."""
        self.setVisible(not away)
        self._hold(0.0 if away else self._needed)

    def _hold(self, width: float) -> None:
        self.setMinimumWidth(width)
        self.setMaximumWidth(width)

    @property
    def height_needed(self) -> float:
        """Height that all entries take."""
        if self._colouring is None:
            return 0.0
        if self._colouring.scale:
            return self._top + _SCALE_HEIGHT + 8
        return self._top + len(self._colouring.entries) * self._row_height

    def entry_at(self, point: QPointF) -> LegendEntry | None:
        """Return the entry that is drawn there."""
        if self._colouring is not None:
            row = int((point.y() - self._top) // self._row_height)
            entries = self.entries[self._first : self._first + self._room]
            if point.y() >= self._top and 0 <= row < len(entries):
                return entries[row]
        return None

    @property
    def _width(self) -> float:
        return float(self.geometry().width()) if self._fills else self._needed

    @property
    def _row_height(self) -> float:
        return QFontMetricsF(self.font()).height() + 6

    @property
    def _top(self) -> float:
        return self._row_height + 6

    def sizeHint(self, which: Qt.SizeHint, constraint: Any = None) -> QSizeF:
        heights = {Qt.SizeHint.MinimumSize: 60.0, Qt.SizeHint.MaximumSize: 1e6}
        width = self._needed
        if self._fills:
            width = 1e6 if which == Qt.SizeHint.MaximumSize else _NARROWEST
        return QSizeF(width, heights.get(which, 200.0))

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self.geometry().width(), self.geometry().height())

    def paint(self, painter: QPainter, *_: Any) -> None:
        if self._colouring is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme.current()
        font = self.font()
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        heading = QRectF(0, 0, self._width, self._row_height)
        metrics = QFontMetricsF(font)
        painter.drawText(heading, _LEFT, _elided(metrics, self._colouring.title, self._width - 8))
        painter.setFont(self.font())
        if self._colouring.scale:
            self._paint_scale(painter, self._colouring)
        else:
            self._paint_entries(painter, self._colouring)

    def _paint_entries(self, painter: QPainter, colouring: Colouring) -> None:
        colours = theme.current()
        metrics = QFontMetricsF(self.font())
        height, room = self._row_height, self._room
        entries = self.entries
        thumb = len(entries) > room
        width = self._width - (8 if thumb else 0)
        for row, entry in enumerate(entries[self._first : self._first + room]):
            y = self._top + row * height
            painter.setPen(Qt.PenStyle.NoPen)
            away = entry.code in self.hidden
            painter.setBrush(QColor(colours.grid if away else entry.colour))
            centre = QPointF(1 + _CHIP / 2, y + height / 2)
            paint_mark(painter, entry.mark, centre, _CHIP)
            count = _count(entry)
            taken = metrics.horizontalAdvance(count) + 10
            painter.setPen(QColor(colours.muted))
            painter.drawText(QRectF(0, y, width, height), _RIGHT, count)
            painter.setPen(QColor(colours.muted if away else colours.text))
            name = _elided(metrics, entry.name, width - taken - _CHIP - 8)
            painter.drawText(QRectF(_CHIP + 8, y, width - _CHIP - 8, height), _LEFT, name)
        if thumb:
            self._paint_thumb(painter, len(entries), room)
        elif not entries and self._sought:
            painter.setPen(QColor(colours.muted))
            painter.drawText(QRectF(0, self._top, width, height), _LEFT, "No group has that name.")

    def _paint_thumb(self, painter: QPainter, count: int, room: int) -> None:
        """Show which part of the entries is seen."""
        whole = room * self._row_height
        top = self._top + whole * self._first / count
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.current().grid))
        painter.drawRoundedRect(QRectF(self._width - 5, top, 4, whole * room / count), 2, 2)

    def _paint_scale(self, painter: QPainter, colouring: Colouring) -> None:
        colours = theme.current()
        bar = QRectF(1, self._top + 4, 14, _SCALE_HEIGHT)
        gradient = QLinearGradient(bar.bottomLeft(), bar.topLeft())
        steps = colouring.scale
        for step, colour in enumerate(steps):
            gradient.setColorAt(step / max(len(steps) - 1, 1), QColor(colour))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawRoundedRect(bar, 3, 3)
        painter.setPen(QColor(colours.text))
        height = self._row_height
        for text, y in ((colouring.high, bar.top()), (colouring.low, bar.bottom() - height)):
            painter.drawText(QRectF(24, y, self._width - 24, height), _LEFT, text)

    def mouseClickEvent(self, event: Any) -> None:
        entry = self.entry_at(event.pos())
        if entry is None:
            return
        event.accept()
        if event.button() == Qt.MouseButton.RightButton:
            self.asked.emit(entry, event.screenPos())
        else:
            self.clicked.emit(entry, event.modifiers())


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def _explained(colouring: Colouring) -> tuple[object, ...]:
    return colouring.title, colouring.entries, colouring.scale, colouring.low, colouring.high


def _count(entry: LegendEntry) -> str:
    """How many there are; nothing when that is not known."""
    return f"{entry.count:,}" if entry.count >= 0 else ""


def _elided(metrics: QFontMetricsF, text: str, width: float) -> str:
    # Both ends stay: names that begin alike mostly end differently.
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)

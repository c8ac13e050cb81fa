"""Icons: line drawings of our own in a box of 24 × 24, in the colour of the text around them."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QPainter,
    QPalette,
    QPixmap,
    QPixmapCache,
)
from PySide6.QtSvg import QSvgRenderer

_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="none" stroke="{colour}" '
    'stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>'
)
_DOT = '<circle cx="{}" cy="{}" r="{}" fill="{{colour}}" stroke="none"/>'


def _dots(*places: tuple[float, float, float]) -> str:
    return "".join(_DOT.format(*place) for place in places)


# Bodies may name {colour}; everything else is stroked.
_BODIES = {
    "open": '<path d="M3 18V6h6l2 2.5h8V11M3 18l3-7h16l-3 7z"/>',
    "save": '<path d="M5 4h11l4 4v12H4V5zM8 4v5h7V4M8 20v-6h8v6"/>',
    "run": '<path d="M8 5l11 7-11 7z" fill="{colour}"/>',
    "run-all": '<path d="M4 5l8 7-8 7zM13 5l8 7-8 7z" fill="{colour}"/>',
    "cancel": '<rect x="6" y="6" width="12" height="12" rx="1.5" fill="{colour}"/>',
    "undo": '<path d="M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11H9"/>',
    "redo": '<path d="M16 5l4 4-4 4M20 9H10a5.5 5.5 0 0 0 0 11h5"/>',
    "add": '<path d="M12 5v14M5 12h14"/>',
    "remove": '<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5"/>',
    "reset": '<path d="M5 5v5h5M5.6 10a7.5 7.5 0 1 1-1 4.5"/>',
    "fold": '<path d="M9 6l6 6-6 6"/>',
    "unfold": '<path d="M6 9l6 6 6-6"/>',
    "close": '<path d="M6 6l12 12M18 6L6 18"/>',
    "home": '<path d="M4 11l8-7 8 7M6 10v10h12V10M10 20v-6h4v6"/>',
    "tear-off": '<path d="M10 5H5v14h14v-5M13 4h7v7M20 4l-9 9"/>',
    "more": _dots((5, 12, 1.8), (12, 12, 1.8), (19, 12, 1.8)),
    "data": '<rect x="4" y="5" width="16" height="14" rx="1.5"/>'
    '<path d="M4 10h16M4 14.5h16M10 5v14"/>',
    "affinity": '<path d="M6 7l11-2M6 7l4 11M17 5l1 11M10 18l8-2M10 18l7-13"/>'
    + _dots((6, 7, 2.6), (17, 5, 2.6), (10, 18, 2.6), (18, 16, 2.6)),
    "clustering": '<circle cx="8.5" cy="9" r="5.5"/><circle cx="17" cy="16.5" r="4"/>'
    + _dots((7, 8, 1.4), (10.5, 8.5, 1.4), (8.3, 11.3, 1.4), (16, 16, 1.4), (18.3, 17.2, 1.4)),
    "ranking": '<path d="M4 6h16M4 11h11M4 16h7M4 20.5h4"/>',
    "embedding": '<path d="M4 4v16h16"/>'
    + _dots((8.5, 15, 1.6), (11, 11, 1.6), (15, 13.5, 1.6), (13.5, 7.5, 1.6), (18.5, 6.5, 1.6)),
    "metric": '<path d="M4 17a8.5 8.5 0 0 1 16 0M12 17l4-5"/>' + _dots((12, 17, 1.8)),
    "model": '<path d="M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9"/>',
    "trace": '<path d="M4 4v16h16M6.5 17C9 17 9 8 13 7.5s4-.5 7-.5"/>',
    "compare": '<rect x="3.5" y="5" width="7" height="14" rx="1.5"/>'
    '<rect x="13.5" y="5" width="7" height="14" rx="1.5"/>'
    + _dots((7, 9, 1.3), (7, 14, 1.3), (17, 9, 1.3), (17, 14, 1.3)),
    "find": '<circle cx="10.5" cy="10.5" r="6"/><path d="M15 15l5.5 5.5"/>',
    "help": '<path d="M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .6-1.5 1.2-1.5 2.6"/>' + _dots((12, 18.6, 1.3)),
    "figure": '<path d="M4 4v16h16M8.5 20v-6M12.5 20V8.5M16.5 20v-9"/>',
    "folder": '<path d="M3 19V6h6l2 2.5h10V19z"/>',
    "plugin": '<path d="M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3"/>',
    # Tools of the views.
    "solid": '<path d="M12 13V4M12 13l8 5M12 13l-8 5M10 6l2-2 2 2M18.5 15.4L20 18l-3 .2'
    'M5.5 15.4L4 18l3 .2"/>',
    "pause": '<path d="M8 6v12M16 6v12" stroke-width="3.4"/>',
    "step": '<path d="M6 5l9 7-9 7z" fill="{colour}"/><path d="M18.5 6v12" stroke-width="2.6"/>',
    "pan": '<path d="M12 3v18M3 12h18M9.5 5.5L12 3l2.5 2.5M9.5 18.5L12 21l2.5-2.5'
    'M5.5 9.5L3 12l2.5 2.5M18.5 9.5L21 12l-2.5 2.5"/>',
    "box": '<rect x="4" y="5.5" width="16" height="13" stroke-dasharray="2.6 3.2"/>',
    "lasso": '<path d="M8 17.5C0 15 1 5 12 4.5s12 10 2.5 12'
    'c-4 .8-7.5-.5-6.5 2.5.6 1.5 0 2.5-1.5 3"/>',
    "brush": '<path d="M20 4l-9.5 9.5M10.5 13.5c-3-1-5 .8-5 3S4.5 20 3 20c3.5 1.5 8 .5 8.5-3 '
    '.2-1.4-.1-2.7-1-3.5z"/>',
    "polygon": '<path d="M5 8l8-4 7 6-3 9H8z"/>'
    + _dots((5, 8, 1.7), (13, 4, 1.7), (20, 10, 1.7), (17, 19, 1.7), (8, 19, 1.7)),
    "flicker": '<path d="M3 12c2.5-4.5 5.5-6.5 9-6.5s6.5 2 9 6.5c-2.5 4.5-5.5 6.5-9 6.5S5.5 16.5 '
    '3 12z"/><circle cx="12" cy="12" r="2.8"/>',
    "fit": '<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/>',
    "download": '<path d="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4 16.5V20h16v-3.5"/>',
    # Marks of a step's status: they differ in shape as well as in colour.
    "fresh": '<circle cx="12" cy="12" r="8.5"/><path d="M8 12.3l2.8 2.8L16 9.5"/>',
    "stale": '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2.5"/>',
    "running": '<circle cx="12" cy="12" r="8.5"/><path d="M10 8.5l5.5 3.5L10 15.5z" '
    'fill="{colour}"/>',
    "waiting": '<circle cx="12" cy="12" r="8.5"/>'
    + _dots((8.3, 12, 1.2), (12, 12, 1.2), (15.7, 12, 1.2)),
    "failed": '<circle cx="12" cy="12" r="8.5"/><path d="M9 9l6 6M15 9l-6 6"/>',
    "broken": '<path d="M12 4l9 16H3zM12 10v4.5"/>' + _dots((12, 17.2, 1.1)),
    "missing": '<circle cx="12" cy="12" r="8.5" stroke-dasharray="3.3 3.37"/>',
    "left-out": '<circle cx="12" cy="12" r="8.5" stroke-dasharray="3.3 3.37"/>'
    '<path d="M12 7.5V12l3 2.5"/>',
    "off": '<path d="M12 4v7.5M7.2 6.8a7.5 7.5 0 1 0 9.6 0"/>',
    "blocked": '<circle cx="12" cy="12" r="8.5"/><path d="M6 6l12 12"/>',
}


class _LineIcon(QIconEngine):
    """Paints with the palette of the moment, so a change of scheme needs no new icons."""

    def __init__(self, name: str, colour: str) -> None:
        super().__init__()
        self._name, self._colour = name, colour

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        _draw(painter, QRectF(rect), self._name, self._ink(mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float
    ) -> QPixmap:
        # As many pixels as a dense screen has there.
        return _drawn(self._name, self._ink(mode), size * scale)

    def clone(self) -> QIconEngine:
        return _LineIcon(self._name, self._colour)

    def _ink(self, mode: QIcon.Mode) -> str:
        palette = QGuiApplication.palette()
        group = QPalette.ColorGroup.Active
        role = QPalette.ColorRole.WindowText
        if mode == QIcon.Mode.Disabled:
            group = QPalette.ColorGroup.Disabled
        elif self._colour:
            return self._colour
        elif mode == QIcon.Mode.Selected:
            role = QPalette.ColorRole.HighlightedText
        return palette.color(group, role).name()


def _drawn(name: str, ink: str, size: QSize) -> QPixmap:
    """Return a drawing as a picture, from Qt's own store if it was drawn before.

    A window paints dozens of them whenever its size changes.
    """
    key = f"coterie/{name}/{ink}/{size.width()}x{size.height()}"
    picture = QPixmap()
    if size.isEmpty():  # nothing can be painted on it, as Qt says at length
        return picture
    if not QPixmapCache.find(key, picture):
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        _draw(painter, QRectF(picture.rect()), name, ink)
        painter.end()
        QPixmapCache.insert(key, picture)
    return picture


def _draw(painter: QPainter, area: QRectF, name: str, ink: str) -> None:
    """Draw in the largest square at the middle of an area."""
    side = min(area.width(), area.height())
    square = QRectF(0, 0, side, side)
    square.moveCenter(area.center())
    QSvgRenderer(QByteArray(_svg(name, ink).encode())).render(painter, square)


def _svg(name: str, colour: str) -> str:
    body = _BODIES[name].replace("{colour}", colour)
    return _SVG.format(colour=colour, width=1.8, body=body)


@cache
def icon(name: str, colour: str = "") -> QIcon:
    """Return an icon by name, in the colour of text unless one is given."""
    return QIcon(_LineIcon(name, colour))


def pixmap(name: str, side: int, colour: QColor | str, ratio: float = 1.0) -> QPixmap:
    """Return a drawing as a picture of a fixed colour, for places that take no icon."""
    ink = colour if isinstance(colour, str) else colour.name()
    drawn = QPixmap(_drawn(name, ink, QSize(round(side * ratio), round(side * ratio))))
    drawn.setDevicePixelRatio(ratio)
    return drawn

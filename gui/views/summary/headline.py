"""The top of the Summary page: verdict, sizes of the groups, and the curve over their number."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QIcon,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from coterie.core.wording import counted
from coterie.gui.toolkit.styling import theme

_ROOM_FOR_PICTURE = 520
_ROOM_FOR_BOTH = 740
VERDICTS = {"sure": "sure", "unsure": "not sure", "no groups": "no groups found"}


class Headline(QWidget):
    """How many groups, how sure, and how large they are."""

    picture_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel()
        self.title.setProperty("role", "headline")
        self.badge = QLabel()
        self.sentence = QLabel(wordWrap=True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = QLabel(wordWrap=True)
        self.facts.setProperty("role", "muted")
        self.sizes = SizeBar()
        self.curve = CountCurve()
        self._has_picture = False
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.title)
        line.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addLayout(line)
        words.addWidget(self.sentence)
        words.addWidget(self.facts)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(6)
        words.addSpacing(4)
        words.addLayout(self.buttons)
        words.addStretch(1)
        upper = QHBoxLayout()
        upper.setSpacing(16)
        upper.addLayout(words, 1)
        upper.addWidget(self.curve, 0, Qt.AlignmentFlag.AlignTop)
        self.picture = QToolButton()
        self.picture.setProperty("role", "picture")
        self.picture.setCursor(Qt.CursorShape.PointingHandCursor)
        self.picture.setToolTip("Every item as a point. Click to look closer.")
        self.picture.setAccessibleName("Picture of the items in the colours of their groups")
        self.picture.clicked.connect(self.picture_asked)
        upper.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(upper)
        layout.addWidget(self.sizes)

    def show_picture(self, picture: QPixmap | None) -> None:
        """Show the items as points; None where there is no picture of them."""
        self._has_picture = picture is not None
        if picture is not None:
            size = picture.deviceIndependentSize().toSize()
            self.picture.setIcon(QIcon(picture))
            self.picture.setIconSize(size)

    def make_room(self, width: int) -> None:
        """Show picture and curve where they fit beside the words."""
        self.picture.setVisible(self._has_picture and width >= _ROOM_FOR_PICTURE)
        needed = _ROOM_FOR_BOTH if self._has_picture else _ROOM_FOR_PICTURE
        self.curve.setVisible(self.curve.has_curve and width >= needed)

    def show_verdict(self, verdict: str) -> None:
        """Show how sure the answer is, in a word and a colour."""
        colours = theme.current()
        shade = {"sure": colours.success, "unsure": colours.warning}.get(verdict, colours.muted)
        self.badge.setText(VERDICTS.get(verdict, ""))
        self.badge.setVisible(verdict in VERDICTS)
        self.badge.setStyleSheet(
            f"color: {shade}; border: 1px solid {shade}; border-radius: 9px; padding: 2px 9px;"
        )


class SizeBar(QWidget):
    """The groups side by side, each as wide as it is large."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(14)
        self.setAccessibleName("Sizes of the groups")
        self._parts: tuple[tuple[str, int, str], ...] = ()

    def show_parts(self, parts: Sequence[tuple[str, int, str]]) -> None:
        """Show groups as (name, size, colour)."""
        if tuple(parts) != self._parts:
            self._parts = tuple(parts)
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the groups."""
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for left, right, colour in self._places():
            gap = 1.0 if right - left > 4 else 0.0
            place = QRectF(left, 0, max(right - left - gap, 0.5), self.height())
            painter.fillRect(place, QColor(colour))
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Name the group under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            for (left, right, _), (name, size, _colour) in zip(
                self._places(), self._parts, strict=True
            ):
                if left <= event.pos().x() < right:
                    QToolTip.showText(event.globalPos(), f"{name}: {counted(size, 'item')}", self)
                    return True
            QToolTip.hideText()
            return True
        return super().event(event)

    def _places(self) -> list[tuple[float, float, str]]:
        total = sum(size for _, size, _ in self._parts) or 1
        found, left = [], 0.0
        for _, size, colour in self._parts:
            right = left + self.width() * size / total
            found.append((left, right, colour))
            left = right
        return found


class CountCurve(QWidget):
    """The best expected agreement at each number of groups, the chosen number marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._points: tuple[tuple[int, float], ...] = ()
        self._chosen = 0

    def show_curve(self, points: Sequence[tuple[int, float]], chosen: int) -> None:
        """Show the curve; with fewer than two points there is none."""
        self._points, self._chosen = tuple(points), chosen
        said = ", ".join(f"{k}: {value:.0%}" for k, value in self._points[:12])
        self.setAccessibleName(f"Expected agreement by number of groups: {said}")
        self.setToolTip(
            "Expected agreement with the true groups at each number of groups.\n" + said
        )
        self.update()

    @property
    def has_curve(self) -> bool:
        """Whether there is more than one point."""
        return len(self._points) > 1

    def sizeHint(self) -> QSize:
        """Small, beside the words."""
        return QSize(180, 84)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the curve."""
        if not self.has_curve:
            return
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = painter.font()
        font.setPointSizeF(max(7.0, font.pointSizeF() - 2))
        painter.setFont(font)
        metrics = painter.fontMetrics()
        line = metrics.height()
        frame = QRectF(6, line + 4, self.width() - 12, self.height() - 2 * line - 10)
        painter.setPen(QColor(colours.muted))
        painter.drawText(QPointF(6, metrics.ascent()), "expected agreement")
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawLine(frame.bottomLeft(), frame.bottomRight())
        painter.setPen(QPen(QColor(colours.accent), 1.8))
        painter.drawPolyline(QPolygonF([self._place(frame, at) for at in range(len(self._points))]))
        marked = [at for at, (k, _) in enumerate(self._points) if k == self._chosen]
        for at in marked:
            painter.setBrush(QColor(colours.accent))
            painter.drawEllipse(self._place(frame, at), 3.5, 3.5)
        painter.setPen(QColor(colours.muted))
        named = {0, len(self._points) - 1, *marked}
        last = -1e9
        for at in sorted(named, key=lambda at: (at not in marked, at)):
            k = str(self._points[at][0])
            x = self._place(frame, at).x()
            if at in marked:
                last = x
            elif abs(x - last) < metrics.horizontalAdvance("00") + 8:
                continue
            left = min(
                max(x - metrics.horizontalAdvance(k) / 2, 0),
                self.width() - metrics.horizontalAdvance(k),
            )
            painter.drawText(QPointF(left, frame.bottom() + metrics.ascent() + 2), k)
        painter.end()

    def _place(self, frame: QRectF, at: int) -> QPointF:
        """Numbers of groups are spread evenly: most are small."""
        highest = max(value for _, value in self._points) or 1.0
        x = frame.left() + frame.width() * at / (len(self._points) - 1)
        return QPointF(x, frame.bottom() - frame.height() * max(self._points[at][1], 0) / highest)

"""The columns of a ranking as one table: names with bars, or pictures, best first."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QImage, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.chips import chip
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.ranking.state import RankColumn, RankingState

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_ROW, _PICTURE_ROW, _PICTURE = 26, 68, 60
_LONG_NAME = 24  # letters; names of which many are longer get two lines
_NUMBER = 6  # letters; what is no longer has room beside a picture
_COLUMN, _PICTURE_COLUMN = 150, 118  # so four fit the window as it first opens
COLUMN_ROLE = Qt.ItemDataRole.UserRole
SHARE_ROLE = Qt.ItemDataRole.UserRole + 1
ITEM_ROLE = Qt.ItemDataRole.UserRole + 2


class RankModel(QAbstractTableModel):
    """Rows are places, columns are groups.

    The columns are those of the last `renew`, as Qt may ask for them after the state has others.
    """

    def __init__(self, state: RankingState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._columns: tuple[RankColumn, ...] = ()
        self._pictures: dict[int, QPixmap] = {}

    def renew(self) -> None:
        """Take over another ranking."""
        self.beginResetModel()
        self._columns = self._state.columns
        self._pictures.clear()
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        longest = max((len(column.items) for column in self._columns), default=0)
        return 0 if parent.isValid() else longest

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def column(self, number: int) -> RankColumn:
        """Return a column."""
        return self._columns[number]

    def shade(self, group: int) -> str:
        """Return the colour of a group."""
        colours = theme.current()
        chosen = self._state.shown.group_colours
        return (
            palette.group_colour(group, chosen, dark=colours.dark) if group >= 0 else colours.muted
        )

    def item_at(self, index: Index) -> int | None:
        """Return the item at a place, None below the last one."""
        column = self._columns[index.column()]
        return int(column.items[index.row()]) if index.row() < len(column.items) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        item = self.item_at(index) if index.isValid() else None
        if item is None or self._columns is not self._state.columns:
            return None  # nothing there, or soon no more
        column = self._columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._state.name(item)
        if role == ITEM_ROLE:
            return item
        if role == COLUMN_ROLE:
            return self.shade(column.group)
        if role == SHARE_ROLE:
            return float(column.shares[index.row()])
        if role == Qt.ItemDataRole.ToolTipRole:
            score = column.scores[index.row()]
            return f"{self._state.name(item)}\n{column.title}, place {index.row() + 1}: {score:.4g}"
        if role == Qt.ItemDataRole.DecorationRole and self._state.has_pictures:
            return self._picture(item)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{column.title} ({column.size:,})"
        if role == Qt.ItemDataRole.DecorationRole and column.group >= 0:
            return chip(self.shade(column.group))
        if role == Qt.ItemDataRole.ToolTipRole:
            return "Highest scores first; double-click to select all items"
        return None

    def _picture(self, item: int) -> QPixmap | None:
        if item not in self._pictures:
            pixels = self._state.thumbnail(item)
            if pixels is None:
                return None
            self._pictures[item] = small_picture(pixels)
        return self._pictures[item]


class BarDelegate(QStyledItemDelegate):
    """Draws the score as a bar behind the name, in the colour of the group."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.selected: Array = np.zeros(0, dtype=bool)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = theme.current()
        item = index.data(ITEM_ROLE)
        if item is None:
            return
        if int(item) < len(self.selected) and self.selected[int(item)]:
            tint = QColor(colours.accent)
            tint.setAlpha(60)
            painter.fillRect(option.rect, tint)
        area: QRect = option.rect
        bar = QColor(str(index.data(COLUMN_ROLE)))
        bar.setAlpha(70)
        width = round((area.width() - 6) * float(index.data(SHARE_ROLE)))
        painter.fillRect(QRect(area.left() + 3, area.bottom() - 5, width, 3), bar)
        picture = index.data(Qt.ItemDataRole.DecorationRole)
        left = area.left() + 8
        if isinstance(picture, QPixmap):
            place = area.top() + (area.height() - picture.height() - 6) // 2
            painter.drawPixmap(left, place, picture)
            left += picture.width() + 8
        words = QRect(left, area.top(), area.right() - left - 4, area.height() - 4)
        painter.setPen(QColor(colours.text))
        style: Any = option
        text = in_two_lines(str(index.data()), style.fontMetrics, words.width(), words.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        if style.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(colours.accent))
            painter.drawRect(area.adjusted(0, 0, -1, -1))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(_COLUMN, _ROW)


class RankTable(QTableView):
    """Says which item was clicked, with the keys that were held, and which group was asked for."""

    item_chosen = Signal(int, object)
    group_chosen = Signal(int)
    group_menu_asked = Signal(int, QPoint)

    def __init__(self, state: RankingState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.ranks = RankModel(state, self)
        self.setModel(self.ranks)
        self.bars = BarDelegate(self)
        self.setItemDelegate(self.bars)
        self.setAccessibleName("Top items of each group")
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionsClickable(True)
        header.setHighlightSections(False)
        header.setDefaultSectionSize(_COLUMN)
        header.sectionDoubleClicked.connect(self._on_header)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._on_header_menu)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.activated.connect(self._on_activated)

    def renew(self) -> None:
        """Take over another ranking."""
        self.ranks.renew()
        rows = _ROW
        if self._state.has_pictures:
            rows = _PICTURE_ROW
        elif self._state.has_long_names(_LONG_NAME):
            rows += self.fontMetrics().lineSpacing()
        self.verticalHeader().setDefaultSectionSize(rows)
        self._share_width()

    def show_selected(self, mask: Array) -> None:
        """Mark the items that are selected."""
        self.bars.selected = mask
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click selects the item, as the keys that are held say."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        item = self.ranks.item_at(index) if index.isValid() else None
        if item is not None and event.button() == Qt.MouseButton.LeftButton:
            self.item_chosen.emit(item, event.modifiers())

    def resizeEvent(self, event: Any) -> None:
        """Share the width among few columns."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        count = max(1, self.ranks.columnCount())
        numbered = self._state.has_pictures and not self._state.has_long_names(_NUMBER)
        least = _PICTURE_COLUMN if numbered else _COLUMN
        self.horizontalHeader().setDefaultSectionSize(
            max(least, min(320, self.viewport().width() // count))
        )

    def _on_activated(self, index: QModelIndex) -> None:
        item = self.ranks.item_at(index)
        if item is not None:
            self.item_chosen.emit(item, Qt.KeyboardModifier.NoModifier)

    def _on_header_menu(self, place: QPoint) -> None:
        header = self.horizontalHeader()
        section = header.logicalIndexAt(place)
        if section >= 0:
            group = self.ranks.column(section).group
            self.group_menu_asked.emit(group, header.mapToGlobal(place))

    def _on_header(self, section: int) -> None:
        self.group_chosen.emit(self.ranks.column(section).group)


def in_two_lines(text: str, metrics: QFontMetrics, width: int, height: int) -> str:
    """Break a text that is too long at a word, if two lines fit; what is left loses its middle."""
    end = Qt.TextElideMode.ElideMiddle  # names that begin alike end differently
    if metrics.horizontalAdvance(text) <= width or height < 2 * metrics.lineSpacing():
        return metrics.elidedText(text, end, width)
    words = text.split(" ")
    fitting = 0
    while metrics.horizontalAdvance(" ".join(words[: fitting + 1])) <= width:
        fitting += 1
    if not fitting:  # one word that is longer than the line
        return metrics.elidedText(text, end, width)
    rest = metrics.elidedText(" ".join(words[fitting:]), end, width)
    return " ".join(words[:fitting]) + "\n" + rest


def small_picture(pixels: Array, side: int = _PICTURE) -> QPixmap:
    """A picture of at most `side` pixels either way."""
    content = np.ascontiguousarray(pixels, dtype=np.uint8)
    height, width = content.shape[:2]
    grey = content.ndim == 2
    kind = QImage.Format.Format_Grayscale8 if grey else QImage.Format.Format_RGB888
    image = QImage(content.data, width, height, content.strides[0], kind).copy()
    return QPixmap.fromImage(image).scaled(
        side, side, Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )  # fmt: skip

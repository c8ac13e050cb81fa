"""The table of the Methods view: a row with a small picture for each grouping."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QMouseEvent, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.views.methods.pictures import SIZE
from coterie.gui.views.methods.rows import Row
from coterie.gui.views.methods.state import Measured, SortColumn

_PADDING = 8
_METHOD, _SIZES = 130, 90  # least widths of the columns of words


class MethodsTable(QTableWidget):
    """Rows as they are listed; a click on a heading sorts."""

    sort_asked = Signal(int)  # the place of a column of numbers
    pointed = Signal(int)  # a row, −1 for none
    menu_asked = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys: tuple[str, ...] = ()
        self._picked = ""  # the row that a person chose; until then it is the first
        self._filling = False
        self.currentCellChanged.connect(lambda row, *_: self._on_current(row))
        self.setAccessibleName("Groupings of the same items")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setIconSize(QSize(*SIZE))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(SIZE[1] + _PADDING)
        head = self.horizontalHeader()
        head.setSectionsClickable(True)
        head.setHighlightSections(False)
        head.sectionClicked.connect(lambda at: self.sort_asked.emit(at - 2))
        self.cellEntered.connect(lambda row, _: self.pointed.emit(row))

    def leaveEvent(self, event: object) -> None:
        """Point at nothing any more."""
        super().leaveEvent(event)  # type: ignore[arg-type]
        self.pointed.emit(-1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at nothing below the last row."""
        super().mouseMoveEvent(event)
        if self.rowAt(event.position().toPoint().y()) < 0:
            self.pointed.emit(-1)

    def show_rows(
        self,
        rows: Sequence[Row],
        columns: Sequence[SortColumn],
        measured: Measured,
        pinned: Sequence[bool],
        ratio: float,
    ) -> None:
        """Show rows, keeping the one that is chosen."""
        before = self.currentRow() if self._picked else 0
        self._filling, self._keys = True, tuple(row.key for row in rows)
        titles = ["", "Method", *(column.title for column in columns), "Sizes"]
        self.setColumnCount(len(titles))
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels(titles)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for at, column in enumerate(columns, start=2):
            self._head(at).setToolTip(f"{column.about}. Click to sort.")
        for at in (1, len(titles) - 1):
            self._head(at).setTextAlignment(left)
        for place, (row, held) in enumerate(zip(rows, pinned, strict=True)):
            self._show_row(place, row, columns, measured.picture(row), held, ratio)
        if rows:
            gone = min(max(before, 0), len(rows) - 1)
            place = self._keys.index(self._picked) if self._picked in self._keys else gone
            self.setCurrentCell(place, 1)
        self._filling = False
        self._share_width()

    def _on_current(self, row: int) -> None:
        if not self._filling and 0 <= row < len(self._keys):
            self._picked = self._keys[row]

    def _head(self, at: int) -> QTableWidgetItem:
        head = self.horizontalHeaderItem(at)
        assert head is not None  # made with its title
        return head

    def _show_row(
        self,
        place: int,
        row: Row,
        columns: Sequence[SortColumn],
        picture: Bytes | None,
        pinned: bool,
        ratio: float,
    ) -> None:
        drawn = QTableWidgetItem()
        drawn.setData(Qt.ItemDataRole.AccessibleTextRole, f"Picture of {row.title}")
        if picture is not None:
            pixmap = _pixmap(picture, ratio)
            shown = QIcon(pixmap)
            shown.addPixmap(pixmap, QIcon.Mode.Selected)  # in its own colours, chosen or not
            drawn.setIcon(shown)
        self.setItem(place, 0, drawn)
        marks = " · ".join(filter(None, (row.remark, "pinned" if pinned else "")))
        method = QTableWidgetItem("\n".join(filter(None, (row.title, marks))))
        method.setToolTip(f"{row.title}\nSizes: {row.sizes_in_words}")
        if row.chosen:
            font = method.font()
            font.setBold(True)
            method.setFont(font)
        self.setItem(place, 1, method)
        for at, column in enumerate(columns, start=2):
            value = column.value(row)
            said = "–" if value is None else f"{value:.0%}" if column.percent else f"{value:g}"
            cell = QTableWidgetItem(said)
            cell.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
            self.setItem(place, at, cell)
        sizes = QTableWidgetItem(row.sizes_in_words)
        sizes.setToolTip(row.sizes_in_words)
        self.setItem(place, len(columns) + 2, sizes)

    def resizeEvent(self, event: object) -> None:
        """Give the words the room that the numbers leave."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._share_width()

    def _share_width(self) -> None:
        count = self.columnCount()
        if count < 3:
            return
        self.setColumnWidth(0, SIZE[0] + _PADDING)
        for at in range(2, count - 1):
            self.setColumnWidth(at, self.horizontalHeader().sectionSizeHint(at) + 6)
        rest = self.viewport().width() - sum(
            self.columnWidth(at) for at in (0, *range(2, count - 1))
        )
        has_room = rest >= _METHOD + _SIZES  # else the tooltip of the method has the sizes
        for at in range(count):  # there may have been fewer columns before
            self.setColumnHidden(at, at == count - 1 and not has_room)
        method = max(_METHOD, rest * 6 // 10) if has_room else max(_METHOD, rest)
        self.setColumnWidth(1, method)
        if has_room:
            self.setColumnWidth(count - 1, rest - method)

    def show_sorted(self, place: int, *, reversed_order: bool) -> None:
        """Mark the column that rows are sorted by; −1 for none."""
        head: QHeaderView = self.horizontalHeader()
        head.setSortIndicatorShown(place >= 0)
        order = Qt.SortOrder.AscendingOrder if reversed_order else Qt.SortOrder.DescendingOrder
        if place >= 0:
            head.setSortIndicator(place + 2, order)

    def _on_menu(self, place: QPoint) -> None:
        row = self.rowAt(place.y())
        if row >= 0:
            self.setCurrentCell(row, 1)
            self.menu_asked.emit(row, self.viewport().mapToGlobal(place))


def _pixmap(picture: Bytes, ratio: float) -> QPixmap:
    height, width = picture.shape[:2]
    image = QImage(picture.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888)
    pixmap = QPixmap.fromImage(image.copy())
    pixmap.setDevicePixelRatio(ratio)
    return pixmap

"""The first rows of a file as they will be read, with the use of each column in its header."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QActionGroup,
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from coterie.gui.dialogs.import_data.state import ImportState
from coterie.gui.toolkit.styling import theme
from coterie.gui.toolkit.styling.icons import icon

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NARROWEST, _WIDEST, _WIDEST_TEXT = 76, 220, 460
_MARGIN, _ARROW = 8, 10
_MEASURED = 20  # rows by which the width of a column is found
_FITTED = 60  # columns whose widths are found; those further right get the usual one


class PreviewModel(QAbstractTableModel):
    """The cells of a preview. Only draws: `refresh` shows the state as it is now.

    Qt may ask for cells after the state has another preview; it gets nothing then.
    """

    def __init__(self, state: ImportState) -> None:
        super().__init__()
        self._state = state
        self._preview = state.preview
        self._ragged: set[int] = set()

    def refresh(self) -> None:
        """Show the state as it is now."""
        self.beginResetModel()
        self._preview = self._state.preview
        self._ragged = set(self._state.ragged())
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        preview = self._preview
        return 0 if parent.isValid() or preview is None else len(preview.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        preview = self._preview
        if parent.isValid() or preview is None:
            return 0
        # A row that is too long shows its surplus cells, so one sees what is wrong.
        return max([len(preview.columns), *(len(preview.rows[i]) for i in self._ragged)])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._preview is not self._state.preview:
            return None
        row, column = index.row(), index.column()
        kind = self._state.columns.role(column)
        shown, raw = self._state.columns.cell(row, column), self._state.columns.raw(row, column)
        missing = self._state.columns.is_missing(row, column)
        colours = theme.current()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return "missing" if missing and row not in self._ragged else shown
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if self._state.columns.is_number(column) else _LEFT
            case Qt.ItemDataRole.ForegroundRole if row in self._ragged:
                return QColor(colours.danger)
            case Qt.ItemDataRole.ForegroundRole if missing or kind == "left out":
                return QColor(colours.muted)
            case Qt.ItemDataRole.FontRole if missing or kind == "left out":
                font = QFont()
                font.setItalic(True)
                return font
            case Qt.ItemDataRole.ToolTipRole:
                return f"“{raw}” in the file" if raw != shown else (raw or None)
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        preview = self._preview
        if preview is None or preview is not self._state.preview:
            return None
        name = preview.columns[section] if section < len(preview.columns) else ""
        word = self._state.columns.use(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{name}, {word}"
        if role == Qt.ItemDataRole.ToolTipRole:
            offer = (
                "\nClick to change how it is used."
                if self._state.columns.roles_for(section)
                else ""
            )
            return f"{name}: {word}{offer}" if name else "More cells than columns"
        return None


class RoleHeader(QHeaderView):
    """Two lines for each column: its name, and what becomes of it."""

    def __init__(self, state: ImportState, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._state = state
        self._pointed = -1
        self.setSectionsClickable(True)
        self.setMouseTracking(True)
        self.setAccessibleName("Columns and how they are used")

    def sizeHint(self) -> QSize:
        """Room for two lines."""
        return QSize(super().sizeHint().width(), 2 * self.fontMetrics().height() + 14)

    def width_for(self, section: int) -> int:
        """Return the width that the head of a column asks for."""
        name = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        bold = QFont(self.font())
        bold.setBold(True)
        name_width = QFontMetrics(bold).horizontalAdvance(name)
        word = self._state.columns.use(section)
        role_width = self.fontMetrics().horizontalAdvance(word) + _ARROW + 10
        return max(name_width, role_width) + 2 * _MARGIN + 2

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw the name above and the role below, in the role's colour."""
        colours = theme.current()
        role = self._state.columns.role(section)
        offered = bool(self._state.columns.roles_for(section))
        painter.save()
        pointed = offered and section == self._pointed
        painter.fillRect(rect, QColor(colours.selection if pointed else colours.window))
        ink = QColor(role_colour(role, colours))
        painter.fillRect(QRect(rect.left(), rect.bottom() - 2, rect.width(), 2), ink)
        painter.setPen(QColor(colours.line))
        painter.drawLine(rect.topRight(), rect.bottomRight())
        inside = rect.adjusted(_MARGIN, 4, -_MARGIN, -5)
        half = inside.height() // 2
        above, below = QRect(inside), QRect(inside)
        above.setHeight(half)
        below.setTop(inside.top() + half)
        amounts = self._state.columns.is_number(section)
        side = Qt.AlignmentFlag.AlignRight if amounts else Qt.AlignmentFlag.AlignLeft
        name = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        font = QFont(self.font())
        font.setBold(role != "left out")
        font.setStrikeOut(role == "left out")
        painter.setFont(font)
        painter.setPen(QColor(colours.muted if role == "left out" else colours.text))
        middle = Qt.AlignmentFlag.AlignVCenter
        elided = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, above.width())
        painter.drawText(above, side | middle, elided)
        painter.setFont(self.font())
        painter.setPen(ink)
        word = self._state.columns.use(section)
        if offered:
            width = painter.fontMetrics().horizontalAdvance(word)
            left = below.left() + width + 4
            if amounts:
                left = below.right() - _ARROW
                below.setRight(left - 4)
            mark = QRect(left, below.center().y() - _ARROW // 2 + 1, _ARROW, _ARROW)
            icon("unfold", ink.name()).paint(painter, mark)
        painter.drawText(below, side | middle, word)
        painter.restore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show which column a click would be about."""
        super().mouseMoveEvent(event)
        self._point_at(self.logicalIndexAt(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._point_at(-1)

    def _point_at(self, section: int) -> None:
        if section != self._pointed:
            self._pointed = section
            self.viewport().update()


class PreviewTable(QTableView):
    """The table; `role_chosen` carries the column and its new role."""

    role_chosen = Signal(int, str)

    def __init__(self, state: ImportState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._shown: tuple[tuple[str, ...], tuple[str, ...]] = (), ()
        self.rows = PreviewModel(state)
        self.setModel(self.rows)
        self.head = RoleHeader(state)
        self.setHorizontalHeader(self.head)
        self.head.sectionClicked.connect(self._on_head_clicked)
        self.verticalHeader().setDefaultSectionSize(24)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName("First rows as they will be read")

    def refresh(self) -> None:
        """Show the state as it is now; widths stay while the columns and their uses do."""
        self.rows.refresh()
        self.head.setVisible(self.rows.columnCount() > 0)
        preview = self._state.preview
        shown = (preview.columns, preview.roles) if preview is not None else ((), ())
        if shown != self._shown:
            self._shown = shown
            for j in range(min(_FITTED, self.rows.columnCount())):
                width = max(self.head.width_for(j), self._width_of_cells(j))
                widest = _WIDEST_TEXT if self._state.columns.role(j) == "text" else _WIDEST
                self.setColumnWidth(j, min(max(width, _NARROWEST), widest))
            texts = [role == "text" for role in shown[1]]
            self.head.setStretchLastSection(bool(texts) and texts[-1])
        self.head.viewport().update()

    def _width_of_cells(self, column: int) -> int:
        """By the longest of the first rows: all of a wide table would take seconds to measure."""
        rows = range(min(_MEASURED, self.rows.rowCount()))
        longest = max((self._state.columns.cell(i, column) for i in rows), key=len, default="")
        return self.fontMetrics().horizontalAdvance(longest) + 3 * _MARGIN

    def menu_for(self, column: int) -> QMenu | None:
        """Return the menu of what a column can be; None when the reader leaves no choice."""
        choices = self._state.columns.roles_for(column)
        if not choices:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)  # one or the other
        for choice in choices:
            action = menu.addAction(choice.text)
            action.setCheckable(True)
            group.addAction(action)
            action.setChecked(choice.chosen)
            action.setEnabled(choice.allowed or choice.chosen)
            action.triggered.connect(
                lambda _=False, role=choice.role: self.role_chosen.emit(column, role)
            )
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The same menu by the keyboard, for the column of the current cell."""
        column = self.columnAt(event.pos().x())
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            column = self.currentIndex().column()
        self._popup(column)

    def _on_head_clicked(self, column: int) -> None:
        self._popup(column)

    def _popup(self, column: int) -> None:
        menu = self.menu_for(column) if column >= 0 else None
        if menu is not None:
            left = self.head.sectionViewportPosition(column)
            menu.popup(self.head.viewport().mapToGlobal(QPoint(left, self.head.height())))


def role_colour(role: str, colours: theme.Colours) -> str:
    """Return the colour that marks a role."""
    return {
        "truth": colours.success,
        "items": colours.warning,
        "left out": colours.muted,
        "information": colours.muted,
        "": colours.line,
    }.get(role, colours.accent)

"""The columns of a file as a table: what each holds, what it is used for, and why."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QActionGroup, QColor, QContextMenuEvent, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from coterie.core.formats.files.tabular import ColumnAbout
from coterie.gui.dialogs.import_data.file_columns import ROLE_WORDS
from coterie.gui.dialogs.import_data.preview_table import role_colour
from coterie.gui.dialogs.import_data.state import ImportState
from coterie.gui.toolkit.styling import theme

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_HEADINGS = ("Column", "Type", "Role", "Spread", "Values", "Missing", "Why", "Examples")
NAME, TYPE, ROLE, SPREAD, VALUES, ABSENT, WHY, EXAMPLES = range(len(_HEADINGS))
_WIDTHS = (124, 80, 92, 82, 142, 84, 260, 150)  # pixels
_CHOSEN = "As you chose."
_LEAST_BAR = 1.0  # pixels: a bin with a single cell is to be seen


class ColumnsModel(QAbstractTableModel):
    """A row for each column of the file. Only draws: `refresh` shows the state as it is now."""

    def __init__(self, state: ImportState) -> None:
        super().__init__()
        self._state = state
        self._about: tuple[ColumnAbout, ...] = ()

    def refresh(self) -> None:
        """Show the state as it is now."""
        self.beginResetModel()
        preview = self._state.preview
        self._about = preview.about if preview is not None else ()
        self.endResetModel()

    def about(self, row: int) -> ColumnAbout:
        """Return what is known of the column in a row."""
        return self._about[row]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._about)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_HEADINGS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return _HEADINGS[section] if orientation == Qt.Orientation.Horizontal else section + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._about):
            return None
        about, at = self._about[index.row()], index.column()
        colours = theme.current()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(about, index.row(), at)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{_HEADINGS[at]} of {about.name}: {self._text(about, index.row(), at)}"
            case Qt.ItemDataRole.ToolTipRole:
                offer = "\nClick to change it." if at in (TYPE, ROLE) else ""
                return f"{self._text(about, index.row(), at) or spread_in_words(about)}{offer}"
            case Qt.ItemDataRole.ForegroundRole if at == ROLE:
                return QColor(role_colour(self._state.columns.role(index.row()), colours))
            case Qt.ItemDataRole.ForegroundRole if at == ABSENT and not about.missing:
                return QColor(colours.muted)
            case Qt.ItemDataRole.FontRole if at in (NAME, TYPE, ROLE):
                font = QFont()
                font.setBold(at == NAME)
                font.setUnderline(at != NAME)  # a click changes it
                return font
        return None

    def _text(self, about: ColumnAbout, row: int, at: int) -> str:
        if at == WHY:
            return " ".join((about.why or _CHOSEN, *about.notes))
        if at == ABSENT:
            cells = about.missing + about.known
            share = f" ({about.missing / cells:.0%})" if about.missing else ""
            return f"{about.missing:,}{share}"
        role = ROLE_WORDS.get(self._state.columns.role(row), about.role)
        unit = f" {about.unit}" if about.unit else ""
        return {
            NAME: about.name,
            TYPE: about.type,
            ROLE: "feature" if role == "number" else role,
            VALUES: f"{about.range}{unit}",
            EXAMPLES: "; ".join(about.examples),
        }.get(at, "")


def spread_in_words(about: ColumnAbout) -> str:
    """Return the histogram of a column in words."""
    if not about.histogram:
        return "No distribution to show"
    counts = ", ".join(f"{count:,}" for count in about.histogram)
    what = "items of each category" if about.type in ("category", "ordered") else "items by value"
    return f"{what.capitalize()}: {counts}"


class _SpreadPainter(QStyledItemDelegate):
    """Paints how the values of a column are spread, as a few bars."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        model = index.model()
        assert isinstance(model, ColumnsModel)
        if index.row() >= model.rowCount():
            return
        counts = model.about(index.row()).histogram
        highest = max(counts, default=0)
        if not highest:
            return
        room = QRectF(option.rect).adjusted(6, 4, -6, -4)
        width = room.width() / max(len(counts), 4)
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.current().accent))
        for at, count in enumerate(counts):
            height = max(room.height() * count / highest, _LEAST_BAR if count else 0.0)
            left = room.left() + at * width
            painter.drawRect(QRectF(left, room.bottom() - height, max(width - 1, 1), height))
        painter.restore()


class ColumnsTable(QTableView):
    """The table; `type_chosen` and `role_chosen` carry the column and what it is to be."""

    type_chosen = Signal(int, str)
    role_chosen = Signal(int, str)

    def __init__(self, state: ImportState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.columns = ColumnsModel(state)
        self.setModel(self.columns)
        self.setItemDelegateForColumn(SPREAD, _SpreadPainter(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(24)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        for at, width in enumerate(_WIDTHS):
            self.setColumnWidth(at, width)
        self.clicked.connect(self._on_clicked)
        self.setAccessibleName("Columns: type, role, values and reasons")

    def refresh(self) -> None:
        """Show the state as it is now; the place that was looked at stays."""
        place, across = self.verticalScrollBar().value(), self.horizontalScrollBar().value()
        current = self.currentIndex()
        at = current.row(), current.column()
        self.columns.refresh()
        if 0 <= at[0] < self.columns.rowCount():
            self.setCurrentIndex(self.columns.index(*at))
        self.verticalScrollBar().setValue(place)
        self.horizontalScrollBar().setValue(across)

    def menu_for(self, index: Index) -> QMenu | None:
        """Return the menu of the types or roles that a column can have; None elsewhere."""
        row, at = index.row(), index.column()
        if at not in (TYPE, ROLE) or row >= self.columns.rowCount():
            return None
        signal = self.type_chosen if at == TYPE else self.role_chosen
        choices = (
            self._state.columns.types_for(row) if at == TYPE else self._state.columns.roles_for(row)
        )
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)
        for choice in choices:
            action = menu.addAction(choice.text)
            action.setCheckable(True)
            group.addAction(action)
            action.setChecked(choice.chosen)
            action.setEnabled(choice.allowed or choice.chosen)
            action.triggered.connect(lambda _=False, role=choice.role: signal.emit(row, role))
        return menu if choices else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the menu of the current cell by Space, Enter or F2."""
        keys = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)
        if event.key() in keys and self.menu_for(self.currentIndex()) is not None:
            self._on_clicked(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The same menu as by a click."""
        self._on_clicked(self.indexAt(event.pos()))

    def _on_clicked(self, index: Index) -> None:
        menu = self.menu_for(index) if index.isValid() else None
        if menu is not None:
            place = self.visualRect(index).bottomLeft()
            menu.popup(self.viewport().mapToGlobal(QPoint(place)))

"""The finder: type a few letters, read what it is, press Enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.dialogs.finder.state import RECOMMENDED, Entry, search
from coterie.gui.toolkit.buttons import plain
from coterie.gui.toolkit.styling import theme

_ENTRY = Qt.ItemDataRole.UserRole
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_HINT = "Enter runs a command or adds a method. Esc closes."


class FinderDialog(QDialog):
    """A line to type in, what is found, and a page about the one that is chosen.

    Parameters
    ----------
    entries : all that can be found, in the order in which they are shown before anything is typed
    page : returns a page about an entry, as Markdown
    """

    picked = Signal(object)  # Entry

    def __init__(
        self,
        entries: Sequence[Entry],
        page: Callable[[Entry], str],
        parent: QWidget | None = None,
        *,
        prompt: str = "Find a command or method",
    ) -> None:
        super().__init__(parent)
        self.setObjectName("finder")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Find")
        self._entries, self._page = tuple(entries), page
        self._found: tuple[Entry, ...] = ()
        self.line = QLineEdit(placeholderText=prompt)
        self.line.setAccessibleName(prompt)
        self.line.setClearButtonEnabled(True)
        self.line.textChanged.connect(self._on_text)
        self.line.returnPressed.connect(self._on_enter)
        self.line.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName("Search results")
        self.list.setItemDelegate(_TwoLines(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumWidth(300)
        self.list.currentItemChanged.connect(lambda *_: self._show_page())
        self.list.itemActivated.connect(lambda _: self._on_enter())
        self.text = QTextBrowser()
        self.text.setAccessibleName("About it")
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(10)
        self.none = QLabel("No matches. Try fewer letters.")
        self.none.setProperty("role", "muted")
        self.none.setWordWrap(True)
        hint = QLabel(_HINT)
        hint.setProperty("role", "muted")
        left = QVBoxLayout()
        left.addWidget(self.none)
        left.addWidget(self.list, 1)
        both = QHBoxLayout()
        both.setSpacing(8)
        both.addLayout(left, 5)
        both.addWidget(self.text, 6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 8)
        layout.setSpacing(8)
        layout.addWidget(self.line)
        layout.addLayout(both, 1)
        layout.addWidget(hint)
        room = parent.size() if parent is not None else QSize(1000, 700)
        self.resize(min(900, room.width() - 80), min(560, room.height() - 80))
        self._on_text("")
        self.line.setFocus()

    @property
    def chosen(self) -> Entry | None:
        """The entry that Enter takes; None when nothing was found."""
        at = self.list.currentRow()
        return self._found[at] if 0 <= at < len(self._found) else None

    def _on_text(self, text: str) -> None:
        self.list.clear()
        self._found = search(self._entries, text)
        for entry in self._found:
            item = QListWidgetItem(entry.title)
            item.setData(_ENTRY, entry)
            said = (entry.title, entry.where, entry.why or entry.about)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, said)))
            if not entry.possible:
                item.setToolTip(entry.why)
            self.list.addItem(item)
        self.none.setVisible(self.list.count() == 0)
        self.list.setVisible(self.list.count() > 0)
        self.list.setCurrentRow(0)
        self._show_page()

    def _show_page(self) -> None:
        entry = self.chosen
        self.text.setMarkdown("" if entry is None else self._page(entry))

    def _on_enter(self) -> None:
        entry = self.chosen
        if entry is not None and entry.possible:
            self.accept()
            self.picked.emit(entry)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the line has the focus."""
        if (
            watched is self.line
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _MOVES
        ):
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)


class _TwoLines(QStyledItemDelegate):
    """Title and place in the first line; why it suits, or what it does, in the second."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw an entry."""
        entry = index.data(_ENTRY)
        colours = theme.current()
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(colours.selection))
        room: QRect = option.rect.adjusted(8, 4, -8, -4)
        font: QFont = option.font
        metrics = painter.fontMetrics()
        line = metrics.height()
        painter.setPen(QColor(colours.muted))
        side = entry.keys or entry.where
        taken = metrics.horizontalAdvance(side) + 12
        top = QRect(room.left(), room.top(), room.width(), line)
        painter.drawText(top, Qt.AlignmentFlag.AlignRight, side)
        bold = QFont(font)
        bold.setBold(True)
        painter.setFont(bold)
        painter.setPen(QColor(colours.text if entry.possible else colours.muted))
        elide = Qt.TextElideMode.ElideRight
        title = painter.fontMetrics().elidedText(entry.title, elide, room.width() - taken)
        painter.drawText(top, Qt.AlignmentFlag.AlignLeft, title)
        painter.setFont(font)
        said = plain(entry.why or entry.about)
        good = entry.recommended
        painter.setPen(QColor(colours.success if good else colours.muted))
        below = QRect(room.left(), room.top() + line + 2, room.width(), line)
        words = metrics.elidedText(said, elide, room.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, words)
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Two lines."""
        metrics = option.fontMetrics
        return QSize(200, 2 * metrics.height() + 12)


def headed(entry: Entry, page: str) -> str:
    """Return a page with why its method is recommended at the top."""
    if not entry.why:
        return page
    word = f"**{RECOMMENDED}.** " if entry.recommended else ""
    return f"{word}{entry.why}\n\n{page}"

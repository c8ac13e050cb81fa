"""The Inspector: the selected items, their groups, ranks and features."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.panels.inspection import Line, inspect
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.redraw_queue import soon
from coterie.gui.toolkit.styling import theme

if TYPE_CHECKING:
    from coterie.projects.session import Session

_AROUND = 14  # pixels around the text of a cell
_NOTHING = "Select items in a view to see them here: their groups, ranks and features."


class Inspector(QWidget):
    """A headline and a list of facts. Redrawn soon after the selection, never while hidden."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._lines: tuple[Line, ...] = ()
        self._small = self.font()
        self.headline = QLabel()
        self.headline.setProperty("role", "title")
        self.headline.setWordWrap(True)
        self._empty = QLabel(_NOTHING)
        self._empty.setWordWrap(True)
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.facts = self._make_facts()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 8)
        layout.setSpacing(8)
        layout.addWidget(self.headline)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self.facts, 1)
        listen(self, session.selection.changed, self._on_news)
        listen(self, session.step_changed, self._on_news)
        listen(self, session.recipe_changed, self._on_news)
        self.setMinimumWidth(210)
        self.synchronize()

    def synchronize(self) -> None:
        """Show the selection as it is now."""
        headline, sections = inspect(self._session)
        self.headline.setText(headline)
        self.headline.setVisible(bool(headline))
        self._empty.setVisible(not headline)
        self.facts.setVisible(bool(headline))
        self.facts.clear()
        self._lines = tuple(line for section in sections for line in section.lines)
        small = self._small = self.font()
        small.setPointSizeF(small.pointSizeF() * 0.9)
        quiet = QBrush(QColor(theme.current().muted))
        for section in sections:
            heading = QTreeWidgetItem(self.facts, [section.title])
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = heading.font(0)
            font.setBold(True)
            heading.setFont(0, font)
            heading.setFirstColumnSpanned(True)
            for line in section.lines:
                item = QTreeWidgetItem(heading, [line.label, line.value, line.note])
                item.setForeground(2, quiet)
                item.setFont(2, small)
                for column in range(3):
                    item.setToolTip(column, item.text(column))
        self.facts.expandAll()
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give every column its part of the new width."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Give names, values and notes the room they ask for, and share what there is if need be.

        Names give way first, to a third of the room: a number that is cut off says nothing.
        """
        room = self.facts.viewport().width()
        name, value, note = self._widths()
        least = min(name, round(room / 3))
        value = min(value, room - least)
        note = min(note, room - least - value)
        name = min(name, room - value - note)
        self.facts.setColumnWidth(0, name)
        self.facts.setColumnWidth(1, value)
        self.facts.setColumnWidth(2, room - name - value)

    def _widths(self) -> tuple[int, int, int]:
        """What the lines ask for in each column; headings span all of them."""
        usual, small = self.facts.fontMetrics(), QFontMetrics(self._small)
        names = max((usual.horizontalAdvance(line.label) for line in self._lines), default=0)
        values = max((usual.horizontalAdvance(line.value) for line in self._lines), default=0)
        notes = max((small.horizontalAdvance(line.note) for line in self._lines), default=0)
        return names + _AROUND, values + _AROUND, notes + _AROUND

    def _make_facts(self) -> QTreeWidget:
        facts = QTreeWidget()
        facts.setColumnCount(3)
        facts.setHeaderHidden(True)
        facts.setIndentation(0)
        facts.setRootIsDecorated(False)
        facts.setAccessibleName("Facts about the selected items")
        facts.setUniformRowHeights(True)
        facts.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        facts.setProperty("role", "plain")
        facts.header().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        facts.header().setStretchLastSection(False)  # a hidden header does not, see _share_width
        facts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        copy = facts.addAction("Copy")
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._copy)
        facts.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        return facts

    def _copy(self) -> None:
        rows = ["\t".join(item.text(c) for c in range(3)) for item in self.facts.selectedItems()]
        QGuiApplication.clipboard().setText("\n".join(rows))

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        soon(self._on_time_to_redraw)

    def _on_news(self, *_: object) -> None:
        soon(self._on_time_to_redraw)

    def _on_time_to_redraw(self) -> None:
        if self.isVisible():
            self.synchronize()

"""The Inspector: the selected items, their groups, ranks and features, and their certificate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
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
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.core.model.arrays import Ints
from coterie.gui.panels.certificate_lines import certificate_section
from coterie.gui.panels.inspector_state import InspectorSection, Line, inspect, root_dataset
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.elided import short_name
from coterie.gui.toolkit.redraw_queue import soon
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.shown_items.displayed import affinity_step, look
from coterie.projects.jobs.job import Status

if TYPE_CHECKING:
    from coterie.projects.session import Session

_LONGEST_HEADLINE = 80
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
        self._chosen = ""
        self._asked: tuple[str, Ints] | None = None  # the step and the items of the last question
        self._found: Mapping[str, Any] | str | None = None
        self.certify = self._make_certify()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 8)
        layout.setSpacing(8)
        layout.addWidget(self.headline)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self.facts, 1)
        layout.addWidget(self.certify)
        listen(self, session.selection.changed, self._on_news)
        listen(self, session.step_changed, self._on_step_changed)
        listen(self, session.recipe_changed, self._on_news)
        listen(self, session.questions.certified, self._on_certified)
        self.setMinimumWidth(210)
        self.synchronize()

    def synchronize(self) -> None:
        """Show the selection as it is now."""
        headline, sections = inspect(self._session)
        if headline and self.certify.isChecked():
            sections = (self._certificate(), *sections)
        self.headline.setText(short_name(headline, _LONGEST_HEADLINE))
        self.headline.setToolTip(headline)
        self.headline.setVisible(bool(headline))
        self._empty.setVisible(not headline)
        self.facts.setVisible(bool(headline))
        self.certify.setVisible(bool(headline))
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
                item.setFirstColumnSpanned(_is_sentence(line))
                for column in range(3):
                    item.setToolTip(column, item.text(column))
        self.facts.expandAll()
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give every column its part of the new width."""
        super().resizeEvent(event)
        self._share_width()

    def show_step(self, name: str) -> None:
        """Compare the selection with the similarities that belong to a step."""
        self._chosen = name
        self._on_news()

    def _certificate(self) -> InspectorSection:
        """What holds of the selection; asked of the engine when that is not known yet."""
        session = self._session
        items = session.selection.items
        step = affinity_step(session, self._chosen, session.selection.n)
        if not step:
            self._asked = None
            return certificate_section("Run a kernel or a graph first.", "", None)
        asked = self._asked
        if asked is None or asked[0] != step or not np.array_equal(asked[1], items):
            self._asked, self._found = (step, items.copy()), None
            groups = look(session, self._chosen).clustering_step
            fresh = bool(groups) and session.status(groups) == Status.FRESH
            session.questions.certify(step, items, groups if fresh else "")
        return certificate_section(self._found, step, root_dataset(session))

    def _on_certified(self, step: str, found: Mapping[str, Any] | str) -> None:
        if self._asked is None or self._asked[0] != step:
            return
        if not isinstance(found, str) and found["members"] != self._asked[1].tolist():
            return  # of an earlier selection; the newest is under way
        self._found = found
        self._on_news()

    def _on_step_changed(self, name: str) -> None:
        # Its similarities may be others now; and a question that a run interrupts has no answer.
        if self._asked is not None and (self._asked[0] == name or self._found is None):
            self._asked = None
        self._on_news()

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
        lines = [line for line in self._lines if not _is_sentence(line)]
        usual, small = self.facts.fontMetrics(), QFontMetrics(self._small)
        names = max((usual.horizontalAdvance(line.label) for line in lines), default=0)
        values = max((usual.horizontalAdvance(line.value) for line in lines), default=0)
        notes = max((small.horizontalAdvance(line.note) for line in lines), default=0)
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

    def _make_certify(self) -> QPushButton:
        button = QPushButton("Is it a dominant set?")
        button.setCheckable(True)
        button.setToolTip(
            "Test whether the selection is a dominant set: which items would leave, and which "
            "would join?"
        )
        button.toggled.connect(self._on_news)
        return button

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


def _is_sentence(line: Line) -> bool:
    """Whether there is nothing beside the words, which have all the room then."""
    return not line.value and not line.note

"""The classes of a map: groups named, coloured and merged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QColorDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QInputDialog,
    QLabel,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.core.model.arrays import Array
from coterie.gui.toolkit.chips import chip
from coterie.gui.views.map.classes.state import Classes

_GROUP = Qt.ItemDataRole.UserRole
EXAMPLES, SIDE = 4, 46  # small pictures of a group, and their size


class ClassesPanel(QWidget):
    """A row a group: its colour and name, the class it belongs to, and its share of the items.

    Below are examples of the chosen group, and the group that it is most like.
    """

    changed = Signal(str)  # what was done, for undo
    groups_chosen = Signal()
    split_asked = Signal(int)
    move_asked = Signal()
    example_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._classes: Classes | None = None
        self._dark = False
        self._can_split, self._selected = False, 0
        self.table = QTableWidget(0, 3)
        self.table.setHorizontalHeaderLabels(["Group", "Class", "Share"])
        self.table.setAccessibleName("Groups and their classes")
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.table.itemChanged.connect(self._on_edited)
        self.table.itemSelectionChanged.connect(self._enable)
        self.table.itemSelectionChanged.connect(self.groups_chosen)
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("role", "muted")
        self._none = QLabel(
            "Run a clustering method to turn its groups into classes here.", wordWrap=True
        )
        self._none.setProperty("role", "muted")
        self.outdated = QLabel(wordWrap=True)
        self.outdated.setProperty("role", "muted")
        self.merge = self._button("Merge…", "Merge the selected groups into one class")
        self.merge.clicked.connect(self.ask_merge)
        self.colour = self._button("Colour…", "Choose a colour for the class of the selected group")
        self.colour.clicked.connect(self.ask_colour)
        self.reset = self._button("Reset", "Make every group its own class again")
        self.reset.clicked.connect(self._on_reset)
        self.split = self._button(
            "Split…", "Divide the selected group, such as land with thin cloud"
        )
        self.split.clicked.connect(lambda: self.split_asked.emit(self.chosen()[0]))
        self.move_items = self._button("Move…", "Move the selected pixels to another group")
        self.move_items.clicked.connect(self.move_asked)
        buttons = QGridLayout()
        buttons.setSpacing(4)
        every = (self.merge, self.split, self.move_items, self.colour, self.reset)
        self._every = every
        for at, button in enumerate(every):
            buttons.addWidget(button, at // 3, at % 3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 4)
        layout.setSpacing(6)
        layout.addWidget(self._none)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.about)
        layout.addLayout(self._make_examples())
        layout.addWidget(self.outdated)
        layout.addLayout(buttons)

    def _make_examples(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        self.examples: list[QToolButton] = []
        for at in range(EXAMPLES):
            button = QToolButton()
            button.setIconSize(QSize(SIDE, SIDE))
            button.setAutoRaise(True)
            button.setAccessibleName(f"Example {at + 1} of the group")
            button.setToolTip("Show this place on the map")
            button.clicked.connect(lambda _=False, at=at: self.example_asked.emit(at))
            button.hide()
            self.examples.append(button)
            row.addWidget(button)
        row.addStretch(1)
        return row

    def show_group(self, about: str) -> None:
        """Say what the chosen group is like; its examples follow."""
        self.about.setText(about)
        self.about.setVisible(bool(about))
        for button in self.examples:
            button.setVisible(False)

    def show_examples(self, pictures: Sequence[QPixmap]) -> None:
        """Show what is around some pixels of the chosen group."""
        for button, picture in zip(self.examples, pictures, strict=False):
            button.setIcon(QIcon(picture))
            button.setVisible(True)

    def show_classes(
        self,
        classes: Classes | None,
        labels: Array | None,
        *,
        dark: bool,
        outdated: str = "",
        can_split: bool = False,
        selected: int = 0,
    ) -> None:
        """Show these groups.

        Parameters
        ----------
        labels : the group of each item; they are counted
        outdated : what does not follow the classes
        can_split : whether a group can be divided
        selected : how many items are selected, and could be moved
        """
        self._classes, self._dark = classes, dark
        self._can_split, self._selected = can_split, selected
        self.outdated.setText(outdated)
        self.outdated.setVisible(bool(outdated))
        self._none.setVisible(classes is None)
        for widget in (self.table, *self._every):
            widget.setVisible(classes is not None)
        if classes is None:
            return
        counts = np.zeros(len(classes.groups), dtype=np.int64)
        if labels is not None:
            known = labels[(labels >= 0) & (labels < len(counts))]
            counts = np.bincount(known, minlength=len(counts))
        total = max(1, len(labels) if labels is not None else 0)
        colours = {g: c.colour for c in classes.listed(dark=dark) for g in c.groups}
        self.table.blockSignals(True)
        self.table.setRowCount(len(classes.groups))
        for group, name in enumerate(classes.groups):
            first = QTableWidgetItem(QIcon(chip(colours[group])), name)
            first.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            first.setData(_GROUP, group)
            first.setToolTip(f"{name}: {counts[group]:,} items")
            third = QTableWidgetItem(f"{counts[group] / total:.1%}")
            third.setFlags(first.flags())
            third.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            third.setToolTip(f"{counts[group]:,} of {total:,} items")
            second = QTableWidgetItem(classes.name_of(group))
            second.setToolTip("Type a name; groups with the same name form one class")
            for column, item in enumerate((first, second, third)):
                old = self.table.item(group, column)
                if old is None:
                    self.table.setItem(group, column, item)
                elif not self._is_edited(group, column):
                    old.setText(item.text())
                    old.setIcon(item.icon())
                    old.setToolTip(item.toolTip())
        self.table.blockSignals(False)
        self._enable()

    def chosen(self) -> tuple[int, ...]:
        """Return the groups whose rows are chosen."""
        return tuple(sorted({index.row() for index in self.table.selectedIndexes()}))

    def ask_merge(self) -> None:
        """Ask what the class of the chosen groups is called."""
        groups = self.chosen()
        if self._classes is None or len(groups) < 2:
            return
        name, agreed = QInputDialog.getText(
            self, "Merge groups", "Name of the class:", text=self._classes.name_of(groups[0])
        )
        if agreed and name.strip():
            self._classes.merge(groups, name)
            self.changed.emit(f"merge {len(groups)} groups")

    def ask_colour(self) -> None:
        """Ask for the colour of the chosen group's class."""
        groups = self.chosen()
        if self._classes is None or not groups:
            return
        name = self._classes.name_of(groups[0])
        now = next(c.colour for c in self._classes.listed(dark=self._dark) if c.name == name)
        colour = QColorDialog.getColor(QColor(now), self, f"Colour of {name}")
        if colour.isValid():
            self._classes.recolour(name, colour.name())
            self.changed.emit(f"colour {name}")

    def _on_edited(self, item: QTableWidgetItem) -> None:
        if self._classes is not None and item.column() == 1:
            self._classes.rename(item.row(), item.text())
            self.changed.emit(f"name {self._classes.groups[item.row()]}")

    def _on_reset(self) -> None:
        if self._classes is not None:
            self._classes.reset()
            self.changed.emit("reset classes")

    def _is_edited(self, row: int, column: int) -> bool:
        editing = self.table.state() == QAbstractItemView.State.EditingState
        return editing and (row, column) == (self.table.currentRow(), self.table.currentColumn())

    def _enable(self) -> None:
        chosen = self.chosen()
        self.merge.setEnabled(len(chosen) > 1)
        self.colour.setEnabled(bool(chosen))
        self.split.setEnabled(len(chosen) == 1 and self._can_split)
        self.move_items.setEnabled(self._can_split and self._selected > 0)
        few = f"Move {self._selected:,} selected pixels to another group"
        self.move_items.setToolTip(few if self._selected else "Select the pixels to move first")
        self.reset.setEnabled(self._classes is not None and self._classes.changed)

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setProperty("role", "word")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return button

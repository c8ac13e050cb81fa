"""The panel under a ranking: the neighbours of the selected item, by rank and by distance."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QIcon, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.core.model.arrays import Array, Ints
from coterie.core.numerics.drawing import palette
from coterie.core.wording import counted
from coterie.gui.toolkit.chips import chip
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.ranking.query import NeighbourAnswer
from coterie.gui.views.ranking.rank_table import small_picture
from coterie.gui.views.ranking.state import RankingState

_ITEM = Qt.ItemDataRole.UserRole
_PICTURE, _CHIP = 44, 14  # sides of what stands before a name
_ANY_HEIGHT = 16_777_215  # Qt's word for no limit


class QueryPanel(QWidget):
    """Two lists; a click on an item says that it was chosen."""

    item_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = QLabel(wordWrap=True)
        self.heading.setProperty("role", "muted")
        self.by_rank, rank = self._list("By rank")
        self.by_distance, distance = self._list("By distance")
        self._titles = (rank, distance)
        lists = QHBoxLayout()
        lists.setSpacing(12)
        for title, widget in ((rank, self.by_rank), (distance, self.by_distance)):
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(title)
            column.addWidget(widget, 1)
            lists.addLayout(column, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 12, 8)
        layout.addWidget(self.heading)
        layout.addLayout(lists, 1)
        self.show_answer(None, None)

    def show_answer(self, answer: NeighbourAnswer | None, state: RankingState | None) -> None:
        """List what was found; nothing when no single item is selected."""
        known = self.has_answer = answer is not None and state is not None
        for widget in (self.by_rank, self.by_distance, *self._titles):
            widget.setVisible(known)
        # A sentence alone takes no more than its line from the table above.
        self.setMaximumHeight(_ANY_HEIGHT if known else self.heading.sizeHint().height() + 16)
        if answer is None or state is None:
            self.heading.setText(
                "Select one item to see its nearest items by rank and by distance."
            )
            return
        name = state.name(answer.item)
        self.heading.setText(f"Nearest to {f'item {name}' if name.isdigit() else name}")
        self._titles[0].setText(
            f"By {answer.how}" if answer.how else "By rank: no similarities yet"
        )
        self._titles[1].setText(
            f"By distance in {counted(answer.columns, 'column')}"
            if len(answer.by_distance)
            else "By distance: no features"
        )
        self._fill(self.by_rank, answer.by_rank, answer.scores, state)
        self._fill(self.by_distance, answer.by_distance, answer.distances, state)

    def _list(self, title: str) -> tuple[QListWidget, QLabel]:
        widget = QListWidget()
        widget.setAccessibleName(f"Nearest items, {title.lower()}")
        widget.setAlternatingRowColors(True)
        # Without a bar to scroll sideways, a long title ends in …; the whole is in its tip.
        widget.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        widget.itemClicked.connect(self._on_clicked)
        widget.itemActivated.connect(self._on_clicked)
        label = QLabel(title)
        label.setProperty("role", "heading")
        return widget, label

    def _fill(self, widget: QListWidget, items: Ints, amounts: Array, state: RankingState) -> None:
        widget.clear()
        labels = state.shown.clustering.labels if state.shown.clustering is not None else None
        for item, amount in zip(items.tolist(), np.asarray(amounts).tolist(), strict=True):
            entry = QListWidgetItem(state.name(item))
            entry.setData(_ITEM, item)
            entry.setToolTip(f"{state.name(item)}: {amount:.4g}")
            pixels = state.thumbnail(item)
            if pixels is not None:
                entry.setIcon(QIcon(small_picture(pixels)))
            elif labels is not None:
                colour = palette.group_colour(
                    int(labels[item]), state.shown.group_colours, dark=theme.current().dark
                )
                entry.setIcon(QIcon(QPixmap(chip(colour))))
            widget.addItem(entry)
        _arrange(widget, as_pictures=state.has_pictures)

    def _on_clicked(self, entry: QListWidgetItem) -> None:
        self.item_chosen.emit(int(entry.data(_ITEM)))


def _arrange(widget: QListWidget, *, as_pictures: bool) -> None:
    """Put pictures beside each other, so most are seen at once; names below each other."""
    mode = QListView.ViewMode.IconMode if as_pictures else QListView.ViewMode.ListMode
    widget.setViewMode(mode)
    widget.setMovement(QListView.Movement.Static)  # icons could be dragged about otherwise
    widget.setResizeMode(QListView.ResizeMode.Adjust)
    widget.setAlternatingRowColors(not as_pictures)
    widget.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    side = _PICTURE if as_pictures else _CHIP
    widget.setIconSize(QSize(side, side))
    below = QFontMetrics(widget.font()).height() + 8
    widget.setGridSize(QSize(side + 14, side + below) if as_pictures else QSize())

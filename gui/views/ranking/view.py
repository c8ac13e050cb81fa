"""The Ranking view: what is typical of each group, and what is near to a selection."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from coterie.core.errors import CoterieError, in_words
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.control_bar import choice_box, offer
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.views.base_view import View
from coterie.gui.views.ranking.query import NeighbourAnswer, NeighbourRequest, wish_of, work_out
from coterie.gui.views.ranking.state import RankingState

if TYPE_CHECKING:
    from coterie.gui.views.ranking.query_panel import QueryPanel
    from coterie.gui.views.ranking.rank_table import RankTable
    from coterie.projects.session import Session


class RankingView(View):
    """The first items of the whole set and of each group, side by side."""

    title = "Ranking"
    draws_types = ("ranking",)
    has_table = True

    table: RankTable
    headline: QLabel
    query: QueryPanel
    _split: QSplitter
    step: QComboBox
    relative: QPushButton

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = RankingState(session)
        self._drawn: object = None
        self._aside, self._sorting = Aside(self), Aside(self)
        self._asked: NeighbourRequest | None = None
        self._heights = [360, 190]  # of the table, and of the answers where there are any
        self.listen(session.selection.changed, self.refresh)

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()
        self._sorting.work_out(self.state.pending, self.refresh, self._on_not_sorted)

    def _on_not_sorted(self, error: BaseException) -> None:
        self.session.logged.emit(f"The items cannot be listed by rank: {in_words(error)}")

    def emptiness(self) -> str:
        return self.state.empty

    def build(self) -> QWidget:
        from coterie.gui.views.ranking.query_panel import QueryPanel
        from coterie.gui.views.ranking.rank_table import RankTable

        self.headline = QLabel(wordWrap=True)
        self.headline.setProperty("role", "heading")
        self.step = choice_box("Ranking to show", 190)
        self.step.activated.connect(lambda: self.show_step(self.step.currentData()))
        self.relative = QPushButton("Rank relative to selection")
        self.relative.clicked.connect(self.rank_relative)
        top = QHBoxLayout()
        top.setContentsMargins(12, 6, 8, 6)
        top.setSpacing(8)
        top.addWidget(self.headline, 1)
        top.addWidget(self.step)
        top.addWidget(self.relative)
        tip = "Save the lists as CSV, or as a picture"
        top.addWidget(self.save_button(self._on_save, tip, "Save the ranking"))
        self.table = RankTable(self.state)
        self.table.item_chosen.connect(self._on_item_chosen)
        self.table.group_chosen.connect(self._on_group_chosen)
        self.table.group_menu_asked.connect(self._on_group_menu)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        self.query = QueryPanel()
        self.query.item_chosen.connect(
            lambda item: self._on_item_chosen(item, Qt.KeyboardModifier.NoModifier)
        )
        self._split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._split.addWidget(self.table)
        self._split.addWidget(self.query)
        self._split.setStretchFactor(0, 3)
        self._split.setSizes([sum(self._heights), 0])
        layout.addWidget(self._split, 1)
        return content

    def _show_answer(self, answer: NeighbourAnswer | None) -> None:
        """Show what is nearest; without an answer, the table has the room."""
        had = self.query.has_answer
        if had and answer is None:
            self._heights = self._split.sizes()
        self.query.show_answer(answer, self.state)
        if had != self.query.has_answer:
            self._split.setSizes(self._heights if answer is not None else [sum(self._heights), 0])

    def restyle(self) -> None:
        self.table.renew()

    def draw(self) -> None:
        state = self.state
        if self._drawn is not state.columns:
            self._drawn = state.columns
            self.table.renew()
        self.headline.setText(state.headline)
        offer(self.step, [(name, name) for name in state.steps], state.shown.ranking_step)
        self.step.setVisible(len(state.steps) > 1)
        mask = self.session.selection.mask
        self.table.show_selected(mask if len(mask) == state.n else np.zeros(0, dtype=bool))
        self._ask()
        why_not = state.why_not_relative()
        self.relative.setEnabled(not why_not)
        count = self.session.selection.count
        items = "the selected item" if count == 1 else f"the {count:,} selected items"
        self.relative.setToolTip(why_not or f"Rank all items by how near they are to {items}")

    def _ask(self) -> None:
        """Have the nearest items of the selected one worked out, beside the window's thread."""
        wish = wish_of(self.session, self.state.chosen)
        if wish is None:
            self._asked = None
            self._show_answer(None)
        elif not wish.same_as(self._asked):
            self._asked = wish
            self._aside.ask(lambda: work_out(wish), self._on_answer, self._on_no_answer)

    def _on_answer(self, answer: NeighbourAnswer) -> None:
        if self._asked is not None and self._asked.item == answer.item:
            self._show_answer(answer)

    def _on_no_answer(self, error: BaseException) -> None:
        self.query.heading.setText(f"The nearest items cannot be found: {in_words(error)}")

    def rank_relative(self) -> None:
        """Add a step that ranks relative to the selection, or change it, and run it."""
        if self.state.why_not_relative():
            return
        try:
            recipe, name = self.state.relative_recipe()
            self.session.edits.replace(recipe, "rank relative to the selection")
            self.state.chosen = name
            self.session.run(name)
        except CoterieError as error:
            self.headline.setText(str(error))

    def export_picture(self, path: Path) -> None:
        """Write the lists as they are seen."""
        from coterie.gui.toolkit.plots.widget_image import write_widget

        self.synchronize()
        if not self.empty:
            write_widget(self.table, path)

    def export_table(self, path: Path) -> None:
        """Write the lists as CSV."""
        self.synchronize()
        self.state.write_csv(path)

    def _on_item_chosen(self, item: int, held: Qt.KeyboardModifier) -> None:
        from coterie.gui.toolkit.plots.brush import selection_mode

        self.claim_selection(self.state.n)
        self.session.selection.choose(np.array([item]), selection_mode(held))

    def _on_group_menu(self, group: int, place: QPoint) -> None:
        menu = self.group_menu(self.state.editing, group)
        if menu is not None:
            menu.popup(place)

    def _on_group_chosen(self, group: int) -> None:
        clustering = self.state.shown.clustering
        self.claim_selection(self.state.n)
        if group >= 0 and clustering is not None:
            self.session.selection.choose(clustering.members(group))
        elif (ranking := self.state.shown.ranking) is not None and ranking.order is not None:
            self.session.selection.choose(ranking.order)

    def _on_save(self) -> None:
        kinds = "Table (*.csv);;PNG (*.png);;SVG (*.svg)"
        asked = ask_target(self, "Save ranking", "ranking.csv", kinds)
        if asked is None:
            return
        path, _ = asked
        if path.suffix.lower() in (".png", ".svg"):
            self.export_picture(path)
        else:
            self.export_table(path)

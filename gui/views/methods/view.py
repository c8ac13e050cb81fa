"""The Methods view: what different methods find in the same items, to compare and to adopt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from coterie.core.errors import in_words
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.elided import ElidedLabel
from coterie.gui.toolkit.stacked import stacked
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.methods.agreement_grid import AgreementGrid
from coterie.gui.views.methods.rows import Row
from coterie.gui.views.methods.state import Look, MethodsState
from coterie.gui.views.methods.table import MethodsTable
from coterie.gui.views.summary.headline import CountCurve

if TYPE_CHECKING:
    from coterie.projects.session import Session

_HINT = "Point at a row or a square to see how well two groupings agree."
_LOW, _HIGH = 560, 380  # of the view, below which there is no room for the curve or the grid


class MethodsView(View):
    """Candidates of the automatic answer and groups of other steps, one in each row."""

    title = "Methods"
    has_table = True

    table: MethodsTable
    grid: AgreementGrid
    curve: CountCurve

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = MethodsState(session)
        self._aside = Aside(self)
        self._rows: tuple[Row, ...] = ()

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        colours = theme.current()
        ratio = max(2.0, self.devicePixelRatioF())  # round points also on a coarse screen
        look = Look(colours.dark, colours.base, ratio)
        if look != self.state.look:
            self.state.look = look
        self.state.update()
        self._aside.work_out(self.state.pending, self.refresh, self._on_not_measured)

    def emptiness(self) -> str:
        return self.state.empty

    def drawn_steps(self) -> Iterable[str]:
        return (self.state.automatic,)

    def build(self) -> QWidget:
        self._sentence = QLabel(wordWrap=True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._said = ElidedLabel(_HINT)
        self._said.setProperty("role", "muted")
        self._said.setContentsMargins(12, 0, 8, 6)
        self._problem = QLabel(wordWrap=True)
        self._problem.setProperty("role", "danger")
        self._problem.hide()
        self.adopt = _button("Adopt", "Add the steps of this method to the recipe")
        self.adopt.setProperty("role", "primary")
        self.pin = _button("Pin", "Keep this row at the top")
        self.remove = _button(
            "Remove", "Remove this row; if it is a step, it is removed from the recipe"
        )
        self.add = _button("Add a method…", "Choose another method to compare")
        self.restore = _button("Show removed", "Show the removed rows again")
        self.adopt.clicked.connect(lambda: self._with_row(self._on_adopt))
        self.pin.clicked.connect(lambda: self._with_row(self.state.pin))
        self.remove.clicked.connect(lambda: self._with_row(self.state.remove))
        self.restore.clicked.connect(lambda: self._do(self.state.restore))
        self.add.clicked.connect(lambda: self.asked.emit("find", "clusterer"))
        self.table = MethodsTable()
        self.table.sort_asked.connect(self._on_sort)
        self.table.pointed.connect(self._on_row_pointed)
        self.table.menu_asked.connect(self._on_menu)
        self.table.currentCellChanged.connect(lambda *_: self._update_buttons())
        self.table.cellDoubleClicked.connect(lambda *_: self._with_row(self._on_adopt))
        self.grid, self.curve = AgreementGrid(), CountCurve()
        self.grid.pointed.connect(self._on_pair)
        self.grid.chosen.connect(lambda row: self.table.setCurrentCell(row, 1))
        return self._laid_out()

    def _laid_out(self) -> QWidget:
        words = QVBoxLayout()
        words.setSpacing(8)
        words.addWidget(self._sentence)
        words.addWidget(self._problem)
        words.addStretch(1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(12, 0, 8, 8)
        buttons.setSpacing(6)
        for button in (self.adopt, self.pin, self.remove, self.add, self.restore):
            buttons.addWidget(button)
        buttons.addStretch(1)
        top = QHBoxLayout()
        top.setContentsMargins(12, 10, 8, 8)
        top.setSpacing(14)
        top.addLayout(words, 1)
        top.addWidget(self.curve, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.grid, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.save_button(), 0, Qt.AlignmentFlag.AlignTop)
        return stacked(top, buttons, self._said, self.table, grows=self.table)

    def restyle(self) -> None:
        self._outdated = True  # pictures have the colours of the theme

    def draw(self) -> None:
        state = self.state
        self._rows = rows = state.rows
        self._sentence.setText(state.sentence)
        columns, pinned = state.columns, [state.is_pinned(row) for row in rows]
        self.table.show_rows(rows, columns, state.measured, pinned, state.look.ratio)
        place = -1 if state.sorted_by not in columns else columns.index(state.sorted_by)
        self.table.show_sorted(place, reversed_order=state.reversed)
        count = len(rows)
        values = np.full((count, count), np.nan)
        for i, j in np.ndindex(count, count):
            found = state.measured.between(rows[i], rows[j])
            values[i, j] = np.nan if found is None else found
        self.grid.show_values(values, self.table.currentRow())
        points, chosen = state.curve
        self.curve.show_curve(points, chosen)
        self.curve.setVisible(self.curve.has_curve and self.width() > _LOW)
        self.grid.setVisible(count > 1 and self.width() > _HIGH)
        self.restore.setVisible(state.removed > 0)
        self.restore.setText(f"Show {state.removed} removed")
        self._update_buttons()

    def _update_buttons(self) -> None:
        row = self._row()
        for button in (self.adopt, self.pin, self.remove):
            button.setEnabled(row is not None)
        if row is not None:
            self.adopt.setText("Show" if row.step else "Adopt")
            self.adopt.setToolTip(
                f"Show the groups of '{row.step}' in every view"
                if row.step
                else "Add the steps of this method to the recipe; can be undone"
            )
            self.pin.setText("Unpin" if self.state.is_pinned(row) else "Pin")
            self.remove.setEnabled(not row.chosen)
        self.grid.show_values(self.grid.values, self.table.currentRow())

    def _row(self) -> Row | None:
        at = self.table.currentRow()
        return self._rows[at] if 0 <= at < len(self._rows) else None

    # What a person does

    def add_method(self, use: str) -> None:
        """Add a method of the person's choice to what is compared."""
        self._do(lambda: self.state.add(use))

    def _with_row(self, act: Callable[[Row], object]) -> None:
        if (row := self._row()) is not None:
            self._do(lambda: act(row))

    def _do(self, act: Callable[[], object]) -> None:
        self._problem.hide()
        try:
            act()
        except Exception as error:
            self._problem.setText(in_words(error))
            self._problem.show()
        self.outdate()

    def _on_adopt(self, row: Row) -> None:
        self.asked.emit("step", self.state.adopt(row))

    def _on_sort(self, place: int) -> None:
        columns = self.state.columns
        if 0 <= place < len(columns):
            self.state.sort(columns[place])
            self.draw()

    def _on_menu(self, _row: int, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self.adopt, self.pin, self.remove):
            action = menu.addAction(button.text())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
        menu.popup(place)

    def _on_row_pointed(self, at: int) -> None:
        chosen = self._row()
        if chosen is None or not 0 <= at < len(self._rows):
            self._said.setText(_HINT)
            return
        self._say(chosen, self._rows[at])

    def _on_pair(self, row: int, column: int) -> None:
        if row < 0:
            self._said.setText(_HINT)
        else:
            self._say(self._rows[row], self._rows[column])

    def _say(self, one: Row, other: Row) -> None:
        found = self.state.measured.between(one, other)
        if one is other or found is None:
            self._said.setText(f"{one.title}: point at another grouping to compare the two.")
        else:
            said = f"{one.title} and {other.title} agree by {found:.0%} (adjusted Rand index)."
            self._said.setText(said)

    def _on_not_measured(self, error: BaseException) -> None:
        self.session.logged.emit(f"The methods cannot be drawn: {in_words(error)}")
        self.refresh()

    # As files

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots.widget_image import write_widget

        self.state.update()
        self.state.pending.finish()
        self.synchronize()
        if not self.empty:
            write_widget(self.table, path)

    def export_table(self, path: Path) -> None:
        """Write what is listed as CSV."""
        self.state.update()
        self.state.pending.finish()
        self.state.write_table(path)


def _button(words: str, tip: str) -> QPushButton:
    button = QPushButton(words)
    button.setToolTip(tip)
    return button

"""The Selection panel: select by query, by rank and by name, and use what is selected."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.core.errors import CoterieError
from coterie.gui.app.step_commands import USES
from coterie.gui.panels.plugin_recipes import add_templates
from coterie.gui.panels.rename_field import NameLine
from coterie.gui.panels.selection_state import MODES, SelectingState
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.forms.fields import Limits
from coterie.gui.toolkit.forms.numbers import NumberBox
from coterie.gui.toolkit.redraw_queue import soon
from coterie.gui.toolkit.styling.icons import icon

if TYPE_CHECKING:
    from coterie.projects.session import Session

_MODE_WORDS = ("Replace the selection", "Add to it", "Remove from it", "Keep the overlap")
_NAME = Qt.ItemDataRole.UserRole


class SelectionPanel(QWidget):
    """One selection for all views: how to get it, and what to do with it."""

    step_made = Signal(str)
    run_asked = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._outdated, self._shown_of = True, 0  # what queries may name, among how many items
        self.state = SelectingState(session)
        self.headline = QLabel()
        self.headline.setProperty("role", "heading")
        self.headline.setWordWrap(True)
        self.mode = ChoiceBox()
        self.mode.addItems(_MODE_WORDS)
        self.mode.setAccessibleName("How a new selection changes the current one")
        self.mode.activated.connect(self.set_mode)
        self.query = QLineEdit()
        self.query.setAccessibleName("Select by query")
        self.query.setClearButtonEnabled(True)
        self.query.returnPressed.connect(self._on_query)
        self.first = NumberBox(Limits(low=1), whole=True)
        self.last = NumberBox(Limits(low=1), whole=True)
        self.first.set_value(1)
        self.last.set_value(20)
        self.first.setAccessibleName("First rank")
        self.last.setAccessibleName("Last rank")
        for box in (self.first, self.last):
            box.setMinimumWidth(50)
        self.ranks = QToolButton()
        self.ranks.setIcon(icon("run"))
        self.ranks.setProperty("role", "small")
        self.ranks.setToolTip("Select these ranks, in each group if groups are ranked separately")
        self.ranks.setAccessibleName("Select these ranks")
        self.ranks.clicked.connect(self._on_ranks)
        self.problem = QLabel()
        self.problem.setProperty("role", "danger")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.names = _Names()
        self.names.taken_up.connect(lambda name: self._try(lambda: self.state.take_up(name)))
        self.names.forgotten.connect(lambda name: self._try(lambda: self.state.forget(name)))
        self.names.renamed.connect(lambda old, new: self._try(lambda: self.state.rename(old, new)))
        self.naming = NameLine("Name of the selection")
        self.naming.named.connect(lambda name: self._try(lambda: self.state.save(name)))
        self.keep = QPushButton("Name it…")
        self.keep.setToolTip("Save the selection in the project under a name")
        self.keep.clicked.connect(self.ask_name)
        self.use = QPushButton("Use")
        self.use.setToolTip("Make a step from the selection")
        self.uses = QMenu(self.use)
        self.uses.setToolTipsVisible(True)
        self.uses.aboutToShow.connect(self._list_uses)
        self.use.setMenu(self.uses)
        self._list_uses()
        self._lay_out()
        listen(self, session.selection.changed, self._on_selected)
        listen(self, session.recipe_changed, self._on_edited)
        listen(self, session.step_changed, self._on_project_news)
        self.synchronize()

    def _list_uses(self) -> None:
        """What can be made of the selection: by Coterie itself, then by plugins."""
        self.uses.clear()
        for name, words, about in USES:
            action = self.uses.addAction(words)
            action.setToolTip(about)
            action.triggered.connect(lambda _=False, n=name: self.make(n))
        add_templates(self.uses, self._session.catalogue, "selection", self.make_by)

    def _lay_out(self) -> None:
        places = QHBoxLayout()
        places.setSpacing(6)
        for word, widget in (("Ranks", self.first), ("to", self.last)):
            places.addWidget(QLabel(word))
            places.addWidget(widget, 1)
        places.addWidget(self.ranks)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.keep, 1)
        buttons.addWidget(self.use, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 8, 8)
        layout.setSpacing(8)
        layout.addWidget(self.headline)
        layout.addWidget(self.mode)
        layout.addWidget(self.query)
        layout.addWidget(self.problem)
        layout.addLayout(places)
        layout.addStretch(0)  # takes the room when there are no names
        layout.addWidget(self.names, 1)
        layout.addWidget(self.naming)
        layout.addLayout(buttons)
        self.setMinimumWidth(210)

    # What others ask of it

    def show_step(self, name: str) -> None:
        """Select by what belongs to the step that is looked at."""
        self.state.chosen = name
        self._on_project_news()

    def set_mode(self, at: int) -> None:
        """Choose what a new selection does to the present one."""
        self.state.choose_mode(MODES[at])
        self.mode.setCurrentIndex(at)

    def select_group(self, group: int) -> None:
        """Select the members of a group."""
        self._try(lambda: self.state.select_group(group))

    def take_up(self, name: str) -> None:
        """Select what was given a name."""
        self._try(lambda: self.state.take_up(name))

    def ask_query(self) -> None:
        """Let the person type a query."""
        self.query.setFocus()
        self.query.selectAll()

    def ask_ranks(self) -> None:
        """Let the person type places of the ranking."""
        self.last.setFocus()
        self.last.selectAll()

    def ask_name(self) -> None:
        """Let the person name the selection."""
        if self._session.selection.count:
            self.naming.ask(self._session.edits.named.free_name())
        else:
            self._say("Nothing is selected. Select some items in any view first.")

    def make(self, use: str) -> None:
        """Make a step from the selection, and run it."""
        work: dict[str, Callable[[], str]] = {
            "relative": self.state.rank_relative,
            "labels": self.state.spread_labels,
            "grow": self.state.grow_group,
            "together": self.state.link,
            "apart": lambda: self.state.link(apart=True),
            "data": self.state.new_data,
            "without": lambda: self.state.new_data(leave_out=True),
        }
        made: list[str] = []
        self._try(lambda: made.append(work[use]()))
        for name in made:
            self.step_made.emit(name)
            self.run_asked.emit(name)

    def make_by(self, template: str) -> None:
        """Add the steps of a recipe that a plugin offers, and run them."""
        made: list[str] = []
        self._try(lambda: made.extend(self.state.apply_template(template)))
        if made:
            self.step_made.emit(made[-1])
            for name in made:
                self.run_asked.emit(name)

    # Staying in step

    def synchronize(self) -> None:
        """Show the selection as it is now."""
        self.state.begin()
        count, n = self._session.selection.count, self._session.selection.n
        self.headline.setText(self.state.headline)
        for widget in (self.mode, self.query, self.first, self.last, self.ranks):
            widget.setEnabled(n > 0)
        self.keep.setEnabled(count > 0)
        self.use.setEnabled(n > 0)
        if self._outdated or n != self._shown_of:
            self._outdated, self._shown_of = False, n
            self._show_query_names(n)
        self.names.show_entries(self.state)

    def _show_query_names(self, n: int) -> None:
        names = [word for word in self.state.query_names() if word != "item"] if n else []
        hint = self.state.numeric_name()
        self.query.setPlaceholderText(f"{hint} > 1" if hint else "a condition, such as rank <= 20")
        self.query.setToolTip(
            "Select by a condition, such as width > 1.2 and species = setosa.\n"
            f"Names: {', '.join(names[:12])}{', …' if len(names) > 12 else ''}"
        )

    def _on_query(self) -> None:
        if self.query.text().strip():
            self._try(lambda: self.state.select_query(self.query.text()))

    def _on_ranks(self) -> None:
        first, last = int(self.first.value()), int(self.last.value())
        self._try(lambda: self.state.select_ranks(first, last))

    def _try(self, work: Callable[[], object]) -> None:
        try:
            work()
        except CoterieError as error:
            self._say(str(error))
            self._on_news()  # what was typed over a name goes
            return
        self._say("")

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def _on_selected(self, *_: object) -> None:
        self._say("")  # what could not be done was about another selection
        self._on_news()

    def _on_edited(self, *_: object) -> None:
        self._say("")
        self._on_project_news()

    def _on_project_news(self, *_: object) -> None:
        self._outdated = True
        self._on_news()

    def _on_news(self, *_: object) -> None:
        soon(self._catch_up)

    def _catch_up(self) -> None:
        if self.isVisible():
            self.synchronize()

    def showEvent(self, event: object) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)  # type: ignore[arg-type]
        self._on_news()


class _Names(QListWidget):
    """The named selections. Enter or a double click takes one up, F2 renames, Delete forgets."""

    taken_up = Signal(str)
    forgotten = Signal(str)
    renamed = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Named selections")
        self.setToolTip("Double-click or Enter: select · F2: rename · Delete: delete")
        self.setMinimumHeight(56)
        self.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed)
        self.itemDoubleClicked.connect(lambda item: self.taken_up.emit(item.data(_NAME)))
        self.itemChanged.connect(self._on_changed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for words, do in (
            ("Select", lambda name: self.taken_up.emit(name)),
            ("Rename", lambda _: self.editItem(self.currentItem())),
            ("Delete", lambda name: self.forgotten.emit(name)),
        ):
            action = self.addAction(words)
            action.triggered.connect(lambda _=False, d=do: self._with_current(d))

    def show_entries(self, state: SelectingState) -> None:
        """List them again, the current one kept."""
        entries = state.entries()
        current = "" if self.currentRow() < 0 else self.currentItem().data(_NAME)
        self.blockSignals(True)
        self.clear()
        for entry in entries:
            item = QListWidgetItem(entry.name)
            item.setData(_NAME, entry.name)
            item.setToolTip(entry.problem or f"{entry.count:,} items")
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            words = f"{entry.name}, {entry.count} items"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, words)
            if entry.problem:
                item.setForeground(self.palette().placeholderText())
            self.addItem(item)
            if entry.name == current:
                self.setCurrentItem(item)
        self.blockSignals(False)
        self.setVisible(bool(entries))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes up, Delete forgets."""
        editing = self.state() == QListWidget.State.EditingState
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not editing:
            self._with_current(self.taken_up.emit)
        elif event.key() == Qt.Key.Key_Delete:
            self._with_current(self.forgotten.emit)
        else:
            super().keyPressEvent(event)

    def _with_current(self, do: Callable[[str], object]) -> None:
        if (item := self.currentItem()) is not None:
            do(str(item.data(_NAME)))

    def _on_changed(self, item: QListWidgetItem) -> None:
        old, new = str(item.data(_NAME)), item.text()
        if old != new:
            self.renamed.emit(old, new)

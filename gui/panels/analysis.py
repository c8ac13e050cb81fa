"""The Analysis panel: the recipe as cards, from the data to the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from coterie.core.api.components import Cost
from coterie.core.model.recipes import Source, Step
from coterie.core.model.results import Trace
from coterie.gui.panels.add_menu import fill_add_menu
from coterie.gui.panels.card import Card
from coterie.gui.panels.step_actions import StepWork
from coterie.gui.panels.step_cards import SourceCard, StepCard
from coterie.gui.panels.step_menu import fill_step_menu
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.problems import Problem
from coterie.gui.toolkit.redraw_queue import soon
from coterie.gui.toolkit.styling.icons import icon
from coterie.gui.toolkit.tab_order import set_tab_order
from coterie.projects.recipe.inputs import type_of

if TYPE_CHECKING:
    from coterie.projects.jobs.job import Failure
    from coterie.projects.session import Session


class AnalysisPanel(QWidget):
    """Cards in the order of the recipe, and what is done with all of them."""

    step_chosen = Signal(str)
    compared = Signal(str, str)
    sweep_asked = Signal(str)
    finder_asked = Signal()
    template_asked = Signal(str)  # the id of a recipe that a plugin offers
    watch_asked = Signal(str)  # a step that is up to date, to be run once more
    failed_edit = Signal(object)  # Problem

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.cards: dict[str, Card] = {}
        self._lost: frozenset[str] = frozenset()
        self._chosen = ""
        self.work = StepWork(session, self)
        self.step_menu = QMenu(self)
        self.add_menu = QMenu(self)
        self.add_menu.aboutToShow.connect(self._fill_add_menu)
        self._build()
        self.work.failed_edit.connect(self.failed_edit)
        self.work.revealed.connect(self._on_revealed)
        self.work.compared.connect(self.compared)
        self.work.sweep_asked.connect(self.sweep_asked)
        self.work.rename_asked.connect(self._on_rename_asked)
        self.work.run_asked.connect(self.run)
        listen(self, session.project.opened, self._on_opened)
        listen(self, session.recipe_changed, self.synchronize)
        listen(self, session.catalogue_changed, self._on_catalogue_changed)
        listen(self, session.step_changed, self._on_step_changed)
        listen(self, session.questions.estimated, self._on_estimated)
        listen(self, session.failed, self._on_failed)
        self._on_opened()

    def _build(self) -> None:
        self.add = QPushButton("Add step")
        self.add.setIcon(icon("add"))
        self.add.setMenu(self.add_menu)
        self.add.setToolTip("Add a method to the recipe")
        self.run_all = QPushButton("Run all")
        self.run_all.setProperty("role", "primary")
        self.run_all.clicked.connect(lambda: self.run())
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Stop the running job")
        self.cancel.clicked.connect(self._session.cancel)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(10, 8, 10, 8)
        buttons.setSpacing(8)
        buttons.addWidget(self.run_all, 1)
        buttons.addWidget(self.cancel, 1)
        buttons.addWidget(self.add, 1)
        self._empty = QLabel("The steps of your analysis appear here.\nOpen data to begin.")
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        inside = QWidget()
        self.drop_mark = QFrame(inside)
        self.drop_mark.setProperty("role", "mark")
        self.drop_mark.hide()
        self._list = QVBoxLayout(inside)
        self._list.setContentsMargins(10, 2, 10, 10)
        self._list.setSpacing(8)
        self._list.addWidget(self._empty)
        self._list.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(inside)
        self.area.setAccessibleName("Steps")
        self.area.setMinimumWidth(300)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(buttons)
        layout.addWidget(self.area, 1)

    # What others ask of it

    def run(self, *names: str) -> None:
        """Run these steps, or all, with what is half typed taken in first.

        A single step that is up to date already is run once more, to be watched.
        """
        for card in self.cards.values():
            card.flush()
        session = self._session
        try:
            if len(names) == 1 and session.status(names[0]) == "fresh" and self._is_step(names[0]):
                self._run_again(names[0])
            else:
                session.run(*names)
        except Exception as error:
            self.failed_edit.emit(Problem.of_error(error))

    def remove(self, name: str) -> None:
        """Take a step, and what depends on it, out of the recipe."""
        self.work.remove(name)

    def _run_again(self, name: str) -> None:
        if Trace.encoding_type in self._session.results.parts(name):
            self.watch_asked.emit(name)
        else:
            self._session.run_again(name)

    def _is_step(self, name: str) -> bool:
        return isinstance(self._session.recipe.find(name), Step)

    @property
    def chosen(self) -> str:
        """The step that is chosen; empty for none."""
        return self._chosen if self._chosen in self._session.recipe.names else ""

    def do(self, command: str, name: str = "") -> None:
        """Carry out a command on a step, by default the chosen one."""
        for card in self.cards.values():
            card.flush()
        if name := name or self.chosen:
            self.work.do(command, name)

    def add_step(self, use: str) -> None:
        """Add a method and open its card."""
        try:
            name = self._session.edits.add_step(use)
        except Exception as error:
            self.failed_edit.emit(Problem.of_error(error))
            return
        self.synchronize()
        self.reveal(name)
        self.step_chosen.emit(name)

    def reveal(self, name: str, *, opened: bool = True) -> None:
        """Choose a card, open it and scroll to it."""
        self.choose(name)
        card = self.cards.get(name)
        if card is not None:
            if opened:
                card.open()
            self._scroll_to(name)

    def _scroll_to(self, name: str) -> None:
        card = self.cards.get(name)
        if card is None:
            return

        def scroll() -> None:
            # The head of a long card matters more than its end.
            self.area.ensureWidgetVisible(card, 0, 12)
            self.area.ensureVisible(0, card.y(), 0, 12)

        QTimer.singleShot(0, card, scroll)

    def choose(self, name: str) -> None:
        """Mark a card as the chosen one."""
        self._chosen = name
        for each, card in self.cards.items():
            card.set_chosen(each == name)

    # Staying in step with the session

    def synchronize(self) -> None:
        """Show the recipe as it is now, keeping the cards that stay."""
        names = self._session.recipe.names
        for gone in [name for name in self.cards if name not in names]:
            self._drop(gone)
        for at, name in enumerate(names):
            card = self.cards.get(name) or self._make(name)
            if self._list.indexOf(card) != at:
                self._list.removeWidget(card)
                self._list.insertWidget(at, card)
            card.synchronize()
        soon(self._order_tabs)
        self._empty.setVisible(not names)
        self._update_buttons()

    def _on_opened(self) -> None:
        """Show another project: a step of the same name has nothing to do with the one before."""
        self._chosen = ""
        for name in list(self.cards):
            self._drop(name)
        self.synchronize()
        self._open_the_main_card()

    def _order_tabs(self) -> None:
        """The order of Tab is the order of the recipe, each card with its settings."""
        cards = (self.cards.get(name) for name in self._session.recipe.names)
        set_tab_order(self.area, [card for card in cards if card is not None])

    def show_lost(self, names: frozenset[str]) -> None:
        """Mark the sources whose files are gone."""
        self._lost = names
        for name, card in self.cards.items():
            if card.lost != (name in names):
                card.lost = name in names
                card.synchronize()

    def _make(self, name: str) -> Card:
        part = self._session.recipe.find(name)
        sort = SourceCard if isinstance(part, Source) else StepCard
        card = self.cards[name] = sort(self._session, name)
        card.lost = name in self._lost
        card.fold.toggled.connect(lambda _: soon(self._order_tabs))
        card.run_asked.connect(self.run)
        card.removal_asked.connect(self.remove)
        card.failed_edit.connect(self.failed_edit)
        card.remedy_asked.connect(self.work.mend)
        card.help_asked.connect(lambda step: self.work.do("help", step))
        card.menu_asked.connect(self._on_menu_asked)
        card.dragged.connect(self._on_dragged)
        card.dropped.connect(self._on_dropped)
        card.drag_ended.connect(self.drop_mark.hide)
        card.naming.named.connect(lambda new, old=name: self.work.rename(old, new))
        card.chosen.connect(self._on_card_chosen)
        card.set_chosen(name == self._chosen)
        return card

    def _drop(self, name: str) -> None:
        card = self.cards.pop(name)
        self._list.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _open_the_main_card(self) -> None:
        """A recipe that was just opened shows the settings that matter most: the clusterer's."""
        recipe, catalogue = self._session.recipe, self._session.catalogue
        for step in recipe.steps:
            if type_of(recipe, catalogue, step.name) == "clustering":
                self.reveal(step.name)
                return

    def _update_buttons(self) -> None:
        names = self._session.recipe.names
        statuses = {str(self._session.status(name)) for name in names}
        busy = bool(statuses & {"running", "waiting"})
        self.cancel.setVisible(busy)
        self.run_all.setVisible(not busy)
        self.run_all.setEnabled(bool(names))
        done = bool(names) and statuses <= {"fresh", "off", "blocked"}
        self.run_all.setToolTip(
            "Everything is up to date" if done else "Run every step that is out of date"
        )

    def _on_catalogue_changed(self) -> None:
        opened = [name for name, card in self.cards.items() if card.opened]
        for name in list(self.cards):
            self._drop(name)
        self.synchronize()
        for name in opened:
            self.cards[name].open()
        if not opened:
            self._open_the_main_card()

    def _on_step_changed(self, name: str) -> None:
        soon(self._catch_up, name)
        soon(self._update_buttons)

    def _catch_up(self, name: str) -> None:
        if name in self.cards:
            self.cards[name].synchronize()

    def _on_estimated(self, name: str, cost: Cost | str) -> None:
        card = self.cards.get(name)
        if isinstance(card, StepCard):
            card.show_estimate(cost)

    def _on_failed(self, failure: Failure) -> None:
        self._catch_up(failure.step)
        self._update_buttons()
        self._scroll_to(failure.step)

    def _on_card_chosen(self, name: str) -> None:
        self.choose(name)
        self.step_chosen.emit(name)

    # Doing things to steps

    def _on_revealed(self, name: str, opened: bool) -> None:
        self.synchronize()
        self.reveal(name, opened=opened)
        self.step_chosen.emit(name)

    def _on_rename_asked(self, name: str) -> None:
        if name in self.cards:
            self.reveal(name, opened=False)
            self.cards[name].naming.ask(name)

    def _on_menu_asked(self, name: str, place: QPoint) -> None:
        self._on_card_chosen(name)
        fill_step_menu(self.step_menu, self._session, name, self.do)
        self.step_menu.popup(place)

    def _on_dragged(self, name: str, height: int) -> None:
        """Mark where the step would go; near an edge the list scrolls."""
        at = self._place_at(name, height)
        others = [self.cards[step] for step in self._other_steps(name)]
        if not others:
            return
        edge = others[at].y() - 6 if at < len(others) else others[-1].geometry().bottom() + 4
        self.drop_mark.setGeometry(12, edge, self.area.viewport().width() - 24, 3)
        self.drop_mark.raise_()
        self.drop_mark.show()
        self.area.ensureVisible(0, height, 0, 24)

    def _on_dropped(self, name: str, height: int) -> None:
        self.work.move(name, self._place_at(name, height))

    def _place_at(self, name: str, height: int) -> int:
        """Which place among the steps a height in the list stands for."""
        others = [self.cards[step] for step in self._other_steps(name)]
        return sum(card.geometry().center().y() < height for card in others)

    def _other_steps(self, name: str) -> list[str]:
        return [step.name for step in self._session.recipe.steps if step.name != name]

    def _fill_add_menu(self) -> None:
        fill_add_menu(
            self.add_menu,
            self._session.catalogue,
            self._session.recipe,
            self.add_step,
            self.template_asked.emit,
        )
        first = self.add_menu.actions()[0]
        find = QAction(icon("find"), "Find a method…", self.add_menu)
        find.triggered.connect(self.finder_asked)
        self.add_menu.insertAction(first, find)
        self.add_menu.insertSeparator(first)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click beside the cards takes a half-typed value in."""
        super().mousePressEvent(event)
        self.setFocus()

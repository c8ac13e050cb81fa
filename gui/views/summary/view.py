"""The Summary view: the answer on one page, with what else to try."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from coterie.core.errors import in_words
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.elided import short_name
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.base_view import View
from coterie.gui.views.summary.group_card import GroupCard, breakable
from coterie.gui.views.summary.headline import Headline
from coterie.gui.views.summary.small_pictures import map_of, portrait, spectrum_of
from coterie.gui.views.summary.state import NextStep, SummaryState

if TYPE_CHECKING:
    from coterie.projects.candidates import ListedCandidate
    from coterie.projects.session import Session

AT_FIRST = 40  # groups with a card; others on request, as many again
_A_TURN = 4  # cards made before the event loop has a turn: each takes some milliseconds
_WIDEST = 900
_INSTEAD = {
    "unsure": "It could also be",
    "no groups": "Proposed groupings, none better supported than a single group",
}


class SummaryView(View):
    """How many groups, how sure, each in words; other candidates are adopted by a click."""

    title = "Summary"

    page: QWidget
    headline: Headline

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.state = SummaryState(session)
        self.cards: list[GroupCard] = []
        self._aside = Aside(self)
        self._wanted = AT_FIRST
        self._drawn: object = None
        self._mapped: tuple[object, ...] | None = None
        self._beside: object = None

    def show_step(self, name: str) -> None:
        self.state.chosen = name
        self.outdate()

    def update_state(self) -> None:
        self.state.update()
        if not self.state.empty:
            self._aside.work_out(self.state.pending, self.refresh, self._on_no_words)

    def emptiness(self) -> str:
        return self.state.empty

    def drawn_steps(self) -> Iterable[str]:
        return (self.state.shown.clustering_step,)

    def build(self) -> QWidget:
        self.headline = Headline()
        self.headline.picture_asked.connect(self._ask("view", "Embedding"))
        self.page = QWidget()
        self.page.setMaximumWidth(_WIDEST)
        self.page.setAccessibleName("Summary")
        self._groups = QVBoxLayout()
        self._groups.setSpacing(8)
        self.more = QPushButton()
        self.more.clicked.connect(self._on_more)
        self._problem = QLabel(wordWrap=True)
        self._problem.setProperty("role", "danger")
        self._problem.hide()
        self._instead, self._next = QFrame(), QFrame()
        layout = QVBoxLayout(self.page)
        layout.setContentsMargins(16, 14, 16, 20)
        layout.setSpacing(14)
        self.export = QPushButton("Export…")
        self.export.setToolTip("Write the groups, with their names, as a table (Ctrl+Shift+E)")
        self.export.setAccessibleName("Export the groups")
        self.export.clicked.connect(self._on_export)
        self.headline.buttons.addWidget(self.export)
        self.headline.buttons.addWidget(self.save_button())
        self.headline.buttons.addStretch(1)
        layout.addWidget(self.headline)
        layout.addWidget(self._problem)
        layout.addLayout(self._groups)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._instead)
        layout.addWidget(self._next)
        layout.addStretch(1)
        for frame in (self._instead, self._next):
            QGridLayout(frame).setContentsMargins(0, 0, 0, 0)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self.page)
        self.area.setAccessibleName("Groups")
        return self.area

    def restyle(self) -> None:
        self._drawn = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the curve out where there is no room for it."""
        super().resizeEvent(event)
        if self.built:
            self.headline.make_room(event.size().width())

    def draw(self) -> None:
        state, groups = self.state, self.state.shown.clustering
        assert groups is not None
        self.headline.title.setText(state.headline)
        self.headline.show_verdict("" if state.edited else state.verdict)
        self.headline.sentence.setText(breakable(state.sentence))
        self.headline.facts.setText(state.facts)
        dark = theme.current().dark
        names, sizes = groups.group_names, state.sizes()
        shades = [palette.group_colour(g, groups.colours, dark=dark) for g in range(groups.k)]
        self.headline.sizes.show_parts(list(zip(names, sizes, shades, strict=True)))
        self.headline.sizes.setVisible(groups.k > 1)
        self.headline.curve.show_curve(state.curve, groups.k)
        self._draw_map()
        self.headline.make_room(self.width())
        self._draw_beside()
        wanted = (state.shown.clustering, state.descriptions, self._wanted, dark)
        if self._drawn is None or any(
            a is not b and a != b
            for a, b in zip(wanted, self._drawn, strict=True)  # type: ignore[call-overload]
        ):
            self._drawn = wanted
            self._draw_cards()

    def _draw_map(self) -> None:
        """Draw the items as points again where they, their groups or the colours changed."""
        groups, embedding = self.state.shown.clustering, self.state.shown.embedding
        drawn = (embedding, groups, theme.current().dark, self.devicePixelRatioF())
        if self._mapped is not None and all(
            a is b or (isinstance(a, (bool, float)) and a == b)
            for a, b in zip(drawn, self._mapped, strict=True)
        ):
            return
        self._mapped = drawn
        known = embedding is not None and groups is not None and embedding.coordinates.shape[1]
        self.headline.show_picture(
            map_of(embedding, groups, self) if known and embedding and groups else None
        )

    def _draw_cards(self) -> None:
        """Bring the cards in line, a few in each turn of the event loop."""
        groups = self.state.shown.clustering
        if groups is None:
            return
        count = min(groups.k, self._wanted)
        for gone in self.cards[count:]:
            self._groups.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        del self.cards[count:]
        for card in self.cards:
            self._fill(card)
        self._make_cards(count)
        self._settle()
        left = groups.k - count
        self.more.setVisible(left > 0)
        self.more.setText(f"Show {min(left, AT_FIRST)} more of {groups.k:,} groups")

    def _make_cards(self, count: int) -> None:
        for _ in range(min(_A_TURN, count - len(self.cards))):
            card = GroupCard(len(self.cards))
            card.named.connect(self._on_named)
            card.next_asked.connect(self._on_next)
            card.items_asked.connect(self._on_items)
            card.item_asked.connect(lambda item: self._select([item]))
            card.menu_asked.connect(self._on_menu)
            self.cards.append(card)
            self._fill(card)
            self._groups.addWidget(card)
        if len(self.cards) < count:
            QTimer.singleShot(0, self, partial(self._go_on, count))
        else:
            self._settle()

    def _settle(self) -> None:
        """Give words the room they need: Qt does not ask cards that it has laid out again."""
        for card in self.cards:
            card.updateGeometry()
        if (layout := self.page.layout()) is not None:
            layout.invalidate()
            layout.activate()

    def _go_on(self, count: int) -> None:
        groups = self.state.shown.clustering
        if groups is not None and len(self.cards) < count <= min(groups.k, self._wanted):
            self._make_cards(count)

    def _fill(self, card: GroupCard) -> None:
        state, groups, group = self.state, self.state.shown.clustering, card.group
        if groups is None or group >= groups.k:
            return
        own = groups.names[group] if group < len(groups.names) else ""
        shade = palette.group_colour(group, groups.colours, dark=theme.current().dark)
        size = state.sizes()[group]
        card.show_identity(groups.group_names, own, shade, size, groups.n)
        said = state.descriptions
        one = said[group] if said is not None and group < len(said) else None
        which = () if one is None else (*one.typical, *one.border)
        card.show_words(one, {item: escape(_short(state.item_name(item))) for item in which})
        if one is None:
            return
        if one.picture is not None:
            card.show_look(portrait(one.picture, self), "The mean of its pictures")
        elif one.spectra is not None:
            drawn = spectrum_of(one.spectra, group, shade, self)
            card.show_look(drawn, "Its mean spectrum; those of the other groups faint behind it")
        else:
            card.show_look(None)

    def _draw_beside(self) -> None:
        """Offer other answers, and what to do next."""
        beside = (self.state.alternatives, self.state.next_steps(), len(self.state.candidates))
        if beside == self._beside:
            return
        self._beside = beside
        alternatives, following, count = beside
        rows = [self._alternative(number, one) for number, one in alternatives]
        title = _INSTEAD.get(self.state.verdict, "Other candidates")
        if count > len(alternatives) + 1:
            rows.append((_button("Compare methods…", self._ask("compare")), QLabel()))
        _fill_rows(self._instead, title, rows)
        _fill_rows(self._next, "What to try next", [self._suggestion(one) for one in following])

    def _alternative(self, number: int, one: ListedCandidate) -> tuple[QPushButton, QLabel]:
        adopt = _button("Adopt", lambda: self._adopt(number))
        adopt.setToolTip("Add the steps of this answer to the recipe; can be undone")
        adopt.setAccessibleName(f"Adopt {one.title}")
        sizes = ", ".join(f"{size:,}" for size in one.sizes[:6])
        more = " …" if len(one.sizes) > 6 else ""
        stable = "" if one.stability is None else f", stability {one.stability:.2f}"
        said = f"{one.title}: expected agreement {one.expected:.0%}{stable}, sizes {sizes}{more}"
        return adopt, QLabel(said)

    def _suggestion(self, one: NextStep) -> tuple[QPushButton, QLabel]:
        do = self._ask(one.what, one.which)
        if one.what == "select":
            do = partial(self._on_items, int(one.which))
        return _button(one.words, do), QLabel(one.why)

    def _ask(self, what: str, which: str = "") -> Callable[[], None]:
        return lambda: self.asked.emit(what, which)

    def export_picture(self, path: Path) -> None:
        from coterie.gui.toolkit.plots.widget_image import write_widget

        self.state.update()
        self.state.pending.finish()
        self.synchronize()
        if not self.empty:
            groups = self.state.shown.clustering
            while groups is not None and len(self.cards) < min(groups.k, self._wanted):
                self._make_cards(min(groups.k, self._wanted))
            write_widget(self.page, path)

    # What a person does

    def _on_export(self) -> None:
        self.asked.emit("export", self.state.shown.clustering_step)

    def _on_named(self, group: int, name: str) -> None:
        groups = self.state.shown.clustering
        if groups is None:
            return
        own = groups.names[group] if group < len(groups.names) else ""
        if name != own:
            editing = self.state.editing
            assert editing is not None
            self._do(lambda: editing.name_group(group, name))

    def _on_next(self, group: int) -> None:
        """Go on with the name of the next group: naming all takes one Enter each."""
        if group < len(self.cards):
            name = self.cards[group].name
            name.setFocus(Qt.FocusReason.TabFocusReason)
            self.area.ensureWidgetVisible(self.cards[group])

    def _on_menu(self, group: int, place: QPoint) -> None:
        if (menu := self.group_menu(self.state.editing, group)) is not None:
            menu.popup(place)

    def _adopt(self, number: int) -> None:
        self._do(lambda: self.state.adopt(number))

    def _do(self, edit: Callable[[], str]) -> None:
        """Make an edit, and show the step that has the groups then, here and in other views."""
        self._problem.hide()
        try:
            name = edit()
        except Exception as error:
            self._problem.setText(in_words(error))
            self._problem.show()
            return
        self.state.chosen = name
        self.asked.emit("step", name)
        self.outdate()

    def _on_items(self, group: int) -> None:
        groups = self.state.shown.clustering
        if groups is not None:
            inside = np.flatnonzero(groups.labels < 0) if group < 0 else groups.members(group)
            self._select(inside)

    def _select(self, items: object) -> None:
        self.claim_selection(self.state.shown.n)
        self.session.selection.choose(np.asarray(items))

    def _on_more(self) -> None:
        self._wanted += AT_FIRST
        self.refresh()

    def _on_no_words(self, error: BaseException) -> None:
        self.session.logged.emit(f"The groups cannot be described: {in_words(error)}")
        self.refresh()


def _button(words: str, do: Callable[[], object]) -> QPushButton:
    button = QPushButton(words)
    button.clicked.connect(lambda: do())
    return button


def _fill_rows(frame: QFrame, title: str, rows: list[tuple[QPushButton, QLabel]]) -> None:
    """Put buttons, each with its words, below a heading; without any the frame is not seen."""
    grid = frame.layout()
    assert isinstance(grid, QGridLayout)
    while (taken := grid.takeAt(0)) is not None:
        if (old := taken.widget()) is not None:
            old.hide()
            old.deleteLater()
    frame.setVisible(bool(rows))
    heading = QLabel(title)
    heading.setProperty("role", "heading")
    grid.addWidget(heading, 0, 0, 1, 2)
    grid.setColumnStretch(1, 1)
    grid.setHorizontalSpacing(12)
    for at, (button, words) in enumerate(rows, start=1):
        words.setWordWrap(True)
        words.setProperty("role", "muted")
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        grid.addWidget(button, at, 0)
        grid.addWidget(words, at, 1)


def _short(name: str) -> str:
    return short_name(name, 40)

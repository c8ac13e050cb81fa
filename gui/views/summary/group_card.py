"""One group on the Summary page: its name, its size, and its description."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.core.wording import counted
from coterie.gui.toolkit.styling.icons import icon
from coterie.gui.views.shown_items.group_menu import LONGEST_NAME
from coterie.projects.report.group_description import GroupDescription

_SCORES = (
    "How much of the group the rule covers, and how many of the items it fits are in the group,\n"
    "measured on items that did not make the rule.\n"
    "Silhouette: how much nearer items are to their own group than to the next, from −1 to 1.\n"
    "Stable: how many of its items their neighbours in a random half of all items give to it.\n"
    "Certainty: the mean share of its items in it."
)
_LONGEST_WORD = 24  # letters of a word before a line may break inside it


def breakable(text: str) -> str:
    """Return a text in which a line may also break inside very long words.

    >>> breakable("a" * 30).count("\\u200b")
    1
    """
    words = text.split(" ")
    return " ".join(
        "\u200b".join(word[i : i + _LONGEST_WORD] for i in range(0, len(word), _LONGEST_WORD))
        for word in words
    )


class GroupCard(QFrame):
    """A group; its signals carry its number, from 0."""

    named = Signal(int, str)
    items_asked = Signal(int)
    item_asked = Signal(int)
    menu_asked = Signal(int, QPoint)
    next_asked = Signal(int)  # the group whose name is typed next

    def __init__(self, group: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.group = group
        self._others: tuple[str, ...] = ()
        self.setProperty("role", "card")
        self._stripe = QFrame()
        self._stripe.setFixedWidth(6)
        self.name = QLineEdit()
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setProperty("role", "name")
        self.name.setAccessibleName(f"Name of group {group + 1}")
        self.name.editingFinished.connect(self._on_named)
        self.name.returnPressed.connect(lambda: self.next_asked.emit(self.group + 1))
        self._size = QLabel()
        self._size.setProperty("role", "muted")
        self.select = QToolButton()
        self.select.setText("Select")
        self.select.setToolTip("Select the items of this group in every view")
        self.select.setAccessibleName(f"Select the items of group {group + 1}")
        self.select.clicked.connect(lambda: self.items_asked.emit(self.group))
        self.more = QToolButton()
        self.more.setIcon(icon("more"))
        self.more.setToolTip("Colour, merge, split or move this group")
        self.more.setAccessibleName(f"More for group {group + 1}")
        self.more.clicked.connect(
            lambda: self.menu_asked.emit(
                self.group, self.more.mapToGlobal(self.more.rect().bottomLeft())
            )
        )
        self._rule, self._score = _words("heading"), _words("muted")
        self._score.setToolTip(_SCORES)
        self._effects, self._items = _words(""), _words("muted")
        self._items.setTextFormat(Qt.TextFormat.RichText)
        self._items.linkActivated.connect(lambda link: self.item_asked.emit(int(link)))
        self._lay_out()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(self.name, 1)
        top.addWidget(self._size)
        top.addWidget(self.select)
        top.addWidget(self.more)
        self._look = QLabel()
        self._look.hide()
        inside = QVBoxLayout()
        inside.setContentsMargins(10, 6, 6, 8)
        inside.setSpacing(2)
        inside.addLayout(top)
        for label in (self._rule, self._score, self._effects, self._items):
            inside.addWidget(label)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(1, 1, 1, 1)
        whole.setSpacing(0)
        whole.addWidget(self._stripe)
        whole.addLayout(inside, 1)
        whole.addWidget(self._look, 0, Qt.AlignmentFlag.AlignCenter)
        whole.addSpacing(10)

    def show_identity(
        self, names: tuple[str, ...], own: str, colour: str, size: int, total: int
    ) -> None:
        """Show who the group is: all names, its own as it was typed, its colour and its size."""
        self._others = names
        number = f"group {self.group + 1}"
        if not self.name.hasFocus() and self.name.text() != own:
            self.name.setText(own)
            self.name.setCursorPosition(0)  # a long name is read from its beginning
        self.name.setPlaceholderText(f"{number}: type a name")
        self.name.setToolTip(f"{number}: {own}" if own else f"Type a name for {number}")
        self._stripe.setStyleSheet(
            f"background: {colour}; border-top-left-radius: 7px; border-bottom-left-radius: 7px;"
        )
        share = f" · {_percent(size / total)}" if total else ""
        named = f"{self.group + 1} · " if own else ""
        self._size.setText(f"{named}{counted(size, 'item')}{share}")

    def show_words(self, said: GroupDescription | None, items: dict[int, str]) -> None:
        """Show what is said of the group; None while that is worked out."""
        if said is None:
            self._show(self._rule, "")
            self._show(self._score, "Being described …")
            self._show(self._effects, "")
            self._show(self._items, "")
            return
        self._show(self._rule, breakable(said.rule))
        score = said.score
        if said.differences and said.typical and not said.rule and len(self._others) > 1:
            score = "No short rule describes it."
        self._show(self._score, " · ".join(filter(None, (score, said.held_together))))
        self._show(self._effects, breakable(" · ".join(said.differences)))
        parts = []
        for title, which in (("Typical", said.typical), ("At the border", said.border)):
            links = ", ".join(f'<a href="{item}">{_whole(items[item])}</a>' for item in which)
            if links:
                parts.append(f"{title}: {links}")
        self._show(self._items, " &nbsp;·&nbsp; ".join(parts))

    def show_look(self, picture: QPixmap | None, tip: str = "") -> None:
        """Show what the group looks like beside its words; None for nothing."""
        if picture is not None:
            self._look.setPixmap(picture)
            self._look.setToolTip(tip)
            self._look.setAccessibleName(tip)
        self._look.setVisible(picture is not None)

    @staticmethod
    def _show(label: QLabel, text: str) -> None:
        if label.text() != text:
            label.setText(text)
        label.setVisible(bool(text))

    def _on_named(self) -> None:
        text = " ".join(self.name.text().split())
        self.named.emit(self.group, text)


# Marks that keep a name in one piece among names that are read from the right.
_ISOLATE, _END = "\u2068", "\u2069"


def _whole(name: str) -> str:
    return f"{_ISOLATE}{name}{_END}"


def _words(role: str) -> QLabel:
    label = QLabel(wordWrap=True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        label.setProperty("role", role)
    # The page stays as wide as the window, however long a word is.
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.LinksAccessibleByMouse
    )
    label.setVisible(False)
    return label


def _percent(share: float) -> str:
    return "< 1%" if 0 < share < 0.005 else f"{share:.0%}"

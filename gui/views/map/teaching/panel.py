"""The classes that a person draws, how they are learned, and where the map is uncertain."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.toolkit.chips import chip
from coterie.gui.toolkit.elided import ElidedChoice
from coterie.gui.views.map.teaching.state import TaughtClass, Teaching
from coterie.projects.recipe.teaching import ITEMS, TEACHERS

_DRAW = (
    "Type the name of a class and draw examples of it with the brush or any other shape. Two "
    "classes are enough to begin. Regions from other programs can be imported under “Regions”."
)


class TeachPanel(QScrollArea):
    """A class to draw, the classes so far, a method, and *Classify*."""

    classify_asked = Signal()
    changed = Signal(dict)  # teacher or held_out
    next_asked = Signal()
    label_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = _muted(_DRAW)
        self.name = QComboBox(editable=True)
        self.name.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.name.setAccessibleName("Class to draw")
        field = self.name.lineEdit()
        assert field is not None  # it is editable
        field.setPlaceholderText("class, such as cloud")
        self.name.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.name.setMinimumContentsLength(8)
        self.list = QListWidget()
        self.list.setAccessibleName("Classes of the regions")
        self.list.itemClicked.connect(self._on_class)
        self.list.setIconSize(QSize(11, 11))
        self._make_method()
        self._make_next()
        self._lay_out()

    def _make_method(self) -> None:
        self.teacher = ElidedChoice()
        self.teacher.setAccessibleName("Method")
        # The longest title must not make the panel wider than its room.
        self.teacher.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.teacher.setMinimumWidth(80)
        self.teacher.addItems([teacher.title for teacher in TEACHERS])
        self.teacher.activated.connect(lambda at: self.changed.emit({"teacher": TEACHERS[at]}))
        self.items = ElidedChoice()
        self.items.setAccessibleName("Items to learn from and classify")
        self.items.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.items.setMinimumWidth(80)
        self.items.addItems([title for title, _ in ITEMS])
        self.items.setToolTip("Single pixels, or neighbouring pixels that look alike as one item")
        self.items.activated.connect(lambda at: self.changed.emit({"segment_size": ITEMS[at][1]}))
        self.held_out = QSpinBox()
        self.held_out.setRange(0, 90)
        self.held_out.setSuffix("%")
        self.held_out.setAccessibleName("Held out for the accuracy")
        self.held_out.setToolTip("Share of the drawn pixels that measure the accuracy")
        self.held_out.setKeyboardTracking(False)
        self.held_out.valueChanged.connect(
            lambda value: self.changed.emit({"held_out": value / 100})
        )
        self.classify = QPushButton("Classify")
        self.classify.setProperty("role", "primary")
        self.classify.clicked.connect(self.classify_asked)
        self.said = _muted("")

    def _make_next(self) -> None:
        self.next = _word("Next uncertain")
        self.next.setToolTip("Go to where the map is least certain, and label it")
        self.next.clicked.connect(self.next_asked)
        self.label = _word("Label it")
        self.label.setToolTip("Add a small region of the class above here")
        self.label.clicked.connect(self.label_asked)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        for at, (word, widget) in enumerate(
            (("Method", self.teacher), ("Items", self.items), ("Held out", self.held_out))
        ):
            name = QLabel(word)
            name.setBuddy(widget)
            grid.addWidget(name, at, 0)
            grid.addWidget(widget, at, 1)
        grid.setColumnStretch(1, 1)
        nexts = QHBoxLayout()
        nexts.setSpacing(4)
        nexts.addWidget(self.next, 1)
        nexts.addWidget(self.label, 1)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(4, 8, 4, 6)  # beside a scroll bar all of it fits 216 pixels
        layout.setSpacing(6)
        for widget in (self.hint, self.name, self.list):
            layout.addWidget(widget)
        layout.addLayout(grid)
        layout.addWidget(self.classify)
        layout.addWidget(self.said)
        layout.addLayout(nexts)
        layout.addStretch(1)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)

    @property
    def class_name(self) -> str:
        """The class that is drawn now; empty for none."""
        return " ".join(self.name.currentText().replace("=", " ").replace(",", " ").split())

    def show_teaching(
        self,
        classes: Sequence[TaughtClass],
        teaching: Teaching,
        *,
        said: str,
        why_not: str,
        has_doubts: bool,
        at_place: bool,
    ) -> None:
        """Show the classes and choices, and what can be done now.

        Parameters
        ----------
        said : what came of the last run
        why_not : why nothing can be classified now; empty when it can
        has_doubts : whether there is a map of uncertainty
        at_place : whether an uncertain place is shown
        """
        lines = [f"{c.name}  ·  {c.regions}" for c in classes]
        if [self.list.item(i).text() for i in range(self.list.count())] != lines:
            self.list.clear()
            for found, line in zip(classes, lines, strict=True):
                item = QListWidgetItem(QIcon(chip(found.colour)), line)
                item.setData(Qt.ItemDataRole.UserRole, found.name)
                item.setToolTip(f"{found.name}: {found.regions} regions. Click to draw more of it.")
                self.list.addItem(item)
            typed = self.name.currentText()
            self.name.clear()
            self.name.addItems([found.name for found in classes])
            self.name.setEditText(typed)
        rows = min(max(len(classes), 1), 5)
        tall = max(self.list.sizeHintForRow(0), self.list.fontMetrics().height() + 4)
        self.list.setFixedHeight(rows * tall + 6)
        self.hint.setVisible(len(classes) < 2)
        self.list.setVisible(bool(classes))
        self.teacher.setCurrentIndex(TEACHERS.index(teaching.teacher))
        sizes = [size for _, size in ITEMS]
        self.items.setCurrentIndex(sizes.index(teaching.segment_size))
        self.held_out.blockSignals(True)
        self.held_out.setValue(round(100 * teaching.held_out))
        self.held_out.blockSignals(False)
        self.held_out.setEnabled(teaching.teacher.holds_out)
        self.classify.setEnabled(not why_not)
        self.classify.setToolTip(why_not or "Train on the regions and classify every pixel")
        self.said.setText(said)
        self.said.setVisible(bool(said))
        self.next.setEnabled(has_doubts)
        self.label.setEnabled(at_place)

    def _on_class(self, item: QListWidgetItem) -> None:
        self.name.setEditText(str(item.data(Qt.ItemDataRole.UserRole)))


def _word(text: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setProperty("role", "word")
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return button


def _muted(text: str) -> QLabel:
    label = QLabel(text, wordWrap=True)
    label.setProperty("role", "muted")
    return label

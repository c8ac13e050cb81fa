"""The dialog in which a map is checked by eye: a plan, then place after place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QInputDialog,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.core.errors import CoterieError, in_words
from coterie.core.formats.maps.accuracy_report import left_out, with_range
from coterie.core.model.arrays import Ints
from coterie.core.numerics.partitions.accuracy import Accuracy
from coterie.core.wording import counted
from coterie.gui.panels.choosers import labelled
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.forms.rows import hint_label
from coterie.gui.views.map.assessing.state import Assessment, Plan

PLANNING, CHECKING = (880, 300), (880, 620)  # sizes of the dialog
SIDES = (320, 210)  # of the pictures: near, and from afar
_COLUMNS = ("User's", "Producer's", "Area")


class AssessDialog(QDialog):
    """Plans a sample of a map, shows its places one by one, and what follows of the answers."""

    drawn = Signal(object)  # places of each class
    answered = Signal(int, str)
    place_asked = Signal(int)
    save_asked = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("assessing")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Check by eye")
        self._pixels: Ints = np.zeros(0, dtype=np.int64)
        self._assessment: Assessment | None = None
        self.at = -1
        heading = QLabel(title)
        heading.setProperty("role", "title")
        self.problem = QLabel(wordWrap=True)
        self.problem.hide()
        self.pages = QStackedWidget()
        self.pages.addWidget(self._make_plan())
        self.pages.addWidget(self._make_places())
        self._turn_to(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(10)
        layout.addWidget(heading)
        layout.addWidget(self.problem)
        layout.addWidget(self.pages, 1)
        self.resize(*PLANNING)

    # The plan

    def _make_plan(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(
            hint_label(
                "Places of every class are drawn at random and shown one by one. Choose the class "
                "you see there; the class on the map stays hidden. The answers give the accuracy "
                "and the true areas, with 95% intervals."
            )
        )
        self.of = ChoiceBox()
        self.error = QDoubleSpinBox(decimals=1, minimum=0.1, maximum=30.0, singleStep=0.5)
        self.error.setSuffix("% of the map")
        self.error.setValue(100 * Plan().error)
        self.expected = QSpinBox(minimum=50, maximum=99)
        self.expected.setSuffix("%")
        self.expected.setValue(round(100 * Plan().expected))
        for box in (self.error, self.expected):
            box.valueChanged.connect(self._show_plan)
        self.of.activated.connect(self._show_plan)
        layout.addWidget(labelled("Estimate", self.of))
        layout.addWidget(labelled("Error, ±", self.error, "Half the width of the 95% interval"))
        layout.addWidget(
            labelled("Expected right", self.expected, "Share of the map that is probably right")
        )
        self.needed = QLabel(wordWrap=True)
        layout.addWidget(self.needed)
        self.begin = QPushButton("Draw places")
        self.begin.setProperty("role", "primary")
        self.keep = QPushButton("Keep the present ones")
        self.keep.clicked.connect(lambda: self._turn_to(1))
        self.keep.hide()
        self.begin.setEnabled(False)  # until the pixels are counted
        self.begin.clicked.connect(self._on_begin)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.keep)
        row.addWidget(self.begin)
        layout.addLayout(row)
        layout.addStretch(1)
        return page

    def show_map(self, names: Sequence[str], pixels: Ints) -> None:
        """Offer a plan for a map of these classes."""
        self._pixels = pixels
        self.of.clear()
        self.of.addItem("overall accuracy", -1)
        for number, name in enumerate(names):
            if pixels[number]:
                self.of.addItem(f"area of {name}", number)
        self._names = tuple(names)
        self._show_plan()

    @property
    def plan(self) -> Plan:
        """What the person chose."""
        of = self.of.currentData()
        error, expected = self.error.value() / 100, self.expected.value() / 100
        return Plan(-1 if of is None else int(of), error, expected)

    def _show_plan(self) -> None:
        if not self._pixels.size:  # not counted yet
            return
        try:
            wanted = self.plan.places(self._pixels)
        except CoterieError as error:
            self.needed.setText(in_words(error))
            self.begin.setEnabled(False)
            return
        listed = [f"{self._names[i]}: {n:,}" for i, n in enumerate(wanted.tolist()) if n]
        shown = ", ".join(listed[:12]) + (", …" if len(listed) > 12 else "")
        done = 0 if self._assessment is None else self._assessment.answered
        dropped = f" They replace the present ones with their {counted(done, 'answer')}."
        self.needed.setText(
            f"Needed: {int(wanted.sum()):,} places ({shown}).{dropped if done else ''}"
        )
        self.begin.setEnabled(True)

    def _on_again(self) -> None:
        self.keep.show()
        self._turn_to(0)
        self._show_plan()

    def _on_begin(self) -> None:
        self.begin.setEnabled(False)
        self.drawn.emit(self.plan.places(self._pixels))

    # The places

    def _make_places(self) -> QWidget:
        page = QWidget()
        self.near, self.far = QLabel(), QLabel()
        for label, side, name in (
            (self.near, SIDES[0], "The place"),
            (self.far, SIDES[1], "Its surroundings"),
        ):
            label.setFixedSize(side, side)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setAccessibleName(name)
        self.progress = QLabel()
        self.progress.setProperty("role", "heading")
        self._answers = QVBoxLayout()
        self._answers.setSpacing(4)
        inside = QWidget()
        inside.setLayout(self._answers)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.other = QPushButton("Another class…")
        self.other.clicked.connect(self._on_other)
        self.skip = QPushButton("Not sure")
        self.skip.setToolTip("Skip this place; it is left out (Space)")
        self.skip.clicked.connect(lambda: self._go(1))
        self.back = QPushButton("Back")
        self.back.clicked.connect(lambda: self._go(-1))
        QShortcut(QKeySequence(Qt.Key.Key_Space), self).activated.connect(lambda: self._go(1))
        QShortcut(QKeySequence(Qt.Key.Key_Backspace), self).activated.connect(lambda: self._go(-1))
        for number in range(1, 10):
            key = QKeySequence(str(number))
            QShortcut(key, self).activated.connect(lambda n=number: self._on_key(n))
        self.table = QTableWidget(0, len(_COLUMNS))
        self.table.setHorizontalHeaderLabels(list(_COLUMNS))
        self.table.setAccessibleName("Accuracy and areas from the answers")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.overall = QLabel(wordWrap=True)
        self.save = QPushButton("Save places…")
        self.save.setToolTip("Save places and answers as CSV; coterie assess reads them")
        self.save.clicked.connect(self.save_asked)
        self.again = QPushButton("New sample…")
        self.again.setToolTip("Plan another sample; the answers of this one are dropped")
        self.again.clicked.connect(self._on_again)
        right = QVBoxLayout()
        right.addWidget(self.progress)
        right.addWidget(area, 1)
        right.addWidget(self.other)
        steps = QHBoxLayout()
        steps.addWidget(self.back)
        steps.addWidget(self.skip, 1)
        right.addLayout(steps)
        bottom = QHBoxLayout()
        bottom.addWidget(self.overall, 1)
        bottom.addWidget(self.save)
        bottom.addWidget(self.again)
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.addWidget(self.near, 0, 0)
        grid.addWidget(self.far, 0, 1, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(right, 0, 2)
        grid.addWidget(self.table, 1, 0, 1, 3)
        grid.addLayout(bottom, 2, 0, 1, 3)
        grid.setColumnStretch(2, 1)
        grid.setRowStretch(1, 1)
        return page

    def _turn_to(self, page: int) -> None:
        """Show the plan or the places; what is not shown takes no room."""
        usual, none = QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored
        for at in range(self.pages.count()):
            shown = usual if at == page else none
            widget = self.pages.widget(at)
            if widget is not None:
                widget.setSizePolicy(shown, shown)
        self.pages.setCurrentIndex(page)

    def show_assessment(self, assessment: Assessment, at: int | None = None) -> None:
        """Show the answers so far, and a place: the next without an answer if none is named."""
        self._assessment = assessment
        if self.pages.currentIndex() != 1:
            self._turn_to(1)
            self.resize(max(self.width(), CHECKING[0]), max(self.height(), CHECKING[1]))
        self.at = assessment.next_open(self.at) if at is None else at
        if self.at < 0:
            self.at = len(assessment.places) - 1
        place = assessment.places[self.at]
        total, done = len(assessment.places), assessment.answered
        self.progress.setText(f"Place {self.at + 1} of {total:,}  ·  {done:,} answered")
        self._show_answers(assessment.classes, place.answer)
        self._show_accuracy(assessment.accuracy)
        self.back.setEnabled(self.at > 0)
        self.skip.setEnabled(self.at + 1 < total)
        self.place_asked.emit(self.at)

    def show_pictures(self, near: QPixmap, far: QPixmap) -> None:
        """Show what is around the place."""
        self.near.setPixmap(near)
        self.far.setPixmap(far)

    def say(self, sentence: str) -> None:
        """Say what went wrong."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        self.begin.setEnabled(self._pixels.size > 0)

    def _show_answers(self, classes: Sequence[str], answer: str) -> None:
        while (item := self._answers.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for number, name in enumerate(classes, 1):
            key = f"{number}  " if number < 10 else ""
            shown = name.replace("&", "&&")
            button = QPushButton(f"{key}{shown}")
            button.setCheckable(True)
            button.setChecked(name == answer)
            button.setStyleSheet("text-align: left;")
            button.clicked.connect(lambda _=False, name=name: self._answer(name))
            self._answers.addWidget(button)
        self._answers.addStretch(1)

    def _show_accuracy(self, found: Accuracy | None) -> None:
        if found is None:
            self.table.setRowCount(0)
            self.overall.setText("Accuracy and areas appear here with the first answers.")
            return
        overall = f"Overall accuracy {with_range(found.overall, found.overall_range)}"
        self.overall.setText("\n".join([overall, *left_out(found)]))
        names = [at for at in range(len(found.names)) if found.counts[at].any() or found.areas[at]]
        self.table.setRowCount(len(names))
        self.table.setVerticalHeaderLabels([found.names[at] for at in names])
        for row, at in enumerate(names):
            cells = (
                with_range(found.users[at], found.users_range[at]),
                with_range(found.producers[at], found.producers_range[at]),
                with_range(found.areas[at], found.areas_range[at]),
            )
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                self.table.setItem(row, column, item)

    def _answer(self, name: str) -> None:
        self.answered.emit(self.at, name)

    def _on_key(self, number: int) -> None:
        if self._assessment is not None and self.pages.currentIndex() == 1:
            classes = self._assessment.classes
            if number <= len(classes):
                self._answer(classes[number - 1])

    def _on_other(self) -> None:
        name, given = QInputDialog.getText(self, "Another class", "Class at this place:")
        if given and name.strip():
            self._answer(name)

    def _go(self, by: int) -> None:
        if self._assessment is None or self.pages.currentIndex() != 1:
            return
        at = self.at + by
        if 0 <= at < len(self._assessment.places):
            self.show_assessment(self._assessment, at)

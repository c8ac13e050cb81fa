"""One axis of a sweep: the parameter, its range, and the number of steps."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QWidget

from coterie.gui.dialogs.sweep.state import WAYS, AxisChoice, SweepState, with_way
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.forms.fields import Limits
from coterie.gui.toolkit.forms.numbers import NumberBox


class AxisBox(QWidget):
    """Edits one axis of the state."""

    changed = Signal()

    def __init__(self, state: SweepState, at: int, title: str) -> None:
        super().__init__()
        self._state, self._at = state, at
        self._names = [*([""] if at else []), *state.fields]
        self.parameter = ChoiceBox()
        self.parameter.addItems([self._title(name) for name in self._names])
        self.parameter.setAccessibleName(title)
        self.parameter.activated.connect(self._on_parameter)
        self.way = ChoiceBox()
        self.way.addItems([way.capitalize() for way in WAYS])
        self.way.setAccessibleName(f"{title}: spacing of the values")
        self.way.activated.connect(self._on_way)
        self.low, self.high = NumberBox(), NumberBox()
        self.count = NumberBox(Limits(low=1, high=200), whole=True)
        self.list = QLineEdit()
        self.list.setPlaceholderText("values, separated by commas")
        for box, name in ((self.low, "from"), (self.high, "to"), (self.count, "count")):
            box.setAccessibleName(f"{title}: {name}")
            box.edited.connect(self._on_edited)
        self.list.setAccessibleName(f"{title}: values")
        self.list.editingFinished.connect(self._on_edited)
        self._range = QWidget()
        row = QHBoxLayout(self._range)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for word, box in (("from", self.low), ("to", self.high), ("in", self.count)):
            label = QLabel(word)
            label.setProperty("role", "hint")
            row.addWidget(label)
            row.addWidget(box, 1)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(6)
        heading = QLabel(title)
        heading.setProperty("role", "heading")
        layout.addWidget(heading, 0, 0, 1, 2)
        layout.addWidget(self.parameter, 1, 0)
        layout.addWidget(self.way, 1, 1)
        layout.addWidget(self._range, 2, 0, 1, 2)
        layout.addWidget(self.list, 3, 0, 1, 2)
        layout.setColumnStretch(0, 3)
        layout.setColumnStretch(1, 2)
        self.synchronize()

    def synchronize(self) -> None:
        """Show the axis as the state has it."""
        choice = self._state.axes[self._at]
        self.parameter.setCurrentIndex(self._names.index(choice.parameter))
        self.way.setCurrentIndex(WAYS.index(choice.way))
        self.way.setVisible(bool(choice.parameter))
        listed = choice.way == "list"
        self._range.setVisible(bool(choice.parameter) and not listed)
        self.list.setVisible(bool(choice.parameter) and listed)
        self.low.set_value(choice.low)
        self.high.set_value(choice.high)
        self.count.set_value(choice.count)
        if self.list.text() != choice.text:
            self.list.setText(choice.text)

    def _title(self, name: str) -> str:
        return self._state.fields[name].title if name else "None"

    def _on_parameter(self, at: int) -> None:
        self._set(self._state.choice_of(self._names[at]))

    def _on_way(self, at: int) -> None:
        self._set(with_way(self._state.axes[self._at], WAYS[at]))

    def _on_edited(self, *_: object) -> None:
        self._set(
            replace(
                self._state.axes[self._at],
                low=self.low.value(),
                high=self.high.value(),
                count=int(self.count.value()),
                text=self.list.text(),
            )
        )

    def _set(self, choice: AxisChoice) -> None:
        self._state.set_axis(self._at, choice)
        self.synchronize()
        self.changed.emit()

"""The widget behind each kind of field. Every editor has `value`, `set_value` and `edited`."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSlider,
    QToolButton,
    QWidget,
)

from coterie.gui.toolkit.elided import ElidedChoice
from coterie.gui.toolkit.forms.fields import FormField
from coterie.gui.toolkit.forms.numbers import NumberBox
from coterie.gui.toolkit.forms.values import format_number, same_value, word_for

_SLIDER_STEPS = 200


class Editor(QWidget):
    """Shows one value and says when a person changed it to another valid one."""

    edited = Signal()

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)

    def value(self) -> Any:
        """Return the value shown."""
        raise NotImplementedError

    def set_value(self, value: Any) -> None:
        """Show a value, without telling anyone."""
        raise NotImplementedError

    def take_typed(self) -> None:
        """Take in what is typed but not yet finished, as before a run."""

    def offer(self, values: tuple[str, ...]) -> None:
        """Have values at hand that are likely to be meant; most editors know theirs."""

    def _hold(self, widget: QWidget, stretch: int = 0) -> None:
        widget.setAccessibleName(self.field.title)
        widget.setAccessibleDescription(self.field.hint())
        self._row.addWidget(widget, stretch)
        if self.focusProxy() is None:
            self.setFocusProxy(widget)


class ChoiceBox(ElidedChoice):
    """A choice that the wheel does not change; what does not fit ends in …, with a tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # A long entry must not push the panel wider; the list itself opens as wide as it needs.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()


class _Slider(QSlider):
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class NumberEditor(Editor):
    """A number box, with a slider when the author asked for one, or a word in its place ("auto").

    One word is a button beside the box, several are a list that ends in "value".
    """

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.word: QToolButton | None = None
        self.words: ChoiceBox | None = None
        self._slider: _Slider | None = None
        self.box = NumberBox(
            field.limits,
            whole=field.kind == "integer",
            log=field.log,
            unit="" if field.unit_beside else field.unit,
        )
        self.box.set_value(_some_number(field))
        self.box.edited.connect(self._on_edited)
        if len(field.words) > 1:
            self.words = ChoiceBox()
            self.words.addItems([*map(word_for, field.words), "value"])
            self.words.activated.connect(self._on_word_chosen)
            self._hold(self.words, 1)
        elif field.slider:
            self._slider = _Slider(Qt.Orientation.Horizontal)
            self._slider.setRange(0, _SLIDER_STEPS)
            self._slider.valueChanged.connect(self._on_slid)
            self._hold(self._slider, 2)
        self._hold(self.box, 1)
        if len(field.words) == 1:
            self.word = QToolButton()
            self.word.setText(word_for(field.words[0]))
            self.word.setProperty("role", "word")
            self.word.setCheckable(True)
            self.word.clicked.connect(self._on_word_chosen)
            self._hold(self.word)
            self.word.setAccessibleName(f"{field.title}: {self.word.text()}")
        self.setFocusProxy(self.box)

    def value(self) -> Any:
        """Return the number, or the word chosen instead."""
        at = len(self.field.words)
        if self.word is not None and self.word.isChecked():
            at = 0
        elif self.words is not None:
            at = self.words.currentIndex()
        return self.field.words[at] if 0 <= at < len(self.field.words) else self.box.value()

    def set_value(self, value: Any) -> None:
        """Show a number or a word."""
        places = (at for at, word in enumerate(self.field.words) if same_value(value, word))
        at = next(places, len(self.field.words))
        is_word = at < len(self.field.words)
        if self.word is not None:
            self.word.setChecked(is_word)
        if self.words is not None:
            self.words.setCurrentIndex(at)
            self.box.setVisible(not is_word)
        self.box.setEnabled(not is_word)
        if not is_word and isinstance(value, int | float):
            self.box.set_value(value)
            self._place_slider()

    def take_typed(self) -> None:
        """Take in a number that is still being typed."""
        if self.box.isEnabled():
            self.box.take_typed()

    def _on_word_chosen(self) -> None:
        self.set_value(self.value())
        self.edited.emit()

    def _on_edited(self) -> None:
        self._place_slider()
        self.edited.emit()

    def _place_slider(self) -> None:
        if self._slider is None or self.field.slider is None:
            return
        low, high = self.field.slider
        share = _share(self.box.value(), low, high, self.field.log)
        self._slider.blockSignals(True)
        self._slider.setValue(round(share * _SLIDER_STEPS))
        self._slider.blockSignals(False)

    def _on_slid(self, position: int) -> None:
        if self.field.slider is None:
            return
        low, high = self.field.slider
        number = _at_share(position / _SLIDER_STEPS, low, high, self.field.log)
        number = round(number) if self.field.kind == "integer" else float(f"{number:.3g}")
        if not self.field.problem(number):
            if self.word is not None and self.word.isChecked():
                self.set_value(number)  # in the place of the word
            self.box.set_value(number)
            self.edited.emit()


class BooleanEditor(Editor):
    """A check box."""

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._box = QCheckBox()
        self._box.clicked.connect(self.edited)
        self._hold(self._box)
        self._row.addStretch(1)

    def value(self) -> bool:
        """Return whether it is ticked."""
        return self._box.isChecked()

    def set_value(self, value: Any) -> None:
        """Tick it or not."""
        self._box.setChecked(bool(value))


class ChoiceEditor(Editor):
    """A list of all allowed values."""

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._box = ChoiceBox()
        self._box.addItems([word_for(choice) for choice in field.choices])
        self._box.activated.connect(self.edited)
        self._hold(self._box, 1)

    def value(self) -> Any:
        """Return the chosen value, of its own type."""
        return self.field.choices[max(0, self._box.currentIndex())]

    def set_value(self, value: Any) -> None:
        """Choose a value; one that is not in the list changes nothing."""
        for i, choice in enumerate(self.field.choices):
            if same_value(value, choice):
                self._box.setCurrentIndex(i)


class LineEditor(Editor):
    """A line of text: a text, numbers or texts with commas between, or JSON."""

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._line = QLineEdit()
        pairs = field.between == ";"
        self._line.setPlaceholderText(_PAIRS if pairs else _PLACEHOLDERS.get(field.kind, ""))
        self._line.textEdited.connect(self._on_text_edited)
        self._line.editingFinished.connect(self._on_editing_finished)
        self._value: Any = field.default
        self._hold(self._line, 1)
        self.offered = QToolButton()
        self.offered.setText("Choose")
        self.offered.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.offered.setMenu(QMenu(self.offered))
        self._hold(self.offered)
        self.offered.setAccessibleName(f"{field.title}: choose")
        self.offered.hide()

    def offer(self, values: tuple[str, ...]) -> None:
        """Have a list of values beside the line; what is not in it can still be typed."""
        self.offered.setVisible(bool(values))
        menu = self.offered.menu()
        menu.clear()
        for value in values:
            menu.addAction(value).triggered.connect(partial(self._choose, value))

    def _choose(self, value: str, _checked: bool = False) -> None:
        several = self.field.kind == "texts" and self._line.text().strip()
        between = self.field.between
        self._line.setText(f"{self._line.text()}{between} {value}" if several else value)
        self._on_editing_finished()

    def value(self) -> Any:
        """Return the last right value."""
        return self._value

    def set_value(self, value: Any) -> None:
        """Show a value as text."""
        self._value = value
        self._line.setText(self._as_text(value))
        self._mark("")

    def take_typed(self) -> None:
        self._on_editing_finished()

    def _on_text_edited(self, text: str) -> None:
        self._mark(self._read(text)[1])

    def _on_editing_finished(self) -> None:
        value, problem = self._read(self._line.text())
        if problem:
            self._line.setText(self._as_text(self._value))
        elif not same_value(value, self._value):
            self._value = value
            self.edited.emit()
        self._mark("")

    def _read(self, text: str) -> tuple[Any, str]:
        text = text.strip()
        for word in self.field.words:
            if text == word_for(word) or (word is None and not text):
                return word, ""
        value: Any = text
        try:
            match self.field.kind:
                case "numbers":
                    value = [_number(part, self.field.whole) for part in _parts(text)]
                case "texts":
                    value = _parts(text, self.field.between)
                case "json":
                    value = json.loads(text)
        except ValueError:
            return None, f"{self.field.title} cannot be read."
        return value, self.field.problem(value)

    def _as_text(self, value: Any) -> str:
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        if self.field.kind == "numbers" and isinstance(value, list | tuple):
            return ", ".join(map(format_number, value))
        if self.field.kind == "texts" and isinstance(value, list | tuple):
            return f"{self.field.between} ".join(value)
        return json.dumps(value)

    def _mark(self, problem: str) -> None:
        self._line.setProperty("invalid", bool(problem))
        self._line.setToolTip(problem or self.field.tooltip())
        self._line.style().unpolish(self._line)
        self._line.style().polish(self._line)


_PAIRS = "B8, B4; B3, B8"  # entries that have commas themselves
_PLACEHOLDERS = {"numbers": "numbers, separated by commas", "texts": "names, separated by commas"}

_EDITORS: dict[str, Callable[[FormField], Editor]] = {
    "number": NumberEditor,
    "integer": NumberEditor,
    "boolean": BooleanEditor,
    "choice": ChoiceEditor,
}


def editor_for(field: FormField) -> Editor:
    """Return the editor that suits a field, showing its default."""
    editor = _EDITORS.get(field.kind, LineEditor)(field)
    if not field.required:
        editor.set_value(field.default)
    return editor


def _parts(text: str, between: str = ",") -> list[str]:
    separator = ";" if ";" in text else between
    return [part.strip() for part in text.split(separator) if part.strip()]


def _number(text: str, whole: bool) -> float:
    return int(text) if whole else float(text)


def _some_number(field: FormField) -> float:
    """A number to start from when the default is a word."""
    for candidate in (field.default, 1, 0, field.limits.low, field.limits.high):
        if isinstance(candidate, int | float) and not field.problem(candidate):
            return candidate
    return 0


def _share(value: float, low: float, high: float, log: bool) -> float:
    if log and low > 0:
        value, low, high = math.log(max(value, low)), math.log(low), math.log(high)
    return min(max((value - low) / (high - low), 0.0), 1.0)


def _at_share(share: float, low: float, high: float, log: bool) -> float:
    if log and low > 0:
        return math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
    return low + share * (high - low)

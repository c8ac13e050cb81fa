"""A box for a number of any size: 150, 0.25 and 1e-8 are all entered and shown as people write."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QWidget

from coterie.gui.toolkit.forms.fields import Limits
from coterie.gui.toolkit.forms.values import format_number

_SMALLEST_STEP = 1e-12


class NumberBox(QAbstractSpinBox):
    """A spin box without a fixed number of decimals.

    `edited` is emitted when a person gives a new, valid number. The wheel is left to the page
    behind, so scrolling never changes a value.
    """

    edited = Signal(float)

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        whole: bool = False,
        log: bool = False,
        unit: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._limits, self._whole, self._log = limits or Limits(), whole, log
        self._unit = f" {unit}" if unit else ""
        self._value = 0.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToPreviousValue)
        self.setKeyboardTracking(False)
        self.setMinimumWidth(60)
        line = self.lineEdit()
        line.setTextMargins(4, 0, 0, 0)
        line.textEdited.connect(self._on_text_edited)
        line.editingFinished.connect(self.take_typed)
        self.editingFinished.connect(self.take_typed)  # Enter, which the line does not receive
        self._show()

    def value(self) -> float:
        """Return the number; whole when the box is for whole numbers."""
        return int(self._value) if self._whole else self._value

    def set_value(self, value: float) -> None:
        """Show a number, without telling anyone."""
        self._value = float(value)
        self._show()

    def problem(self, text: str) -> str:
        """Return what is wrong with a text, or nothing."""
        number = self._parse(text)
        if number is None:
            return "must be a whole number" if self._whole else "must be a number"
        return self._limits.problem(number)

    # What QAbstractSpinBox asks for

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Anything that may become a number can be typed; only a right number is taken."""
        state = QValidator.State.Intermediate
        if not self.problem(text):
            state = QValidator.State.Acceptable
        elif any(character not in "0123456789+-.,eE" for character in self._bare(text)):
            state = QValidator.State.Invalid
        return state, text, position

    def fixup(self, text: str) -> str:
        """Go back to the last right number."""
        return self._text()

    def stepBy(self, steps: int) -> None:
        """Go up or down by what one digit less than the number's size amounts to."""
        number = self._value
        for _ in range(abs(steps)):
            number = self._stepped(number, 1 if steps > 0 else -1)
        if self._limits.problem(number):
            number = self._nearest_limit(number)
        if not self._limits.problem(number) and number != self._value:
            self._value = number
            self._show()
            self.lineEdit().selectAll()
            self.edited.emit(self.value())

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Both ways, except at a limit."""
        flags = QAbstractSpinBox.StepEnabledFlag.StepNone
        low, high = self._limits.low, self._limits.high
        if high is None or self._value < high:
            flags |= QAbstractSpinBox.StepEnabledFlag.StepUpEnabled
        if low is None or self._value > low:
            flags |= QAbstractSpinBox.StepEnabledFlag.StepDownEnabled
        return flags

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()

    # Inside

    def _stepped(self, number: float, direction: int) -> float:
        if self._whole:
            return number + direction
        if number == 0:
            return direction * (0.01 if self._limits.high is None else self._limits.high / 100)
        exponent = math.floor(math.log10(abs(number)))
        towards_zero = (number > 0) != (direction > 0)
        mantissa = abs(number) / 10.0**exponent
        if self._log and towards_zero and mantissa < 1 + 1e-9:
            exponent -= 1  # from 0.1 down goes to 0.09, not to 0
        step = 10.0**exponent if self._log else 10.0 ** (exponent - 1)
        step = max(step, _SMALLEST_STEP) if abs(number) > 1e-6 else step
        moved = number + direction * step
        # Two digits more than the step: 0.30000000000000004 is not what anyone means.
        return float(f"{moved:.12g}")

    def _nearest_limit(self, number: float) -> float:
        low, high = self._limits.low, self._limits.high
        if low is not None and number <= low and not self._limits.low_open:
            return low
        if high is not None and number >= high and not self._limits.high_open:
            return high
        return self._value

    def _on_text_edited(self, text: str) -> None:
        self.setProperty("invalid", bool(self.problem(text)))
        self._restyle()

    def take_typed(self) -> None:
        """Take in what is typed, as leaving the box would; an invalid number is undone."""
        number = self._parse(self.lineEdit().text())
        if number is not None and not self._limits.problem(number) and number != self._value:
            self._value = number
            self._show()
            self.edited.emit(self.value())
        else:
            self._show()

    def _parse(self, text: str) -> float | None:
        bare = self._bare(text).replace(",", ".")  # a decimal comma is a decimal point
        try:
            number = float(bare)
        except ValueError:
            return None
        if not math.isfinite(number) or (self._whole and number != int(number)):
            return None
        return number

    def _bare(self, text: str) -> str:
        return text.removesuffix(self._unit).strip().replace("−", "-")

    def _text(self) -> str:
        return format_number(self.value()) + self._unit

    def _show(self) -> None:
        self.lineEdit().setText(self._text())
        self.setProperty("invalid", False)
        self._restyle()

    def _restyle(self) -> None:
        self.style().unpolish(self)
        self.style().polish(self)

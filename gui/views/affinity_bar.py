"""The controls above the matrix: order, scale, fit and picture."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from coterie.gui.states.affinity import AffinityState
from coterie.gui.styling.icons import icon

_SCALES = (("linear", "Linear"), ("log", "Logarithmic"))


class AffinityBar(QWidget):
    """Shows the choices of the state, and says what the person chose."""

    order_chosen = Signal(str)
    scale_chosen = Signal(str)
    fit_asked = Signal()
    picture_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 8, 6)
        layout.setSpacing(4)
        self.order = self._choice(layout, "&Order", "How the items are ordered")
        self.order.activated.connect(lambda: self.order_chosen.emit(self.order.currentData()))
        self.scale = self._choice(layout, "&Colours", "How similarities become colours")
        self.scale.activated.connect(lambda: self.scale_chosen.emit(self.scale.currentData()))
        for key, title in _SCALES:
            self.scale.addItem(title, key)
        layout.addStretch(1)
        self.fit = self._action(layout, "fit", "Fit", "F", "Show the whole matrix (F)")
        self.fit.triggered.connect(self.fit_asked)
        self.save = self._action(layout, "download", "Save picture…", "", "Save as PNG or SVG")
        self.save.triggered.connect(self.picture_asked)

    def show_state(self, state: AffinityState) -> None:
        """Show what can be chosen and what is."""
        known = [
            (self.order.itemData(i), self.order.itemText(i)) for i in range(self.order.count())
        ]
        if known != list(state.orders):
            self.order.clear()
            for key, title in state.orders:
                self.order.addItem(title, key)
        self.order.setCurrentIndex(self.order.findData(state.order))
        self.scale.setCurrentIndex(self.scale.findData(state.scale))
        self.scale.setEnabled(state.picture is None or not state.picture.signed)

    def _choice(self, layout: QHBoxLayout, label: str, name: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        box.setMaximumWidth(190)
        title = QLabel(label)
        title.setProperty("role", "muted")
        title.setBuddy(box)
        layout.addWidget(title)
        layout.addWidget(box)
        layout.addSpacing(8)
        return box

    def _action(
        self, layout: QHBoxLayout, key: str, title: str, shortcut: str, tip: str
    ) -> QAction:
        action = QAction(icon(key), title, self)
        action.setToolTip(tip)
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
        button = QToolButton()
        button.setAccessibleName(title)
        button.setDefaultAction(action)
        layout.addWidget(button)
        return action

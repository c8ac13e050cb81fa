"""The controls above the matrix: order, scale, fit and picture."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from coterie.gui.toolkit.control_bar import ControlBar, offer
from coterie.gui.views.affinity.state import AffinityState

_SCALES = (("linear", "Linear"), ("log", "Logarithmic"))


class AffinityBar(ControlBar):
    """Shows the choices of the state, and says what the person chose."""

    order_chosen = Signal(str)
    scale_chosen = Signal(str)
    fit_asked = Signal()
    picture_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.order, _ = self.add_choice("&Order", "Order of the items")
        self.order.activated.connect(lambda: self.order_chosen.emit(self.order.currentData()))
        self.scale, _ = self.add_choice("&Colours", "Colour scale")
        self.scale.activated.connect(lambda: self.scale_chosen.emit(self.scale.currentData()))
        self.choices.addStretch(1)
        self.fit = self.add_action("fit", "Fit", "F", "Show the whole matrix")
        self.fit.triggered.connect(self.fit_asked)
        self.save = self.add_action("download", "Save picture…", "", "Save as PNG or SVG")
        self.save.triggered.connect(self.picture_asked)
        self.handles.addStretch(1)

    def show_state(self, state: AffinityState) -> None:
        """Show what can be chosen and what is."""
        offer(self.order, state.orders, state.order)
        offer(self.scale, _SCALES, state.scale)
        self.scale.setEnabled(state.picture is None or not state.picture.signed)
        self.arrange()

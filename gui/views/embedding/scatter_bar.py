"""The controls above a scatter: axes, colours, tools, and what to select."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QMenu, QToolButton, QWidget

from coterie.gui.toolkit.control_bar import ControlBar, offer
from coterie.gui.views.embedding.state import ScatterState

_SHARE = re.compile(r" \(\d+%\)$")
_KEYS = "\nHold Shift or Ctrl to add, Alt or both to remove."
_TOOLS = (
    ("pan", "Move", "P", "Drag to move, scroll to zoom"),
    ("box", "Box", "B", "Drag a box around points to select them" + _KEYS),
    ("lasso", "Lasso", "L", "Draw around points to select them" + _KEYS),
)


class ScatterBar(ControlBar):
    """Shows the choices of a scatter's state, and says what the person chose."""

    picture_chosen = Signal(str)
    axis_chosen = Signal(str, str)  # "x", "y" or "z", key
    colour_chosen = Signal(str)
    tool_chosen = Signal(str)
    equal_chosen = Signal(bool)
    sizes_chosen = Signal(bool)
    solid_chosen = Signal(bool)
    world_chosen = Signal(bool)
    spread_chosen = Signal(bool)
    fit_asked = Signal()
    picture_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture, _ = self.add_choice("&Picture", "Coordinates to plot", 240)
        self.picture.activated.connect(lambda: self.picture_chosen.emit(self.picture.currentData()))
        self.colour, _ = self.add_choice("&Colour", "Colour points by")
        self.across, _ = self.add_choice("&x", "Horizontal axis", aside=True)
        self.up, _ = self.add_choice("&y", "Vertical axis", aside=True)
        self.deep, self._deep_title = self.add_choice("&z", "Axis towards you", aside=True)
        for box in (self.across, self.up, self.deep, self.colour):
            box.setMinimumContentsLength(5)
        # The name of a picture is what a person looks for first: it is the last to give way.
        self.picture.setMinimumContentsLength(9)
        self.picture.setMinimumWidth(self.picture.fontMetrics().horizontalAdvance("Columns") + 44)
        self.across.activated.connect(lambda: self.axis_chosen.emit("x", self.across.currentData()))
        self.up.activated.connect(lambda: self.axis_chosen.emit("y", self.up.currentData()))
        self.deep.activated.connect(lambda: self.axis_chosen.emit("z", self.deep.currentData()))
        self.colour.activated.connect(lambda: self.colour_chosen.emit(self.colour.currentData()))
        self.sized = QCheckBox("Size by rank")
        self.sized.setToolTip("Draw higher-ranked items larger")
        self.sized.clicked.connect(self.sizes_chosen)
        self.choices.addStretch(1)
        self.more_choices.addStretch(1)
        self._make_handles()

    def _make_handles(self) -> None:
        layout = self.handles
        self.solid = self.add_action(
            "solid",
            "3-D",
            "3",
            "Show three axes\nIn Move mode, drag or press the arrow keys to rotate.",
        )
        self.solid.setCheckable(True)
        self.solid.triggered.connect(self.solid_chosen)
        self.tools = self.add_tools(_TOOLS)
        for key, action in self.tools.items():
            action.triggered.connect(lambda _=False, key=key: self.tool_chosen.emit(key))
        self.tools["box"].setChecked(True)
        self.fit = self.add_action(
            "fit", "Fit", "F", "Fit the points; press again to include far outliers"
        )
        self.fit.triggered.connect(self.fit_asked)
        self.equal = QCheckBox("Equal scales")
        self.equal.setToolTip("Use the same scale on both axes")
        self.equal.clicked.connect(self.equal_chosen)
        self.add_option(self.equal)
        self.add_option(self.sized)
        self.spread = QCheckBox("Spread")
        self.spread.setToolTip("Draw items at the same position as a disc around it")
        self.spread.clicked.connect(self.spread_chosen)
        self.add_option(self.spread)
        self.world = QCheckBox("World map")
        self.world.setToolTip("Place items on a world map by country name")
        self.world.clicked.connect(self.world_chosen)
        self.add_option(self.world)
        self.options.addStretch(1)
        self.sought = QLineEdit(placeholderText="Find a group")
        self.sought.setClearButtonEnabled(True)
        self.sought.setAccessibleName("Find a group in the legend")
        self.sought.setMaximumWidth(130)
        self.sought.hide()
        layout.addWidget(self.sought)
        self.select = QToolButton()
        self.select.setText("Select")
        self.select.setToolTip("Select all, none, or a group")
        self.select.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.select)
        self.select.setMenu(self.menu)
        layout.addWidget(self.select)
        self.save = self.add_action("download", "Save picture…", "", "Save as PNG or SVG")
        self.save.triggered.connect(self.picture_asked)
        layout.addStretch(1)

    def show_state(self, state: ScatterState) -> None:
        """Show what can be chosen and what is."""
        # The share of the variance stands beside the axis; here it would leave no room for a name.
        axes = [(axis.key, _SHARE.sub("", axis.title)) for axis in state.axes]
        offer(self.picture, state.pictures, state.picture)
        offer(self.across, axes, state.x.key if state.x else "")
        offer(self.up, axes, state.y.key if state.y else "")
        offer(self.deep, axes, state.z.key if state.z else "")
        for widget in (self.deep, self._deep_title):
            widget.setVisible(state.is_solid)
        self.solid.setChecked(state.is_solid)
        self.solid.setEnabled(state.can_be_solid)
        offer(self.colour, state.colour_choices, state.colour)
        self.equal.setChecked(state.equal_scales)
        self.spread.setChecked(state.is_spread)
        self.spread.setVisible(not state.is_solid)
        self.world.setVisible(state.has_world)
        self.world.setChecked(state.world and not state.is_solid)
        self.sized.setChecked(state.sized)
        # Where there is nothing to size by, the names of the axes have its room.
        self.sized.setVisible(state.can_be_sized and not state.dense)
        self.arrange()

"""The controls above a scatter: axes, colours, tools, and what to select."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from coterie.gui.states.scatter import ScatterState
from coterie.gui.styling.icons import icon

_TOOLS = (
    ("pan", "Move", "P", "Drag to move, turn the wheel to zoom"),
    ("box", "Box", "B", "Drag a box around points to select them"),
    ("lasso", "Lasso", "L", "Draw around points to select them"),
)
_KEYS = "\nShift or Ctrl adds, both or Alt takes away."


class ScatterBar(QWidget):
    """Shows the choices of a scatter's state, and says what the person chose."""

    axis_chosen = Signal(str, str)  # "x", "y" or "z", key
    colour_chosen = Signal(str)
    tool_chosen = Signal(str)
    equal_chosen = Signal(bool)
    sizes_chosen = Signal(bool)
    solid_chosen = Signal(bool)
    fit_asked = Signal()
    picture_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(12, 6, 8, 6)
        self._rows.setSpacing(4)
        self._choices, self._handles = QWidget(), QWidget()
        self._rows.addWidget(self._choices, 1)
        self._rows.addWidget(self._handles)
        layout = _row(self._choices)
        self._titles: dict[QComboBox, QLabel] = {}
        self.across = self._choice(layout, "&x", "Horizontal axis")
        self.up = self._choice(layout, "&y", "Vertical axis")
        self.deep = self._choice(layout, "&z", "Axis towards you")
        self.colour = self._choice(layout, "&Colour", "Colour points by")
        self.across.activated.connect(lambda: self.axis_chosen.emit("x", self.across.currentData()))
        self.up.activated.connect(lambda: self.axis_chosen.emit("y", self.up.currentData()))
        self.deep.activated.connect(lambda: self.axis_chosen.emit("z", self.deep.currentData()))
        self.colour.activated.connect(lambda: self.colour_chosen.emit(self.colour.currentData()))
        layout.addStretch(1)
        layout = _row(self._handles)
        self.solid = self._action(
            layout, "solid", "3-D", "3", "Show three axes\nWith Move, drag or press arrows to turn."
        )
        self.solid.setCheckable(True)
        self.solid.triggered.connect(self.solid_chosen)
        self.tools: dict[str, QAction] = {}
        group = QActionGroup(self)
        for key, title, shortcut, tip in _TOOLS:
            action = self._action(
                layout, key, title, shortcut, tip + (_KEYS if key != "pan" else "")
            )
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, key=key: self.tool_chosen.emit(key))
            self.tools[key] = action
        self.tools["box"].setChecked(True)
        self.fit = self._action(layout, "fit", "Fit", "F", "Show all points")
        self.fit.triggered.connect(self.fit_asked)
        self.equal = QCheckBox("Equal scales")
        self.equal.setToolTip("The same scale along both axes")
        self.equal.clicked.connect(self.equal_chosen)
        self.sized = QCheckBox("Size by rank")
        self.sized.setToolTip("Draw the items that are ranked first larger")
        self.sized.clicked.connect(self.sizes_chosen)
        layout.addSpacing(6)
        layout.addWidget(self.equal)
        layout.addSpacing(8)
        layout.addWidget(self.sized)
        self.select = QToolButton()
        self.select.setText("Select")
        self.select.setToolTip("Select all, none, or a group")
        self.select.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.select)
        self.select.setMenu(self.menu)
        layout.addWidget(self.select)
        self.save = self._action(layout, "download", "Save picture…", "", "Save as PNG or SVG")
        self.save.triggered.connect(self.picture_asked)
        layout.addStretch(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take two rows where one is too narrow, so that no name is cut off."""
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """The width of the wider row."""
        hint = super().minimumSizeHint()
        return QSize(self._handles.minimumSizeHint().width() + 20, hint.height())

    def _arrange(self) -> None:
        needed = self._choices.sizeHint().width() + self._handles.sizeHint().width() + 40
        narrow = self.width() < needed
        directions = QBoxLayout.Direction
        self._rows.setDirection(directions.TopToBottom if narrow else directions.LeftToRight)

    def show_state(self, state: ScatterState) -> None:
        """Show what can be chosen and what is."""
        axes = [(axis.key, axis.title) for axis in state.axes]
        _fill(self.across, axes, state.x.key if state.x else "")
        _fill(self.up, axes, state.y.key if state.y else "")
        _fill(self.deep, axes, state.z.key if state.z else "")
        for widget in (self.deep, self._titles[self.deep]):
            widget.setVisible(state.is_solid)
        self.solid.setChecked(state.is_solid)
        self.solid.setEnabled(state.can_be_solid)
        _fill(self.colour, state.colour_choices, state.colour)
        self.equal.setChecked(state.equal_scales)
        self.sized.setChecked(state.sized)
        self.sized.setEnabled(state.can_be_sized and not state.dense)
        self._arrange()

    def _choice(self, layout: QHBoxLayout, label: str, name: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setMinimumContentsLength(5)
        box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        box.setMaximumWidth(190)
        title = QLabel(label)
        title.setProperty("role", "muted")
        title.setBuddy(box)
        self._titles[box] = title
        layout.addWidget(title)
        layout.addWidget(box)
        layout.addSpacing(8)
        return box

    def _action(
        self, layout: QHBoxLayout, key: str, title: str, shortcut: str, tip: str
    ) -> QAction:
        action = QAction(icon(key), title, self)
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
            first, *more = tip.split("\n")
            tip = "\n".join([f"{first} ({shortcut})", *more])
        action.setToolTip(tip)
        button = QToolButton()
        button.setAccessibleName(title)
        button.setDefaultAction(action)
        layout.addWidget(button)
        return action


def _row(widget: QWidget) -> QHBoxLayout:
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(4)
    return layout


def _fill(box: QComboBox, choices: Iterable[tuple[str, str]], current: str) -> None:
    choices = list(choices)
    known = [(box.itemData(i), box.itemText(i)) for i in range(box.count())]
    if known != choices:
        box.clear()
        for key, title in choices:
            box.addItem(title, key)
    box.setCurrentIndex(box.findData(current))

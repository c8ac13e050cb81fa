"""The controls above a map: bands, stretch, tools, and what is done with the whole scene."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSlider,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from coterie.gui.toolkit.control_bar import ControlBar, choice_box
from coterie.gui.views.map.state import MapState

_KEYS = "\nHold Shift or Ctrl to add, Alt or both to remove, Alt and Shift to keep the overlap."
_TOOLS = (
    ("pan", "Move", "P", "Drag to move, scroll to zoom, click a pixel to see its spectrum"),
    ("box", "Rectangle", "B", "Drag a rectangle to select the items in it" + _KEYS),
    (
        "polygon",
        "Polygon",
        "G",
        "Click the corners; double-click or press Enter to close it" + _KEYS,
    ),
    ("lasso", "Freehand", "L", "Draw around pixels to select them" + _KEYS),
    ("brush", "Brush", "U", "Paint over pixels to select them, or to draw a class" + _KEYS),
)
_CUSTOM = "Custom"


class MapBar(ControlBar):
    """Shows the choices of a map's state, and says what the person chose."""

    look_chosen = Signal(dict)
    tool_chosen = Signal(str)
    fit_asked = Signal()
    flicker_chosen = Signal(bool)
    label_asked = Signal()
    accuracy_asked = Signal()
    picture_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make_choices()
        self._make_handles()

    def _make_choices(self) -> None:
        layout = self.choices
        self.preset = choice_box("Band combination", 160)
        self.preset.activated.connect(self._on_preset)
        layout.addWidget(self.preset)
        self.bands = []
        for letter, name in (("R", "red"), ("G", "green"), ("B", "blue")):
            box = choice_box(f"Band shown as {name}", 122)
            box.activated.connect(self._on_bands)
            word = QLabel(letter)
            word.setProperty("role", "muted")
            word.setBuddy(box)
            layout.addSpacing(4)
            layout.addWidget(word)
            layout.addWidget(box)
            self.bands.append(box)
        self.stretch = QToolButton()
        self.stretch.setText("Stretch")
        self.stretch.setToolTip("Set the black and white points and the gamma")
        self.stretch.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.stretch)
        action = QWidgetAction(menu)
        action.setDefaultWidget(self._make_stretch())
        menu.addAction(action)
        self.stretch.setMenu(menu)
        layout.addSpacing(4)
        layout.addWidget(self.stretch)
        layout.addStretch(1)

    def _make_stretch(self) -> QWidget:
        panel = QWidget()
        form = QFormLayout(panel)
        form.setContentsMargins(12, 10, 12, 10)
        self.low, self.high = QDoubleSpinBox(), QDoubleSpinBox()
        for box, name, (least, most) in (
            (self.low, "Black below percentile", (0.0, 49.0)),
            (self.high, "White above percentile", (51.0, 100.0)),
        ):
            box.setRange(least, most)
            box.setDecimals(1)
            box.setSingleStep(0.5)
            box.setSuffix("%")
            box.setAccessibleName(name)
            box.setKeyboardTracking(False)
            box.valueChanged.connect(self._on_stretch)
            form.addRow(name, box)
        self.gamma = QSlider(Qt.Orientation.Horizontal)
        self.gamma.setRange(4, 30)
        self.gamma.setAccessibleName("Gamma")
        self.gamma.setMinimumWidth(120)
        self.gamma.valueChanged.connect(self._on_stretch)
        self._gamma_text = QLabel()
        row = QHBoxLayout()
        row.addWidget(self.gamma, 1)
        row.addWidget(self._gamma_text)
        form.addRow("Gamma", row)
        note = QLabel("Percentiles of the valid pixels of each band.")
        note.setProperty("role", "muted")
        form.addRow(note)
        return panel

    def _make_handles(self) -> None:
        layout = self.handles
        self.tools = self.add_tools(_TOOLS)
        for key, action in self.tools.items():
            action.triggered.connect(lambda _=False, key=key: self.tool_chosen.emit(key))
        self.tools["pan"].setChecked(True)
        self.fit = self.add_action("fit", "Fit", "Home", "Show the whole scene")
        self.fit.triggered.connect(self.fit_asked)
        self.flicker = self.add_action(
            "flicker",
            "Flicker",
            "",
            "Flicker the overlays on and off. Hold F to see only the scene.",
        )
        self.flicker.setCheckable(True)
        self.flicker.toggled.connect(self.flicker_chosen)
        layout.addSpacing(6)
        self.label = self._word(layout, "Classify scene…", "Classify every pixel")
        self.label.clicked.connect(self.label_asked)
        self.accuracy = self._word(
            layout, "Accuracy…", "Compare the map with known classes, or check it by eye"
        )
        self.accuracy.clicked.connect(self.accuracy_asked)
        self.save = self.add_action("download", "Save picture…", "", "Save as PNG or SVG")
        self.save.triggered.connect(self.picture_asked)
        layout.addStretch(1)

    def show_state(self, state: MapState, *, can_label: str, can_judge: str) -> None:
        """Show what can be chosen and what is."""
        if state.ground is None:
            return
        titles = [preset.title for preset in state.presets]
        current = [p.title for p in state.presets if p.bands == state.look.bands]
        _fill(self.preset, [*titles, *([] if current else [_CUSTOM])], (current or [_CUSTOM])[0])
        names = list(state.ground.bands)
        for box, band in zip(self.bands, state.look.bands, strict=True):
            _fill(box, names, names[band])
        for spin, value in ((self.low, state.look.low), (self.high, state.look.high)):
            if not spin.hasFocus():
                spin.blockSignals(True)
                spin.setValue(value)
                spin.blockSignals(False)
        self.gamma.blockSignals(True)
        self.gamma.setValue(round(10 * state.look.gamma))
        self.gamma.blockSignals(False)
        self._gamma_text.setText(f"{state.look.gamma:.1f}")
        self._presets = {preset.title: preset.bands for preset in state.presets}
        self.label.setEnabled(not can_label)
        self.label.setToolTip(can_label or "Classify every pixel of the scene")
        self.accuracy.setEnabled(not can_judge)
        self.accuracy.setToolTip(
            can_judge or "Compare the map with known classes, or check it by eye"
        )
        self.arrange()

    def _on_preset(self) -> None:
        bands = self._presets.get(self.preset.currentText())
        if bands is not None:
            self.look_chosen.emit({"bands": bands})

    def _on_bands(self) -> None:
        self.look_chosen.emit({"bands": tuple(box.currentIndex() for box in self.bands)})

    def _on_stretch(self) -> None:
        gamma = self.gamma.value() / 10
        self._gamma_text.setText(f"{gamma:.1f}")
        self.look_chosen.emit({"low": self.low.value(), "high": self.high.value(), "gamma": gamma})

    def _word(self, layout: QHBoxLayout, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setProperty("role", "word")
        layout.addWidget(button)
        return button


def _fill(box: QComboBox, choices: list[str], current: str) -> None:
    if [box.itemText(i) for i in range(box.count())] != choices:
        box.clear()
        box.addItems(choices)
    box.setCurrentIndex(choices.index(current))

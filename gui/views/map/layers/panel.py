"""The layers of a map: visibility, opacity, and the meaning of their colours."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.toolkit.elided import ElidedChoice
from coterie.gui.views.map.layers.legend_panel import LegendPanel
from coterie.gui.views.map.layers.state import ORDER, TITLES, Layer, LayerKey
from coterie.gui.views.map.state import MapState


class LayersPanel(QScrollArea):
    """A row for each layer that there can be, the topmost first, and the legend."""

    changed = Signal(str, dict)
    error_chosen = Signal(int)
    errors_asked = Signal()
    finish_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        self.rows: dict[LayerKey, tuple[QCheckBox, QSlider]] = {}
        for at, key in enumerate(reversed(ORDER)):
            seen = QCheckBox(TITLES[key])
            seen.clicked.connect(lambda on, key=key: self.changed.emit(key, {"visible": on}))
            opacity = QSlider(Qt.Orientation.Horizontal)
            opacity.setRange(0, 100)
            opacity.setMinimumWidth(60)
            opacity.setAccessibleName(f"Opacity of {TITLES[key]}")
            opacity.setToolTip(f"Opacity of {TITLES[key].lower()}")
            opacity.valueChanged.connect(
                lambda value, key=key: self.changed.emit(key, {"opacity": value / 100})
            )
            grid.addWidget(seen, at, 0)
            grid.addWidget(opacity, at, 1)
            self.rows[key] = (seen, opacity)
        grid.setColumnStretch(1, 1)
        self._errors_of = QLabel("Errors of")
        self._errors_of.setProperty("role", "muted")
        self.error_class = ElidedChoice()
        self.error_class.setAccessibleName("Show errors of this class")
        self.error_class.setToolTip(
            "Show correct and wrong pixels of all classes, or missed and false pixels of one"
        )
        self.error_class.activated.connect(lambda at: self.error_chosen.emit(at - 1))
        grid.addWidget(self._errors_of, len(ORDER), 0)
        grid.addWidget(self.error_class, len(ORDER), 1)
        self.save_errors = QPushButton("Save errors…")
        self.save_errors.setToolTip("Save the errors of the map as a coloured GeoTIFF")
        self.save_errors.clicked.connect(self.errors_asked)
        grid.addWidget(self.save_errors, len(ORDER) + 1, 0, 1, 2)
        self.finish = QPushButton("Finish map…")
        self.finish.setToolTip("Remove specks, fill holes, and make polygons or a printable page")
        self.finish.clicked.connect(self.finish_asked)
        grid.addWidget(self.finish, len(ORDER) + 2, 0, 1, 2)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(10, 8, 10, 4)
        layout.setSpacing(10)
        layout.addLayout(grid)
        self.legend = LegendPanel()
        layout.addWidget(self.legend)
        layout.addStretch(1)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)
        self._over_legend = self.legend.canvas.viewport()
        self._over_legend.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the wheel scroll over the legend too, whose canvas would keep it to itself."""
        if event.type() == QEvent.Type.Wheel and watched is self._over_legend:
            return QApplication.sendEvent(self.verticalScrollBar(), event)
        return bool(super().eventFilter(watched, event))

    def show_layers(self, state: MapState, layers: Sequence[Layer]) -> None:
        """Show which layers there are, and how they are set."""
        there = {layer.key for layer in layers}
        for key, (seen, opacity) in self.rows.items():
            setting = state.setting(key)
            for widget in (seen, opacity):
                widget.setVisible(key in there)
            seen.setChecked(setting.visible)
            if not opacity.isSliderDown():
                opacity.blockSignals(True)
                opacity.setValue(round(100 * setting.opacity))
                opacity.blockSignals(False)
            opacity.setEnabled(setting.visible)
        self.finish.setVisible(state.made is not None and state.made.complete)
        errors = "errors" in there and state.setting("errors").visible
        self._errors_of.setVisible(errors)
        self.error_class.setVisible(errors)
        self.save_errors.setVisible(errors)
        names = ["all", *state.truth_names()] if errors else []
        if [self.error_class.itemText(i) for i in range(self.error_class.count())] != names:
            self.error_class.clear()
            self.error_class.addItems(names)
        if errors:
            self.error_class.setCurrentIndex(state.error_of + 1)

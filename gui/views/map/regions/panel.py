"""The regions of a map: named, kept, read from and written to GeoJSON."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.views.map.regions.state import RegionList


class RegionsPanel(QWidget):
    """A list of regions and what can be done with them."""

    keep_asked = Signal()
    renamed = Signal(int, str)
    removed = Signal(int)
    select_asked = Signal(int)
    import_asked = Signal()
    export_asked = Signal()
    sample_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.none = QLabel(
            "Draw a rectangle, a polygon or a freehand shape on the map, then add it here.",
            wordWrap=True,
        )
        self.none.setProperty("role", "muted")
        self.list = QListWidget()
        self.list.setAccessibleName("Regions")
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.list.itemChanged.connect(
            lambda item: self.renamed.emit(self.list.row(item), item.text())
        )
        self.list.itemSelectionChanged.connect(self._enable)
        self.keep = self._button("Add shape", "Add the last drawn shape as a region")
        self.keep.clicked.connect(self.keep_asked)
        self.select = self._button("Select", "Select the items in the selected region")
        self.select.clicked.connect(lambda: self.select_asked.emit(self.list.currentRow()))
        self.remove = self._button("Remove", "Remove the selected region")
        self.remove.clicked.connect(lambda: self.removed.emit(self.list.currentRow()))
        self.read = self._button("Import…", "Import regions from GeoJSON or GeoPackage")
        self.read.clicked.connect(self.import_asked)
        self.write = self._button("Export…", "Export the regions as GeoJSON or GeoPackage")
        self.write.clicked.connect(self.export_asked)
        self.sample = self._button("Sample", "Take the same number of pixels from each region")
        self.sample.clicked.connect(self.sample_asked)
        grid = QGridLayout()
        grid.setSpacing(4)
        buttons = (self.keep, self.remove, self.select, self.sample, self.read, self.write)
        for at, button in enumerate(buttons):
            grid.addWidget(button, at // 2, at % 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 4)
        layout.setSpacing(6)
        layout.addWidget(self.none)
        layout.addWidget(self.list, 1)
        layout.addLayout(grid)
        self._items = False

    def show_regions(self, regions: RegionList, *, drawn: bool, items: bool) -> None:
        """Show these; `drawn` says whether there is a shape to keep."""
        names = [region.name for region in regions.listed]
        self.none.setVisible(not names)
        self.list.setVisible(bool(names))
        if [self.list.item(i).text() for i in range(self.list.count())] != names:
            row = self.list.currentRow()
            self.list.blockSignals(True)
            self.list.clear()
            for name in names:
                item = QListWidgetItem(name)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                self.list.addItem(item)
            self.list.setCurrentRow(min(row, len(names) - 1))
            self.list.blockSignals(False)
        self.keep.setEnabled(drawn)
        self.write.setEnabled(bool(names))
        self.sample.setEnabled(bool(names))
        self._items = items
        self._enable()

    def _enable(self) -> None:
        chosen = self.list.currentRow() >= 0 and self.list.count() > 0
        self.select.setEnabled(chosen and self._items)
        self.remove.setEnabled(chosen)

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setProperty("role", "word")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return button

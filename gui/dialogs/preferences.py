"""The dialog of preferences."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.app.preferences import MOST_VERSIONS, Preferences
from coterie.gui.dialogs.dask_field import ClusterField
from coterie.gui.toolkit.buttons import ok_and_cancel
from coterie.gui.toolkit.elided import ElidedChoice

_KEEPS = (
    ("quick", "Those that took long"),
    ("all", "All: large files, quick to look at"),
    ("none", "None: small files"),
)
_SCHEMES = (("", "Follow system"), ("light", "Light"), ("dark", "Dark"))


class PreferencesDialog(QDialog):
    """Shows the preferences; `chosen` is emitted with the new ones when the person agrees."""

    chosen = Signal(object)  # Preferences

    def __init__(self, now: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before = now
        self.setObjectName("preferences")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Preferences")
        self.setMinimumWidth(520)
        self.scheme = ElidedChoice()
        for key, title in _SCHEMES:
            self.scheme.addItem(title, key)
        self.scheme.setCurrentIndex(self.scheme.findData(now.scheme))
        self.memory = _gigabytes("most of the free memory", now.memory)
        self.threads = QSpinBox(maximum=os.cpu_count() or 1)
        self.threads.setSpecialValueText("all cores")
        self.threads.setValue(now.threads)
        self.quota = _gigabytes("a fifth of the free disk space", now.quota)
        self.folders = QListWidget()
        self.folders.addItems(list(now.plugin_folders))
        self.folders.setMaximumHeight(96)
        self.cluster = ClusterField(now.cluster)
        self.ask_on_close = QCheckBox("Ask to save changes when closing a window")
        self.ask_on_close.setToolTip("If off, Coterie offers to restore the work at the next start")
        self.ask_on_close.setChecked(now.ask_on_close)
        self.versions = QSpinBox(minimum=1, maximum=MOST_VERSIONS)
        self.versions.setToolTip("Saved beside the project: .bak is the last one, .bak.2 the next")
        self.versions.setValue(now.versions)
        self.keep = ElidedChoice()
        self.keep.setToolTip(
            "Similarities, and data that a step made on the way to the groups. What a project\n"
            "does not store is computed again when needed. Data and results are always stored."
        )
        for key, title in _KEEPS:
            self.keep.addItem(title, key)
        self.keep.setCurrentIndex(self.keep.findData(now.keep))
        for box in (self.memory, self.threads, self.quota, self.versions):
            box.lineEdit().setTextMargins(6, 0, 0, 0)  # as other fields have it
        self._lay_out()

    def values(self) -> Preferences:
        """Return what the dialog shows."""
        folders = (self.folders.item(row).text() for row in range(self.folders.count()))
        return Preferences(
            scheme=self.scheme.currentData(),
            memory=self.memory.value(),
            threads=self.threads.value(),
            quota=self.quota.value(),
            plugin_folders=tuple(folders),
            ask_on_close=self.ask_on_close.isChecked(),
            versions=self.versions.value(),
            keep=self.keep.currentData(),
            cluster=self.cluster.value(),
        )

    def add_folder(self, folder: Path) -> None:
        """Look for plugins in one more folder."""
        if str(folder) not in self.values().plugin_folders:
            self.folders.addItem(str(folder))
        self._on_changed()

    def accept(self) -> None:
        """Hand the new preferences on, unless the address of the cluster is none."""
        if not self.cluster.is_sound():
            return
        self.chosen.emit(self.values())
        super().accept()

    def _on_add(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Plugin folder", str(Path.home()))
        if chosen:
            self.add_folder(Path(chosen))

    def _on_remove(self) -> None:
        if self.folders.currentRow() >= 0:
            self.folders.takeItem(self.folders.currentRow())
        self._on_changed()

    def _on_changed(self) -> None:
        self.hint.setVisible(not self.values().same_engine(self._before))

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for title, widget in (
            ("&Colours", self.scheme),
            ("&Memory for methods", self.memory),
            ("C&ores for methods", self.threads),
            ("&Disk for results", self.quota),
            ("&Earlier versions to keep", self.versions),
            ("&Similarities to store", self.keep),
        ):
            form.addRow(title, widget)
            widget.setAccessibleName(title.replace("&", ""))
        self.add, self.remove = QPushButton("Add…"), QPushButton("Remove")
        self.add.setAccessibleName("Add a plugin folder")
        self.remove.setAccessibleName("Remove the plugin folder")
        self.add.clicked.connect(self._on_add)
        self.remove.clicked.connect(self._on_remove)
        beside = QVBoxLayout()
        for button in (self.add, self.remove):
            beside.addWidget(button)
        beside.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(8)
        beside.setSpacing(6)
        row.addWidget(self.folders, 1)
        row.addLayout(beside)
        label = QLabel("More &plugin folders")
        label.setBuddy(self.folders)
        self.folders.setAccessibleName("More plugin folders")
        form.addRow(label, row)
        form.addRow("Dask c&luster", self.cluster)
        form.addRow("", self.ask_on_close)
        self.hint = QLabel(
            "Changes to memory, cores, disk, folders and cluster apply to projects "
            "opened from now on.",
            wordWrap=True,
        )
        self.hint.setProperty("role", "muted")
        self.hint.hide()
        for box in (self.memory, self.threads, self.quota):
            box.valueChanged.connect(self._on_changed)
        self.cluster.changed.connect(self._on_changed)
        self.buttons, _ = ok_and_cancel(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.setSpacing(14)
        layout.addLayout(form)
        layout.addWidget(self.hint)
        layout.addStretch(1)
        layout.addWidget(self.buttons)


def _gigabytes(nothing: str, value: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox(maximum=100_000.0, decimals=1, singleStep=0.5, suffix=" GB")
    box.setSpecialValueText(nothing)
    box.setValue(value)
    return box

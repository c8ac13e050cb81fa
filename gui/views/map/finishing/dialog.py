"""The dialog that finishes a map: how it is cleaned, and what else is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from coterie.core.formats.maps.finish import Finish
from coterie.gui.panels.choosers import labelled
from coterie.gui.toolkit.buttons import ok_and_cancel
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.forms.rows import hint_label

SIDES = (0, 3, 5, 7, 9)
_WRITTEN = (".tif", ".gpkg", ".pdf", ".csv", ".classes.csv", ".png")  # of a finished copy


@dataclass(frozen=True)
class Wanted:
    """What is to be made of a map, beside its place: `clouds.tif` gives `clouds-finished.tif`."""

    how: Finish
    polygons: bool
    page: bool
    statistics: bool


def target_of(path: Path) -> Path:
    """Return where the finished copy of a map goes: a file that is not there yet.

    >>> target_of(Path("clouds.tif")).name, target_of(Path("clouds-finished.tif")).name
    ('clouds-finished.tif', 'clouds-finished-2.tif')
    """
    stem = re.sub(r"-finished(-\d+)?$", "", path.stem)
    number = 2 if stem != path.stem else 1
    while True:
        target = path.with_name(f"{stem}-finished{f'-{number}' if number > 1 else ''}.tif")
        if target != path and not any(target.with_suffix(end).exists() for end in _WRITTEN):
            return target
        number += 1


class FinishDialog(QDialog):
    """Filters and files; `asked` is emitted with what is wanted."""

    asked = Signal(object)

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("finishing")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Finish map")
        self.setMinimumWidth(520)
        self.majority = ChoiceBox()
        self.majority.addItems(["none", *(f"{side} × {side} pixels" for side in SIDES[1:])])
        self.majority.setCurrentIndex(1)
        self.smallest = _count("Smallest patch", 10)
        self.holes = _count("Largest hole", 0)
        self.polygons = QCheckBox("Polygons of the patches (GeoPackage)")
        self.page = QCheckBox("A printable page with legend, scale bar and north arrow (PDF)")
        self.statistics = QCheckBox("Area, patches and mean bands of each class (CSV)")
        self._lay_out(path)

    @property
    def wanted(self) -> Wanted:
        """What the person chose."""
        how = Finish(
            majority=SIDES[self.majority.currentIndex()],
            smallest=self.smallest.value(),
            holes=self.holes.value(),
        )
        extras = (self.polygons, self.page, self.statistics)
        return Wanted(how, *(box.isChecked() for box in extras))

    def accept(self) -> None:
        """Have the work begin."""
        self.asked.emit(self.wanted)
        super().accept()

    def _lay_out(self, path: Path) -> None:
        heading = QLabel("Finish map")
        heading.setProperty("role", "title")
        about = hint_label(
            f"A cleaner copy of “{path.name}” is saved beside it as “{target_of(path).name}”; "
            f"the map itself is not changed."
        )
        self.buttons, self.ok = ok_and_cancel(self, "Finish")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(10)
        layout.addWidget(heading)
        layout.addWidget(about)
        layout.addWidget(labelled("Majority of", self.majority))
        layout.addWidget(labelled("Smallest patch", self.smallest))
        layout.addWidget(labelled("Fill holes below", self.holes))
        for box in (self.polygons, self.page, self.statistics):
            layout.addWidget(box)
        layout.addStretch(1)
        layout.addWidget(self.buttons)


def _count(name: str, value: int) -> QSpinBox:
    box = QSpinBox()
    box.setRange(0, 1_000_000)
    box.setValue(value)
    box.setSuffix(" pixels")
    box.setSpecialValueText("none")
    box.setAccessibleName(name)
    return box

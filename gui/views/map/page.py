"""How the Map view is laid out: its bar, the map, the panels beside it, and the lines below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.toolkit.elided import ElidedLabel

_ALL, _SPECTRA = 100, 40  # what is beside the map, and of it for spectra


class MapPage(QWidget):
    """Holds the parts of a map in their places, and says what went wrong above them.

    Attributes
    ----------
    finding : the button that looks for a file that was moved
    side : the panels, as tabs
    note, where : how the scene is shown, and what is under the pointer
    """

    def __init__(
        self,
        bar: QWidget,
        canvas: QWidget,
        panels: dict[str, QWidget],
        spectra: QWidget,
        strip: QWidget,
    ) -> None:
        super().__init__()
        self._has_spectra = False
        self._problem = QLabel(wordWrap=True)
        self._banner = QFrame()
        self._banner.setProperty("role", "banner")
        inside = QHBoxLayout(self._banner)
        inside.setContentsMargins(12, 6, 12, 6)
        inside.addWidget(self._problem, 1)
        self.finding = QPushButton("Locate file…")
        inside.addWidget(self.finding)
        self._banner.hide()
        self.note = QLabel()
        self.note.setProperty("role", "muted")
        self.where = ElidedLabel()
        self.where.setAccessibleName("Under the pointer")
        below = QHBoxLayout()
        below.setContentsMargins(12, 2, 12, 6)
        below.setSpacing(16)
        below.addWidget(self.where, 1)
        below.addWidget(self.note)
        self.side = QTabWidget()
        self.side.setDocumentMode(True)
        self.side.setAccessibleName("Layers, classes and regions")
        for title, panel in panels.items():
            self.side.addTab(panel, title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar)
        layout.addWidget(self._banner)
        layout.addWidget(self._beside(canvas, spectra), 1)
        layout.addWidget(strip)
        layout.addLayout(below)

    @property
    def problem(self) -> str:
        """What went wrong, as it is said."""
        return self._problem.text()

    def tell_where(self, said: str) -> None:
        """Show what is under the pointer; how the scene is shown gives way to it.

        Both do not fit beside each other: the values of the bands would be cut off.
        """
        self.where.setText(said)
        self.note.setVisible(not said)

    def make_room(self, *, spectra: bool, hidden: bool = False) -> None:
        """Give spectra their share of the room beside the map; without any, room for a hint.

        `hidden` leaves all of it to the panels.
        """
        self._spectra.setVisible(not hidden)
        if spectra != self._has_spectra:
            self._has_spectra = spectra
            share = _SPECTRA if spectra else 0
            self._beside_map.setSizes([_ALL - share, share])
            self._beside_map.setStretchFactor(1, share)

    def say(self, sentence: str, *, lost: bool = False) -> None:
        """Show what went wrong, or nothing; `lost` offers to find the file."""
        self._problem.setText(sentence)
        self.finding.setVisible(bool(sentence) and lost)
        self._banner.setVisible(bool(sentence))

    def _beside(self, canvas: QWidget, spectra: QWidget) -> QSplitter:
        self._spectra = spectra
        self._beside_map = beside = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        beside.addWidget(self.side)
        beside.addWidget(spectra)
        beside.setStretchFactor(0, _ALL - _SPECTRA)
        beside.setStretchFactor(1, 0)
        beside.setSizes([_ALL, 0])
        beside.setMinimumWidth(216)
        self.side.setUsesScrollButtons(False)
        self.side.tabBar().setProperty("role", "narrow")
        split = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        split.addWidget(canvas)
        split.addWidget(beside)
        split.setStretchFactor(0, 1)
        split.setSizes([496, 264])
        return split

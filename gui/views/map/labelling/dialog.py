"""The dialog that labels a whole scene: by which classifier, into which classes, where to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from coterie.core.formats.rasters.tiles import partial_files
from coterie.gui.panels.choosers import labelled
from coterie.gui.toolkit.buttons import ok_and_cancel
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.forms.rows import hint_label
from coterie.gui.toolkit.problems import Problem, ProblemBanner
from coterie.gui.views.map.labelling.state import classifiers_of, file_name
from coterie.gui.views.map.state import MapState

if TYPE_CHECKING:
    from coterie.projects.session import Session

_NEW = "Nearest neighbour (adds a step)"


class LabellingDialog(QDialog):
    """Classifier, classes and file; the engine does the work, tile by tile.

    `asked` is emitted with the step (empty: one is to be added) and the path.
    """

    asked = Signal(str, object)

    def __init__(
        self, session: Session, state: MapState, folder: Path, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("labelling")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Classify scene")
        self.setMinimumWidth(560)
        self._steps = classifiers_of(session)
        self.steps = ChoiceBox()
        self.steps.addItems(self._steps or [_NEW])
        self.file = QLineEdit()
        self.file.setAccessibleName("File")
        self.file.textChanged.connect(self._check)
        self.browse = QPushButton("Browse…")
        self.browse.clicked.connect(self._on_browse)
        self.remark = hint_label()
        self.banner = ProblemBanner(closable=False)
        self._classes = hint_label(_in_words(state))
        self._lay_out(state)
        start = folder if folder.is_dir() else Path.home()
        name = state.ground.title if state.ground is not None else "scene"
        self.file.setText(str(start / f"{file_name(name)}-map.tif"))

    @property
    def path(self) -> Path:
        """Where the map goes."""
        path = Path(self.file.text().strip()).expanduser()
        known = path.suffix.lower() in (".tif", ".tiff")
        return path if known or not path.name else path.with_name(f"{path.name}.tif")

    def accept(self) -> None:
        """Have the work begin."""
        step = self.steps.currentText() if self._steps else ""
        self.asked.emit(step, self.path)
        super().accept()

    def show_problem(self, error: Exception) -> None:
        """Say why it cannot begin."""
        self.banner.show_problem(Problem.of_error(error, "classify the scene"))

    def _check(self) -> None:
        remark, able = "", True
        if not self.file.text().strip() or not self.path.stem:
            remark, able = "Enter a file name.", False
        elif not self.path.parent.is_dir():
            remark, able = f"The folder '{self.path.parent}' does not exist. Choose another.", False
        elif partial_files(self.path)[0].exists():
            remark = "An unfinished map exists. If the settings are the same, Coterie resumes it."
        elif self.path.exists():
            remark = "This file already exists and will be replaced."
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
        self.ok.setEnabled(able)

    def _on_browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, "Write the map to", str(self.path), "GeoTIFF (*.tif);;All files (*)"
        )
        if chosen:
            self.file.setText(chosen)

    def _lay_out(self, state: MapState) -> None:
        heading = QLabel("Classify scene")
        heading.setProperty("role", "title")
        ground = state.ground
        pixels = f"{ground.n:,} pixels" if ground is not None else ""
        about = hint_label(
            f"All {pixels} are classified, tile by tile. You can cancel and resume. "
            "Coterie also writes a QGIS style, a preview image and the area of each "
            "class."
        )
        place = QWidget()
        row = QHBoxLayout(place)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.file, 1)
        row.addWidget(self.browse)
        place.setFocusProxy(self.file)
        self.buttons, self.ok = ok_and_cancel(self, "Classify")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(10)
        layout.addWidget(heading)
        layout.addWidget(about)
        layout.addWidget(labelled("Classifier", self.steps))
        layout.addWidget(labelled("Classes", self._classes))
        layout.addWidget(labelled("File", place))
        layout.addWidget(self.remark)
        layout.addWidget(self.banner)
        layout.addStretch(1)
        layout.addWidget(self.buttons)


def _in_words(state: MapState) -> str:
    if state.classes is None:
        return "as the classifier learnt them"
    said = []
    for found in state.classes.listed(dark=False):
        names = [state.classes.groups[group] for group in found.groups]
        merged = len(names) > 1 or names[0] != found.name
        said.append(f"{found.name} ({', '.join(names)})" if merged else found.name)
    return " · ".join(said)

"""The accuracy of a map: the error matrix, the accuracies, and the matching of classes."""

from __future__ import annotations

from html import escape
from math import isnan
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.core.errors import CoterieError
from coterie.core.formats.maps.accuracy_report import (
    MapComparison,
    left_out,
    with_range,
    write_accuracy,
)
from coterie.core.numerics.drawing.palette import blend
from coterie.gui.toolkit.buttons import with_plain_buttons
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.map.accuracy.ground_truth import ReferenceClasses
from coterie.gui.views.map.accuracy.matching import MatchingPanel

_NARROWEST, _WIDEST, _TALLEST, _TALLEST_MATRIX = 640, 1000, 640, 260


class AccuracyDialog(QDialog):
    """Numbers at the top, the matrix in the middle, below it what each class stands for.

    Parameters
    ----------
    counted : the map against the classes as the mask has them
    known : what a person takes these classes as
    """

    chosen = Signal(object, str)  # KnownClasses, what was done
    undo_asked = Signal()
    redo_asked = Signal()
    cross_validation_asked = Signal()
    errors_asked = Signal()
    eye_asked = Signal()
    cell_asked = Signal(int, int)  # what the map says, what is true

    def __init__(
        self,
        counted: MapComparison,
        known: ReferenceClasses,
        title: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("accuracy")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Accuracy")
        self.verdict = counted
        heading = QLabel(title)
        heading.setProperty("role", "title")
        self.numbers = QLabel(wordWrap=True)
        self.numbers.setTextFormat(Qt.TextFormat.RichText)
        self.numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = QTableWidget()
        self.table.setAccessibleName("Error matrix with accuracies")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setTabKeyNavigation(False)
        self.said = QLabel(wordWrap=True)
        self.said.hide()
        self.table.cellClicked.connect(self._on_cell)
        self.matching = MatchingPanel(counted)
        self.matching.chosen.connect(self.chosen)
        for key, asked in (
            (QKeySequence.StandardKey.Undo, self.undo_asked),
            (QKeySequence.StandardKey.Redo, self.redo_asked),
        ):
            QShortcut(key, self).activated.connect(asked)
        note = QLabel(
            "Rows: the map. Columns: reference classes. Accuracies are weighted by the "
            "area of the map classes; ± is half of a 95% interval.",
            wordWrap=True,
        )
        note.setProperty("role", "muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        with_plain_buttons(buttons)
        self.save = QPushButton("Save as CSV…")
        self.save.clicked.connect(self._on_save)
        bottom = QHBoxLayout()
        self.errors = QPushButton("Save errors…")
        self.errors.setToolTip("Save the errors of the map as a GeoTIFF, as shown in the layer")
        self.errors.clicked.connect(self.errors_asked)
        self.cross_validate = QPushButton("Cross-validate…")
        self.cross_validate.setToolTip(
            "Train on other random subsets to see how the accuracy varies"
        )
        self.cross_validate.clicked.connect(self.cross_validation_asked)
        self.eye = QPushButton("Check by eye…")
        self.eye.setToolTip("Check random places by eye, and estimate accuracy and areas")
        self.eye.clicked.connect(self.eye_asked)
        for button in (self.save, self.errors, self.cross_validate, self.eye):
            bottom.addWidget(button)
        bottom.addStretch(1)
        bottom.addWidget(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(10)
        layout.addWidget(heading)
        layout.addWidget(self.numbers)
        layout.addWidget(self.table, 3)
        layout.addWidget(self.said)
        layout.addWidget(note)
        layout.addWidget(self.matching, 2)
        layout.addStretch(0)
        layout.addLayout(bottom)
        self.show_choices(known, known.judged(counted))
        self._fit(layout)

    def write(self, path: Path) -> None:
        """Write matrix and accuracies as CSV."""
        write_accuracy(path, self.verdict.accuracy)

    def _fit(self, layout: QVBoxLayout) -> None:
        """Be as large as the matrix asks for: two classes leave no empty field below them."""
        margins = layout.contentsMargins()
        around = margins.left() + margins.right()
        room = max(_NARROWEST, min(_WIDEST, self._matrix_width() + around + 4))
        self._fit_matrix(room - around)
        self.resize(room, min(_TALLEST, layout.totalHeightForWidth(room)))

    def _matrix_width(self) -> int:
        across, down = self.table.horizontalHeader(), self.table.verticalHeader()
        return down.sizeHint().width() + across.length() + 2 * self.table.frameWidth()

    def _fit_matrix(self, room: int = _WIDEST) -> None:
        """Leave the matrix as much height as its rows ask for."""
        across, down = self.table.horizontalHeader(), self.table.verticalHeader()
        height = across.sizeHint().height() + down.length() + 2 * self.table.frameWidth()
        if self._matrix_width() > room:
            height += self.table.horizontalScrollBar().sizeHint().height()
        self.table.setMinimumHeight(min(height, _TALLEST_MATRIX))
        self.table.setMaximumHeight(height)

    def show_choices(self, known: ReferenceClasses, verdict: MapComparison) -> None:
        """Show the map against the known classes as they are taken now."""
        self.verdict = verdict
        self.matching.show_choices(known, verdict)
        self._show()
        if self.isVisible():
            self._fit_matrix(self.table.width())

    def _show(self) -> None:
        try:
            found = self.verdict.accuracy
        except CoterieError as error:
            self.numbers.setText(escape(str(error)))
            return
        overall = with_range(found.overall, found.overall_range, 2)
        self.numbers.setText(
            f"Overall accuracy <b>{overall}</b>  ·  kappa <b>{found.kappa:.3f}</b>"
            f"  ·  {int(found.counts.sum()):,} pixels compared"
            + "".join(f"<br>{sentence}" for sentence in left_out(found))
        )
        k, colours = len(found.names), theme.current()
        unions = found.intersection_over_union()
        columns = [*found.names, "User's", "Producer's", "Reference area", "IoU"]
        self.table.setRowCount(k)
        self.table.setColumnCount(len(columns))
        self.table.setHorizontalHeaderLabels(columns)
        self.table.setVerticalHeaderLabels(list(found.names))
        largest = max(int(found.counts.max()), 1)
        for row in range(k):
            cells = [f"{int(found.counts[row, j]):,}" for j in range(k)]
            cells += [
                with_range(found.users[row], found.users_range[row]),
                with_range(found.producers[row], found.producers_range[row]),
                with_range(found.areas[row], found.areas_range[row]),
                "–" if isnan(unions[row]) else f"{unions[row]:.3f}",
            ]
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if column < k:
                    item.setToolTip("Click to select the sampled pixels that this cell counts")
                if column < k and found.counts[row, column]:
                    tint = colours.success if row == column else colours.danger
                    share = 0.12 + 0.3 * float(found.counts[row, column]) / largest
                    item.setBackground(QColor(blend(colours.base, tint, share)))
                self.table.setItem(row, column, item)
        self.table.setCurrentCell(-1, -1)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def say(self, sentence: str) -> None:
        """Say what came of a click into the matrix."""
        self.said.setText(sentence)
        self.said.show()

    def _on_cell(self, row: int, column: int) -> None:
        if column < len(self.verdict.truths):
            self.cell_asked.emit(row, column)

    def _on_save(self) -> None:
        asked = ask_target(self, "Save accuracy", "accuracy.csv", "CSV (*.csv)")
        if asked is not None:
            self.write(asked[0])

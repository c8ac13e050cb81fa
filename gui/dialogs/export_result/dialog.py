"""The dialog that exports a result: which one, in which format, and where to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

from coterie.core.catalogue.descriptors import Descriptor
from coterie.gui.dialogs.export_result.state import (
    ExportChoice,
    ending_of,
    file_name,
    offers_of,
    with_writers_ending,
    writers_for,
)
from coterie.gui.panels.choosers import labelled
from coterie.gui.toolkit.buttons import ok_and_cancel, plain
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.forms.form import ParameterForm
from coterie.gui.toolkit.forms.rows import hint_label
from coterie.gui.toolkit.problems import Problem, ProblemBanner

if TYPE_CHECKING:
    from coterie.projects.session import Session


class ExportDialog(QDialog):
    """Result, format with its settings, and file; the engine does the writing.

    `asked` is emitted with the path when a file is on its way.

    Parameters
    ----------
    folder : where the file goes unless another place is chosen
    name, part : the result that is offered first
    """

    asked = Signal(object)  # Path

    def __init__(
        self,
        session: Session,
        folder: Path,
        name: str = "",
        part: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._offers = offers_of(session)
        self._writers: list[Descriptor] = []
        self.form: ParameterForm | None = None
        self.setObjectName("export")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Export")
        self.setMinimumWidth(620)
        self.results, self.formats = ChoiceBox(), ChoiceBox()
        self.results.addItems([offer.title for offer in self._offers])
        self.results.activated.connect(self._on_result)
        self.formats.activated.connect(self._on_format)
        self._about = hint_label()
        self.file = QLineEdit()
        self.file.textChanged.connect(self._check)
        self.browse = QPushButton("Browse…")
        self.browse.clicked.connect(self._on_browse)
        self.remark = hint_label()
        self.banner = ProblemBanner(closable=False)
        self.buttons, self.ok = ok_and_cancel(self)
        self._lay_out()
        self._folder = folder if folder.is_dir() else Path.home()
        self._named = ""  # the file name we gave; one that a person typed is kept
        self.results.setCurrentIndex(self._first_choice(name, part))
        self._on_result()

    @property
    def offer(self) -> ExportChoice | None:
        """The result that is chosen."""
        at = self.results.currentIndex()
        return self._offers[at] if 0 <= at < len(self._offers) else None

    @property
    def writer(self) -> Descriptor | None:
        """The writer that is chosen."""
        at = self.formats.currentIndex()
        return self._writers[at] if 0 <= at < len(self._writers) else None

    @property
    def path(self) -> Path:
        """Where the file goes."""
        return Path(self.file.text().strip()).expanduser()

    def choose_writer(self, use: str) -> None:
        """Choose a format by its writer's name, as a click would."""
        uses = [writer.name for writer in self._writers]
        self.formats.setCurrentIndex(uses.index(use))
        self._on_format()

    def accept(self) -> None:
        """Have the file written; the dialog stays when that cannot even begin."""
        from coterie.projects.jobs.export import Export

        offer, writer = self.offer, self.writer
        if offer is None or writer is None:
            return
        params: dict[str, Any] = {}
        if self.form is not None:
            self.form.flush()
            params = self.form.values()
        path = with_writers_ending(self.path, writer)
        try:
            export = Export(offer.name, path, writer.name, offer.part, params)
            self._session.exports.add(export)
        except Exception as error:
            self.banner.show_problem(Problem.of_error(error, f"write '{path.name}'"))
            return
        self.asked.emit(path)
        super().accept()

    # What a person does

    def _on_result(self) -> None:
        offer = self.offer
        self._writers = writers_for(self._session.catalogue, offer) if offer is not None else []
        self.formats.clear()
        self.formats.addItems([f"{w.title}  {ending_of(w)}" for w in self._writers])
        if offer is not None and self.file.text() in ("", self._named):
            self._name_file(self._folder / file_name(self._session.project.title, offer))
        self._on_format()

    def _on_format(self) -> None:
        writer = self.writer
        if self.form is not None:
            self._place.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
            self.form = None
        self._about.setText(plain(writer.summary) if writer is not None else "")
        if writer is not None:
            if self.file.text():
                self._name_file(with_writers_ending(self.path, writer))
            if writer.params.get("properties"):
                self.form = ParameterForm(writer)
                self._place.addWidget(self.form)
        self._check()
        self.adjustSize()

    def _on_browse(self) -> None:
        writer = self.writer
        endings = " ".join(f"*{ending}" for ending in writer.extensions) if writer else ""
        kinds = f"{writer.title} ({endings});;All files (*)" if writer else "All files (*)"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export to", str(self.path), kinds)
        if chosen:
            self._folder = Path(chosen).parent
            path = Path(chosen)
            self.file.setText(str(with_writers_ending(path, writer) if writer else path))

    # Inside

    def _name_file(self, path: Path) -> None:
        self._named = str(path)
        self.file.setText(self._named)

    def _check(self) -> None:
        """Say beforehand what would go wrong, and what would be replaced."""
        self.banner.show_problem(None)
        remark, able = "", self.writer is not None and self.offer is not None
        if not self._offers:
            remark = "There is no result yet. Run the analysis first."
        elif self.writer is None:
            remark = "No export format supports this result. Choose another result."
        elif not self.path.name:
            remark, able = "Enter a file name.", False
        elif not self.path.parent.is_dir():
            remark, able = f"The folder '{self.path.parent}' does not exist. Choose another.", False
        elif self.path.is_dir():
            remark, able = f"'{self.path.name}' is a folder. Enter another file name.", False
        elif with_writers_ending(self.path, self.writer).exists():
            remark = "This file already exists and will be replaced."
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
        self.ok.setEnabled(able)
        self.ok.setText("Replace" if "replaced" in remark else "Export")

    def _first_choice(self, name: str, part: str) -> int:
        """The place of the result asked for, else of the groups, else of the last."""
        wanted: list[Callable[[ExportChoice], bool]] = [
            lambda offer: (offer.name, offer.part) == (name, part),
            lambda offer: offer.name == name,
            lambda offer: offer.type == "clustering",
        ]
        for fits in wanted:
            for at, offer in enumerate(self._offers):
                if fits(offer):
                    return at
        return len(self._offers) - 1

    def _lay_out(self) -> None:
        heading = QLabel("Export result")
        heading.setProperty("role", "title")
        self._place = QVBoxLayout()
        self._place.setContentsMargins(0, 0, 0, 0)
        place = QWidget()
        row = QHBoxLayout(place)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.file, 1)
        row.addWidget(self.browse)
        place.setFocusProxy(self.file)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(10)
        layout.addWidget(heading)
        layout.addWidget(labelled("Result", self.results))
        layout.addWidget(labelled("Format", self.formats))
        layout.addWidget(self._about)
        layout.addLayout(self._place)
        layout.addWidget(labelled("File", place))
        layout.addWidget(self.remark)
        layout.addWidget(self.banner)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self.file.setAccessibleName("File")

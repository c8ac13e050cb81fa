"""The dialog that shows how a data file will be read, before it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from coterie.core.formats.files.tabular import TablePreview
from coterie.core.model.recipes import Source
from coterie.core.wording import counted, size_in_words
from coterie.gui.dialogs.import_data.columns_table import ColumnsTable
from coterie.gui.dialogs.import_data.picture_strip import PictureStrip
from coterie.gui.dialogs.import_data.pictures import ImportPictures, Size
from coterie.gui.dialogs.import_data.preview_table import PreviewTable
from coterie.gui.dialogs.import_data.setting_tiles import FindingsBar
from coterie.gui.dialogs.import_data.state import ImportState
from coterie.gui.toolkit.buttons import ok_and_cancel, plain
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.elided import ElidedLabel
from coterie.gui.toolkit.forms.editors import ChoiceBox
from coterie.gui.toolkit.forms.form import ParameterForm
from coterie.gui.toolkit.forms.rows import hint_label
from coterie.gui.toolkit.problems import Problem, ProblemBanner

if TYPE_CHECKING:
    from coterie.projects.session import Session

_SIZE = QSize(1160, 700)
_FORM_WIDTH = 340
_NOTES = 4  # remarks shown; more are in the tooltip


class ImportDialog(QDialog):
    """Reader and settings at the left, the first rows as they will be read at the right.

    `chosen` carries the source that a person agreed to; `runs` says whether all its steps follow.

    Parameters
    ----------
    source : how a source of the project is read now, when that is to be changed
    """

    chosen = Signal(object)  # Source

    def __init__(
        self,
        session: Session,
        path: Path,
        source: Source | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._offered = False
        self._session, self._source = session, source
        reader = source.reader if source is not None else ""
        params: Mapping[str, Any] = source.params if source is not None else {}
        self.state = ImportState(path, session.catalogue, reader, params)
        self._asked = 0
        self.form: ParameterForm | None = None
        self.setObjectName("import")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open data" if source is None else "Import settings")
        self.setMinimumSize(720, 440)
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - QSize(40, 60)))
        self.table = PreviewTable(self.state)
        self.table.role_chosen.connect(self._on_role_chosen)
        self.columns = ColumnsTable(self.state)
        self.columns.role_chosen.connect(self._on_role_chosen)
        self.columns.type_chosen.connect(self._on_type_chosen)
        self.pictures = PictureStrip(ImportPictures(self.state))
        self.pictures.size_chosen.connect(self._on_size_chosen)
        self.decision = hint_label()
        self.decision.setProperty("role", "heading")
        self.findings = FindingsBar()
        self.findings.pressed.connect(self._show_field)
        self.banner = ProblemBanner(closable=False)
        self.notes = hint_label()
        self.awaited = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.awaited.setProperty("role", "muted")
        self.summary = ElidedLabel()
        self.summary.setProperty("role", "muted")
        self.readers = ChoiceBox()
        self.readers.setAccessibleName("Reader")
        self.readers.activated.connect(self._on_reader_chosen)
        self._about = hint_label()
        self.buttons, self.ok = ok_and_cancel(self, "Open" if self._source is None else "Apply")
        self._add_open_and_run()
        self._lay_out()
        listen(self, session.questions.file_previewed, self._on_previewed)
        listen(self, session.catalogue_changed, self._on_catalogue_changed)
        self._fill_readers()
        self._make_form()
        self.ask()

    # Asking

    def ask(self) -> None:
        """Have the reader look at the file with the present settings."""
        self.state.begin_look()
        if self.state.descriptor is not None:
            self._asked = self._session.questions.preview_file(
                self.state.path, self.state.reader, self.state.params
            )
        self.synchronize()

    def _on_previewed(self, number: int, answer: TablePreview | str) -> None:
        if number == self._asked:
            if self.state.take(answer):
                self._read_otherwise()
            self.synchronize()

    def _on_catalogue_changed(self) -> None:
        known = self.state.catalogue.methods
        self.state.catalogue = self._session.catalogue
        if not known:  # the engine has only now reported its readers
            params = self.state.params
            state = ImportState(self.state.path, self._session.catalogue, self.state.reader, params)
            self.state.reader = state.reader
            self._fill_readers()
            self._make_form()
            self.ask()

    # Showing

    def synchronize(self) -> None:
        """Show the state as it is now."""
        state = self.state
        self.table.refresh()
        self.columns.refresh()
        self.columns.setVisible(state.columns.is_typed)
        # An empty table would look as if the file were empty.
        awaited = state.preview is None and not state.problem
        self.table.setVisible(not awaited)
        self.awaited.setVisible(awaited)
        self.awaited.setText(self._status())
        # An older table under a new problem would look as if it were what is wrong.
        stale = bool(state.problem) and not state.ragged() and not state.waiting
        stale = stale and not (state.preview is not None and state.problem == state.preview.problem)
        self.table.setEnabled(not stale)
        self.pictures.synchronize()
        said = state.news or state.decision
        self.decision.setText(said)
        self.decision.setVisible(bool(said))
        self.findings.show_findings(state.findings())
        if self.form is not None and not state.waiting:
            self.form.offer(state.choices())
        problem = Problem(state.problem) if state.problem else None
        self.banner.show_problem(problem)
        notes = [note for note in (state.remark, *state.notes()) if note]
        shown = notes[:_NOTES]
        if len(notes) > len(shown):
            shown.append(f"… and {counted(len(notes) - len(shown), 'more note')}")
        self.notes.setText("\n".join(shown))
        self.notes.setToolTip("\n".join(notes))
        self.notes.setVisible(bool(shown))
        self.summary.setText(self._status())
        self.ok.setEnabled(state.can_open)
        self.open_and_run.setEnabled(state.can_open)
        if state.can_open and not self._offered:
            self._offered = True
            self.ok.setFocus(Qt.FocusReason.OtherFocusReason)  # Enter opens what was guessed well

    def _status(self) -> str:
        if self.state.descriptor is None:
            return "Waiting for the list of readers …"
        if self.state.waiting:
            return "Reading the first rows …"
        return self.state.summary

    def _fill_readers(self) -> None:
        fitting, others = self.state.readers()
        self.readers.clear()
        for reader in fitting:
            self.readers.addItem(reader.title, reader.name)
        if fitting and others:
            self.readers.insertSeparator(self.readers.count())
        for reader in others:
            self.readers.addItem(reader.title, reader.name)
        self.readers.setCurrentIndex(self.readers.findData(self.state.reader))

    def _make_form(self) -> None:
        if self.form is not None:
            self._place.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
            self.form = None
        descriptor = self.state.descriptor
        self._about.setText(plain(descriptor.summary) if descriptor is not None else "")
        if descriptor is not None:
            self.form = ParameterForm(descriptor, self.state.params)
            self.form.changed.connect(self._on_params)
            self._place.insertWidget(0, self.form)

    # What a person does

    def _on_params(self, values: dict[str, Any]) -> None:
        if values != self.state.params:
            self.state.params = values
            self.ask()

    def _on_reader_chosen(self) -> None:
        reader = str(self.readers.currentData() or "")
        if reader and reader != self.state.reader:
            self.state.choose_reader(reader)
            self._read_otherwise()

    def _on_size_chosen(self, size: Size | None) -> None:
        ImportPictures(self.state).choose(size)
        self._read_otherwise()

    def _read_otherwise(self) -> None:
        """Show the reader and the settings that the state has now, and look again with them."""
        self.readers.setCurrentIndex(self.readers.findData(self.state.reader))
        self._make_form()
        self.ask()

    def _on_role_chosen(self, column: int, role: str) -> None:
        self._choose(self.state.columns.with_role(column, role))

    def _on_type_chosen(self, column: int, kind: str) -> None:
        self._choose(self.state.columns.with_type(column, kind))

    def _choose(self, params: dict[str, Any]) -> None:
        if self.form is not None:
            self.form.set_values(params)
        self._on_params(params)

    def _show_field(self, name: str) -> None:
        """Bring the field into view by which a guess is corrected."""
        if self.form is not None and name in {field.name for field in self.form.fields}:
            editor = self.form.editor(name)
            self._area.ensureWidgetVisible(editor, 0, 60)
            editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def accept(self) -> None:
        """Hand the source over, unless something that is still being typed makes it unreadable."""
        if self.form is not None:
            self.form.flush()
        if not self.state.can_open:
            return
        if self.state.has_changed():
            self.runs = False
            self.ask()
            return
        state, before = self.state, self._source
        usual = state.catalogue.reader_for(state.path.name)
        named = before is not None and bool(before.reader)
        reader = "" if usual and usual.name == state.reader and not named else state.reader
        name = before.name if before is not None else "data"
        opened = before.open if before is not None else str(state.path)
        self.chosen.emit(Source(name, opened, reader, dict(state.params)))
        super().accept()

    def _on_open_and_run(self) -> None:
        self.runs = True
        self.accept()

    # Layout

    def _add_open_and_run(self) -> None:
        self.runs = False
        self.open_and_run = QPushButton("Open and run")
        self.open_and_run.setToolTip("Open the file and look for groups at once (Ctrl+Enter)")
        self.open_and_run.setShortcut(QKeySequence("Ctrl+Return"))
        self.open_and_run.setAutoDefault(False)
        self.open_and_run.clicked.connect(self._on_open_and_run)
        if self._source is None:
            self.buttons.addButton(self.open_and_run, QDialogButtonBox.ButtonRole.ActionRole)

    def _lay_out(self) -> None:
        title = ElidedLabel(self.state.path.name)
        title.setProperty("role", "title")
        where = ElidedLabel(_whereabouts(self.state.path))
        where.setProperty("role", "muted")
        where.setToolTip(str(self.state.path))
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self._left())
        halves.addWidget(self._right())
        halves.setStretchFactor(1, 1)
        halves.setSizes([_FORM_WIDTH, _SIZE.width() - _FORM_WIDTH])
        foot = QHBoxLayout()
        foot.setSpacing(12)
        foot.addWidget(self.summary, 1)
        foot.addWidget(self.buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(2)
        layout.addWidget(title)
        layout.addWidget(where)
        layout.addSpacing(10)
        layout.addWidget(halves, 1)
        layout.addSpacing(10)
        layout.addLayout(foot)

    def _left(self) -> QWidget:
        side = QWidget()
        side.setMinimumWidth(300)
        label = QLabel("Read as")
        label.setProperty("role", "heading")
        label.setBuddy(self.readers)
        inside = QWidget()
        self._place: QVBoxLayout = QVBoxLayout(inside)
        self._place.setContentsMargins(0, 4, 8, 4)
        self._place.addStretch(1)
        self._area = area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 10, 0)
        column.setSpacing(6)
        column.addWidget(label)
        column.addWidget(self.readers)
        column.addWidget(self._about)
        column.addWidget(area, 1)
        return side

    def _right(self) -> QWidget:
        side = QWidget()
        frame = QFrame()
        frame.setProperty("role", "card")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        tables = QSplitter(Qt.Orientation.Vertical)
        tables.setChildrenCollapsible(False)
        tables.addWidget(self.columns)
        tables.addWidget(self.table)
        tables.setStretchFactor(0, 3)
        tables.setStretchFactor(1, 2)
        inside.addWidget(tables, 1)
        inside.addWidget(self.awaited)
        self.notes.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        column = QVBoxLayout(side)
        column.setContentsMargins(10, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.decision)
        column.addWidget(self.findings)
        column.addWidget(self.banner)
        column.addWidget(self.pictures)
        column.addWidget(frame, 1)
        column.addWidget(self.notes)
        return side


def _whereabouts(path: Path) -> str:
    """Return the folder's name and the file's size; the whole path would not fit."""
    try:
        size = "" if path.is_dir() else f" · {size_in_words(path.stat().st_size)}"
    except OSError:
        size = ""
    return f"in {path.parent.name or path.parent}{size}"

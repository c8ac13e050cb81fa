"""The dialog that searches a folder for a data file that was moved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from coterie.core.api.context import Control
from coterie.core.errors import Cancelled, CoterieError
from coterie.core.model.recipes import Source
from coterie.core.wording import size_in_words
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.elided import ElidedLabel
from coterie.gui.toolkit.problems import Problem, ProblemBanner
from coterie.gui.toolkit.thread_bridge import Bridge
from coterie.projects.sources.relink import MissingFile, find_lost

if TYPE_CHECKING:
    from coterie.projects.session import Session

_TICK_MILLISECONDS = 100
_WIDTH = 520


def source_of(session: Session, step: str) -> str:
    """Return the source that reads a file and that a step begins with; empty for none."""
    from coterie.projects.recipe.toml import is_sample

    if step not in session.recipe.names:
        return ""
    parts = (session.recipe.find(name) for name in session.recipe.ancestors([step]))
    files = (part for part in parts if isinstance(part, Source) and not is_sample(part))
    return next((part.name for part in files), "")


def find_file(session: Session, step: str, parent: QWidget) -> FindDialog | None:
    """Open the dialog for the file that a step, or the source itself, needs."""
    name = source_of(session, step)
    if not name:
        return None
    dialog = FindDialog(session, name, parent)
    dialog.open()
    return dialog


class FindDialog(QDialog):
    """Looks for the file of a source by its size and its bytes, on a thread."""

    def __init__(self, session: Session, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._name = session, name
        part = session.recipe.find(name)
        self._place = Path(part.open) if isinstance(part, Source) else Path()
        self._lost: MissingFile | None = None
        self._control = Control()
        self._said = [""]
        self._aside, self._bridge = Aside(self), Bridge(lambda: None, self)
        self.destroyed.connect(self._bridge.close)
        self.setObjectName("find")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Locate file")
        self.about = QLabel(wordWrap=True)
        self.banner = ProblemBanner(closable=False)
        self.bar = QProgressBar(textVisible=False, minimum=0, maximum=0)
        self.bar.setFixedHeight(6)
        self.doing = ElidedLabel()
        self.doing.setProperty("role", "muted")
        self.file = QPushButton("Choose file…")
        self.file.clicked.connect(self._on_file)
        self.folder = QPushButton("Search folder…")
        self.folder.setProperty("role", "primary")
        self.folder.setDefault(True)
        self.folder.clicked.connect(self._on_folder)
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(self.reject)
        self._tick = QTimer(self, interval=_TICK_MILLISECONDS)
        self._tick.timeout.connect(self._on_tick)
        self._lay_out()
        self._show_busy(True)
        self._bridge.when_done(session.files.known_of(name), self._on_known, self._on_failed)

    def look_in(self, folder: Path) -> None:
        """Search a folder and its subfolders."""
        lost, control, said = self._lost, self._control, self._said
        if lost is None:
            return
        self.banner.show_problem(None)
        self._show_busy(True)

        def check() -> None:
            if control.cancelled:
                raise Cancelled

        def tell(words: str) -> None:
            said[0] = words

        self._aside.ask(lambda: find_lost(lost, folder, check, tell), self.take, self._on_failed)

    def take(self, path: Path) -> None:
        """Let the project read this file, if it is the same."""
        self.banner.show_problem(None)
        self._said[0] = f"Comparing '{path.name}'"
        self._show_busy(True)
        linking = self._session.files.relink(self._name, path)
        self._bridge.when_done(linking, self._on_linked, self._on_failed)

    def reject(self) -> None:
        """Stop looking."""
        self._control.cancel()
        super().reject()

    def _on_known(self, lost: MissingFile | None) -> None:
        self._lost = lost
        self._show_busy(False)

    def _on_linked(self, _moved: object) -> None:
        self._tick.stop()
        self.accept()

    def _on_failed(self, error: BaseException) -> None:
        self._show_busy(False)
        if not isinstance(error, Cancelled):
            # What is refused on purpose has no traceback that anybody would look at.
            ours = isinstance(error, CoterieError)
            self.banner.show_problem(Problem(str(error)) if ours else Problem.of_error(error))
            self._show_busy(False)

    def _on_tick(self) -> None:
        self.doing.setText(self._said[0])

    def _on_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Choose file", str(self._near()))
        if name:
            self.take(Path(name))

    def _on_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Search folder", str(self._near()))
        if name:
            self.look_in(Path(name))

    def _near(self) -> Path:
        """A folder to begin with: the project's, as the file's own may be gone."""
        return (
            self._session.project.path.parent
            if self._session.project.path is not None
            else Path.home()
        )

    def _show_busy(self, busy: bool) -> None:
        size = ""
        if self._lost is not None and self._lost.nbytes is not None:
            size = f" ({size_in_words(self._lost.nbytes)})"
        by = "Coterie recognises it by size and content, even if it was renamed."
        if self._lost is None and not busy:
            by = "It was never read, so Coterie cannot search for it. Choose the file yourself."
        self.about.setText(f"Where is “{self._place.name}”{size} now? {by}")
        self.about.setToolTip(f"It was at {self._place}.")
        for widget in (self.bar, self.doing):
            widget.setVisible(busy)
        self.file.setEnabled(not busy)
        self.folder.setEnabled(not busy and self._lost is not None)
        if busy:
            self._on_tick()
            self._tick.start()
        else:
            self._tick.stop()
            self.folder.setFocus()
        # A sentence that wraps takes more room than Qt gives it automatically.
        self._column.activate()
        needed = self._column.totalHeightForWidth(self.width())
        self.resize(self.width(), max(self.sizeHint().height(), needed))

    def _lay_out(self) -> None:
        self.setMinimumWidth(_WIDTH)
        buttons = QHBoxLayout()
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        buttons.addWidget(self.file)
        buttons.addWidget(self.folder)
        self._column = layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(12)
        layout.addWidget(self.about)
        layout.addWidget(self.banner)
        layout.addWidget(self.bar)
        layout.addWidget(self.doing)
        layout.addStretch(1)
        layout.addLayout(buttons)

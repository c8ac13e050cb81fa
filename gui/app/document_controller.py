"""Opening and saving: asks the person, and hands the work to the session."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox

from coterie.core.errors import code_of
from coterie.gui.app.changed_file import ask_about_change
from coterie.gui.app.recents import remember
from coterie.gui.toolkit.buttons import with_plain_buttons
from coterie.gui.toolkit.file_dialogs import ask_target, remember_folder, usual_folder
from coterie.gui.toolkit.problems import Problem
from coterie.gui.toolkit.thread_bridge import Bridge

if TYPE_CHECKING:
    from coterie.core.model.recipes import Source
    from coterie.gui.app.context import WindowContext
    from coterie.gui.dialogs.import_data.dialog import ImportDialog
    from coterie.projects.session import Session
    from coterie.projects.store.opened_file import Opened
    from coterie.projects.store.recovery import Orphan

PROJECT_ENDING = ".coterie.h5"
_PROJECTS = f"Coterie projects (*{PROJECT_ENDING})"
_RECIPES = "Recipes (*.toml)"


class Documents(QObject):
    """The window's session and the files it comes from and goes to.

    Parameters
    ----------
    new_session : makes an empty session
    """

    session_made = Signal(object)  # not started yet
    session_dropped = Signal()  # closed when this returns
    remembered = Signal(Path)

    def __init__(self, context: WindowContext, new_session: Callable[[], Session]) -> None:
        super().__init__(context.frame)
        self._context = context
        self.new_session = new_session
        self.bridge: Bridge | None = None
        self._looked_at: Path | None = None  # the project that another window holds

    @property
    def is_read_only(self) -> bool:
        """Whether what is open can only be saved under another name."""
        session = self._context.session
        return (
            session is not None
            and session.project.path is not None
            and session.project.path == self._looked_at
        )

    # The session

    def ensure_session(self) -> Session:
        """Return the window's session, made and started now if there was none."""
        session = self._context.session
        if session is None:
            session = self.new_session()
            self.bridge = Bridge(session.pump, self)
            self.session_made.emit(session)
            session.start(self.bridge.notify)
        return session

    def close_session(self, *, keep_work: bool = False) -> None:
        """End the session and its engine; `keep_work` leaves the work for the next start."""
        session = self._context.session
        if session is not None:
            if self.bridge is not None:
                self.bridge.close()
            self.session_dropped.emit()
            session.close(keep_work=keep_work)

    # Opening

    def open(self, path: Path, *, ask: bool = True) -> None:
        """Open a project, a recipe or data, once unsaved work is settled.

        How data are to be read is shown first, unless `ask` is false.
        """
        if not path.exists():  # reported before anything else is asked
            where = path.parent.name or path.parent
            said = f"'{path.name}' is not in '{where}'. It may have been moved or renamed."
            self._context.problems.add(Problem(said))
        elif ask and is_data(path):
            self._settled(lambda: self.ask_how_to_read(path))
        else:
            self._settled(lambda: self.open_now(str(path), path))

    def ask_how_to_read(self, path: Path) -> None:
        """Show how a data file would be read; it is opened when the person agrees."""
        from coterie.gui.dialogs.import_data.dialog import ImportDialog

        dialog = ImportDialog(self.ensure_session(), path.absolute(), parent=self._context.frame)
        dialog.chosen.connect(lambda source: self._open_source(source, path, dialog))
        dialog.open()

    def _open_source(self, source: Source, path: Path, dialog: ImportDialog) -> None:
        from coterie.core.formats.files.tabular import title_of
        from coterie.projects.recipe.defaults import default_recipe
        from coterie.projects.recipe.inputs import reader_of

        session = self.ensure_session()
        reader = reader_of(source, session.catalogue).name
        recipe = default_recipe(source, title_of(path), reader, dialog.state.kernel)
        session.project.load_recipe(recipe)
        self._context.problems.show_problem(None)
        session.run(*(() if dialog.runs else (source.name,)))
        self._remember(path)

    def open_sample(self, name: str) -> None:
        """Open a sample with its recipe."""
        self._settled(lambda: self.open_now(name))

    def ask_open(self) -> None:
        """Ask for a file of any kind."""
        everything = f"All files (*);;{_PROJECTS};;{self._data_filter()};;{_RECIPES}"
        self._ask("Open", everything)

    def ask_data(self) -> None:
        """Ask for a data file."""
        self._ask("Open data", f"{self._data_filter()};;All files (*)")

    def ask_project(self) -> None:
        """Ask for a project."""
        self._ask("Open project", f"{_PROJECTS};;{_RECIPES};;All files (*)")

    def recover(self, orphan: Orphan) -> None:
        """Restore the work of a session that did not close, once what is open is settled."""
        self._settled(lambda: self._recover_now(orphan))

    def _recover_now(self, orphan: Orphan) -> None:
        recovering = self.ensure_session().project.recover(orphan.folder)
        if self.bridge is None:
            return
        bar = self._context.status
        bar.showMessage(f"Restoring {orphan.title} …")
        self.bridge.when_done(
            recovering,
            lambda _: bar.clearMessage(),
            lambda error: self._on_failed(error, f"restore '{orphan.title}'"),
        )

    def open_now(self, what: str, path: Path | None = None) -> None:
        """Open a sample by its name, or the file at `path`, in the place of what is open."""
        self._looked_at = None
        try:
            opening = self.ensure_session().project.open(what)
        except Exception as error:
            self._context.problems.add(Problem.of_error(error, f"open '{Path(what).name}'"))
            return
        self._context.problems.show_problem(None)
        if opening is None or self.bridge is None:
            # A person wants to see the data at once, before any method has run.
            session = self.ensure_session()
            session.run(*(source.name for source in session.recipe.sources))
            if path is not None:
                self._remember(path)
            return
        self._await_opened(opening, path or Path(what))

    def open_read_only(self, path: Path) -> None:
        """Open a project without the right to save it, as another window holds it."""
        opening = self.ensure_session().project.open_file(path.absolute(), lock=False)
        self._looked_at = path.absolute()
        self._await_opened(opening, path)

    def _await_opened(self, opening: Future[Opened], path: Path) -> None:
        if self.bridge is None:
            return
        self._context.status.showMessage(f"Opening {path.name} …")
        self.bridge.when_done(
            opening,
            lambda _: self._on_opened(path),
            lambda error: self._on_not_opened(error, path),
        )

    def _on_not_opened(self, error: BaseException, path: Path) -> None:
        from coterie.projects.store.hdf5.locking import ProjectInUseError

        if not isinstance(error, ProjectInUseError):
            self._on_failed(error, f"open '{path.name}'")
            return
        self._context.status.clearMessage()
        box = QMessageBox(self._context.frame)
        box.setObjectName("in-use")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("Open in another window")
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(f"“{path.name}” is open in another window.")
        box.setInformativeText(
            "You can view and change it here, but you can save it only under another name."
        )
        reading = box.addButton("Open read-only", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        with_plain_buttons(box)

        def on_finished(_: int) -> None:
            if box.clickedButton() is reading:
                self.open_read_only(path)

        box.finished.connect(on_finished)
        box.open()

    def _on_opened(self, path: Path) -> None:
        self._context.status.clearMessage()
        self._remember(path)

    def _remember(self, path: Path) -> None:
        remember(path)
        self.remembered.emit(path)

    def _ask(self, title: str, kinds: str) -> None:
        folder = str(usual_folder())
        chosen, _ = QFileDialog.getOpenFileName(self._context.frame, title, folder, kinds)
        if chosen:
            remember_folder(Path(chosen))
            self.open(Path(chosen))

    def ask_folder(self) -> None:
        """Ask for a folder to open: a product of a satellite, or one of pictures or texts."""
        folder = str(usual_folder())
        chosen = QFileDialog.getExistingDirectory(self._context.frame, "Open folder", folder)
        if chosen:
            remember_folder(Path(chosen))
            self.open(Path(chosen))

    def _data_filter(self) -> str:
        session = self._context.session
        endings = ["*.csv"]
        if session is not None and session.catalogue.methods:
            readers = session.catalogue.of_kind("reader")
            endings = sorted({f"*{end}" for reader in readers for end in reader.extensions})
        return f"Data ({' '.join(endings)})"

    # Saving

    def save(self, then: Callable[[], None] | None = None) -> None:
        """Save where the project was saved before, or ask where: also when it is read-only here."""
        session = self._context.session
        if session is None:
            return
        if session.project.path is None or self.is_read_only:
            self.ask_save(then)
        else:
            self.save_to(session.project.path, then)

    def ask_save(self, then: Callable[[], None] | None = None) -> None:
        """Ask where to save."""
        session = self._context.session
        if session is None:
            return
        start = session.project.path
        if start is None:
            start = Path(f"{_file_name(session.project.title)}{PROJECT_ENDING}")
        elif self.is_read_only:
            stem = start.name.removesuffix(PROJECT_ENDING)
            start = start.with_name(f"{stem} copy{PROJECT_ENDING}")
        asked = ask_target(self._context.frame, "Save project as", start, _PROJECTS)
        if asked is not None:
            self.save_to(asked[0], then)

    def save_to(
        self, path: Path, then: Callable[[], None] | None = None, *, overwrite: bool = False
    ) -> None:
        """Save to a file, on another thread; `then` is called when that went well.

        A file that another program changed is replaced only when `overwrite` says so.
        """
        session = self._context.session
        if session is None or self.bridge is None:
            return
        doing = f"save '{path.name}'"

        def on_saved(_: object) -> None:
            self._looked_at = None
            session.pump()  # the session's own news of it come first
            self._remember(path)
            if then is not None:
                then()

        self._context.status.showMessage(f"Saving {path.name} …")
        try:
            future = session.project.save(path, overwrite=overwrite)
        except Exception as error:
            self._on_failed(error, doing)
            return

        def on_failed(error: BaseException) -> None:
            if code_of(error) == "project-changed":
                self._context.status.clearMessage()
                self._ask_about_change(path, then)
            else:
                self._on_failed(error, doing)

        self.bridge.when_done(future, on_saved, on_failed)

    def _ask_about_change(self, path: Path, then: Callable[[], None] | None) -> None:
        """Ask what to do with a project that another program changed while it was open here."""
        ask_about_change(
            self._context.frame,
            path.name,
            copy=lambda: self.ask_save(then),
            overwrite=lambda: self.save_to(path, then, overwrite=True),
            compare=self._compare,
        )

    def _compare(self, then: Callable[[list[str]], None]) -> None:
        session = self._context.session
        if session is not None and self.bridge is not None:
            comparing = session.project.compare_with_file()
            self.bridge.when_done(comparing, then, lambda error: then([str(error)]))

    def _on_failed(self, error: BaseException, doing: str) -> None:
        self._context.status.clearMessage()
        self._context.problems.add(Problem.of_error(error, doing))

    # Unsaved work

    def must_ask(self) -> bool:
        """Return whether something would be lost that is worth asking about.

        A sample that was opened and left alone is not.
        """
        session = self._context.session
        if session is None or not session.project.modified or not session.recipe.names:
            return False
        worked = session.edits.can_undo or session.edits.can_redo or session.project.path
        return bool(worked) or any(
            str(session.status(step.name)) != "missing" for step in session.recipe.steps
        )

    def ask_unsaved(self, then: Callable[[], None]) -> None:
        """Ask whether to save first; `then` is called unless the person thought better of it."""
        session = self._context.session
        title = session.project.title if session is not None else ""
        box = QMessageBox(self._context.frame)
        box.setObjectName("unsaved")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("Unsaved changes")
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(f"Save the changes to “{title}”?")
        box.setInformativeText(
            "If you do not save, results and settings since the last save are lost."
        )
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        with_plain_buttons(box)

        def on_finished(_: int) -> None:
            pressed = box.standardButton(box.clickedButton())
            if pressed == buttons.Save:
                self.save(then)
            elif pressed == buttons.Discard:
                then()

        box.finished.connect(on_finished)
        box.open()

    def _settled(self, then: Callable[[], None]) -> None:
        if self.must_ask():
            self.ask_unsaved(then)
        else:
            then()


def is_data(path: Path) -> bool:
    """Return whether a path is that of data, rather than of a project or a recipe."""
    return path.exists() and not path.name.endswith((PROJECT_ENDING, ".toml"))


def why_empty(session: Session) -> str:
    """Say why a session that was begun has nothing to show; nothing for one that was not."""
    if session.edits.can_undo:
        return "The project is empty. Undo to get it back, or open something else."
    path, title = session.project.path, session.recipe.title
    named = path.name if path is not None else title
    if not named:
        return ""
    return f"“{named}” has no data yet. Open a file, or start from a sample."


def _file_name(title: str) -> str:
    kept = "".join(c if c.isalnum() or c in " -_" else " " for c in title)
    return " ".join(kept.split()) or "Untitled"
